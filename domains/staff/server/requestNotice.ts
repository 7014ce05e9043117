import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { sendInner } from '../../message/server/api.ts'
import { type Request, RequestType } from '../contract/request.ts'

type Row = Of<typeof Request>
export type Told = 'apply' | 'agree' | 'decline' | 'grant' | 'reject'

interface People {
  applicant: string | null
  partner: string | null
  leader: string | null
  name: string
  cell: string
}
const LINK = '/assetManage/person/attendance/record?tab=requests'
const SAID: Record<Told, readonly [zh: string, en: string]> = {
  apply: ['待处理', 'waiting for you'],
  agree: ['对方已同意，待审批', 'agreed by the partner, to be decided'],
  decline: ['对方不同意', 'declined by the partner'],
  grant: ['已通过', 'granted'],
  reject: ['已驳回', 'rejected'],
}
/** Notifies the next person to act, and the applicant of the result. */
export async function tellOf(tx: Tx, { id, type, requestNo }: Pick<Row, 'id' | 'type' | 'requestNo'>, told: Told, at: Instant): Promise<void> {
  const [people] = await run<People>(tx, { sql: PEOPLE }, [id])
  const { applicant, partner, leader, name, cell } = people!
  const next = told === 'apply' ? (partner ?? leader) : told === 'agree' ? leader : null
  const whose = told === 'apply' ? [next] : told === 'grant' ? [applicant, partner] : [applicant, next]
  const [zh, en] = RequestType.entries[type]
  const title = [`${zh}申请${SAID[told][0]}`, `${en}: ${SAID[told][1]}`] as const
  const body = [`${name} ${cell}（${requestNo}）`, `${name} ${cell} (${requestNo})`] as const
  for (const custId of new Set(whose)) if (custId) await sendInner(tx, { to: { custId }, title, body, link: LINK, at })
}
const PEOPLE = `select a.person_id as applicant, p.person_id as partner, l.person_id as leader, a.name, to_char(e.work_date, 'YYYY-MM-DD ') || e.shift_name as cell
  from staff.request r join staff.collector a on a.enterprise_id = r.enterprise_id and a.id = r.applicant_id join staff.cell e on e.enterprise_id = r.enterprise_id and e.id = r.cell_id
  left join staff.collector p on p.enterprise_id = r.enterprise_id and p.id = r.to_collector_id
  left join staff.work_group g on g.enterprise_id = a.enterprise_id and g.id = a.group_id left join staff.collector l on l.enterprise_id = g.enterprise_id and l.id = g.leader_id and l.id <> a.id
  where r.enterprise_id = scope_enterprise() and r.id = $1`
