import { message, text } from '../../../platform/contract/field.ts'
import { importOf, templateOf } from '../../../platform/contract/sheet.ts'
import { Resource } from './resource.ts'

const { url, name, nameEn, component, icon, sort, hidden, needs } = Resource.properties

const edit = { service: 'custom', needs: 'identity:resource:edit' } as const
/** Entries of the menu as a sheet; one is known by its address. */
export const resourceSheet = {
  import: importOf('identity.resource.import', {
    ...edit,
    post: '/resource/importResourceList',
    title: ['菜单资源', 'Menu resources'],
    row: message({ url, name, nameEn }, { parentUrl: text('上级地址', 'Parent address', { max: 200 }), component, icon, sort, hidden, needs }),
    unique: 'url',
  }),
  exportTemplate: templateOf('identity.resource.export-template', { ...edit, get: '/resource/exportResourceTemplate' }),
}
