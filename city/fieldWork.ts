import { DataScope } from '../domains/identity/contract/role.ts'
import { countLogs, keepLogs, watchStaff } from '../domains/staff/server/api.ts'
import { hashed } from '../domains/identity/server/api.ts'
import { TollType } from '../domains/staff/contract/collector.ts'
import { NoteKind, POINTS_AT_ONCE, tracker } from '../domains/staff/contract/tracker.ts'
import { WarningState } from '../domains/staff/contract/workWarning.ts'
import { LogState, workLog } from '../domains/staff/contract/workLog.ts'
import { SEES_PLATES } from '../platform/contract/personal.ts'
import { DAY_MS, dayOf, instantAt, MINUTE_MS } from '../platform/contract/time.ts'
import { run } from '../platform/server/database.ts'
import type { House } from '../platform/server/domain.ts'
import { digestOf, signIn } from './client.ts'
import { addPerson, addRole, type DemoRole } from './office/roles.ts'

const PAST_DAYS = 14
const METRE = { lng: 1 / 94_300, lat: 1 / 111_000 }
/** A round about a park, by metres east and north; the last leg leaves it for a while. */
const ROUND = [
  [20, 0],
  [90, 10],
  [100, 80],
  [10, 90],
  [-60, 40],
  [-30, -40],
] as const
const EVERY_MS = 60_000
/** Metres a minute. */
const PACE = 25
/** A day's positions at most: a handheld sends no older ones. */
const BACK_MS = 20 * 3_600_000

/** The lane, the cars that stand inside, the till and the day's log. */
const COLLECTS = {
  name: '手持机收费员',
  remark: '车道收费、补录入场、开班，打卡、上报位置与填写自己的工作日志',
  screens: [
    '/operation/laneBoard',
    '/operation/record/parking/present',
    '/operation/record/parking/parkingRecord',
    '/assetManage/parkingAndFacility/callout',
    '/assetManage/person/till',
    '/assetManage/person/statistics/history',
  ],
  may: [
    SEES_PLATES,
    'parking:gate:operate',
    'parking:stay:supplement',
    'parking:call-out:edit',
    'settlement:order:cash',
    'staff:card:add',
    'staff:log:write',
  ],
}
/** Rounds with what they find: repairs and the faults of devices. */
const INSPECTS = {
  name: '巡检员',
  remark: '巡检、报修与维修、处理设备预警，打卡与填写自己的工作日志',
  screens: [
    '/operation/maintain/rostering',
    '/operation/maintain/inspectionRecord',
    '/operation/maintain/maintainRecord',
    '/operation/deviceMonitor',
    '/appManage/device/warningRecord',
    '/assetManage/person/statistics/history',
  ],
  may: ['inspection:record:add', 'inspection:repair:edit', 'inspection:repair:handle', 'device:warning:handle', 'staff:card:add', 'staff:log:write'],
}

interface Account {
  tollNo: string
  name: string
  tollType: number
}
interface AtWork extends Account {
  openedAt: string
  lng: number
  lat: number
}
export interface FieldWork {
  url: string
  password: string
  /** Where they work. */
  parkCodes: readonly string[]
}
/**
 * Adds logs for past work and handhelds with accounts for the people at work now; these report their position through the door of
 * all handhelds. Inspectors have an account whether they are at work or not: their tasks are planned ahead.
 */
export async function addFieldWork(house: House, enterprise: number, { url, password, parkCodes }: FieldWork, nowMs: number): Promise<void> {
  const at = instantAt(nowMs)
  const first = dayOf(instantAt(nowMs - PAST_DAYS * DAY_MS))
  const hash = async (username: string) => hashed(digestOf(username, password))
  await house.writing(enterprise, 'demo', async (tx) => {
    await keepLogs(tx, { from: first, to: dayOf(at) }, at)
    await run(tx, { sql: AS_IT_WAS }, [])
    await run(tx, { sql: TOLD }, [at])
  })
  const people = await house.writing(enterprise, 'demo', async (tx) => {
    const found = await run<AtWork>(tx, { sql: AT_WORK }, [at])
    const role = (of: Pick<DemoRole, 'name' | 'remark' | 'screens' | 'may'>) => addRole(tx, { ...of, dataScope: DataScope.parks, parks: parkCodes })
    const [collects, inspects] = [await role(COLLECTS), await role(INSPECTS)]
    const away = await run<Account>(tx, { sql: INSPECTORS }, [found.map(({ tollNo }) => tollNo)])
    for (const { tollNo, name, tollType } of [...found, ...away]) {
      const username = tollNo.toLowerCase()
      const roleId = tollType === TollType.inspector ? inspects : collects
      const personId = await addPerson(tx, { username, name, hash: await hash(username), roleId })
      await run(tx, { sql: LINK }, [tollNo, personId, at])
    }
    return found
  })
  for (const [n, one] of people.entries()) await walk(url, password, one, n, nowMs)
  await house.writing(enterprise, 'demo', async (tx) => {
    await countLogs(tx, at, { backDays: PAST_DAYS })
    await watchStaff(tx, at, PAST_DAYS)
    await run(tx, { sql: HANDLED }, [at])
  })
}

/** Once a minute since the check-in. The second one has wandered off, and the third one's handheld broke off for a while. */
async function walk(url: string, password: string, one: AtWork, n: number, nowMs: number): Promise<void> {
  const client = await signIn(url, one.tollNo.toLowerCase(), password)
  const from = Math.max(Date.parse(one.openedAt), nowMs - BACK_MS)
  const points = []
  for (let ms = from, walked = 40 * n; ms <= nowMs; ms += EVERY_MS, walked += PACE) {
    const minutesAgo = (nowMs - ms) / MINUTE_MS
    if (n === 2 && minutesAgo > 60 && minutesAgo < 85) continue
    const [x, y] = n === 1 && minutesAgo < 18 ? [380 + (walked % 60), 120] : placeAfter(walked)
    points.push({
      at: instantAt(ms),
      lng: one.lng + x * METRE.lng,
      lat: one.lat + y * METRE.lat,
      accuracyM: 8,
      battery: Math.max(12, 96 - Math.floor((ms - from) / (6 * MINUTE_MS))),
    })
  }
  for (let done = 0; done < points.length; done += POINTS_AT_ONCE)
    await client.ask(tracker.report, { points: points.slice(done, done + POINTS_AT_ONCE) })
  const last = points.at(-1)
  if (!last) return
  await client.ask(tracker.note, {
    mid: `note-${one.tollNo}`,
    kind: NoteKind.note,
    lng: last.lng,
    lat: last.lat,
    deviceTime: last.at,
    note: ['出口护栏松动，已报修', '岗亭周边巡查正常', '引导外地车辆扫码缴费'][n % 3]!,
  })
  const [log] = (await client.ask(workLog.mine, { limit: 1 })).records
  if (log?.state === LogState.running)
    await client.ask(workLog.write, {
      id: log.id,
      version: log.version,
      content: '按班次在岗，引导车辆、巡查车位。',
      incidents: [{ at: last.at, text: '一辆车占用消防通道，已劝离', lng: last.lng, lat: last.lat }],
    })
}
function placeAfter(walked: number): readonly [number, number] {
  let left = walked % LONG
  for (const [n, [x, y]] of ROUND.entries()) {
    const [toX, toY] = ROUND[(n + 1) % ROUND.length]!
    const leg = Math.hypot(toX - x, toY - y)
    if (left <= leg) return [x + ((toX - x) * left) / leg, y + ((toY - y) * left) / leg]
    left -= leg
  }
  return ROUND[0]
}
const LONG = ROUND.reduce((sum, [x, y], n) => sum + Math.hypot(ROUND[(n + 1) % ROUND.length]![0] - x, ROUND[(n + 1) % ROUND.length]![1] - y), 0)

const LINK =
  'update staff.collector set person_id = $2, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and toll_no = $1'
const AT_WORK = `select c.toll_no, c.name, c.toll_type, w.opened_at, q.lng, q.lat from staff.work_log w join staff.collector c on c.enterprise_id = w.enterprise_id and c.id = w.collector_id
  join staff.place q on q.enterprise_id = w.enterprise_id and q.place_code = w.park_code and q.lng is not null
  where w.enterprise_id = scope_enterprise() and w.state = ${LogState.running} and w.until_at > $1::timestamptz and c.person_id is null order by c.toll_no limit 5`
const INSPECTORS = `select toll_no, name, toll_type from staff.collector where enterprise_id = scope_enterprise() and toll_type = ${TollType.inspector}
  and person_id is null and toll_no <> all ($1::text[]) order by toll_no`
/** It was opened when the work began. */
const AS_IT_WAS = `update staff.work_log set created_at = opened_at where enterprise_id = scope_enterprise()`
const WORDS = `(array['全班在岗，收费与引导正常，交接清楚。', '早高峰车流较大，出口排队约十分钟，已疏导。', '协助外地车辆扫码缴费，无投诉。', '巡查车位两轮，清理占道非机动车。'])[1 + ascii(right(w.id::text, 1)) % 4]`
/** Most were submitted within the day, and most of these were rated; every seventh was forgotten. */
const TOLD = `with told as (select w.id, ascii(right(w.id::text, 1)) * 7 + ascii(left(right(w.id::text, 3), 1)) as sign, ${WORDS} as words, w.out_at from staff.work_log w
    where w.enterprise_id = scope_enterprise() and w.state = ${LogState.toSubmit} and w.out_at < $1::timestamptz - interval '10 hours')
  update staff.work_log w set content = t.words, submitted_at = t.out_at + interval '25 minutes', state = case when t.sign % 4 = 0 then ${LogState.submitted} else ${LogState.rated} end,
    score = case when t.sign % 4 <> 0 then 3 + t.sign % 3 end, verdict = case when t.sign % 4 <> 0 then '继续保持' end, reviewer_name = case when t.sign % 4 <> 0 then '周国强' end, reviewed_at = case when t.sign % 4 <> 0 then t.out_at + interval '9 hours' end
  from told t where w.enterprise_id = scope_enterprise() and w.id = t.id and t.sign % 7 <> 0`
/** Some of what the watch found has been looked into. */
const HANDLED = `update staff.warning set state = case when ascii(right(id::text, 1)) % 3 = 0 then ${WarningState.mistaken} else ${WarningState.handled} end, opinion = '已电话核实', handler_name = '周国强', handled_at = $1, version = version + 1
  where enterprise_id = scope_enterprise() and end_at is not null and ascii(right(id::text, 2)) % 2 = 0`
