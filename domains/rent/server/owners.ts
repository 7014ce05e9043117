import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import type { KeptOfOwner } from '../../owner/server/api.ts'
import { UserType } from '../contract/bidder.ts'
import { EarnestState, EnrollState } from '../contract/enrollment.ts'
import { BillState, ContractState } from '../contract/lease.ts'
import { Said as OwnerSaid } from '../../owner/contract/said.ts'

const StillRents = refusal(
  'rent.owner-rents',
  42406,
  '车主还有未退的竞租保证金、待审的报名、未到期的租赁合同或待付的租金，请先办结',
  'The owner still has earnest money not refunded, an enrolment under review, a lease in force or rent to pay: finish these first',
)

/** The answer to `owner.kept`: the papers of the bidder with this account, their enrolments, bids and leases. The people who decided about them are left out. */
export async function ofOwner(tx: Tx, { ownerId }: { ownerId: string }): Promise<KeptOfOwner> {
  const rows = (await run<{ row: unknown }>(tx, { sql: ALL_ROWS }, [ownerId])).map(({ row }) => row)
  const busy = (await run(tx, { sql: BUSY }, [ownerId])).length > 0
  return { rows, why: busy ? StillRents() : undefined }
}
const ROWS_MAX = 50_000
const MINE = 'join rent.bidder b on b.enterprise_id = t.enterprise_id and b.owner_id = $1'
const OF_MINE = `${MINE} and b.id = t.bidder_id where t.enterprise_id = scope_enterprise()`
const ALL_ROWS = `(select jsonb_build_object('of', 'rent.bidder') || to_jsonb(t) - '{enterprise_id,applicant_id,auditor_id,auditor_name}'::text[] as row from rent.bidder t where t.enterprise_id = scope_enterprise() and t.owner_id = $1)
  union all (select jsonb_build_object('of', 'rent.enrollment') || to_jsonb(t) - '{enterprise_id,applicant_id,auditor_id,auditor_name}'::text[] from rent.enrollment t ${OF_MINE} limit ${ROWS_MAX})
  union all (select jsonb_build_object('of', 'rent.bid', 'id', t.id, 'enroll_id', t.enroll_id, 'project_id', t.project_id, 'bid_fen', t.bid_fen, 'at', t.at)
    from rent.bid t join rent.enrollment e on e.enterprise_id = t.enterprise_id and e.id = t.enroll_id ${MINE} and b.id = e.bidder_id where t.enterprise_id = scope_enterprise() limit ${ROWS_MAX})
  union all (select jsonb_build_object('of', 'rent.sealed', 'id', t.id, 'enroll_id', t.enroll_id, 'project_id', t.project_id, 'hash', t.hash, 'at', t.at)
    from rent.sealed t join rent.enrollment e on e.enterprise_id = t.enterprise_id and e.id = t.enroll_id ${MINE} and b.id = e.bidder_id where t.enterprise_id = scope_enterprise() limit ${ROWS_MAX})
  union all (select jsonb_build_object('of', 'rent.contract') || to_jsonb(t) - '{enterprise_id,maker_id,maker_name,lessor_id,lessor_name,lessee_by_id,lessee_by_name}'::text[] from rent.contract t ${OF_MINE} limit ${ROWS_MAX})
  union all (select jsonb_build_object('of', 'rent.bill') || to_jsonb(t) - '{enterprise_id,waive_maker_id,waive_maker,waive_checker_id,waive_checker}'::text[] from rent.bill t ${OF_MINE} limit ${ROWS_MAX})`
/** Earnest money that is held, an enrolment to be decided, a lease that is to be signed or runs, a bill to be paid. */
const BUSY = `select from rent.enrollment t ${OF_MINE} and (t.earnest_state in (${EarnestState.paid}, ${EarnestState.frozen}) or t.state = ${EnrollState.waiting})
  union all select from rent.contract t ${OF_MINE} and t.state in (${ContractState.toSign}, ${ContractState.inForce})
  union all select from rent.bill t ${OF_MINE} and t.state = ${BillState.toPay} limit 1`

/** The answer to `owner.erased`: bids and payments stay, under a pseudonym; a company keeps its name and number, which are public. */
export async function forgetOwner(tx: Tx, { ownerId, at }: { ownerId: string; at: Instant }): Promise<undefined> {
  await run(tx, { sql: UNNAMED }, [ownerId, at])
  await run(tx, { sql: FORGET }, [ownerId, `000${ownerId.slice(-8)}`, at])
}
const UNNAMED = `update rent.enrollment t set applicant_name = '${OwnerSaid.erased}', version = t.version + 1, updated_at = $2 from rent.bidder b
  where t.enterprise_id = scope_enterprise() and b.enterprise_id = t.enterprise_id and b.id = t.bidder_id and b.owner_id = $1 and b.user_type = ${UserType.person} and t.applicant_id is null`
const FORGET = `update rent.bidder set phone = $2, images = '', name = case when user_type = ${UserType.person} then '${OwnerSaid.erased}' else name end, applicant_name = case when applicant_id is null and user_type = ${UserType.person} then '${OwnerSaid.erased}' else applicant_name end,
    cert_no = case when user_type = ${UserType.person} then '000' || right(id::text, 12) else cert_no end, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and owner_id = $1`
