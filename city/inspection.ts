import { DeviceType } from '../domains/device/contract/device.ts'
import { Cycle, ItemType, patrolRules } from '../domains/inspection/contract/patrolRule.ts'
import { scheduling, TaskState } from '../domains/inspection/contract/task.ts'
import { toll, TollType } from '../domains/staff/contract/collector.ts'
import { CITY_OFFSET_MS, DAY_MS, dayOf, instantAt, startOf } from '../platform/contract/time.ts'
import type { Client } from './client.ts'

const { state, number, picture } = ItemType
const RULES = [
  { name: '道闸每日巡检', deviceTypes: [DeviceType.barrier], cycle: Cycle.day, items: [{ name: '杆体外观', type: state }, { name: '起落杆', type: state }, { name: '供电电压', type: number, min: 200, max: 240 }], route: '先入口后出口，逐道核对' },
  { name: '相机与屏每周巡检', deviceTypes: [DeviceType.camera, DeviceType.led], cycle: Cycle.week, items: [{ name: '镜头清洁', type: state }, { name: '现场照片', type: picture }] },
  { name: '道闸季度保养', deviceTypes: [DeviceType.barrier], cycle: Cycle.quarter, items: [{ name: '传动润滑', type: state }, { name: '接地电阻', type: number, max: 4 }] },
] // prettier-ignore
/** Of every so many tasks one has nobody yet. */
const NOBODY_OF = 4

/** Rules of a city's operation, what they plan for the week ahead, and who goes. */
export async function addInspection(client: Client, parkCodes: readonly string[], nowMs: number): Promise<void> {
  for (const rule of RULES) await client.ask(patrolRules.insert, { ...rule, parkCodes: [...parkCodes] } as never)
  const people = (await client.ask(toll.pick, {})).filter(({ tollType }) => tollType === TollType.inspector)
  const { records } = await client.ask(scheduling.query, { state: [TaskState.waiting], limit: 200, orderByColumn: 'planFrom', isAsc: 'asc' } as never)
  for (const [n, { id, version }] of records.entries())
    if (people.length > 0 && n % NOBODY_OF !== NOBODY_OF - 1) await client.ask(scheduling.update, { id, version, tollNo: people[n % people.length]!.tollNo })
  const [{ records: rules }, tomorrow] = [await client.ask(patrolRules.query, {}), Date.parse(startOf(dayOf(instantAt(nowMs)))) + DAY_MS]
  await client.ask(scheduling.add, { ruleId: rules.at(-1)!.id, parkCode: parkCodes[0]! as never, planFrom: instantAt(tomorrow + CITY_OFFSET_MS), planTo: instantAt(tomorrow + CITY_OFFSET_MS + DAY_MS / 4), remark: '节前加检' })
} // prettier-ignore
