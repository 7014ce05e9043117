import { NONE } from '../../../../platform/web/format.ts'

/** A price per kWh with its four decimals; of none nothing. */
export const perKwh = (e4: number | null | undefined) => (e4 === null || e4 === undefined ? NONE : (e4 / 10_000).toFixed(4))
