import { randomUUID } from 'node:crypto'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import type { Actor } from '../../../platform/server/serve.ts'
import { sendInner } from '../../message/server/api.ts'
import type { NoticeOut } from '../../rent/server/api.ts'
import { NoticeState, OnJob, type toll } from '../contract/collector.ts'
import { CardKind } from '../contract/attendance.ts'

const NobodyToTell = refusal(
  'staff.nobody-to-tell',
  41910,
  '没有在职人员符合所选范围，请选择工号、类型或班组',
  'No employed collector matches: choose staff numbers, a type or a group',
  422,
)

interface Told {
  id: string
  tollNo: string
  personId: string | null
  onDuty: boolean
}
/** Writes to everybody meant; who has no account cannot be told, and who is off duty is told at the next check-in unless it is urgent. */
export async function tell(tx: Tx, input: Of<typeof toll.message.input>, by: Pick<Actor, 'userName'>, at: Instant) {
  const { tollNos, tollType, groupId } = input
  if (!tollNos?.length && !tollType && !groupId) throw NobodyToTell()
  const meant = await meantBy(tx, input, at)
  if (meant.length === 0) throw NobodyToTell()
  return tellThem(tx, meant, input, by, at)
}
/** A notice of a letting, to whom it is for: nobody where none of them is employed any more. */
export async function tellOfLetting(tx: Tx, { title, content, tollType, tollNos, senderName }: NoticeOut, at: Instant): Promise<void> {
  const said = { title: title.slice(0, TITLE_MAX), content: content.slice(0, CONTENT_MAX) }
  const meant = await meantBy(tx, { tollNos, ...(tollType !== null && { tollType }) }, at)
  if (meant.length > 0) await tellThem(tx, meant, said, { userName: senderName }, at)
}
const TITLE_MAX = 60
const CONTENT_MAX = 500

interface Meant {
  tollNos?: readonly string[] | undefined
  tollType?: number | undefined
  groupId?: string | null | undefined
}
const meantBy = (tx: Tx, { tollNos, tollType, groupId }: Meant, at: Instant): Promise<Told[]> =>
  run<Told>(tx, { sql: MEANT }, [tollNos?.length ? tollNos : null, tollType ?? null, groupId ?? null, at])
interface Said {
  title: string
  content: string
  urgent?: boolean | undefined
  tollNos?: readonly string[] | undefined
}
async function tellThem(
  tx: Tx,
  meant: readonly Told[],
  { title, content, urgent = false, tollNos }: Said,
  { userName }: Pick<Actor, 'userName'>,
  at: Instant,
) {
  const told = meant.filter(({ personId }) => personId !== null)
  const now = told.filter(({ onDuty }) => urgent || onDuty)
  const taskId = randomUUID()
  const ids = told.map(({ id }) => id)
  await run(tx, { sql: KEEP }, [taskId, ids, title, content, urgent, now.map(({ id }) => id), userName, at])
  for (const { personId } of now) await bring(tx, personId!, { title, content, urgent }, at)
  const reached = new Set(told.map(({ tollNo }) => tollNo))
  const skipped = [...(tollNos ?? []), ...meant.map(({ tollNo }) => tollNo)].filter((no) => !reached.has(no))
  return { taskId: taskId, sent: now.length, waiting: told.length - now.length, skipped: [...new Set(skipped)] }
}
/** On duty is whose last card within a day is of coming. */
const MEANT = `select c.id, c.toll_no, c.person_id, coalesce((select k.kind = ${CardKind.in} from staff.card k where k.enterprise_id = c.enterprise_id and k.collector_id = c.id
    and k.at > $4::timestamptz - interval '1 day' and k.at <= $4 order by k.at desc, k.id desc limit 1), false) as on_duty
  from staff.collector c where c.enterprise_id = scope_enterprise() and c.on_job = ${OnJob.employed} and ($1::text[] is null or c.toll_no = any ($1))
    and ($2::smallint is null or c.toll_type = $2) and ($3::uuid is null or c.group_id = $3) order by c.toll_no limit 2000`
const KEEP = `insert into staff.notice (task_id, collector_id, title, content, urgent, state, sent_at, sender_name, created_at, updated_at)
  select $1, id, $3, $4, $5, case when id = any ($6::uuid[]) then ${NoticeState.sent} else ${NoticeState.waiting} end, case when id = any ($6::uuid[]) then $8::timestamptz end, $7, $8, $8 from unnest($2::uuid[]) id`

const bring = (tx: Tx, custId: string, { title, content, urgent }: { title: string; content: string; urgent: boolean }, at: Instant) =>
  sendInner(tx, { to: { custId }, title: [title, title], body: [content, content], urgent, at })

/** Sends a collector who comes to work the messages that waited. */
export async function bringWaiting(tx: Tx, collectorId: string, personId: string | null, at: Instant): Promise<void> {
  if (!personId) return
  const waiting = await run<{ title: string; content: string; urgent: boolean }>(tx, { sql: WAITING }, [collectorId, at])
  for (const one of waiting) await bring(tx, personId, one, at)
}
const WAITING = `update staff.notice set state = ${NoticeState.sent}, sent_at = $2, version = version + 1, updated_at = $2 where enterprise_id = scope_enterprise() and collector_id = $1 and state = ${NoticeState.waiting}
  returning title, content, urgent`
