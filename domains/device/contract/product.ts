import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, dictionary, entity, id, instant, listOf, message, orNone, pick, pickSome, text, whole } from '../../../platform/contract/field.ts'
import { DeviceType } from './device.ts'

export const Protocol = dictionary('device_protocol', ['接入协议', 'Protocol'], {
  mqtt: [1, 'MQTT', 'MQTT'],
  ocpp: [2, 'OCPP', 'OCPP'],
  jt808: [3, 'JT/T 808', 'JT/T 808'],
  other: [9, '其他', 'Other'],
})
/** A make and model: the facts that all its devices share. */
export const Product = entity(['设备产品', 'Product'], {
  id: id<'ProductId'>(),
  name: text('产品名称', 'Product'),
  type: among('设备类型', 'Device type', DeviceType),
  manufacturer: orNone(text('厂家', 'Manufacturer')),
  model: orNone(text('型号', 'Model')),
  protocol: among('接入协议', 'Protocol', Protocol),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
  version: whole('版本', 'Version'),
  createdAt: instant('创建时间', 'Created at'),
  updatedAt: instant('更新时间', 'Updated at'),
})
export const productSearch = searchOf(
  Product,
  { name: 'startsWith', type: 'among', protocol: 'equals' },
  { sort: ['name', 'createdAt'], ascending: true },
)

const mayHave = ['manufacturer', 'model', 'protocol', 'remark'] as const
const view = { service: 'device', needs: 'device:device:view' } as const
const edit = { service: 'device', needs: 'device:device:edit', writes: true } as const
export const product = {
  find: call('device.iot-product.find', {
    ...view,
    get: '/iotProduct/find',
    query: paged(productSearch),
    reply: pageOf(Product),
  }),
  insert: call('device.iot-product.insert', {
    ...edit,
    post: '/iotProduct/insert',
    does: ['新增产品', 'Added a product'],
    body: pickSome(Product, ['name', 'type'], mayHave),
    reply: pick(Product, 'id'),
  }),
  update: call('device.iot-product.update', {
    ...edit,
    post: '/iotProduct/update',
    does: ['修改产品', 'Changed a product'],
    body: pickSome(Product, ['id', 'version'], ['name', 'type', ...mayHave]),
    reply: message({ version: Product.properties.version }),
  }),
  ofType: call('device.iot-product.device-type-find-product', {
    ...view,
    get: '/iotProduct/deviceTypeFindProduct',
    query: pick(Product, 'type'),
    reply: listOf(pick(Product, 'id', 'name', 'type')),
  }),
}
