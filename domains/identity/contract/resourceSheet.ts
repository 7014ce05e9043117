import { message, text } from '../../../platform/contract/field.ts'
import { importOf, templateOf } from '../../../platform/contract/sheet.ts'
import { Resource } from './resource.ts'

const { url, name, nameEn, component, icon, sort, hidden, needs } = Resource.properties

/** Entries of the menu as a sheet; one is known by its address. */
export const resourceSheet = {
  import: importOf('identity.resource.import', {
    service: 'custom',
    post: '/resource/importResourceList',
    needs: 'identity:resource:edit',
    title: ['菜单资源', 'Menu resources'],
    row: message({ url, name, nameEn }, { parentUrl: text('上级地址', 'Parent address', { max: 200 }), component, icon, sort, hidden, needs }),
    unique: 'url',
  }),
  exportTemplate: templateOf('identity.resource.export-template', {
    service: 'custom',
    get: '/resource/exportResourceTemplate',
    needs: 'identity:resource:edit',
  }),
}
