import { DeviceType } from '../domains/device/contract/device.ts'
import { patrolRecord } from '../domains/inspection/contract/patrolRecord.ts'
import { Cycle, ItemType, patrolRules } from '../domains/inspection/contract/patrolRule.ts'
import { scheduling, TaskState } from '../domains/inspection/contract/task.ts'
import { Level } from '../domains/after-sale/contract/level.ts'
import { park } from '../domains/parking/contract/park.ts'
import { toll, TollType } from '../domains/staff/contract/collector.ts'
import { CITY_OFFSET_MS, DAY_MS, dayOf, instantAt, startOf } from '../platform/contract/time.ts'
import type { Client } from './client.ts'

const { state, number, picture } = ItemType
const RULES = [
  {
    name: '道闸每日巡检',
    deviceTypes: [DeviceType.barrier],
    cycle: Cycle.day,
    items: [
      { name: '杆体外观', type: state },
      { name: '起落杆', type: state },
      { name: '供电电压', type: number, min: 200, max: 240 },
    ],
    route: '先入口后出口，逐道核对',
  },
  {
    name: '相机与屏每周巡检',
    deviceTypes: [DeviceType.camera, DeviceType.led],
    cycle: Cycle.week,
    items: [
      { name: '镜头清洁', type: state },
      { name: '现场照片', type: picture },
    ],
  },
  {
    name: '道闸季度保养',
    deviceTypes: [DeviceType.barrier],
    cycle: Cycle.quarter,
    items: [
      { name: '传动润滑', type: state },
      { name: '接地电阻', type: number, max: 4 },
    ],
  },
]
/** Of every so many tasks one has nobody yet. */
const NOBODY_OF = 4

/** Rules of a city's operation, what they plan for the week ahead, and who goes. */
export async function addInspection(client: Client, parkCodes: readonly string[], nowMs: number): Promise<void> {
  for (const rule of RULES) await client.ask(patrolRules.insert, { ...rule, parkCodes: [...parkCodes] } as never)
  const people = (await client.ask(toll.pick, {})).filter(({ tollType }) => tollType === TollType.inspector)
  const { records } = await client.ask(scheduling.query, { state: [TaskState.waiting], limit: 200, orderByColumn: 'planFrom', isAsc: true } as never)
  for (const [n, { id, version }] of records.entries())
    if (people.length > 0 && n % NOBODY_OF !== NOBODY_OF - 1)
      await client.ask(scheduling.update, { id, version, tollNo: people[n % people.length]!.tollNo })
  const [{ records: rules }, tomorrow] = [await client.ask(patrolRules.query, {}), Date.parse(startOf(dayOf(instantAt(nowMs)))) + DAY_MS]
  await client.ask(scheduling.add, {
    ruleId: rules.at(-1)!.id,
    parkCode: parkCodes[0]! as never,
    planFrom: instantAt(tomorrow + CITY_OFFSET_MS),
    planTo: instantAt(tomorrow + CITY_OFFSET_MS + DAY_MS / 4),
    remark: '节前加检',
  })
  await goRounds(client, nowMs)
}

/** Works through today's patrols where the park has a place on the map: most devices right, one of each round wrong, one behind a fence. */
async function goRounds(client: Client, nowMs: number): Promise<void> {
  const { records: parks } = await client.ask(park.queryPage, { limit: 50 } as never)
  const { records } = await client.ask(scheduling.query, { state: [TaskState.waiting], planFromTo: instantAt(nowMs), limit: 20 } as never)
  for (const task of records) {
    const { lng, lat } = parks.find(({ parkCode }) => parkCode === task.parkCode) ?? { lng: null, lat: null }
    const devices = (await client.ask(patrolRecord.devices, { taskId: task.id })).slice(0, AT_ONCE)
    if (!task.tollNo || lng === null || lat === null || devices.length === 0) continue
    const seen = devices.slice(0, Math.max(1, devices.length - 1))
    const lines = seen.flatMap(({ deviceNo }, n) =>
      task.items.filter(({ type }) => type !== picture).map((item, i) => ({ deviceNo, itemName: item.name, ...saidOf(item, n === 0 && i === 0) })),
    )
    const stood = devices.map(({ deviceNo }, n) => (n < seen.length ? { deviceNo, lng, lat } : { deviceNo, reason: '围挡施工，无法到位' }))
    const began = Math.max(nowMs - HALF_HOUR_MS, Date.parse(task.planFrom))
    await client.ask(patrolRecord.insert, {
      taskId: task.id,
      tollNo: task.tollNo,
      startedAt: instantAt(began),
      endedAt: instantAt(nowMs),
      lines,
      devices: stood,
      mid: `demo ${task.taskNo}`,
    } as never)
  }
}
const AT_ONCE = 12
const HALF_HOUR_MS = 1_800_000
const saidOf = ({ type, min, max }: { type: number; min?: number | null; max?: number | null }, wrong: boolean) => {
  if (type === number) return { value: String(((min ?? 0) + (max ?? min ?? 0)) / 2) }
  return wrong ? { ok: false, level: Level.middle, value: '松动，有异响' } : { ok: true }
}
