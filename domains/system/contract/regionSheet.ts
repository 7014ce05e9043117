import { message } from '../../../platform/contract/field.ts'
import { exportOf, importOf, templateOf } from '../../../platform/contract/sheet.ts'
import { Region, region } from './region.ts'

const { code, name, nameEn, rank, parentCode } = Region.properties

/** Regions as a sheet; one is known by its code. Its parent comes before it, in the file or on the platform. */
export const regionSheet = {
  import: importOf('system.region.import', {
    service: 'basic',
    post: '/tSysRegion/importRegion',
    needs: region.add.needs,
    title: ['行政区划', 'Regions'],
    row: message({ code, name, rank }, { parentCode, nameEn }),
    unique: 'code',
  }),
  export: exportOf('system.region.export', {
    service: 'basic',
    get: '/tSysRegion/exportRegion',
    needs: region.selectByIdAndName.needs,
    title: ['行政区划', 'Regions'],
    query: region.selectByIdAndName,
    columns: ['code', 'name', 'rank', 'parentCode', 'nameEn', 'updatedAt'],
  }),
  exportTemplate: templateOf('system.region.export-template', { service: 'basic', get: '/tSysRegion/exportRegionTemplate', needs: region.add.needs }),
}
