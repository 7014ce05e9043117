import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver } from '../../../platform/server/page.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { NotFound, refusal } from '../../../platform/server/refusal.ts'
import type { CallContext } from '../../../platform/server/serve.ts'
import { DeviceType, DeviceUse } from '../../device/contract/device.ts'
import { devicesOf, type Placed, statusOf } from '../../device/server/api.ts'
import { BindAction, type berth, Binding, bindingSearch, BindResult, Detector } from '../contract/berth.ts'
import { districtOf } from './district.ts'
import { berthTopic } from './questions.ts'
import './tables.ts'
import { SYSTEM } from '../../../platform/contract/said.ts'

const NotFit = refusal('roadside.device-not-fit', 41107, '设备「{deviceNo}」{zh}，不能绑定', 'Device “{deviceNo}” cannot be bound: {en}', 422)
const Taken = refusal(
  'roadside.kind-taken',
  41108,
  '该泊位已有同类设备「{deviceNo}」，如需更换请勾选「更换」',
  'The berth already has a device of this type, “{deviceNo}”: tick “Replace” to swap it',
)
const Full = refusal(
  'roadside.device-full',
  41109,
  '设备「{deviceNo}」已绑 {bound} 个泊位，最多 {most} 个',
  'Device “{deviceNo}” is bound to {bound} of at most {most} berths',
)
const NotBound = refusal(
  'roadside.not-bound',
  41110,
  '设备「{deviceNo}」没有绑定该泊位，请核对设备与泊位',
  'Device “{deviceNo}” is not bound to this berth: check the device and the berth',
)

export const bindings = listOver(Binding, 'roadside.binding', bindingSearch)
type BindingRow = Of<typeof Binding>
type Kind = BindingRow['kind']
/** Which device sees a berth in which way. A type that is not here sees none. */
const KIND_OF: Partial<Record<number, Kind>> = {
  [DeviceType.berthSensor]: Detector.sensor,
  [DeviceType.highPole]: Detector.highPole,
  [DeviceType.videoPost]: Detector.videoPile,
  [DeviceType.patrolCar]: Detector.patrol,
  [DeviceType.handheld]: Detector.handheld,
}
/** A camera on its pole looks at a row of berths; every other device at the one below it. */
const MOST: Partial<Record<Kind, number>> = { [Detector.highPole]: 30 }

type Bind = Of<(typeof berth.bind)['input']>
export async function bindBySeat({ tx, input, at, actor }: CallContext<Bind>) {
  const { parkCode, seatCode, deviceNo, unbind, replace } = input
  await holdBerth(tx, { parkCode, seatCode })
  const bound = await boundTo(tx, { parkCode, seatCode })
  if (deviceNo && unbind) {
    const its = bound.find((one) => one.deviceNo === deviceNo)
    if (!its) throw NotBound({ deviceNo })
    await endBinding(tx, its, { action: BindAction.unbound, at, by: actor.userName, reason: input.reason ?? null })
  } else if (deviceNo && !bound.some((one) => one.deviceNo === deviceNo))
    await bindOne(tx, { parkCode, seatCode, deviceNo, replace: replace ?? false, at, by: actor.userName }, bound)
  const left = await boundTo(tx, { parkCode, seatCode })
  return { bindings: left.map(({ deviceNo: no, kind, fromAt }) => ({ deviceNo: no, kind, fromAt })) }
}

interface Wanted {
  parkCode: string
  seatCode: string
  deviceNo: string
  replace: boolean
  at: Instant
  by: string
}
/** The stay that is open goes on: the binding changes, not the car. */
export async function bindOne(tx: Tx, wanted: Wanted, bound: readonly BindingRow[]): Promise<void> {
  const { parkCode, seatCode, deviceNo, at, by } = wanted
  const kind = fitFor(await statusOf(tx, deviceNo), wanted)
  await run(tx, { sql: 'select pg_advisory_xact_lock(hashtextextended($1, scope_enterprise()))' }, [`device ${deviceNo}`])
  const [{ count }] = (await run<{ count: number }>(tx, WATCHED, [deviceNo])) as [{ count: number }]
  const most = MOST[kind] ?? 1
  if (count >= most) throw Full({ deviceNo, bound: count, most })
  const old = bound.find((one) => one.kind === kind)
  if (old && !wanted.replace) throw Taken({ deviceNo: old.deviceNo })
  if (old) await endBinding(tx, old, { action: BindAction.replaced, at, by, reason: null })
  await tx.insertInto('roadside.binding').values({ parkCode, seatCode, deviceNo, kind, fromAt: at, operName: by }).execute()
  await tell(tx, berthTopic, { park: parkCode, ids: [seatCode] })
}
const WATCHED = {
  sql: 'select count(*)::int as count from roadside.binding where enterprise_id = scope_enterprise() and device_no = $1 and to_at is null',
}

/** How a device would see the berth. @throws NotFit, NotFound */
function fitFor(device: Placed | undefined, { deviceNo, parkCode }: Pick<Wanted, 'deviceNo' | 'parkCode'>): Kind {
  if (!device) throw NotFound({ deviceNo })
  if (device.useStatus !== DeviceUse.inUse) throw NotFit({ deviceNo, zh: '不在正常使用中', en: 'it is not in use' })
  if (device.parkCode !== parkCode) throw NotFit({ deviceNo, zh: '不在该片区', en: 'it belongs to another district' })
  const kind = KIND_OF[device.type]
  if (kind === undefined) throw NotFit({ deviceNo, zh: '不是泊位检测设备', en: 'it is not a berth detector' })
  return kind
}

export interface Ending {
  action: BindingRow['action']
  at: Instant
  by: string
  reason: string | null
}
export async function endBinding(tx: Tx, { id, parkCode, seatCode, fromAt }: BindingRow, { action, at, by, reason }: Ending): Promise<void> {
  const toAt = Date.parse(at) < Date.parse(fromAt) ? fromAt : at
  await Promise.all([
    tx.updateTable('roadside.binding').set({ toAt, action, offOperName: by, reason }).where('id', '=', id).where('toAt', 'is', null).execute(),
    tell(tx, berthTopic, { park: parkCode, ids: [seatCode] }),
  ])
}
/** A scrapped device watches nothing and turns nowhere any more: the answer to `device.scrapping`. */
export async function letGoOf(tx: Tx, { deviceNo, at }: { deviceNo: string; at: Instant }): Promise<void> {
  for (const bound of await boundBy(tx, deviceNo)) await endBinding(tx, bound, { action: BindAction.scrapped, at, by: SYSTEM, reason: null })
  await tx.deleteFrom('roadside.preset').where('deviceNo', '=', deviceNo).execute()
}
/** All berths that a device watches: where it is taken off, it is taken off everywhere. */
export const boundBy = (tx: Tx, deviceNo: string): Promise<BindingRow[]> =>
  tx.selectFrom('roadside.binding').select(FIELDS).where('deviceNo', '=', deviceNo).where('toAt', 'is', null).orderBy('seatCode').execute()
export const boundTo = (tx: Tx, { parkCode, seatCode }: { parkCode: string; seatCode: string }): Promise<BindingRow[]> =>
  tx
    .selectFrom('roadside.binding')
    .select(FIELDS)
    .where('parkCode', '=', parkCode)
    .where('seatCode', '=', seatCode)
    .where('toAt', 'is', null)
    .orderBy('kind')
    .execute()
const FIELDS = Object.keys(Binding.properties) as (keyof BindingRow)[]

/** One thing at a time happens to a berth: until commit. */
export const holdPlace = (tx: Tx, { parkCode, seatCode }: { parkCode: string; seatCode: string }) =>
  run(tx, { sql: 'select pg_advisory_xact_lock(hashtextextended($1, scope_enterprise()))' }, [`berth ${parkCode} ${seatCode}`])
/** The same of a berth that has to be there. @throws NotFound */
export async function holdBerth(tx: Tx, { parkCode, seatCode }: { parkCode: string; seatCode: string }): Promise<void> {
  const [, found] = await Promise.all([
    holdPlace(tx, { parkCode, seatCode }),
    run(tx, { sql: 'select 1 from roadside.berth where enterprise_id = scope_enterprise() and park_code = $1 and seat_code = $2 and not deleted' }, [
      parkCode,
      seatCode,
    ]),
  ])
  if (found.length === 0) throw NotFound({ parkCode, seatCode })
}

type BindPark = Of<(typeof berth.bindPark)['input']>
/** Devices of a district tell which berth they were fixed at (`berth` in their reports); free ones are bound to it. */
export async function bindByPark({ tx, input: { parkCode, dryRun = true }, at, actor }: CallContext<BindPark>) {
  await districtOf(tx, parkCode)
  const devices = (await devicesOf(tx, parkCode)).filter(({ type, useStatus }) => KIND_OF[type] !== undefined && useStatus === DeviceUse.inUse)
  const [places, bound] = await Promise.all([
    run<{ seatCode: string; berthNo: string }>(tx, PLACES, [parkCode]),
    tx.selectFrom('roadside.binding').select(FIELDS).where('parkCode', '=', parkCode).where('toAt', 'is', null).execute(),
  ])
  const plan = []
  for (const device of devices) {
    const reported = device.state['berth']
    const seatCode = places.find((one) => one.seatCode === reported || one.berthNo === reported)?.seatCode ?? null
    const kind = KIND_OF[device.type]!
    const its = bound.find((one) => one.deviceNo === device.sn)
    const taken = bound.some((one) => one.seatCode === seatCode && one.kind === kind)
    const result = its ? BindResult.bound : seatCode === null ? BindResult.noBerth : taken ? BindResult.conflict : BindResult.free
    plan.push({ seatCode: its?.seatCode ?? seatCode, deviceNo: device.sn, result })
    if (result === BindResult.free) bound.push({ seatCode: seatCode!, deviceNo: device.sn, kind } as BindingRow)
  }
  if (dryRun) return plan
  // Berths are locked in one order, so that two calls cannot block each other.
  const free = plan.filter(({ result }) => result === BindResult.free)
  for (const one of free.toSorted((a, b) => (a.seatCode! < b.seatCode! ? -1 : 1))) {
    const berth = { parkCode, seatCode: one.seatCode! }
    await holdBerth(tx, berth)
    await bindOne(tx, { ...berth, deviceNo: one.deviceNo, replace: false, at, by: actor.userName }, await boundTo(tx, berth))
    one.result = BindResult.bound
  }
  return plan
}
const PLACES = { sql: 'select seat_code, berth_no from roadside.berth where enterprise_id = scope_enterprise() and park_code = $1 and not deleted' }
