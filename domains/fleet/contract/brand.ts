import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, dictionary, empty, entity, listOf, nothing, orNone, pick, pickSome, rowFields, text } from '../../../platform/contract/field.ts'

export const Energy = dictionary('fleet_energy', ['能源', 'Energy'], {
  fuel: [1, '燃油', 'Fuel'],
  electric: [2, '纯电', 'Electric'],
  hybrid: [3, '混动', 'Hybrid'],
})
/** A make and model of car (品牌). */
export const Brand = entity(['车辆品牌', 'Vehicle brand'], {
  ...rowFields<'FleetBrandId'>(),
  name: text('品牌', 'Brand', { max: 40 }),
  model: text('型号', 'Model', { max: 60 }),
  energy: among('能源', 'Energy', Energy),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
})
export const brandSearch = searchOf(Brand, { id: 'equals', name: 'contains', model: 'contains', energy: 'among' }, { sort: ['createdAt', 'name'] })
export const BrandChoice = pick(Brand, 'id', 'name', 'model', 'energy')

const view = { service: 'business', needs: 'fleet:brand:view' } as const
const edit = { service: 'business', needs: 'fleet:brand:edit', writes: true } as const
export const brand = {
  query: call('fleet.brand.query', { ...view, post: '/vehicleBrand/queryVehicleBrand', body: paged(brandSearch), reply: pageOf(Brand) }),
  /** For the form of a vehicle. */
  queryList: call('fleet.brand.query-list', {
    service: 'business',
    needs: 'fleet:vehicle:view',
    post: '/vehicleBrand/queryVehicleBrandList',
    body: empty,
    reply: listOf(BrandChoice),
  }),
  add: call('fleet.brand.add', {
    ...edit,
    post: '/vehicleBrand/addVehicleBrand',
    does: ['新增车辆品牌', 'Added a vehicle brand'],
    body: pickSome(Brand, ['name', 'model', 'energy'], ['remark']),
    reply: Brand,
  }),
  update: call('fleet.brand.update', {
    ...edit,
    post: '/vehicleBrand/updateVehicleBrand',
    does: ['修改车辆品牌', 'Changed a vehicle brand'],
    body: pickSome(Brand, ['id', 'version'], ['name', 'model', 'energy', 'remark']),
    reply: Brand,
  }),
  delete: call('fleet.brand.delete', {
    ...edit,
    post: '/vehicleBrand/deleteVehicleBrand',
    does: ['删除车辆品牌', 'Deleted a vehicle brand'],
    body: pick(Brand, 'id', 'version'),
    reply: nothing,
  }),
}
