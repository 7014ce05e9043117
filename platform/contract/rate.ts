/**
 * A part of a whole in thousandths, rounded to the nearest and never above the whole; of nothing it is not known. Every rate of the product is worked out by it, or in SQL by
 * `platform.permille`, so that the same figure is the same wherever it stands.
 */
export const permilleOf = (part: number, whole: number): number | null => (whole > 0 ? Math.min(1000, Math.round((part * 1000) / whole)) : null)
