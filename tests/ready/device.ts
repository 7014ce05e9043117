import { randomBytes } from 'node:crypto'
import { DeviceUse, WarningLevel, WarningState, WarningType } from '../../domains/device/contract/device.ts'
import { EtcStatus } from '../../domains/device/contract/etc.ts'
import { RuleStatus } from '../../domains/device/contract/warningRule.ts'
import { aPark } from '../../domains/parking/server/factories.ts'
import { run } from '../../platform/server/database.ts'
import { AS, csv, type Factories, type Maker, of, some } from './maker.ts'

/** Devices of their own. */
export function ready({ made, write, parkCode }: Maker): Factories {
  const antenna = () => ({ deviceNo: `ETC-${some()}`, laneNo: `L-${some()}`, psamNo: hex(), parkCode })
  const etc = async () => {
    const { id } = await made('device.etc.add', antenna())
    return { id, version: 1 }
  }
  // One for each type and park: each stands in a park of its own.
  const rule = async () => ({
    type: WarningType.help,
    level: WarningLevel.minor,
    parkCode: (await write((tx) => aPark(tx, { parkCode: `X${some()}` }))).parkCode,
  })
  const device = () => made('device.iot-device.insert', { deviceNo: `PG-${some()}` })
  return {
    'device.iot-device.insert': async () => ({ deviceNo: `PG-${some()}` }),
    'device.iot-product.update': async () => of(await made('device.iot-product.insert', { name: `product ${some()}` })),
    'device.iot-device.delete-list': async () => ({ ids: [(await device()).id] }),
    'device.iot-device.secrets': async () => ({ ids: [(await device()).id] }),
    'device.iot-device.change-use': async () => ({ ids: [(await device()).id], to: DeviceUse.faulty, reason: '试' }),
    'device.etc.add': async () => antenna(),
    'device.etc.update': async () => of(await etc()),
    'device.etc.update-status': async () => ({ ...of(await etc()), status: EtcStatus.disabled, reason: '试' }),
    'device.etc.import': async () => csv({ 设备编号: `ETC-${some()}`, 车道号: `L-${some()}`, 车场编号: parkCode, 'PSAM 号': hex() }),
    'device.iot-device.import': async () => csv({ 设备编号: `PG-${some()}`, 名称: '道闸', 类型: '道闸' }),
    'device.warning.add': async () => rule(),
    'device.warning.update': async () => of(await made('device.warning.add', await rule())),
    'device.warning.delete': async () => of(await made('device.warning.add', await rule())),
    'device.warning.status-change': async () => ({ id: (await made('device.warning.add', await rule())).id, status: RuleStatus.off }),
    'device.warning.status-change-post': async () => ({ id: (await made('device.warning.add', await rule())).id, status: RuleStatus.off }),
    'device.warning.handle': async () => {
      const { id } = await device()
      const sql = `insert into device.warning (device_no, park_code, type, level) select device_no, park_code, ${WarningType.help}, ${WarningLevel.minor} from device.device where id = $1 returning id`
      return { ids: [(await write((tx) => run<{ id: string }>(tx, { sql }, [id])))[0]!.id], state: WarningState.closed }
    },
    'device.picture.upload': async () => {
      const deviceNo = `PG-${some()}`
      const { secret } = await made('device.iot-device.insert', { deviceNo })
      return { [AS]: `Basic ${Buffer.from(`${deviceNo}:${secret}`).toString('base64')}` }
    },
  }
}
const hex = () => randomBytes(6).toString('hex').toUpperCase()
