import { among, message, text } from '../../../platform/contract/field.ts'
import { exportOf, gateName, importOf, parkName } from '../../../platform/contract/sheet.ts'
import { Device, device, DeviceType } from './device.ts'

const { deviceNo, name, intervalSec } = Device.properties
const type = among('类型', 'Type', DeviceType)
/** By its name, as the list of products shows it. */
const productName = text('产品', 'Product')

/** Devices as a sheet. Their secrets are made afterwards, by `device.secrets`. */
export const deviceSheet = {
  import: importOf('device.iot-device.import', {
    service: 'device',
    post: '/iotDevice/import',
    needs: device.insert.needs,
    title: ['设备', 'Devices'],
    row: message(
      { deviceNo, name, type },
      { productName, parkCode: text('车场编号', 'Car park code', { max: 16 }), gateCode: text('通道编号', 'Lane code', { max: 24 }), intervalSec },
    ),
    unique: 'deviceNo',
  }),
  export: exportOf('device.iot-device.export', {
    service: 'device',
    get: '/iotDevice/export',
    needs: device.find.needs,
    title: ['设备', 'Devices'],
    query: device.find,
    columns: [
      'deviceNo',
      'name',
      { name: 'type', field: type },
      { name: 'productName', field: productName },
      'parkCode',
      parkName,
      'gateCode',
      gateName('gateCode', ['通道', 'Lane']),
      'intervalSec',
      'useStatus',
      'online',
      'lastSeenAt',
      'firmware',
      'remark',
    ],
  }),
}
