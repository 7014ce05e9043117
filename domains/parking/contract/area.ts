import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  id,
  instant,
  listOf,
  nothing,
  orNone,
  pick,
  pickSome,
  shaped,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { Gate } from './gate.ts'
import { Occupancy, Park, UseStatus } from './park.ts'

export const Nested = dictionary('area_nested', ['场中场', 'Nested area'], { no: [0, '否', 'No'], yes: [1, '是', 'Yes'] })

export type AreaId = 'AreaId'
/** A part of a park (the catalogue says region). A nested one has gates of its own: a car moves into it within one stay, and its own fee rule counts there. */
export const Area = entity(['区域', 'Area'], {
  id: id<AreaId>(),
  parkCode: Park.properties.parkCode,
  areaCode: text('区域编号', 'Area code', { max: 24 }),
  name: text('区域名称', 'Area'),
  parentArea: orNone(text('上级区域', 'Parent area', { max: 24 })),
  nested: among('场中场', 'Nested', Nested),
  totalBays: whole('车位数', 'Bays', { min: 0, max: 100_000 }),
  status: among('状态', 'Status', UseStatus),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
  version: whole('版本', 'Version'),
  createdAt: instant('创建时间', 'Created at'),
  updatedAt: instant('更新时间', 'Updated at'),
})
export const AreaNow = entity({ ...Area.properties, ...Occupancy.properties })
export const areaSearch = searchOf(Area, { parkCode: 'equals', name: 'contains', status: 'among' }, { sort: ['areaCode'], ascending: true })

/** The detail of one region: its park, the area when one is named, and their gates. */
export const AreaDetail = entity({
  park: shaped('车场', 'Car park', Park),
  area: shaped('区域', 'Area', orNone(shaped('区域', 'Area', Area))),
  areas: shaped('区域', 'Areas', listOf(AreaNow)),
  gates: shaped('通道', 'Lanes', listOf(Gate)),
})
const Asked = pickSome(Area, ['parkCode'], ['areaCode'])

const view = { service: 'basic', needs: 'parking:park:view' } as const
const edit = { service: 'basic', needs: 'parking:park:edit', writes: true } as const
export const area = {
  queryPage: call('parking.region.query-page', { ...view, post: '/parkRegion/queryPage', body: paged(areaSearch), reply: pageOf(AreaNow) }),
  add: call('parking.region.add', {
    ...edit,
    post: '/parkRegion/add',
    does: ['新增区域', 'Added an area'],
    body: pickSome(Area, ['parkCode', 'areaCode', 'name', 'totalBays'], ['parentArea', 'nested', 'remark']),
    reply: Area,
  }),
  update: call('parking.region.update', {
    ...edit,
    post: '/parkRegion/update',
    does: ['修改区域', 'Changed an area'],
    body: pickSome(Area, ['id', 'version'], ['name', 'totalBays', 'parentArea', 'nested', 'status', 'remark']),
    reply: Area,
  }),
  delete: call('parking.region.delete', {
    ...edit,
    post: '/parkRegion/delete',
    does: ['删除区域', 'Deleted an area'],
    body: pick(Area, 'id', 'version'),
    reply: nothing,
  }),
  regionDetail: call('parking.park.region-detail', { ...view, post: '/parkInfo/selectRegionInfoDetail', body: Asked, reply: AreaDetail }),
}
