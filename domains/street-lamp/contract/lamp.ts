import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  degrees,
  dictionary,
  entity,
  instant,
  nothing,
  orNone,
  pick,
  pickSome,
  rowFields,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { exportOf, importOf } from '../../../platform/contract/sheet.ts'
import { boxCode, measure, regionCode } from './box.ts'
import { Wiring } from './wiring.ts'

/** As its own controller told last; unknown where that is older than half an hour, or its box is off line. Behind an open relay it is dark. */
export const LampState = dictionary('lamp_single_state', ['单灯状态', 'Lamp status'], {
  lit: [1, '亮', 'Lit', 'success'],
  dimmed: [2, '调光', 'Dimmed', 'success'],
  dark: [3, '灭', 'Dark'],
  faulty: [4, '故障', 'Faulty', 'error'],
  unknown: [5, '未知', 'Unknown', 'warning'],
})
const lng = degrees('经度', 'Longitude')
const lat = degrees('纬度', 'Latitude', 90)
/** One lamp on its pole, with a controller of its own that speaks through the box of its circuit. */
export const Lamp = entity(['单灯', 'Lamp'], {
  ...rowFields<'LampId'>(),
  lampNo: text('灯号', 'Lamp number', { max: 32, pattern: '^[A-Za-z0-9][A-Za-z0-9_-]*$' }),
  wiringCode: Wiring.properties.wiringCode,
  poleNo: orNone(text('杆号', 'Pole', { max: 32 })),
  ratedPowerW: whole('额定功率', 'Rated power', { unit: 'watt', min: 1, max: 5_000 }),
  lng: orNone(lng),
  lat: orNone(lat),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
})
export const LampLine = entity(['单灯', 'Lamp'], {
  ...Lamp.properties,
  wiringName: text('回路', 'Circuit', { max: 60 }),
  boxCode,
  regionCode: orNone(regionCode),
  state: among('状态', 'Status', LampState),
  faulty: yes('故障', 'Faulty'),
  dim: orNone(whole('亮度', 'Dim level', { unit: 'percent', min: 0, max: 100 })),
  p: orNone(measure('功率', 'Power', 'watt')),
  lifeHours: orNone(whole('亮灯时长', 'Hours lit', { unit: 'hour', min: 0 })),
  readAt: orNone(instant('回读时间', 'Read at')),
})
export const lampSearch = searchOf(
  LampLine,
  { lampNo: 'startsWith', poleNo: 'startsWith', wiringCode: 'equals', boxCode: 'equals', regionCode: 'within', state: 'among' },
  { sort: ['createdAt', 'lampNo'] },
)
/** A row of a sheet; a lamp that is there already is changed. */
const LampRow = pickSome(Lamp, ['lampNo', 'wiringCode', 'ratedPowerW'], ['poleNo', 'lng', 'lat', 'remark'])
const view = { service: 'business', needs: 'street-lamp:circuit:view', own: true } as const
const edit = { service: 'business', needs: 'street-lamp:lamp:edit', own: true } as const
const query = call('street-lamp.lamp.query', { ...view, post: '/streetLamp/query', body: paged(lampSearch), reply: pageOf(LampLine) })
export const lamp = {
  query,
  add: call('street-lamp.lamp.add', {
    ...edit,
    writes: true,
    post: '/streetLamp/add',
    does: ['新增单灯', 'Added a lamp'],
    body: LampRow,
    reply: Lamp,
  }),
  update: call('street-lamp.lamp.update', {
    ...edit,
    writes: true,
    post: '/streetLamp/update',
    does: ['修改单灯', 'Changed a lamp'],
    body: pickSome(Lamp, ['id', 'version'], ['wiringCode', 'ratedPowerW', 'poleNo', 'lng', 'lat', 'remark']),
    reply: nothing,
  }),
  delete: call('street-lamp.lamp.delete', {
    ...edit,
    writes: true,
    post: '/streetLamp/delete',
    does: ['删除单灯', 'Deleted a lamp'],
    body: pick(Lamp, 'id', 'version'),
    reply: nothing,
  }),
  import: importOf('street-lamp.lamp.import', { ...edit, post: '/streetLamp/import', title: ['单灯', 'Lamps'], row: LampRow, unique: 'lampNo' }),
  export: exportOf('street-lamp.lamp.export', {
    ...view,
    get: '/streetLamp/export',
    title: ['单灯', 'Lamps'],
    query,
    columns: ['lampNo', 'wiringCode', 'ratedPowerW', 'poleNo', 'lng', 'lat', 'remark', 'boxCode', 'state', 'dim', 'p', 'lifeHours', 'readAt'],
  }),
}
