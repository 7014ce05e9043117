import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import type { Actor } from '../../../platform/server/serve.ts'
import { OnJob, TollType } from '../contract/collector.ts'

const OfYourself = refusal(
  'staff.of-yourself',
  41962,
  '不能处理与自己有关的记录，请由班组长或督导处理',
  'You cannot handle a record about yourself: ask a leader or a supervisor',
  403,
)
const NotYourGroup = refusal(
  'staff.not-your-group',
  41963,
  '{name} 不是您班组的组员，请由其班组长或督导处理',
  '{name} is not in your group: ask their leader or a supervisor',
  403,
)

/** A leader decides for the group, a supervisor for leaders too, the office for all; nobody for themselves. */
export async function refuseWhoDoesNotLead(tx: Tx, { userId }: Actor, collectorIds: readonly string[]): Promise<void> {
  const [found] = await run<{ own: boolean; other: string | null }>(tx, { sql: LEADS }, [userId, collectorIds])
  if (found!.own) throw OfYourself()
  if (found!.other !== null) throw NotYourGroup({ name: found!.other })
}
const LEADS = `with me as (select id, toll_type from staff.collector where enterprise_id = scope_enterprise() and person_id = $1 and on_job = ${OnJob.employed}),
  meant as (select c.id, c.name, g.leader_id from staff.collector c left join staff.work_group g on g.enterprise_id = c.enterprise_id and g.id = c.group_id where c.enterprise_id = scope_enterprise() and c.id = any ($2::uuid[]))
  select exists (select from meant join me on me.id = meant.id) as own,
    (select min(meant.name) from meant, me where me.toll_type <> ${TollType.supervisor} and meant.leader_id is distinct from me.id) as other`
