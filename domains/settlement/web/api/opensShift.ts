import type { Text } from '../../../../platform/web/text.ts'

/** What is said before cash is taken by whoever has no running shift: it opens one, with nothing in the till. Nothing while it is not known, or one runs. */
export const opensShift = (mine: object | null | undefined): Text | undefined =>
  mine === null
    ? ['您没有进行中的收银班次：收款时将为您开班，备用金 0 元', 'You have no cash shift running: taking this opens one for you, with a float of ¥0']
    : undefined
