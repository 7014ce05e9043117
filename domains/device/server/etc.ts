import type { Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { announce } from '../../../platform/server/events.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { NotFound, refusal, Stale } from '../../../platform/server/refusal.ts'
import { phased, serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { importing, saysNothingNew } from '../../../platform/server/sheets/importing.ts'
import { templating } from '../../../platform/server/sheets/template.ts'
import { DeviceType } from '../contract/device.ts'
import { Etc, etc, etcSearch, EtcStatus } from '../contract/etc.ts'
import { addDevice, mustStand, setDevice } from './device.ts'
import { etcDisabled } from './events.ts'
import { hashOf, newSecret, NO_SECRET } from './presence.ts'
import './tables.ts'

const LaneTaken = refusal(
  'device.etc-lane-taken',
  40710,
  '车道号 {laneNo} 已有 ETC 设备，请核对车道号',
  'Lane number {laneNo} already has an ETC device: check the lane number',
)
const PsamTaken = refusal(
  'device.etc-psam-taken',
  40711,
  'PSAM 号 {psamNo} 已登记在另一台设备，请核对卡号',
  'PSAM number {psamNo} is already registered on another device: check the number',
)
const NotByHand = refusal(
  'device.etc-not-by-hand',
  40712,
  '在线与离线由心跳决定：停用中的设备只能启用，使用中的只能停用',
  'Online and offline follow the heartbeat: you can only put an antenna in service or take it out of service',
)
const Known = refusal(
  'device.known',
  40713,
  '设备编号 {deviceNo} 已存在，请换一个编号',
  'Device number {deviceNo} already exists: choose another number',
)

type Row = Of<typeof Etc>
const antennas = listOver(Etc, 'device.etcStatus', etcSearch)

export const calls = serve(etc, {
  query: ({ tx, input }) => page(tx, antennas, input),
  add: phased(async ({ input, write }) => {
    const secret = newSecret()
    const secretHash = await hashOf(secret)
    return write(async (tx) => ({ id: await addEtc(tx, { ...input, secretHash }), deviceNo: input.deviceNo, secret }))
  }),
  async update({ tx, input: { id, version, laneNo, vendor, psamNo, ...changes }, at }) {
    const found = await lockEtc(tx, { id, version })
    const wanted = {
      deviceNo: found.deviceNo,
      laneNo: laneNo ?? found.laneNo,
      psamNo: psamNo ?? found.psamNo,
      vendor: vendor === undefined ? found.vendor : vendor,
    }
    await refuseTaken(tx, wanted)
    await tx
      .updateTable('device.etc')
      .set({ laneNo: wanted.laneNo, psamNo: wanted.psamNo, vendor: wanted.vendor })
      .where('deviceNo', '=', found.deviceNo)
      .execute()
    await setDevice(tx, { id, version }, changes, at)
    return etcBy(tx, id)
  },
  async updateStatus({ tx, input: { id, version, status, reason }, at }) {
    const found = await lockEtc(tx, { id, version })
    const disables = status === EtcStatus.disabled
    if (status === EtcStatus.offline || disables === (found.status === EtcStatus.disabled)) throw NotByHand()
    await tx
      .updateTable('device.etc')
      .set({ disabled: disables, reason: disables ? reason : null })
      .where('deviceNo', '=', found.deviceNo)
      .execute()
    await setDevice(tx, { id, version }, {}, at)
    if (disables) await announce(tx, etcDisabled, { deviceNo: found.deviceNo, laneNo: found.laneNo })
    return etcBy(tx, id)
  },
  import: importing(etc.import, {
    async row({ tx, row }) {
      const [known] = await run<object>(tx, { sql: THERE }, [row.deviceNo])
      if (known && saysNothingNew(row, known)) return 'same'
      if (known) throw Known({ deviceNo: row.deviceNo })
      await addEtc(tx, { ...row, name: `ETC ${row.laneNo}`, secretHash: NO_SECRET })
      return 'added'
    },
  }),
  export: exporting(etc.export, antennas),
  template: templating(etc.import),
})

const THERE =
  'select d.device_no, d.park_code, d.gate_code, e.lane_no, e.psam_no, e.vendor from device.device d left join device.etc e on e.enterprise_id = d.enterprise_id and e.device_no = d.device_no where d.device_no = $1'

type New = Pick<Row, 'deviceNo' | 'name' | 'laneNo' | 'psamNo'> & { parkCode: string; secretHash: string } & Partial<
    Pick<Row, 'gateCode' | 'vendor' | 'intervalSec' | 'remark'>
  >
async function addEtc(tx: Tx, { deviceNo, laneNo, psamNo, vendor = null, ...place }: New): Promise<Row['id']> {
  await refuseTaken(tx, { deviceNo, laneNo, psamNo })
  const { id, parkCode, gateCode } = await addDevice(tx, { ...place, deviceNo, type: DeviceType.etc })
  await mustStand(tx, { parkCode, gateCode })
  await tx.insertInto('device.etc').values({ deviceNo, laneNo, psamNo, vendor, reason: null }).execute()
  return id
}

async function refuseTaken(tx: Tx, { deviceNo, laneNo, psamNo }: Pick<Row, 'deviceNo' | 'laneNo' | 'psamNo'>): Promise<void> {
  const others = await run<{ laneNo: string }>(
    tx,
    { sql: 'select lane_no from device.etc where enterprise_id = scope_enterprise() and device_no <> $1 and (lane_no = $2 or psam_no = $3) limit 2' },
    [deviceNo, laneNo, psamNo],
  )
  if (others.some((other) => other.laneNo === laneNo)) throw LaneTaken({ laneNo })
  if (others.length > 0) throw PsamTaken({ psamNo })
}

/** The view holds no lock: the device's own row does. */
async function lockEtc(tx: Tx, { id, version }: { id: Row['id']; version: number }): Promise<Row> {
  await tx.selectFrom('device.device').select('id').where('id', '=', id).where('type', '=', DeviceType.etc).forUpdate().execute()
  const found = await etcBy(tx, id)
  if (found.version !== version) throw Stale({ version: found.version, sent: version })
  return found
}
async function etcBy(tx: Tx, id: Row['id']): Promise<Row> {
  const found = await find(tx, antennas, id)
  if (!found) throw NotFound()
  return found
}

/** Returns the antenna of a lane that may deduct now, for the domain that collects by ETC. */
export interface EtcLane {
  deviceNo: string
  laneNo: string
  psamNo: string
  parkCode: string
}
export async function etcAt(tx: Tx, { parkCode, gateCode }: { parkCode: string; gateCode: string }): Promise<EtcLane | undefined> {
  const [found] = await run<EtcLane>(
    tx,
    {
      sql: `select device_no, lane_no, psam_no, park_code from device.etc_status
        where enterprise_id = scope_enterprise() and park_code = $1 and gate_code = $2 and status = ${EtcStatus.online} order by device_no limit 1`,
    },
    [parkCode, gateCode],
  )
  return found
}
