import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { PassStatus } from '../contract/pass.ts'
import type { Group } from './group.ts'
import { State } from './period.ts'
import type { Plan } from './plan.ts'

const Full = refusal('member.group-full', 41431, '名额已满', 'No places are left')

/** A place is taken by whoever is reviewed, waits for money, is valid or rests; an expired pass has left its place until its renewal is opened. */
const TAKEN = `(p.state in (${PassStatus.underReview}, ${PassStatus.frozen}, ${PassStatus.toPay}) or (p.state = ${PassStatus.valid} and (p.end_at > now()
  or exists (select from member.period r where r.enterprise_id = p.enterprise_id and r.pass_id = p.id and r.state = ${State.waits}))))`
const OF_GROUP = `select count(*)::int as taken from member.pass p where p.enterprise_id = scope_enterprise() and p.group_id = $1 and ${TAKEN}`
export async function placesLeft(tx: Tx, { id, maxMembers }: Pick<Group, 'id' | 'maxMembers'>): Promise<number | null> {
  if (maxMembers === null) return null
  const [counted] = await run<{ taken: number }>(tx, { sql: OF_GROUP }, [id])
  return Math.max(0, maxMembers - counted!.taken)
}

/** Sales of a kind or of a plan whose places are counted come one after the other. @throws Full */
export async function refuseFull(tx: Tx, group: Pick<Group, 'id' | 'maxMembers'>, plan: Pick<Plan, 'id' | 'quota'> | undefined): Promise<void> {
  const names = [`group ${group.id}`, ...(plan ? [`plan ${plan.id}`] : [])]
  await run(tx, { sql: 'select pg_advisory_xact_lock(hashtextextended(name, scope_enterprise())) from unnest($1::text[]) name' }, [names])
  if ((await placesLeft(tx, group)) === 0) throw Full()
  if (!plan?.quota) return
  const [counted] = await run<{ taken: number }>(tx, { sql: OF_PLAN }, [plan.id])
  if (counted!.taken >= plan.quota) throw Full()
}
const OF_PLAN = `select count(*)::int as taken from member.pass p where p.enterprise_id = scope_enterprise() and p.car_fees_id = $1 and ${TAKEN}`
