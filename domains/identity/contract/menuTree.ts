import { id, orNone, type Schema, text, treeOf, whole } from '../../../platform/contract/field.ts'

/** One entry of the signed-in person's menu. A folder has no component; an `http(s)` url is a link out of the console. */
export interface MenuNode {
  id: string
  name: string
  nameEn: string
  url: string
  funcCode: string
  component: string
  icon: string | null
  level: number
  children: MenuNode[]
}
export const MenuNodes: Schema<MenuNode[]> = treeOf({
  id: id<'ResourceId'>(),
  name: text('名称', 'Name'),
  nameEn: text('英文名称', 'English name'),
  url: text('地址', 'Address', { min: 0, max: 200 }),
  funcCode: text('功能码', 'Function code', { min: 0 }),
  component: text('组件', 'Component', { min: 0 }),
  icon: orNone(text('图标', 'Icon')),
  level: whole('层级', 'Level'),
})
