import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, called, entity, message, nothing, pick, pickSome, text, whole } from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { Park, UseStatus } from '../../parking/contract/park.ts'

const { plateFillMin, payGraceHours, exitGraceMin, overstayDays, billMaxFen, ruleBind, ...park } = Park.properties
/** A district of streets that one operator runs (片区): the park of kind 2, as its people see it. */
export const District = entity(['片区', 'District'], {
  id: park.id,
  parkCode: called(park.parkCode, '片区编号', 'District code'),
  name: text('片区名称', 'District'),
  regionCode: park.regionCode,
  address: park.address,
  lng: park.lng,
  lat: park.lat,
  phone: park.phone,
  plateFillMin,
  payGraceHours,
  exitGraceMin,
  overstayDays,
  billMaxFen,
  ruleBind,
  status: among('状态', 'Status', UseStatus),
  remark: park.remark,
  version: park.version,
  createdAt: park.createdAt,
  updatedAt: park.updatedAt,
})
export const DistrictNow = entity({
  ...District.properties,
  sections: whole('路段数', 'Sections'),
  seats: whole('泊位数', 'Berths'),
  occupied: whole('在停', 'Occupied'),
})
export const districtSearch = searchOf(
  District,
  { parkCode: 'equals', name: 'contains', regionCode: 'within', status: 'among' },
  { sort: ['parkCode', 'createdAt'], ascending: true },
)

const WRITTEN = [
  'address',
  'lng',
  'lat',
  'phone',
  'plateFillMin',
  'payGraceHours',
  'exitGraceMin',
  'overstayDays',
  'billMaxFen',
  'ruleBind',
  'remark',
] as const
const view = { service: 'business', needs: 'roadside:district:view' } as const
const edit = { service: 'business', needs: 'roadside:district:edit', writes: true } as const
const find = call('roadside.road.find-road-park-info', {
  ...view,
  post: '/roadInfo/findRoadParkInfo',
  body: paged(districtSearch),
  reply: pageOf(DistrictNow),
})

export const district = {
  find,
  add: call('roadside.road.add-road-park', {
    ...edit,
    does: ['新增片区', 'Added a district'],
    post: '/roadInfo/addRoadPark',
    body: pickSome(District, ['parkCode', 'name', 'regionCode'], WRITTEN),
    reply: District,
  }),
  edit: call('roadside.road.edit-road-park', {
    ...edit,
    does: ['修改片区', 'Changed a district'],
    post: '/roadInfo/editRoadPark',
    body: pickSome(District, ['id', 'version'], ['name', 'regionCode', ...WRITTEN]),
    reply: District,
  }),
  // The console switches a district by GET, so the contract has to say that it writes; a client that can, posts.
  changeStatus: call('roadside.road.change-road-park-status', {
    ...edit,
    needs: 'roadside:district:enable',
    does: ['启用停用片区', 'Enabled or disabled a district'],
    get: '/roadInfo/changeRoadParkStatus',
    query: message({ parkCode: District.properties.parkCode, status: District.properties.status }, { reason: text('原因', 'Reason', { max: 200 }) }),
    reply: nothing,
  }),
  changeStatusPost: call('roadside.road.change-road-park-status-post', {
    ...edit,
    needs: 'roadside:district:enable',
    own: true,
    does: ['启用停用片区', 'Enabled or disabled a district'],
    post: '/roadInfo/changeRoadParkStatus',
    body: message(
      { parkCode: District.properties.parkCode, version: District.properties.version, status: District.properties.status },
      { reason: text('原因', 'Reason', { max: 200 }) },
    ),
    reply: nothing,
  }),
  one: call('roadside.road.find-one', { ...view, own: true, get: '/roadInfo/findRoadPark', query: pick(District, 'parkCode'), reply: DistrictNow }),
  export: exportOf('roadside.road.find-road-export', {
    ...view,
    get: '/roadInfo/findRoadExport',
    title: ['片区', 'Districts'],
    query: find,
    columns: ['parkCode', 'name', 'regionCode', 'address', 'phone', 'plateFillMin', 'payGraceHours', 'exitGraceMin', 'status', 'createdAt', 'remark'],
  }),
}
