import type { Instant, Of } from '../../../platform/contract/field.ts'
import { DAY_MS } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { NotFound, refusal } from '../../../platform/server/refusal.ts'
import { lockRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { DeviceUse } from '../../device/contract/device.ts'
import { command, type Method } from '../../device/server/api.ts'
import { OnJob } from '../contract/collector.ts'
import { Handheld, handheld, handheldSearch } from '../contract/handheld.ts'
import { changeCollector, collectors, HasLeft } from './collectorRow.ts'
import './tables.ts'

const NotInUse = refusal(
  'staff.handheld-not-in-use',
  41970,
  '手持机 {deviceNo} 未投用，请先在设备管理中投用',
  'Handheld {deviceNo} is not in use: put it into use under Devices first',
)
const LockedOne = refusal('staff.handheld-locked', 41971, '手持机 {deviceNo} 已锁定，请先解锁', 'Handheld {deviceNo} is locked: unlock it first')
const NobodyHasIt = refusal(
  'staff.handheld-free',
  41972,
  '手持机 {deviceNo} 没有绑定人员，请先发放',
  'Handheld {deviceNo} is not issued to anybody: issue it first',
)
const LockedAlready = refusal('staff.handheld-locked-already', 41973, '手持机 {deviceNo} 已经锁定', 'Handheld {deviceNo} is already locked')
const NotLocked = refusal('staff.handheld-not-locked', 41974, '手持机 {deviceNo} 没有锁定', 'Handheld {deviceNo} is not locked')
const NoCollector = refusal(
  'staff.no-collector',
  41975,
  '没有工号为 {tollNo} 的人员，请核对工号',
  'No one has staff number {tollNo}: check the number',
  422,
)

const handhelds = listOver(Handheld, 'staff.handheld', handheldSearch)
/** A handheld that is away hears of its lock when it comes back, within a day. The lock itself does not wait for it. */
const TOLD_MS = DAY_MS

export const calls = serve(handheld, {
  query: ({ tx, input }) => page(tx, handhelds, input),
  async bind({ tx, input: { deviceNo, tollNo }, at }) {
    const device = await heldDevice(tx, deviceNo)
    if (device.useStatus !== DeviceUse.inUse) throw NotInUse({ deviceNo })
    if (device.lockedAt) throw LockedOne({ deviceNo })
    const holder = await lockRow(tx, collectors, await keyOf(tx, BY_NO, tollNo, NoCollector({ tollNo })))
    if (holder.onJob === OnJob.left) throw HasLeft({ name: holder.name })
    await changeCollector(tx, holder, { pdaNo: deviceNo }, at)
    return { replaced: holder.pdaNo === deviceNo ? null : holder.pdaNo }
  },
  async unbind({ tx, input: { deviceNo }, at }) {
    await heldDevice(tx, deviceNo)
    const holder = await lockRow(tx, collectors, await keyOf(tx, BY_HANDHELD, deviceNo, NobodyHasIt({ deviceNo })))
    await changeCollector(tx, holder, { pdaNo: null }, at)
  },
  async lock({ tx, input: { deviceNo, reason }, actor, at }) {
    const device = await heldDevice(tx, deviceNo)
    const [made] = await run(tx, { sql: LOCK }, [deviceNo, reason, at, actor.userName])
    if (!made) throw LockedAlready({ deviceNo })
    await tellIt(tx, device, 'handheld.lock', { reason })
  },
  async unlock({ tx, input: { deviceNo } }) {
    const device = await heldDevice(tx, deviceNo)
    const [gone] = await run(tx, { sql: UNLOCK }, [deviceNo])
    if (!gone) throw NotLocked({ deviceNo })
    await tellIt(tx, device, 'handheld.unlock', {})
  },
})
const LOCK = `insert into staff.handheld_lock (device_no, reason, locked_at, locked_by, created_at, updated_at) values ($1, $2, $3, $4, $3, $3)
  on conflict (enterprise_id, device_no) do nothing returning id`
const UNLOCK = 'delete from staff.handheld_lock where enterprise_id = scope_enterprise() and device_no = $1 returning id'

type Found = Pick<Of<typeof Handheld>, 'deviceNo' | 'useStatus' | 'lockedAt'>
/** Held until the call is over: it is given out, taken back and locked by one person at a time. */
async function heldDevice(tx: Tx, deviceNo: string): Promise<Found> {
  await run(tx, { sql: 'select pg_advisory_xact_lock(hashtextextended($1, scope_enterprise()))' }, [`handheld ${deviceNo}`])
  const [found] = await run<Found>(tx, { sql: FOUND }, [deviceNo])
  if (!found) throw NotFound({ deviceNo })
  return found
}
const FOUND = 'select device_no, use_status, locked_at from staff.handheld where enterprise_id = scope_enterprise() and device_no = $1'
const BY_NO = 'select id from staff.collector where enterprise_id = scope_enterprise() and toll_no = $1'
const BY_HANDHELD = 'select id from staff.collector where enterprise_id = scope_enterprise() and pda_no = $1'
async function keyOf(tx: Tx, sql: typeof BY_NO | typeof BY_HANDHELD, value: string, missing: Error): Promise<{ id: string }> {
  const [found] = await run<{ id: string }>(tx, { sql }, [value])
  if (!found) throw missing
  return found
}
/** A handheld in the storeroom is offline and gets no command. */
const tellIt = async (tx: Tx, { deviceNo, useStatus }: Found, method: Method, params: Record<string, unknown>) =>
  useStatus === DeviceUse.inStock ? undefined : command(tx, { sn: deviceNo, method, params, ttlMs: TOLD_MS })

/** The answer to `roadside.handheldLocked`, and to the domains that keep a handheld's reports: the lock that stood by then on the handheld of this person. */
export async function lockOf(tx: Tx, { userId, at }: { userId: string; at: Instant }): Promise<{ deviceNo: string; reason: string } | undefined> {
  const [found] = await run<{ deviceNo: string; reason: string }>(tx, { sql: LOCKED }, [userId, at])
  return found
}
const LOCKED = `select l.device_no, l.reason from staff.collector c join staff.handheld_lock l on l.enterprise_id = c.enterprise_id and l.device_no = c.pda_no
  where c.enterprise_id = scope_enterprise() and c.person_id = $1 and l.locked_at <= $2`
