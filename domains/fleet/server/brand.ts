import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, onlyFields, removeRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { Brand, brand, BrandChoice, brandSearch } from '../contract/brand.ts'
import './tables.ts'

const brands = listOver(Brand, 'fleet.brand', brandSearch)
const SameBrand = refusal('fleet.brand-exists', 42300, '已有 {name} {model}，请直接选用', '{name} {model} already exists: use that one')
const BrandInUse = refusal(
  'fleet.brand-in-use',
  42301,
  '有 {count} 辆车是该品牌型号，不能删除；请先修改这些车的型号',
  'Used by {count:vehicle}, so it cannot be deleted: change the model of those first',
)
const choice = onlyFields(BrandChoice)

export const calls = serve(brand, {
  query: ({ tx, input }) => page(tx, brands, input),
  queryList: async ({ tx }) => (await tx.selectFrom('fleet.brand').selectAll().orderBy('name').orderBy('model').execute()).map(choice),
  async add({ tx, input }) {
    await refuseSame(tx, input)
    return addRow(tx, brands, input)
  },
  async update({ tx, input: { id, version, ...changes }, at }) {
    const found = await lockRow(tx, brands, { id, version })
    await refuseSame(tx, { ...found, ...changes }, id)
    return setRow(tx, brands, found, changes, at)
  },
  async delete({ tx, input, at }) {
    const found = await lockRow(tx, brands, input)
    const [used] = await run<{ n: number }>(
      tx,
      { sql: 'select count(*)::int as n from fleet.vehicle where enterprise_id = scope_enterprise() and brand_id = $1' },
      [found.id],
    )
    if (used!.n > 0) throw BrandInUse({ count: used!.n })
    await removeRow(tx, brands, found, at)
  },
})

async function refuseSame(tx: Tx, { name, model }: { name: string; model: string }, id?: string): Promise<void> {
  const [same] = await run<{ id: string }>(
    tx,
    { sql: 'select id from fleet.brand where enterprise_id = scope_enterprise() and name = $1 and model = $2 and id is distinct from $3' },
    [name, model, id ?? null],
  )
  if (same) throw SameBrand({ name, model })
}
