import { run } from '../../../platform/server/database.ts'
import { page } from '../../../platform/server/page.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { importing, saysNothingNew } from '../../../platform/server/sheets/importing.ts'
import { deviceSheet } from '../contract/deviceSheet.ts'
import { addDevice, devices, mustStand } from './device.ts'
import { NO_SECRET } from './presence.ts'
import './tables.ts'

const Known = refusal(
  'device.sheet-known',
  40714,
  '设备编号 {deviceNo} 已存在；导入只新增，不修改；请从表格中删去该行',
  'Device {deviceNo} already exists; an import only adds devices: take the row out of the sheet',
)
const NoProduct = refusal(
  'device.sheet-no-product',
  40715,
  '没有该类型的产品「{name}」，请核对名称或先新增产品',
  'No product of this type is named “{name}”: check the name, or add the product first',
  422,
)

export const calls = serve(deviceSheet, {
  import: importing(deviceSheet.import, {
    prepare: ({ tx }) => tx.selectFrom('device.product').select(['id', 'name', 'type']).execute(),
    async row({ tx, row: { productName, ...row }, known }) {
      const product = known.find(({ name, type }) => name === productName && type === row.type)
      if (productName && !product) throw NoProduct({ name: productName })
      const [there] = await run<object>(tx, { sql: 'select * from device.device where device_no = $1' }, [row.deviceNo])
      const told = { ...row, ...(product && { productId: product.id }) }
      if (there && saysNothingNew(told, there)) return 'same'
      if (there) throw Known({ deviceNo: row.deviceNo })
      await mustStand(tx, await addDevice(tx, { ...row, productId: product?.id ?? null, secretHash: NO_SECRET }))
      return 'added'
    },
  }),
  export: exporting(deviceSheet.export, async ({ tx, input }) => {
    const [{ records }, products] = await Promise.all([page(tx, devices, input), tx.selectFrom('device.product').select(['id', 'name']).execute()])
    return { records: records.map((one) => ({ ...one, productName: products.find(({ id }) => id === one.productId)?.name ?? null })) }
  }),
})
