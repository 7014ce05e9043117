import { Level } from '../domains/after-sale/contract/level.ts'
import { device, DeviceType, DeviceUse } from '../domains/device/contract/device.ts'
import { enrol } from '../domains/device/server/api.ts'
import { repair, RepairSource, RepairState } from '../domains/inspection/contract/repair.ts'
import { scrap, ScrapReason } from '../domains/inspection/contract/scrap.ts'
import { apply, faultFound, stepRepair } from '../domains/inspection/server/api.ts'
import { run, type Tx } from '../platform/server/database.ts'
import { DAY_MS, instantAt, MINUTE_MS } from '../platform/contract/time.ts'
import type { House } from '../platform/server/domain.ts'
import type { Client } from './client.ts'
import { CITY_DAYS } from './plan.ts'

const ENTERPRISE = 1
const HOUR_MS = 60 * MINUTE_MS
const { unassigned, assigned, working, handedIn, done } = RepairState
/** Level, who reported it, what is broken, and how far it has come. */
const FAULTS = [
  [Level.middle, RepairSource.reported, '抬杆后不落，需人工复位', done],
  [Level.high, RepairSource.round, '道闸电机异响，落杆抖动', handedIn],
  [Level.low, RepairSource.round, '栏杆反光条脱落', working],
  [Level.middle, RepairSource.warning, '频繁离线，疑网线松动', assigned],
  [Level.urgent, RepairSource.order, '控制器上电无反应', unassigned],
] as const
const WORN = [
  ['BJ-XJ-201', DeviceType.camera, '旧款入口相机', 480_000, ScrapReason.outdated, '主控停产，无备件'],
  ['BJ-LED-202', DeviceType.led, '户外诱导屏', 3_600_000, ScrapReason.broken, '屏体进水，两次维修无效'],
  ['BJ-XJ-203', DeviceType.camera, '撞毁相机', 520_000, ScrapReason.lost, '被车辆撞毁'],
] as const
const PARTS = [{ name: '道闸弹簧', qty: 2, priceFen: 12_000 }]
const LABOUR_FEN = 15_000
const MONTHS = 60
/** A twentieth of what it was bought for. */
const RESIDUAL_OF = 20

/** Barriers between parts of a park that broke, as far as each has come; of spare devices one that is to be scrapped, one that waits for the head, one that is gone. No lane of the city stands still for them. */
export async function addRepairs(house: House, admin: Client, parkCode: string, nowMs: number): Promise<void> {
  const write: typeof house.writing = (_, via, work) => house.writing(ENTERPRISE, via, work)
  const [mender] = await admin.ask(repair.repairers, {})
  const [person] = await house.reading(ENTERPRISE, (tx) =>
    run<{ userId: string; userName: string }>(
      tx,
      { sql: `select id as user_id, name as user_name from identity.person where username = 'operator'` },
      [],
    ),
  )
  const who = person!
  for (const [n, [level, source, desc, last]] of FAULTS.entries()) {
    const deviceNo = `FG-DZ-${101 + n}`
    await write(ENTERPRISE, 'demo', (tx) => standing(tx, deviceNo, `分区道闸 ${n + 1}`, parkCode, nowMs))
    const at = (hours: number) => instantAt(nowMs - (FAULTS.length - n) * 24 * HOUR_MS + hours * HOUR_MS)
    const { id } = await write(ENTERPRISE, 'demo', (tx) => faultFound(tx, { deviceNo, source, level, desc, by: who.userName }, at(0)))
    for (const to of mender ? [assigned, working, handedIn].filter((state) => state <= last) : []) {
      const said = { ...(to === assigned && { tollNo: mender!.tollNo }), ...(to === handedIn && { parts: PARTS, labourFen: LABOUR_FEN }) }
      await write(ENTERPRISE, 'demo', (tx) => stepRepair(tx, { id, to, ...said } as never, who, at(to)))
    }
    if (mender && last === done) await admin.ask(repair.move, { id, to: done })
  }
  for (const [n, [no, type, name, originalFen, reason, note]] of WORN.entries()) {
    const deviceNo = await spare(admin, no, name, type, parkCode)
    const asked = { deviceNo, reason, note, originalFen, residualFen: originalFen / RESIDUAL_OF, months: MONTHS }
    const { id, version } = await write(ENTERPRISE, 'demo', (tx) => apply(tx, asked as never, who, instantAt(nowMs - HOUR_MS)))
    if (n > 0) await admin.ask(scrap.decide, { id, version, approve: true, opinion: '同意' })
  }
}
/** In use for longer than its statistics look back: how often it broke is counted over that time. */
const standing = (tx: Tx, sn: string, name: string, parkCode: string, nowMs: number) =>
  enrol(tx, { sn, name, type: DeviceType.barrier, parkCode, secretHash: NO_SECRET, since: instantAt(nowMs - CITY_DAYS * DAY_MS) })
/** None that anything hashes to: it speaks to nobody. */
const NO_SECRET = 'none'
async function spare(client: Client, deviceNo: string, name: string, type: number, parkCode: string): Promise<string> {
  await client.ask(device.insert, { deviceNo, name, type, parkCode, useStatus: DeviceUse.inStock } as never)
  return deviceNo
}
