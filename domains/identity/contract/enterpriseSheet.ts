import { message, text } from '../../../platform/contract/field.ts'
import { exportOf, importOf } from '../../../platform/contract/sheet.ts'
import { Enterprise, enterprise } from './enterprise.ts'

const { name, contact, phone, address, status } = Enterprise.properties
const parentName = text('上级企业', 'Parent enterprise', { max: 100 })

/** Enterprises as a sheet; one is known by its name. */
export const enterpriseSheet = {
  import: importOf('identity.enterprise.import', {
    service: 'custom',
    post: '/enterprise/import',
    needs: 'identity:enterprise:edit',
    title: ['企业', 'Enterprises'],
    row: message({ name }, { parentName, contact, phone, address, status }),
    unique: 'name',
  }),
  export: exportOf('identity.enterprise.export', {
    service: 'custom',
    get: '/enterprise/export',
    needs: 'identity:enterprise:view',
    title: ['企业', 'Enterprises'],
    query: enterprise.queryPage,
    columns: ['id', 'name', { name: 'parentName', field: parentName }, 'contact', 'phone', 'address', 'status', 'createdAt'],
  }),
}
