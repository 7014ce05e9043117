import type { Of } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import { DeviceType } from '../../../device/contract/device.ts'
import { devicesOf } from '../../../device/server/api.ts'
import type { GateDevice } from '../../contract/gate.ts'
import type { GateRow } from '../lane/lane.ts'

const Taken = refusal(
  'parking.device-taken',
  40888,
  '设备 {sn} 已用于通道「{gate}」，请选择空闲的设备',
  'Device {sn} is already used by lane {gate}: choose a free device',
)
const LANE_TYPES: number[] = [DeviceType.barrier, DeviceType.camera, DeviceType.led]

/** Returns the devices of a park that can serve a lane, each with its gate: the one that names it, else the one at which it stands. */
export async function laneDevices(tx: Tx, parkCode: string): Promise<Of<typeof GateDevice>[]> {
  const found = (await devicesOf(tx, parkCode)).filter(({ type }) => LANE_TYPES.includes(type))
  const named = await namedBy(
    tx,
    found.map(({ sn }) => sn),
  )
  return found.map(({ sn, name, type, online, gateCode }) => ({
    ...{ deviceNo: sn, name, type: type as Of<typeof GateDevice>['type'], online },
    usedBy: named.find((one) => one.sn === sn)?.gateCode ?? gateCode,
  }))
}

type Devices = Partial<Pick<GateRow, 'cameraId' | 'barrierId' | 'ledId'>>
const KINDS = ['cameraId', 'barrierId', 'ledId'] as const
/** One device serves one gate: told to open, it could not know which. A gate keeps the devices that it has already. @throws Taken */
export async function refuseTaken(tx: Tx, gateCode: string, wanted: Devices, had: Devices = {}): Promise<void> {
  const own = KINDS.map((kind) => had[kind])
  const asked = KINDS.flatMap((kind) => (wanted[kind] && !own.includes(wanted[kind]) ? [{ kind, sn: wanted[kind] }] : []))
  if (asked.length === 0) return
  // Two who give one device to two gates at once: the second waits here, and hears of the first.
  await run(tx, { sql: HOLD }, [asked.map(({ sn }) => sn).sort()])
  const taken = (
    await namedBy(
      tx,
      asked.map(({ sn }) => sn),
    )
  ).find((one) => one.gateCode !== gateCode)
  if (!taken) return
  const { kind } = asked.find(({ sn }) => sn === taken.sn)!
  throw Taken({ sn: taken.sn, gate: taken.name, [kind]: taken.sn })
}
const HOLD = `select pg_advisory_xact_lock(hashtextextended('parking.device ' || sn, scope_enterprise())) from unnest($1::text[]) sn`

const namedBy = (tx: Tx, sns: readonly string[]) =>
  run<{ sn: string; gateCode: string; name: string }>(
    tx,
    {
      sql: `select d.sn, g.gate_code, g.name from parking.gate g cross join lateral unnest(array[g.camera_id, g.barrier_id, g.led_id]) d(sn)
        where g.enterprise_id = scope_enterprise() and not g.deleted and d.sn = any($1)`,
    },
    [sns],
  )
