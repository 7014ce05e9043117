import { listOver, page } from '../../../platform/server/page.ts'
import { lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { Product, product, productSearch } from '../contract/product.ts'
import './tables.ts'

const products = listOver(Product, 'device.product', productSearch)
const bare = { manufacturer: null, model: null, remark: null }

export const calls = serve(product, {
  find: ({ tx, input }) => page(tx, products, input),
  insert: ({ tx, input }) =>
    tx
      .insertInto('device.product')
      .values({ ...bare, ...input })
      .returning('id')
      .executeTakeFirstOrThrow(),
  async update({ tx, input: { id, version, ...changes }, at }) {
    const { version: next } = await setRow(tx, products, await lockRow(tx, products, { id, version }), changes, at)
    return { version: next }
  },
  ofType: ({ tx, input }) =>
    tx.selectFrom('device.product').select(['id', 'name', 'type']).where('type', '=', input.type).orderBy('name').limit(500).execute(),
})
