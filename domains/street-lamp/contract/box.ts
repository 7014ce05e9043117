import { call, PAGE, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  degrees,
  dictionary,
  entity,
  type Field,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  pick,
  pickSome,
  region,
  rowFields,
  shaped,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'

/** Seen from here: whether it is on line, ill or out of use. */
export const BoxStatus = dictionary('lamp_box_status', ['配电箱状态', 'Box status'], {
  offline: [0, '离线', 'Offline', 'error'],
  online: [1, '在线', 'Online', 'success'],
  faulty: [2, '故障', 'Faulty', 'error'],
  disabled: [3, '停用', 'Out of use'],
})
export const BoxUse = dictionary('lamp_box_use', ['配电箱使用', 'Box use'], {
  inUse: [1, '启用', 'In use', 'success'],
  disabled: [2, '停用', 'Out of use'],
})
export const Door = dictionary('lamp_door', ['箱门', 'Door'], { shut: [0, '关', 'Shut'], open: [1, '开', 'Open', 'warning'] })

/** A meter's value, with its fraction. */
export const measure = (zh: string, en: string, unit?: string): Field<number> =>
  shaped(zh, en, { type: 'number', minimum: -1e6, maximum: 1e6, ...(unit && { 'x-unit': unit }) })
export const boxCode = text('配电箱编号', 'Box code', { max: 32, pattern: '^[A-Za-z0-9][A-Za-z0-9_-]*$' })
export const regionCode = region()

/** An electric box beside the road: it switches the circuits of its lamps, reads their meter, and runs its plan without us. */
export const Box = entity(['配电箱', 'Electric box'], {
  ...rowFields<'LampBoxId'>(),
  boxCode,
  name: text('名称', 'Name', { max: 60 }),
  lng: degrees('经度', 'Longitude'),
  lat: degrees('纬度', 'Latitude', 90),
  regionCode: orNone(regionCode),
  gatewayNo: orNone(text('集控器编号', 'Controller', { max: 32, pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]*$' })),
  phaseCount: whole('相数', 'Phases', { min: 1, max: 3 }),
  meterNo: orNone(text('电表号', 'Meter number', { max: 32 })),
  ratioCt: whole('互感器变比', 'CT ratio', { min: 1, max: 5000 }),
  useState: among('使用', 'Use', BoxUse),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
})
export const BoxLine = entity(['配电箱', 'Electric box'], {
  ...Box.properties,
  status: among('状态', 'Status', BoxStatus),
  circuits: whole('回路数', 'Circuits', { min: 0 }),
  door: orNone(among('箱门', 'Door', Door)),
  lux: orNone(measure('光照', 'Light level', 'lux')),
  luxAt: orNone(instant('光照读数时间', 'Light read at')),
  register: orNone(whole('电表读数', 'Meter', { unit: 'hundredth-kWh', min: 0 })),
  registerAt: orNone(instant('抄表时间', 'Meter read at')),
  saidAt: orNone(instant('最近上报', 'Last report')),
  planVersion: whole('计划版本', 'Plan version', { min: 0 }),
  planAcked: whole('箱内计划', 'Plan in box', { min: 0 }),
})
export const boxSearch = searchOf(
  BoxLine,
  { boxCode: 'startsWith', name: 'contains', regionCode: 'within', gatewayNo: 'equals', status: 'among', useState: 'among' },
  { sort: ['createdAt', 'boxCode', 'name'] },
)
const Spot = pick(BoxLine, 'id', 'boxCode', 'name', 'lng', 'lat', 'regionCode', 'status', 'circuits')

export const view = { service: 'business', needs: 'street-lamp:box:view' } as const
const edit = { service: 'business', needs: 'street-lamp:box:edit', writes: true } as const
const needed = ['boxCode', 'name', 'lng', 'lat', 'phaseCount'] as const
const mayHave = ['regionCode', 'gatewayNo', 'meterNo', 'ratioCt', 'remark'] as const

export const box = {
  add: call('street-lamp.box.add', {
    ...edit,
    post: '/streetLampBox/add',
    does: ['新增配电箱', 'Added an electric box'],
    body: pickSome(Box, needed, mayHave),
    reply: Box,
  }),
  update: call('street-lamp.box.update', {
    ...edit,
    post: '/streetLampBox/update',
    does: ['修改配电箱', 'Changed an electric box'],
    body: pickSome(Box, ['id', 'version'], ['name', 'lng', 'lat', 'phaseCount', ...mayHave, 'useState']),
    reply: nothing,
  }),
  delete: call('street-lamp.box.delete', {
    ...edit,
    post: '/streetLampBox/delete',
    does: ['删除配电箱', 'Deleted an electric box'],
    body: pick(Box, 'id', 'version'),
    reply: nothing,
  }),
  query: call('street-lamp.box.query', { ...view, post: '/streetLampBox/query', body: paged(boxSearch), reply: pageOf(BoxLine) }),
  queryList: call('street-lamp.box.query-list', {
    ...view,
    post: '/streetLampBox/queryList',
    body: message({}, { regionCode, name: Box.properties.name }),
    reply: listOf(Spot),
  }),
}

export const TrendUnit = dictionary('lamp_trend_unit', ['电量粒度', 'Interval'], {
  hour: [1, '时', 'Hour'],
  day: [2, '日', 'Day'],
  month: [3, '月', 'Month'],
})
const wh = (zh: string, en: string) => shaped<number>(zh, en, { type: 'integer', minimum: 0, 'x-unit': 'watt-hour' })
const Point = entity({
  at: instant('时间', 'Time'),
  wh: orNone(wh('电量', 'Energy')),
  baselineWh: wh('基准电量', 'Baseline'),
})
/** The consumption of one box in one month of the city. */
export const BoxEnergy = entity(['配电箱用电', 'Box energy'], {
  boxCode,
  name: Box.properties.name,
  regionCode: Box.properties.regionCode,
  month: text('月份', 'Month', { max: 7, pattern: '^20[0-9]{2}-(0[1-9]|1[0-2])$' }),
  wh: orNone(wh('电量', 'Energy')),
  measuredHours: whole('有读数小时', 'Hours measured', { min: 0 }),
  missingHours: whole('缺失小时', 'Missing hours', { min: 0 }),
})
const byBox = call('street-lamp.electricity.by-box', {
  ...view,
  own: true,
  post: '/streetLampElectricQuantity/queryBoxEnergy',
  body: message({}, { month: BoxEnergy.properties.month, regionCode, ...PAGE }),
  reply: pageOf(BoxEnergy),
})
export const electricity = {
  /** A month of each box, this one where none is named. */
  byBox,
  byBoxExport: exportOf('street-lamp.electricity.by-box-export', {
    ...view,
    own: true,
    get: '/streetLampElectricQuantity/exportBoxEnergy',
    title: ['配电箱月用电', 'Box energy by month'],
    query: byBox,
    columns: ['month', 'boxCode', 'name', 'regionCode', 'wh', 'measuredHours', 'missingHours'],
  }),
  /** Energy by the boxes' own registers. An hour that no reading closes is null, never nothing. The baseline is every lamp at full from sunset to sunrise, but for circuits while they are tagged out. */
  trend: call('street-lamp.electricity.trend', {
    ...view,
    post: '/streetLampElectricQuantity/queryElectricityTrend',
    body: message(
      {},
      {
        boxCodes: listOf(boxCode, { max: 200 }),
        regionCode,
        unit: among('粒度', 'Interval', TrendUnit),
        timeFrom: instant('自', 'From'),
        timeTo: instant('至', 'To'),
      },
    ),
    reply: message({
      points: listOf(Point),
      totalWh: wh('合计', 'Total'),
      baselineWh: wh('基准电量', 'Baseline'),
      savedRate: orNone(whole('节能率', 'Energy saved', { unit: 'permille' })),
      missingHours: whole('缺失小时', 'Missing hours', { min: 0 }),
    }),
  }),
}
