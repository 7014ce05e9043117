import { call } from '../../../platform/contract/call.ts'
import { anything, empty, entity, listOf, type Schema, shaped, text, whole } from '../../../platform/contract/field.ts'

/** A region by its GB/T 2260 code, with those below it. */
export interface RegionNode {
  code: string
  name: string
  nameEn: string
  rank: number
  children: RegionNode[]
}
const RegionNodes: Schema<RegionNode[]> = listOf(
  entity({
    code: text('区划代码', 'Code', { max: 12 }),
    name: text('名称', 'Name'),
    nameEn: text('英文名称', 'English name', { min: 0 }),
    rank: whole('级别', 'Rank'),
    children: shaped('下级', 'Children', listOf(anything)),
  }),
) as never

export const region = {
  tree: call('system.region.tree', { service: 'basic', get: '/tSysRegion/getSysRegionTree', needs: 'signed-in', query: empty, reply: RegionNodes }),
}
