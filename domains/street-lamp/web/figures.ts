import { NONE } from '../../../platform/web/format.ts'

export const kwh = (wh: number | null | undefined) =>
  wh === null || wh === undefined ? NONE : (wh / 1000).toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
