import type { Instant, Of } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import { setRow } from '../../../../platform/server/row.ts'
import type { KeptOfOwner } from '../../../owner/server/api.ts'
import { type Customer, CustomerKind, CustomerStatus } from '../../contract/customer.ts'
import { PassStatus } from '../../contract/pass.ts'
import { customers } from '../customer.ts'
import { Said as OwnerSaid } from '../../../owner/contract/said.ts'

const StillHolds = refusal(
  'member.owner-holds',
  41483,
  '车主还有未到期、冻结、待审核或待支付的月卡，请先退卡或等其到期',
  'The owner still has a pass that runs, is frozen, under review or to be paid: refund it or let it end first',
)

/** The answer to `owner.kept`: a customer is found by the owner's phone number. */
export async function keptOf(tx: Tx, { ownerId }: { ownerId: string }): Promise<KeptOfOwner> {
  const rows = (await run<{ row: unknown }>(tx, { sql: ALL_ROWS }, [ownerId])).map(({ row }) => row)
  const busy = (await run(tx, { sql: BUSY }, [ownerId])).length > 0
  return { rows, why: busy ? StillHolds() : undefined }
}
const ROWS_MAX = 50_000
const MINE =
  'join owner.account a on a.enterprise_id = c.enterprise_id and a.phone = c.phone where c.enterprise_id = scope_enterprise() and a.id = $1'
const OF_MINE = `join member.customer c on c.enterprise_id = t.enterprise_id and c.id = t.member_id ${MINE}`
const OWN = `'{enterprise_id,operator_name,added_in}'::text[]`
const ALL_ROWS = `(select jsonb_build_object('of', 'member.customer') || to_jsonb(c) - ${OWN} as row from member.customer c ${MINE})
  union all (select jsonb_build_object('of', 'member.car') || to_jsonb(t) - ${OWN} from member.car t ${OF_MINE} limit ${ROWS_MAX})
  union all (select jsonb_build_object('of', 'member.pass') || to_jsonb(t) - ${OWN} from member.pass t ${OF_MINE} limit ${ROWS_MAX})
  union all (select jsonb_build_object('of', 'member.period') || to_jsonb(t) - ${OWN} from member.period t ${OF_MINE} limit ${ROWS_MAX})
  union all (select jsonb_build_object('of', 'member.list') || to_jsonb(c) - ${OWN} from member.list c ${MINE} limit ${ROWS_MAX})`
const BUSY = `select from member.pass t ${OF_MINE} and (t.state in (${PassStatus.underReview}, ${PassStatus.frozen}, ${PassStatus.toPay}) or (t.state = ${PassStatus.valid} and t.end_at > now())) limit 1`

/** The answer to `owner.erased`: passes that were sold stay, with a customer that has no number any more; a company keeps its name, which is public. An entry of a list is about a car and stays with it. */
export async function forgetOwner(tx: Tx, { ownerId, at }: { ownerId: string; at: Instant }): Promise<undefined> {
  await run(tx, { sql: UNLISTED }, [ownerId, at])
  const [mine] = await run<Of<typeof Customer>>(tx, { sql: `select c.* from member.customer c ${MINE} for no key update of c` }, [ownerId])
  if (!mine) return
  const { name, certNo } = mine.kind === CustomerKind.person ? { name: OwnerSaid.erased, certNo: null } : mine
  await run(tx, { sql: UNSAID }, [mine.id, at])
  await setRow(tx, customers, mine, { name, certNo, phone: null, address: null, remark: null, status: CustomerStatus.stopped }, at)
}
const UNSAID = `update member.pass set remark = null, rejected_for = null, version = version + 1, updated_at = $2
  where enterprise_id = scope_enterprise() and member_id = $1 and (remark is not null or rejected_for is not null)`
const UNLISTED = `update member.list c set phone = null, holder = case when c.holder is not null then '${OwnerSaid.erased}' end, version = c.version + 1, updated_at = $2
  from owner.account a where c.enterprise_id = scope_enterprise() and a.enterprise_id = c.enterprise_id and a.id = $1 and a.phone = c.phone`
