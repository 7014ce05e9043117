import type { Instant } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { VerifyState } from '../../../owner/contract/car.ts'
import { PassStatus } from '../../contract/pass.ts'

/** The answer to `owner.passOfPlate`: a pass of the owner's telephone names this plate, and is good now or will be. */
export const hasPassFor = async (
  tx: Tx,
  { ownerId, plateNo, plateColor, at }: { ownerId: string; plateNo: string; plateColor: number; at: Instant },
): Promise<boolean> => (await run(tx, { sql: PASS_FOR }, [ownerId, plateNo, plateColor, at])).length > 0
const PASS_FOR = `select 1 from owner.account a join member.customer c on c.enterprise_id = a.enterprise_id and c.phone = a.phone
    join member.pass p on p.enterprise_id = c.enterprise_id and p.member_id = c.id and p.state = ${PassStatus.valid} and p.end_at > $4
    join member.pass_car x on x.enterprise_id = p.enterprise_id and x.pass_id = p.id and not x.held and x.end_at > $4 and x.plate_no = $2 and (x.plate_color is null or x.plate_color = $3)
  where a.enterprise_id = scope_enterprise() and a.id = $1 limit 1`
/** The answer to `charging.groupsOf`: the kinds of pass that an owner has now, of their own telephone or for a car that is verified as theirs. */
export const groupsOfOwner = async (tx: Tx, { ownerId, at }: { ownerId: string; at: Instant }): Promise<string[]> =>
  (await run<{ groupId: string }>(tx, { sql: GROUPS }, [ownerId, at])).map(({ groupId }) => groupId)
// A charging card may name an owner who was never one: then no id is compared as one.
const GROUPS = `select distinct p.group_id from owner.account a
    join member.pass p on p.enterprise_id = a.enterprise_id and p.group_id is not null and p.state = ${PassStatus.valid} and p.start_at <= $2 and p.end_at > $2
      and (p.member_id in (select c.id from member.customer c where c.enterprise_id = a.enterprise_id and c.phone = a.phone)
        or p.id in (select x.pass_id from owner.car r join member.pass_car x on x.enterprise_id = r.enterprise_id and x.plate_no = r.plate_no and (x.plate_color is null or x.plate_color = r.plate_color)
          where r.enterprise_id = a.enterprise_id and r.owner_id = a.id and r.verify_state = ${VerifyState.verified} and not x.held and x.start_at <= $2 and x.end_at > $2))
  where a.enterprise_id = scope_enterprise() and a.id::text = $1`
