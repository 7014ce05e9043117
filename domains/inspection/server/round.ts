import type { Instant, Of } from '../../../platform/contract/field.ts'
import { MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { BadInput, IllegalMove, refusal } from '../../../platform/server/refusal.ts'
import { lockRow } from '../../../platform/server/row.ts'
import type { Actor } from '../../../platform/server/serve.ts'
import type { LevelCode } from '../../after-sale/contract/level.ts'
import { QrTarget } from '../../parking/contract/qrcode.ts'
import type { patrolRecord } from '../contract/patrolRecord.ts'
import { RepairSource } from '../contract/repair.ts'
import { Conclusion, ResultType } from '../contract/result.ts'
import { scheduling, taskCan, TaskState } from '../contract/task.ts'
import { type Due, judge, type Looked, type Stood } from './checking.ts'
import { faultFound } from './repair.ts'
import { type Inspector, inspectorOf, kept, type KeptOf, moveTask } from './taskRow.ts'

const NotYours = refusal(
  'inspection.not-yours',
  42014,
  '任务 {taskNo} 已派给他人，请先改派',
  'Task {taskNo} is assigned to another inspector: have it reassigned first',
)
const NotYourNumber = refusal(
  'inspection.not-your-number',
  42015,
  '只能以自己的工号提交巡检',
  'You can submit patrols under your own staff number only',
  403,
)
const TooEarly = refusal(
  'inspection.too-early',
  42016,
  '任务 {taskNo} 还没到计划开始时间，请到时再开始',
  'Task {taskNo} has not reached its planned start: start it then',
  422,
)
const Used = refusal(
  'inspection.mid-used',
  42017,
  '该提交标识已用于另一任务，请刷新后重新提交',
  'This message id has already been used for another task: refresh and submit again',
)

type Sent = Of<typeof patrolRecord.insert.input>
type Reply = Of<typeof patrolRecord.insert.reply>
/** A handheld's clock may be a little ahead. */
const AHEAD_MS = 10 * MINUTE_MS

/** One round, once for each `mid`. The task is held from here on: two who send at once come one after the other. */
export async function insertRound(tx: Tx, sent: Sent, actor: Actor, at: Instant): Promise<Reply> {
  const inspector = await inspectorOf(tx, sent.tollNo)
  if (inspector.personId !== actor.userId && !actor.may.has(scheduling.update.needs)) throw NotYourNumber()
  const task = await lockRow(tx, kept, { id: sent.taskId })
  const [known] = await run<{ id: string; taskId: string }>(tx, { sql: KNOWN }, [inspector.id, sent.mid])
  if (known && known.taskId !== task.id) throw Used()
  if (known) return { recordId: known.id, state: task.state, repairNos: await repairsOf(tx, known.id) }
  refuseTime(task, sent, at)
  if (task.collectorId !== null && task.collectorId !== inspector.id) throw NotYours({ taskNo: task.taskNo })
  return keep(tx, { task, inspector, sent, by: actor.userName }, at)
}
const KNOWN = 'select id, task_id from inspection.record where enterprise_id = scope_enterprise() and collector_id = $1 and mid = $2'
const repairsOf = async (tx: Tx, recordId: string): Promise<string[]> =>
  (await run<{ repairNo: string }>(tx, { sql: REPAIRS }, [recordId])).map(({ repairNo }) => repairNo)
const REPAIRS =
  'select distinct repair_no from inspection.line where enterprise_id = scope_enterprise() and record_id = $1 and repair_no is not null order by repair_no'

/** Not before it is planned; and a period that was over before it began stays missed. */
function refuseTime({ state, taskNo, planFrom, periodTo }: KeptOf, { startedAt, endedAt }: Sent, at: Instant): void {
  if (taskCan.round(state) === undefined) throw IllegalMove({ state, taskNo })
  if (msOf(startedAt) > msOf(endedAt)) throw BadInput({ zh: '结束时间早于开始时间', en: 'the end is before the start' })
  if (msOf(endedAt) > msOf(at) + AHEAD_MS)
    throw BadInput({ zh: '设备时间不可信，请校准后重试', en: 'the device clock is wrong: set it and try again' })
  if (msOf(startedAt) < msOf(planFrom)) throw TooEarly({ taskNo })
  if (state === TaskState.missed && (periodTo === null || msOf(startedAt) >= msOf(periodTo))) throw IllegalMove({ state, taskNo })
}

interface Round {
  task: KeptOf
  inspector: Inspector
  sent: Sent
  by: string
}
async function keep(tx: Tx, { task, inspector, sent, by }: Round, at: Instant): Promise<Reply> {
  const dueNow = await run<Due>(tx, { sql: DUE }, [task.id])
  const due = new Map(dueNow.map((one) => [one.deviceNo, one]))
  const lines = judge(sent, task.items, due, await stoodAt(tx, sent, task.parkCode))
  const said = saidOf(sent, lines, due)
  if (said.length === 0) throw BadInput({ zh: '请填写检查结果', en: 'enter the results' })
  const wrong = said.filter(({ abnormal }) => abnormal)
  const values = [
    task.id,
    task.parkCode,
    inspector.id,
    sent.mid,
    sent.startedAt,
    sent.endedAt,
    said.filter(({ reason }) => reason === null).length,
    wrong.length,
    said.filter(({ reason }) => reason !== null).length,
    by,
    at,
  ]
  const [record] = await run<{ id: string }>(tx, { sql: RECORD }, values)
  const repairs = await faultsOf(
    tx,
    wrong.map(({ deviceNo }) => deviceNo),
    lines,
    { by: inspector.name, at },
  )
  await run(tx, { sql: LINES }, [
    record!.id,
    task.id,
    task.parkCode,
    JSON.stringify(lines.map((line, n) => ({ ...line, seq: n + 1, repairNo: line.ok ? null : repairs.get(line.deviceNo) }))),
  ])
  await run(tx, { sql: DEVICES }, [task.id, task.parkCode, JSON.stringify(said), task.items.length])
  await run(tx, { sql: RESULTS }, [
    JSON.stringify(
      said.map(({ deviceNo, abnormal, reason }) => ({
        ...named(due, deviceNo),
        conclusion: reason !== null ? Conclusion.unseen : abnormal ? Conclusion.wrong : Conclusion.right,
        reason,
      })),
    ),
    task.parkCode,
    sent.endedAt,
    inspector.name,
    task.taskNo,
  ])
  const [left] = await run<{ left: number }>(tx, { sql: LEFT }, [task.id])
  const done = left!.left === 0
  const changes = { collectorId: inspector.id, startedAt: task.startedAt ?? sent.startedAt, ...(done && { endedAt: sent.endedAt }) }
  const { state } = await moveTask(tx, task, done ? 'finish' : 'round', changes, at)
  return { recordId: record!.id, state, repairNos: [...new Set(repairs.values())].sort() }
}
const named = (due: ReadonlyMap<string, Due>, deviceNo: string) => ({
  deviceNo,
  deviceName: due.get(deviceNo)!.name,
  deviceType: due.get(deviceNo)!.type,
})

interface Said {
  deviceNo: string
  abnormal: boolean
  reason: string | null
}
/** Returns every device that the round mentions. A skipped one has a reason; an inspected one has none. */
function saidOf(sent: Sent, lines: readonly Looked[], due: ReadonlyMap<string, Due>): Said[] {
  const wrong = new Map<string, boolean>()
  for (const { deviceNo, ok } of lines) wrong.set(deviceNo, !ok || wrong.get(deviceNo) === true)
  const looked = [...wrong].map(([deviceNo, abnormal]): Said => ({ deviceNo, abnormal, reason: null }))
  const reasons = new Map(
    sent.devices.flatMap(({ deviceNo, reason }) => (reason && due.has(deviceNo) && !wrong.has(deviceNo) ? [[deviceNo, reason] as const] : [])),
  )
  return [...looked, ...[...reasons].map(([deviceNo, reason]): Said => ({ deviceNo, abnormal: false, reason }))]
}

/** Returns where the inspector stood, device by device: by the codes, and the distance from the park's point on the map. */
async function stoodAt(tx: Tx, { devices }: Sent, parkCode: string): Promise<Map<string, Stood>> {
  const codes = [...new Set(devices.flatMap(({ code }) => (code ? [tailOf(code)] : [])))]
  const hung = await run<{ code: string; parkCode: string; target: number; targetCode: string }>(tx, { sql: SCANNED }, [codes])
  const places = new Map(
    hung.map(({ code, target, targetCode, ...park }) => [
      code,
      { parkCode: park.parkCode, gateCode: target === QrTarget.gate ? targetCode : null, ofPark: target === QrTarget.park },
    ]),
  )
  const distances = await run<{ deviceNo: string; distM: number | null }>(tx, { sql: DISTANCES }, [
    JSON.stringify(devices.filter(({ lng, lat }) => lng !== undefined && lat !== undefined)),
    parkCode,
  ])
  const metres = new Map(distances.map(({ deviceNo, distM }) => [deviceNo, distM]))
  const own = new Set(
    (
      await run<{ deviceNo: string }>(tx, { sql: OWN }, [
        JSON.stringify(devices.flatMap(({ deviceNo, code }) => (code ? [{ deviceNo, code: tailOf(code) }] : []))),
      ])
    ).map(({ deviceNo }) => deviceNo),
  )
  return new Map(
    devices.map(({ deviceNo, code }) => [
      deviceNo,
      { own: own.has(deviceNo), code: code ? places.get(tailOf(code)) : undefined, distM: metres.get(deviceNo) ?? null },
    ]),
  )
}
/** Devices identified by their own printed code: the company, its number, and the signature of both. */
const OWN = `select w."deviceNo" as device_no from jsonb_to_recordset($1::jsonb) as w("deviceNo" text, code text)
  where w.code = scope_enterprise() || '.' || w."deviceNo" || '.' || parking.qr_signature('device ' || w."deviceNo", scope_enterprise())`
/** A code is read as the address that it shows, or as what stands at its end. */
const tailOf = (code: string) => code.slice(code.lastIndexOf('/') + 1)
const SCANNED =
  'select c.code, s.park_code, s.target, s.target_code from unnest($1::text[]) as c(code), lateral parking.scanned(c.code) s where s.enterprise_id = scope_enterprise()'
const DISTANCES = `select w."deviceNo" as device_no, round(2 * 6371000 * asin(least(1, sqrt(sin(radians(w.lat - p.lat) / 2) ^ 2 + cos(radians(p.lat)) * cos(radians(w.lat)) * sin(radians(w.lng - p.lng) / 2) ^ 2))))::integer as dist_m
  from jsonb_to_recordset($1::jsonb) as w("deviceNo" text, lng double precision, lat double precision) join parking.park p on p.enterprise_id = scope_enterprise() and p.park_code = $2 where p.lng is not null`

/** Adds each faulty device to its open repair or opens one, by the worst finding. In the order of their numbers: two rounds at once wait for each other. */
async function faultsOf(
  tx: Tx,
  deviceNos: readonly string[],
  lines: readonly Looked[],
  { by, at }: { by: string; at: Instant },
): Promise<Map<string, string>> {
  const repairs = new Map<string, string>()
  for (const deviceNo of [...deviceNos].sort()) {
    const wrong = lines.filter((line) => line.deviceNo === deviceNo && !line.ok)
    const level = Math.max(...wrong.map((line) => line.level!)) as LevelCode
    const desc = wrong
      .map(({ itemName, value }) => (value ? `${itemName}：${value}` : itemName))
      .join('；')
      .slice(0, DESC_MAX)
    const images = wrong.find((line) => line.images)?.images ?? null
    const { repairNo } = await faultFound(tx, { deviceNo, source: RepairSource.round, level, desc, images, by }, at)
    repairs.set(deviceNo, repairNo)
  }
  return repairs
}
const DESC_MAX = 500

const DUE = 'select device_no, name, type, gate_code, park_code from inspection.due where enterprise_id = scope_enterprise() and task_id = $1'
const RECORD = `insert into inspection.record (task_id, park_code, collector_id, mid, started_at, ended_at, devices, abnormal, skipped, author_name, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning id`
const LINES = `insert into inspection.line (record_id, task_id, park_code, seq, device_no, device_name, device_type, item_name, item_type, value, ok, level, images, proof, dist_m, repair_no)
  select $1, $2, $3, l.seq, l."deviceNo", l."deviceName", l."deviceType", l."itemName", l."itemType", l.value, l.ok, l.level, l.images, l.proof, l."distM", l."repairNo"
  from jsonb_to_recordset($4::jsonb) as l(seq integer, "deviceNo" text, "deviceName" text, "deviceType" smallint, "itemName" text, "itemType" smallint, value text, ok boolean, level smallint, images text, proof smallint, "distM" integer, "repairNo" text)`
/** A device is done when all its items were looked at in some round of the task, or there is a reason. */
const DEVICES = `insert into inspection.task_device as k (task_id, park_code, device_no, done, abnormal, reason)
  select $1, $2, s."deviceNo", s.reason is not null or (select count(distinct l.item_name) from inspection.line l where l.enterprise_id = scope_enterprise() and l.task_id = $1 and l.device_no = s."deviceNo") >= $4,
    s.abnormal, s.reason from jsonb_to_recordset($3::jsonb) as s("deviceNo" text, abnormal boolean, reason text)
  on conflict (enterprise_id, task_id, device_no) do update set done = k.done or excluded.done, abnormal = k.abnormal or excluded.abnormal, reason = excluded.reason`
const RESULTS = `insert into inspection.result (result_type, device_no, device_name, device_type, park_code, at, who, conclusion, from_no, reason)
  select ${ResultType.round}, s."deviceNo", s."deviceName", s."deviceType", $2, $3, $4, s.conclusion, $5, s.reason
  from jsonb_to_recordset($1::jsonb) as s("deviceNo" text, "deviceName" text, "deviceType" smallint, conclusion smallint, reason text)`
const LEFT = `select count(*)::integer as "left" from inspection.due d where d.enterprise_id = scope_enterprise() and d.task_id = $1
  and not exists (select from inspection.task_device k where k.enterprise_id = d.enterprise_id and k.task_id = d.task_id and k.device_no = d.device_no and k.done)`
