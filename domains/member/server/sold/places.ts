import { run, type Tx } from '../../../../platform/server/database.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import { PassStatus } from '../../contract/pass.ts'
import type { Group } from '../group.ts'
import { State } from './period.ts'
import type { Plan } from '../plan.ts'

const Full = refusal('member.group-full', 41431, '名额已满，请选择其他月卡或稍后再试', 'Sold out: choose another pass or try later')
const TooFew = refusal(
  'member.group-nearly-full',
  41494,
  '名额只剩 {left} 个，不够 {seats} 个车位：请减少车位数',
  '{left:place} left for {seats:bay} asked for: ask for fewer bays',
)

/** A place is a bay of a pass. It is taken by a pass under review, unpaid, valid or frozen; an expired pass has left its place until its renewal is opened. */
const TAKEN = `(p.state in (${PassStatus.underReview}, ${PassStatus.frozen}, ${PassStatus.toPay}) or (p.state = ${PassStatus.valid} and (p.end_at > now()
  or exists (select from member.period r where r.enterprise_id = p.enterprise_id and r.pass_id = p.id and r.state = ${State.waits}))))`
const TAKEN_BAYS = 'select coalesce(sum(p.seats), 0)::int as taken'
const OF_GROUP = `${TAKEN_BAYS} from member.pass p where p.enterprise_id = scope_enterprise() and p.group_id = $1 and ${TAKEN}`
export async function placesLeft(tx: Tx, { id, maxMembers }: Pick<Group, 'id' | 'maxMembers'>): Promise<number | null> {
  if (maxMembers === null) return null
  const [counted] = await run<{ taken: number }>(tx, { sql: OF_GROUP }, [id])
  return Math.max(0, maxMembers - counted!.taken)
}

/** Sales of a kind or of a plan whose places are counted come one after the other. @throws Full, TooFew */
export async function refuseFull(
  tx: Tx,
  group: Pick<Group, 'id' | 'maxMembers'>,
  plan: Pick<Plan, 'id' | 'quota'> | undefined,
  seats: number,
): Promise<void> {
  const names = [`group ${group.id}`, ...(plan ? [`plan ${plan.id}`] : [])]
  await run(tx, { sql: 'select pg_advisory_xact_lock(hashtextextended(name, scope_enterprise())) from unnest($1::text[]) name' }, [names])
  refuseLack(await placesLeft(tx, group), seats)
  if (!plan?.quota) return
  const [counted] = await run<{ taken: number }>(tx, { sql: OF_PLAN }, [plan.id])
  refuseLack(Math.max(0, plan.quota - counted!.taken), seats)
}
function refuseLack(left: number | null, seats: number): void {
  if (left === 0) throw Full()
  if (left !== null && left < seats) throw TooFew({ left, seats })
}
const OF_PLAN = `${TAKEN_BAYS} from member.pass p where p.enterprise_id = scope_enterprise() and p.car_fees_id = $1 and ${TAKEN}`
