import type { Of } from '../../../../platform/contract/field.ts'
import type { RegionNode } from '../../../../platform/contract/region.ts'
import type { Tx } from '../../../../platform/server/database.ts'
import { listOver, page } from '../../../../platform/server/page.ts'
import { tell } from '../../../../platform/server/realtime.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import { lockRow, removeRow, setRow } from '../../../../platform/server/row.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { codeFault, Region, region, RegionRank, regionSearch } from '../../contract/region.ts'
import '../tables.ts'
import { regionHeld, regionTopic } from '../topics.ts'

type Row = Of<typeof Region>
export const BadCode = refusal('system.region-code', 40129, '{zh}', '{en}', 422)
const Taken = refusal('system.region-taken', 40130, '区划代码 {code} 已存在，请核对代码', 'Region code {code} already exists: check the code')
const NoParent = refusal(
  'system.region-no-parent',
  40131,
  '上级区划不存在，或不是上一级；请重新选择',
  'The parent region does not exist or is not one level above: choose another one',
  422,
)
const HasChildren = refusal(
  'system.region-has-children',
  40132,
  '下面还有 {count} 个区划，不能删除；请先删除下级区划',
  'It has {count:region} below it: delete those first',
)
const NoRegion = refusal('system.no-region', 40147, '没有区划 {code}，请重新选择', 'Region {code} does not exist: choose it again', 422)
const Held = refusal('system.region-held', 40133, '不能删除：{zh}', 'It cannot be deleted: {en}')

export const regions = listOver(Region, 'system.region', regionSearch, { key: 'code' })
const FIELDS = Object.keys(Region.properties) as (keyof Row)[]

export const calls = serve(region, {
  async tree({ tx }) {
    const rows = await tx.selectFrom('system.region').select(['code', 'parentCode', 'name', 'nameEn', 'rank']).orderBy('code').execute()
    const nodes = new Map<string, RegionNode>(rows.map(({ code, name, nameEn, rank }) => [code, { code, name, nameEn, rank, children: [] }]))
    for (const { code, parentCode } of rows) if (parentCode) nodes.get(parentCode)!.children.push(nodes.get(code)!)
    return rows.filter(({ parentCode }) => !parentCode).map(({ code }) => nodes.get(code)!)
  },
  selectByIdAndName: ({ tx, input }) => page(tx, regions, input),
  selectRankList: async () => Object.entries(RegionRank.entries).map(([ival, [cval, itemEn]]) => ({ ival: Number(ival), cval, itemEn })),

  async add({ tx, input }) {
    const row = { ...input, parentCode: input.parentCode ?? null }
    const made = await addRegion(tx, row)
    await tell(tx, regionTopic, { ids: [made.code] })
    return made
  },
  async update({ tx, input: { code, version, ...changes }, at }) {
    const found = await lockRow(tx, regions, { id: code, version })
    const made = await setRow(tx, regions, found, changes, at)
    await tell(tx, regionTopic, { ids: [code] })
    return made
  },
  async delete({ tx, input: { code, version }, at }) {
    const found = await lockRow(tx, regions, { id: code, version })
    const children = await tx.selectFrom('system.region').select('code').where('parentCode', '=', code).execute()
    if (children.length > 0) throw HasChildren({ count: children.length })
    const [held] = await regionHeld.ask(tx, { code })
    if (held) throw Held(held.answer)
    await removeRow(tx, regions, found, at)
    await tell(tx, regionTopic, { ids: [code] })
  },
})

/** Locks a region while a row that names it is written: nobody deletes it meanwhile. @throws NoRegion */
export async function holdRegion(tx: Tx, code: string): Promise<void> {
  const found = await tx.selectFrom('system.region').select('code').where('code', '=', code).forKeyShare().executeTakeFirst()
  if (!found) throw NoRegion({ code })
}

/** One region below its parent, by the rules of its code. @throws BadCode, Taken, NoParent */
export async function addRegion(tx: Tx, row: Pick<Row, 'code' | 'name' | 'rank' | 'parentCode'> & Partial<Pick<Row, 'nameEn'>>): Promise<Row> {
  const fault = codeFault(row.code, row.rank, row.parentCode)
  if (fault) throw BadCode({ zh: fault[0], en: fault[1] })
  if (row.parentCode !== null) {
    const parent = await tx.selectFrom('system.region').select('rank').where('code', '=', row.parentCode).forKeyShare().executeTakeFirst()
    if (!parent || parent.rank !== row.rank - 1) throw NoParent()
  }
  const made = await tx
    .insertInto('system.region')
    .values(row)
    .onConflict((on) => on.doNothing())
    .returning(FIELDS)
    .executeTakeFirst()
  if (!made) throw Taken({ code: row.code })
  return made as Row
}
