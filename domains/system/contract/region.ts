import { plural } from '../../../platform/contract/plural.ts'
import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  empty,
  entity,
  instant,
  listOf,
  nothing,
  orNone,
  pick,
  pickSome,
  type Schema,
  text,
  treeOf,
  whole,
} from '../../../platform/contract/field.ts'
import type { RegionNode } from '../../../platform/contract/region.ts'

export const RegionRank = dictionary('region_rank', ['区划级别', 'Region level'], {
  province: [1, '省级', 'Province'],
  city: [2, '地级', 'City'],
  county: [3, '县级', 'County'],
  township: [4, '乡级', 'Township'],
  village: [5, '村级', 'Village'],
})
/** How many digits of a code say something at each level; the rest of the first six are zeros (GB/T 2260; GB/T 10114 below counties). */
export const DIGITS = { 1: 2, 2: 4, 3: 6, 4: 9, 5: 12 } as const
type Rank = keyof typeof DIGITS

/** Why a code cannot stand at a level below its parent; nothing when it can. */
export function codeFault(code: string, rank: Rank, parentCode: string | null): readonly [zh: string, en: string] | undefined {
  const length = Math.max(6, DIGITS[rank])
  if (code.length !== length)
    return [
      `${RegionRank.entries[rank][0]}的代码应为 ${length} 位`,
      `${RegionRank.entries[rank][1]}: the code must have ${length} ${plural(length, 'digit')}`,
    ]
  if (!/^0*$/.test(code.slice(DIGITS[rank]))) return ['代码的后几位应为 0', 'The last digits of the code must be zeros']
  if (rank === 1) return parentCode === null ? undefined : ['省级没有上级', 'A province has no parent']
  if (parentCode === null) return ['请选择上级', 'Choose a parent']
  const above = DIGITS[(rank - 1) as Rank]
  return code.slice(0, above) === parentCode.slice(0, above)
    ? undefined
    : [`代码应以上级的 ${parentCode.slice(0, above)} 开头`, `The code must start with its parent’s ${parentCode.slice(0, above)}`]
}

export const Region = entity(['区域', 'Region'], {
  code: text('区划代码', 'Code', { max: 12, pattern: '^[0-9]{1,12}$' }),
  parentCode: orNone(text('上级代码', 'Parent code', { max: 12, pattern: '^[0-9]{1,12}$' })),
  name: text('名称', 'Name', { max: 64 }),
  nameEn: text('英文名称', 'English name', { min: 0, max: 64 }),
  rank: among('级别', 'Level', RegionRank),
  version: whole('版本', 'Version'),
  updatedAt: instant('更新时间', 'Updated at'),
})
export const regionSearch = searchOf(
  Region,
  { code: 'startsWith', name: 'contains', rank: 'among', parentCode: 'equals' },
  { sort: ['code'], ascending: true },
)

const RegionNodes: Schema<RegionNode[]> = treeOf({ ...pick(Region, 'code', 'name', 'nameEn').properties, rank: whole('级别', 'Level') })
export const RankChoice = entity({ ival: whole('编码', 'Code'), cval: text('中文', 'Chinese'), itemEn: text('英文', 'English') })

const view = 'system:region:view'
const signedIn = { service: 'basic', needs: 'signed-in' } as const
const edit = { service: 'basic', needs: 'system:region:edit', writes: true } as const
export const region = {
  tree: call('system.region.tree', { ...signedIn, forPrograms: true, get: '/tSysRegion/getSysRegionTree', query: empty, reply: RegionNodes }),
  selectByIdAndName: call('system.region.select-by-id-and-name', {
    service: 'basic',
    post: '/tSysRegion/selectByIdAndName',
    needs: view,
    body: paged(regionSearch),
    reply: pageOf(Region),
  }),
  selectRankList: call('system.region.select-rank-list', {
    ...signedIn,
    forPrograms: true,
    post: '/tSysRegion/selectRankList',
    body: empty,
    reply: listOf(RankChoice),
  }),
  add: call('system.region.add', {
    ...edit,
    post: '/tSysRegion/addRegion',
    does: ['新增区划', 'Added a region'],
    body: pickSome(Region, ['code', 'name', 'rank'], ['parentCode', 'nameEn']),
    reply: Region,
  }),
  /** Code and level stay: parks and records name them. */
  update: call('system.region.update', {
    ...edit,
    post: '/tSysRegion/updateRegion',
    does: ['修改区划', 'Changed a region'],
    body: pickSome(Region, ['code', 'version'], ['name', 'nameEn']),
    reply: Region,
  }),
  delete: call('system.region.delete', {
    ...edit,
    post: '/tSysRegion/deleteRegion',
    does: ['删除区划', 'Deleted a region'],
    body: pick(Region, 'code', 'version'),
    reply: nothing,
  }),
}
