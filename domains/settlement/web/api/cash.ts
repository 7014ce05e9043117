import { plural } from '../../../../platform/contract/plural.ts'
import type { Fen, Id } from '../../../../platform/contract/field.ts'
import { count, yuan } from '../../../../platform/web/format.ts'
import type { Text } from '../../../../platform/web/text.ts'

/** The input of a cash payment, with points beside it or without. */
export const cashInput = (orderId: string, dueFen: number, points = 0) => ({
  id: orderId as Id<'OrderId'>,
  amountFen: (dueFen - points) as Fen,
  ...(points > 0 && { points }),
})
/** The button says what is taken. */
export function cashAct(dueFen: number, points = 0): Text {
  const cash = `¥${yuan(dueFen - points)}`
  if (points === 0) return [`确认收现金 ${cash}`, `Take ${cash} in cash`]
  if (points === dueFen) return [`用 ${count(points)} 积分付清`, `Pay all with ${count(points)} ${plural(points, 'point')}`]
  return [`用 ${count(points)} 积分，收现金 ${cash}`, `Use ${count(points)} ${plural(points, 'point')}, take ${cash} in cash`]
}
/** Said when it is done. */
export function cashDone(dueFen: number, points = 0): Text {
  const cash = `¥${yuan(dueFen - points)}`
  if (points === 0) return [`已收现金 ${cash}`, `${cash} taken in cash`]
  if (points === dueFen) return [`已用 ${count(points)} 积分付清`, `Paid with ${count(points)} ${plural(points, 'point')}`]
  return [`已用 ${count(points)} 积分，收现金 ${cash}`, `${count(points)} ${plural(points, 'point')} used, ${cash} taken in cash`]
}
