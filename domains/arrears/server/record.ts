import type { Fen, Instant, Of } from '../../../platform/contract/field.ts'
import { permilleOf } from '../../../platform/contract/rate.ts'
import { because } from '../../../platform/server/record/audit.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { type List, page } from '../../../platform/server/page.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { linesAbout } from '../../ledger/server/api.ts'
import { ParkType } from '../../parking/contract/park.ts'
import { SessionStatus } from '../../parking/contract/stay.ts'
import { feeOfStay } from '../../parking/server/api.ts'
import { OrderStatus } from '../../settlement/contract/order.ts'
import { leaveUnpaid, orderOf, paidBack } from '../../settlement/server/api.ts'
import { ArrearsState, type Evidence, EvidenceKind, ExceptionType, type PaidPart } from '../contract/file.ts'
import { type ArrearsStory, type ArrearsSummary, record } from '../contract/record.ts'
import { appeals } from './appeal.ts'
import { closings } from './closing.ts'
import { duns } from './dun.ts'
import { whyOf } from './why.ts'
import { abnormal, allOfLanes, type File, fileOf, fileOfOrder, files, lockFile, ofLanes, tellFile, toCollect } from './file.ts'
import { Said } from '../contract/said.ts'
import { SYSTEM } from '../../../platform/contract/said.ts'

const NotOver = refusal(
  'arrears.stay-not-over',
  41201,
  '该订单的停车尚未结束，或订单不是待支付：离场后再建档',
  'The stay of this order has not ended, or the order is not unpaid: open the file after the car has left',
)
const EvidenceMissing = refusal(
  'arrears.evidence-missing',
  41202,
  '证据不足：路内欠费需各有一张看清泊位和车牌的驶入、驶离图片，请先补证据',
  'Evidence is missing: a roadside debt needs one arrival and one departure picture that show the berth and plate; add them first',
  422,
)
const AllGood = refusal('arrears.not-abnormal', 41203, '请选择异常原因', 'Choose an abnormal reason', 422)

export const calls = serve(record, {
  list: ({ tx, input }) => page(tx, files, input),
  listExport: exporting(record.listExport, files),
  exceptionExport: exporting(record.exceptionExport, abnormal),
  laneExport: exporting(record.laneExport, ofLanes),
  escapeList: ({ tx, input }) => page(tx, toCollect, input),
  exceptionList: ({ tx, input }) => page(tx, abnormal, input),
  summary: ({ tx, input }) => summary(tx, files, input),
  detail: ({ tx, input }) => story(tx, input.id),
  export: exporting(record.export, toCollect),
  laneList: ({ tx, input }) => page(tx, ofLanes, input),
  laneSummary: ({ tx, input }) => summary(tx, allOfLanes, input),

  async create({ tx, input, actor, at }) {
    const [order] = await run<{ id: string; ended: boolean }>(tx, { sql: ENDED }, [input.orderNo])
    if (!order) throw NotFound()
    if (!order.ended) throw NotOver()
    await leaveUnpaid(tx, order.id, { sourceType: input.sourceType, at })
    const file = (await fileOfOrder(tx, order.id))!
    await run(tx, { sql: ADD }, [file.id, file.parkCode, EvidenceKind.leaving, input.evidence, false, true, at, null, actor.userName])
    return file
  },
  async addEvidence({ tx, input, actor }) {
    const file = await fileOf(tx, input.id)
    const { kind, image, showsBerth, showsPlate, takenAt, note = null } = input
    const [made] = await run<Of<typeof Evidence>>(tx, { sql: ADD }, [
      file.id,
      file.parkCode,
      kind,
      image,
      showsBerth,
      showsPlate,
      takenAt,
      note,
      actor.userName,
    ])
    await tellFile(tx, file)
    return made!
  },
  async release({ tx, input, at }) {
    const file = await lockFile(tx, input.id, input.version)
    if (file.exceptionType === ExceptionType.none) throw IllegalMove({ exceptionType: file.exceptionType })
    if (file.exceptionType === ExceptionType.evidence && !(await isEvident(tx, file))) throw EvidenceMissing()
    return setException(tx, file, ExceptionType.none, null, input.reason, at)
  },
  async suspect({ tx, input, at }) {
    if (input.exceptionType === ExceptionType.none) throw AllGood()
    const file = await lockFile(tx, input.id, input.version)
    if (file.state !== ArrearsState.open && file.state !== ArrearsState.partly) throw IllegalMove({ state: file.state })
    return setException(tx, file, input.exceptionType, input.reason, input.reason, at)
  },
})
const ENDED = `select o.id, o.status = ${OrderStatus.unpaid} and not o.owed and coalesce(s.status = ${SessionStatus.left}, false) as ended from settlement.order o
  left join parking.stay s on s.id = o.stay_id where o.enterprise_id = scope_enterprise() and o.order_no = $1`
const ADD = `insert into arrears.evidence (record_id, park_code, kind, image, shows_berth, shows_plate, taken_at, note, added_name) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  returning id, kind, image, shows_berth, shows_plate, taken_at, note, added_name`

/** At the roadside a picture each of coming and of leaving that show berth and plate; in a park, where a lane reads the plate, any that shows it. */
async function isEvident(tx: Tx, { id, pType }: File): Promise<boolean> {
  const [shown] = await run<{ comes: boolean; leaves: boolean; plate: boolean }>(tx, { sql: SHOWN }, [id])
  return pType === ParkType.roadside ? shown!.comes && shown!.leaves : shown!.plate
}
async function setException(tx: Tx, file: File, exceptionType: number, missing: string | null, reason: string, at: string): Promise<File> {
  await because(tx, reason)
  await run(tx, { sql: SET_EXCEPTION }, [file.id, exceptionType, missing, at])
  await tellFile(tx, file)
  return fileOf(tx, file.id)
}
/** The pictures that a debt of the street lacked have come: from now on it may be asked for. */
export async function hearEvidence(tx: Tx, stayId: string, at: Instant): Promise<void> {
  const [lacking] = await run<{ id: File['id'] }>(tx, { sql: LACKING }, [stayId])
  if (lacking) await setException(tx, await lockFile(tx, lacking.id), ExceptionType.none, null, Said.evidence, at)
}
const LACKING = `select id from arrears.record where enterprise_id = scope_enterprise() and stay_id = $1 and exception_type = ${ExceptionType.evidence} and state in (${ArrearsState.open}, ${ArrearsState.partly})`
const SET_EXCEPTION = `update arrears.record set exception_type = $2, missing = $3, version = version + 1, updated_at = $4 where enterprise_id = scope_enterprise() and id = $1`

type Filter = Of<typeof record.summary.input>
/** Every state counts: debts = repaid + waived + written off + revoked + still owed. */
async function summary(tx: Tx, list: List<File>, filter: Filter): Promise<Of<typeof ArrearsSummary>> {
  const [{ sums }, { total }] = await Promise.all([
    page(tx, list, { ...filter, queryMode: 'sum' }),
    page(tx, list, { ...filter, queryMode: 'total' }),
  ])
  const of = sums as Record<Exclude<keyof Of<typeof ArrearsSummary>, 'count' | 'repayRate'>, Fen>
  const asked = of.amountFen - of.revokedFen
  return { count: total, ...of, repayRate: permilleOf(of.paidFen, asked) }
}

async function story(tx: Tx, id: File['id']): Promise<Of<typeof ArrearsStory>> {
  const file = await fileOf(tx, id)
  const own = { recordId: id, queryMode: 'rows', limit: STORY_MAX } as const
  const [evidence, parts, order, refunds, entries, quote, ofAppeals, ofClosings, ofDuns] = await Promise.all([
    run<Of<typeof Evidence>>(tx, { sql: EVIDENCES }, [id]),
    run<Of<typeof PaidPart>>(tx, { sql: PARTS }, [id]),
    orderOf(tx, file.orderId),
    paidBack(tx, file.orderId),
    linesAbout(tx, file.orderNo),
    file.stayId ? feeOfStay(tx, file.stayId) : null,
    page(tx, appeals, own),
    page(tx, closings, own),
    page(tx, duns, own),
  ])
  const told = { evidence, parts, appeals: ofAppeals.records, closings: ofClosings.records, duns: ofDuns.records }
  const refundableFen = (order.paidFen - order.refundFen - order.refundingFen) as Fen
  return { ...file, ...told, refundableFen, entries, quote, why: await whyOf(tx, file, order, { ...told, refunds }) }
}
/** More of one kind is no story any more. */
const STORY_MAX = 100
/** Evidence added to the file, and at the roadside that of its stay: the street keeps its own pictures. */
const SEEN = `(select e.id, e.kind, e.image, e.shows_berth, e.shows_plate, e.taken_at, e.note, e.added_name from arrears.evidence e where e.enterprise_id = scope_enterprise() and e.record_id = $1
  union all select s.id, s.kind, s.image, s.shows_berth, s.shows_plate, s.at, null, coalesce(s.by, '${SYSTEM}') from arrears.record r
    join roadside.evidence s on s.enterprise_id = r.enterprise_id and s.stay_id = r.stay_id where r.enterprise_id = scope_enterprise() and r.id = $1 and s.image is not null) seen`
const SHOWN = `select coalesce(bool_or(kind = ${EvidenceKind.coming} and shows_berth and shows_plate), false) as comes, coalesce(bool_or(kind = ${EvidenceKind.leaving} and shows_berth and shows_plate), false) as leaves,
  coalesce(bool_or(shows_plate), false) as plate from ${SEEN}`
const EVIDENCES = `select id, kind, image, shows_berth, shows_plate, taken_at, note, added_name from ${SEEN} order by taken_at, id limit 100`
const PARTS = `select repay_no, at, allocated_fen, refund_fen, operator_name from arrears.repayment_part
  where enterprise_id = scope_enterprise() and record_id = $1 order by at, id limit 100`
