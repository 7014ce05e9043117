/** A part of a whole in thousandths, rounded as everywhere; of nothing there is no rate. */
export const rateOf = (part: number, whole: number): number | null => (whole > 0 ? Math.min(1000, Math.round((part * 1000) / whole)) : null)
