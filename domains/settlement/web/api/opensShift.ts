import type { Text } from '../../../../platform/web/text.ts'

/** The warning before cash is taken by somebody who has no running shift: the payment opens one, with an empty till. Undefined while it is not known, or one runs. */
export const opensShift = (mine: object | null | undefined): Text | undefined =>
  mine === null
    ? ['您没有进行中的收银班次：收款时将为您开班，备用金 0 元', 'You have no cash shift running: taking this opens one for you, with a float of ¥0']
    : undefined
