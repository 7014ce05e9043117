import type { Instant, Of } from '../../../../platform/contract/field.ts'
import type { Tx } from '../../../../platform/server/database.ts'
import { find, listOver } from '../../../../platform/server/page.ts'
import { NotFound, refusal } from '../../../../platform/server/refusal.ts'
import { lockRow, rowsOver, setRow } from '../../../../platform/server/row.ts'
import { holdersOf } from '../../../identity/server/api.ts'
import { liquidation } from '../../contract/liquidation.ts'
import { Payment, UNASKED_STATES } from '../../contract/payment.ts'
import { DoubleLine, doubleSearch } from '../../contract/report.ts'

export const doubles = listOver(DoubleLine, 'settlement.paymentLine', doubleSearch, {
  only: `state in (${UNASKED_STATES.join(', ')})`,
  sums: ['receivedFen', 'refundFen'],
})
const payments = rowsOver(Payment, 'settlement.payment', [], { kept: true })

const Taken = refusal('settlement.double.taken', 40571, '{name} 正在处理，请由其移交', '{name} is handling it; ask {name} to hand it over')
const NotYours = refusal(
  'settlement.double.not-yours',
  40572,
  '只有处理人 {name} 或复核人可以移交',
  'Only the handler, {name}, or a reviewer can hand it over',
)
const Nobody = refusal('settlement.double.nobody', 40573, '还没有人接手，请先接手', 'It has no handler yet; take it first')
const CannotHandle = refusal(
  'settlement.double.cannot',
  40574,
  '所选人员不能处理重复支付，请选择有权限的人员',
  'This person is not allowed to handle duplicate payments: choose somebody who is',
  422,
)
const GoneBack = refusal(
  'settlement.double.gone-back',
  40575,
  '款项已全部退回，无需处理',
  'The money has been returned in full; nothing is left to do',
)

type Line = Of<typeof DoubleLine>
type Which = { id: string; version: number }
interface Person {
  userId: string
  userName: string
}

/** Taken by one of those who reach for it at once; the others hear who has it. */
export async function take(tx: Tx, which: Which, { userId, userName }: Person, at: Instant): Promise<Line> {
  const [held, line] = await lockDouble(tx, which)
  if (line.ownerId === (userId as string)) return line
  if (line.ownerId) throw Taken({ name: line.ownerName })
  return own(tx, held, { id: userId, name: userName }, at)
}

export async function handOver(
  tx: Tx,
  { personId, ...which }: Which & { personId?: string | undefined },
  { userId, may }: Pick<Person, 'userId'> & { may: ReadonlySet<string> },
  at: Instant,
): Promise<Line> {
  const [held, line] = await lockDouble(tx, which)
  if (!line.ownerId) throw Nobody()
  if (line.ownerId !== (userId as string) && !may.has(liquidation.settleDecide.needs as string)) throw NotYours({ name: line.ownerName })
  if (personId === undefined) return own(tx, held, null, at)
  const next = (await handlers(tx)).find(({ id }) => id === personId)
  if (!next) throw CannotHandle()
  return own(tx, held, next, at)
}
export const handlers = (tx: Tx) => holdersOf(tx, liquidation.doubleTake.needs as string)

type Held = Awaited<ReturnType<typeof lockPayment>>
const lockPayment = (tx: Tx, which: Which) => lockRow(tx, payments, which)
async function lockDouble(tx: Tx, which: Which): Promise<[Held, Line]> {
  const held = await lockPayment(tx, which)
  const line = await find<Line>(tx, doubles, which.id)
  if (!line || !UNASKED_STATES.includes(line.state)) throw NotFound()
  if (line.refundFen === line.receivedFen) throw GoneBack()
  return [held, line]
}
async function own(tx: Tx, held: Held, next: { id: string; name: string } | null, at: Instant): Promise<Line> {
  await setRow(tx, payments, held, { ownerId: next?.id ?? null, ownerName: next?.name ?? null, ownedAt: next && at }, at)
  return (await find<Line>(tx, doubles, (held as { id: unknown }).id))!
}
