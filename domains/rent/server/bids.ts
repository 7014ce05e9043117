import type { Attachment, Instant, Of } from '../../../platform/contract/field.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { NotFound, refusal } from '../../../platform/server/refusal.ts'
import type { Bid } from '../contract/award.ts'
import { Attestation } from '../contract/bidder.ts'
import { EarnestState, EnrollState } from '../contract/enrollment.ts'
import { BID_MAX_FEN, ProjectType, RentState } from '../contract/project.ts'
import { projectTopic } from './row.ts'

export const NotNow = refusal(
  'rent.not-bidding',
  42450,
  '项目不在竞价时间内，竞价时间见项目页',
  'The project is not open for bidding: see the project for its bidding times',
  409,
)
const NotQualified = refusal(
  'rent.may-not-bid',
  42451,
  '该竞租人没有出价资格；请先通过报名审核',
  'This bidder is not qualified to bid: the registration must be approved first',
  403,
)
const TooLow = refusal('rent.bid-too-low', 42452, '出价不能低于 ¥{yuan}', 'Bid at least ¥{yuan}')
const TooHigh = refusal(
  'rent.bid-too-high',
  42453,
  '出价达到当前最低出价的 10 倍，请核对是否多输了一位',
  'The bid is 10 times the minimum bid or more: check for a digit too many',
  422,
)
/** A bid of so many times the needed amount is refused as a slip, a zero too many: a person who means it bids twice. */
const TIMES_MOST = 10

interface Bidding {
  projectId: string
  enrollId: string
  bidFen: number
  /** When the server heard it. */
  at: Instant
  /** The person who entered it for a bidder who is present. */
  enteredBy?: string
  evidence?: readonly Attachment[]
}
/**
 * The one way in which anybody bids. The project is changed under the guard that it is its time and that the bid has the step, so that of any number at once one has it and
 * the others are told what is needed now. A bid in the last minutes puts the end on.
 */
export async function placeBid(tx: Tx, { projectId, enrollId, bidFen, at, enteredBy, evidence }: Bidding): Promise<void> {
  await mustBeQualified(tx, projectId, enrollId)
  if (bidFen > BID_MAX_FEN) throw TooHigh()
  const [taken] = await run<{ bids: number; parkCode: string }>(tx, { sql: TAKE }, [projectId, enrollId, bidFen, at, TIMES_MOST])
  if (!taken) return refuse(tx, projectId, bidFen, at)
  await run(tx, { sql: KEEP }, [
    projectId,
    enrollId,
    taken.parkCode,
    taken.bids,
    bidFen,
    at,
    enteredBy ?? null,
    evidence ? JSON.stringify(evidence) : null,
  ])
  await run(tx, { sql: STANDS }, [enrollId, bidFen, taken.bids, at])
  await tell(tx, projectTopic, { park: taken.parkCode, ids: [projectId] })
}
/** Refuses a bidder who is not qualified, for open and sealed bids. @throws NotQualified */
export async function mustBeQualified(tx: Tx, projectId: string, enrollId: string): Promise<void> {
  const [may] = await run<{ id: string }>(tx, { sql: MAY }, [projectId, enrollId])
  if (!may) throw NotQualified()
}
const MAY = `select id from rent.enrollment e where enterprise_id = scope_enterprise() and project_id = $1 and id = $2 and state = ${EnrollState.qualified} and earnest_state = ${EarnestState.frozen} and refund_id is null
    and exists (select from rent.bidder b where b.enterprise_id = e.enterprise_id and b.id = e.bidder_id and b.state = ${Attestation.attested})`
const NEEDED = 'coalesce(current_fen + step_fen, base_fen)'
const TAKE = `update rent.project set current_fen = $3, leader_id = $2, bids = bids + 1, version = version + 1, updated_at = $4,
    ends_at = case when ends_at - $4::timestamptz <= extend_min * interval '1 minute' then ends_at + extend_min * interval '1 minute' else ends_at end
  where enterprise_id = scope_enterprise() and id = $1 and type = ${ProjectType.open} and state = ${RentState.bidding} and bid_from <= $4 and ends_at > $4 and $3::bigint >= ${NEEDED} and $3::bigint < ${NEEDED} * $5
  returning bids, park_code`
const KEEP = 'insert into rent.bid (project_id, enroll_id, park_code, seq, bid_fen, at, entered_by, evidence) values ($1, $2, $3, $4, $5, $6, $7, $8)'
const STANDS = `update rent.enrollment set bid_fen = $2, bid_seq = $3, bid_at = $4, version = version + 1, updated_at = $4 where enterprise_id = scope_enterprise() and id = $1`

async function refuse(tx: Tx, projectId: string, bidFen: number, at: Instant): Promise<never> {
  const [now] = await run<{ open: boolean; needed: number }>(tx, { sql: NOW }, [projectId, at])
  if (!now) throw NotFound()
  if (!now.open) throw NotNow()
  if (bidFen < now.needed) throw TooLow({ yuan: (now.needed / 100).toFixed(2), neededFen: now.needed })
  throw TooHigh()
}
const NOW = `select type = ${ProjectType.open} and state = ${RentState.bidding} and bid_from <= $2 and ends_at > $2 as open, ${NEEDED} as needed from rent.project where enterprise_id = scope_enterprise() and id = $1`

/** Returns the bids, the latest first, by bidder numbers. */
export async function bidsOf(tx: Tx, projectId: string, most: number): Promise<Of<typeof Bid>[]> {
  return run<Of<typeof Bid>>(tx, { sql: BIDS }, [projectId, most])
}
const BIDS = `select b.id, b.seq, e.bidder_no, b.bid_fen, b.at, b.entered_by from rent.bid b join rent.enrollment e on e.enterprise_id = b.enterprise_id and e.id = b.enroll_id
  where b.enterprise_id = scope_enterprise() and b.project_id = $1 order by b.seq desc limit $2`

/** A bid that was heard in time is still on its way for so long. */
const ON_ITS_WAY_MS = 5_000
export const isOver = (endsAt: Instant, at: Instant): boolean => msOf(at) >= msOf(endsAt) + ON_ITS_WAY_MS
