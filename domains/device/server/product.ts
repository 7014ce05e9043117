import type { Instant } from '../../../platform/contract/field.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { NotFound, Stale } from '../../../platform/server/refusal.ts'
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
  async update({ tx, input: { id, version, ...changes } }) {
    const found = await tx.selectFrom('device.product').select('version').where('id', '=', id).forUpdate().executeTakeFirst()
    if (!found) throw NotFound()
    if (found.version !== version) throw Stale({ version: found.version })
    await tx.updateTable('device.product').set({ ...changes, version: version + 1, updatedAt: new Date().toISOString() as Instant }).where('id', '=', id).execute() // prettier-ignore
    return { version: version + 1 }
  },
  ofType: ({ tx, input }) =>
    tx.selectFrom('device.product').select(['id', 'name', 'type']).where('type', '=', input.type).orderBy('name').limit(500).execute(),
})
