import { message, text } from '../../../platform/contract/field.ts'
import { exportOf, importOf } from '../../../platform/contract/sheet.ts'
import { Department, department } from './department.ts'

const { name, code, sort, parks } = Department.properties
/** By its name, or its path where several have it: `总部/工程部`. */
const parentName = text('上级部门', 'Parent', { max: 500 })

/** Departments as a sheet. A parent stands before those below it, in the file or on the platform. */
export const departmentSheet = {
  import: importOf('identity.department.import', {
    service: 'custom',
    post: '/department/import',
    needs: 'identity:department:edit',
    title: ['部门', 'Departments'],
    row: message({ name }, { parentName, code, sort, parks }),
  }),
  export: exportOf('identity.department.export', {
    service: 'custom',
    get: '/department/export',
    needs: 'identity:department:view',
    title: ['部门', 'Departments'],
    query: department.queryPage,
    columns: ['name', { name: 'parentName', field: parentName }, 'code', 'sort', 'parks', 'createdAt'],
  }),
}
