import type { Instant, Of } from '../../../platform/contract/field.ts'
import { paired } from '../../../platform/contract/said.ts'
import { plainPhone } from '../../../platform/contract/sought.ts'
import { DAY_MS, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { IllegalMove, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { sendToCustomer } from '../../message/server/api.ts'
import { orderOf, revoke } from '../../settlement/server/api.ts'
import { Appeal, APPEAL_DAYS, appeal, appealSearch, AppealState } from '../contract/appeal.ts'
import { ArrearsState, recordCan } from '../contract/file.ts'
import { type File, lockFile, lockPaidFile, moveFile, setState } from './file.ts'
import './tables.ts'

export const OwnRequest = refusal(
  'arrears.own-request',
  41220,
  '申请人不能审核自己的申请，请由另一人处理',
  'You cannot review your own request; another person must do it',
  422,
)
const TooLate = refusal(
  'arrears.appeal-too-late',
  41221,
  '补缴已超过 30 天，不能再申诉；如有疑问请联系客服',
  'It was repaid more than 30 days ago and can no longer be appealed: contact customer service if you disagree',
)

export const appeals = listOver(Appeal, 'arrears.appeal', appealSearch)
type Row = Of<typeof Appeal>
type Person = { userId: string; userName: string }
type Decision = Of<typeof appeal.accept.input>

export const calls = serve(appeal, {
  list: ({ tx, input }) => page(tx, appeals, input),
  async apply({ tx, input, actor, at }) {
    const { id, reason, contact, images = null } = input
    return appealAgainst(tx, { id, reason, contact, images, applicantId: actor.userId as Row['applicantId'], applicantName: actor.userName, at })
  },
  async accept({ tx, input, actor, at }) {
    const { file, decided } = await decide(tx, input, actor, at, AppealState.upheld)
    await moveFile(tx, file, 'revoke', at)
    await revoke(tx, file.orderId, { reason: input.verdict, at, actor })
    await tellDecided(tx, decided)
    return decided
  },
  async reject({ tx, input, actor, at }) {
    const { file, decided } = await decide(tx, input, actor, at, AppealState.rejected)
    await setState(tx, file, await beforeOf(tx, file), at)
    await tellDecided(tx, decided)
    return decided
  },
})

/** Sends the decision to the number that the appellant left. */
const tellDecided = (tx: Tx, { id, appealNo, contact, state, verdict }: Row) =>
  sendToCustomer(tx, {
    template: DECIDED,
    phone: plainPhone(contact),
    name: null,
    vars: { appealNo, result: paired(AppealState.entries[state]), reason: verdict ?? '' },
    dedupe: `appeal-decided:${id}`,
  })
const DECIDED = 'arrears.appeal-decided'

export interface Appealed extends Pick<Row, 'reason' | 'contact' | 'images' | 'applicantId' | 'applicantName'> {
  /** The arrears record's. */
  id: File['id']
  at: Instant
}
/** Files an appeal: nothing is demanded until somebody has decided. @throws IllegalMove, TooLate, NotFound */
export async function appealAgainst(tx: Tx, { id, at, ...said }: Appealed): Promise<Row> {
  const file = await lockFile(tx, id)
  if (recordCan.appeal(file.state) === undefined) throw IllegalMove({ state: file.state })
  if (file.state === ArrearsState.repaid && (await paidLongAgo(tx, file, at))) throw TooLate()
  await moveFile(tx, file, 'appeal', at, { beforeAppeal: file.state })
  return addRow(tx, appeals, { recordId: file.id, parkCode: file.parkCode, ...said, appliedAt: at })
}

const paidLongAgo = async (tx: Tx, { orderId }: File, at: Instant): Promise<boolean> => {
  const { payTime } = await orderOf(tx, orderId)
  return payTime !== null && msOf(at) - msOf(payTime) > APPEAL_DAYS * DAY_MS
}

/** Whether the debt of an order was ever appealed, other than by an appeal that was taken back. */
export const isAppealed = async (tx: Tx, orderId: string): Promise<boolean> => (await run(tx, { sql: APPEALED }, [orderId])).length > 0
const APPEALED = `select a.id from arrears.appeal a join arrears.record r on r.enterprise_id = a.enterprise_id and r.id = a.record_id
  where a.enterprise_id = scope_enterprise() and r.order_id = $1 and a.state <> ${AppealState.withdrawn} limit 1`

/** Locks the file before its appeal, as a payment does. */
async function decide(
  tx: Tx,
  { id, version, verdict }: Decision,
  { userId, userName }: Person,
  at: Instant,
  state: 1 | 2,
): Promise<{ file: File; decided: Row }> {
  const [about] = await run<{ recordId: string }>(
    tx,
    { sql: 'select record_id from arrears.appeal where enterprise_id = scope_enterprise() and id = $1' },
    [id],
  )
  const file = about && (await lockPaidFile(tx, about.recordId))
  const found = await lockRow(tx, appeals, { id, version })
  if (found.state !== AppealState.waiting || !file) throw IllegalMove({ state: found.state })
  if (found.applicantId === (userId as string)) throw OwnRequest()
  const decided = await setRow(tx, appeals, found, { state, approverId: userId, approverName: userName, verdict, decidedAt: at }, at)
  return { file, decided }
}

const beforeOf = async (tx: Tx, { id }: File): Promise<number> => {
  const [row] = await run<{ beforeAppeal: number }>(
    tx,
    { sql: 'select before_appeal from arrears.record where enterprise_id = scope_enterprise() and id = $1' },
    [id],
  )
  return row!.beforeAppeal
}
