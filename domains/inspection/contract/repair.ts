import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  account,
  among,
  day,
  dictionary,
  entity,
  fen,
  id,
  instant,
  listOf,
  message,
  moves,
  orNone,
  personal,
  pickSome,
  pictures,
  rowFields,
  shaped,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { exportOf, parkName } from '../../../platform/contract/sheet.ts'
import { Level } from '../../after-sale/contract/level.ts'
import { DeviceType, DeviceUse } from '../../device/contract/device.ts'

export const RepairSource = dictionary('repair_source', ['报修来源', 'Source'], {
  round: [1, '巡检', 'Patrol'],
  reported: [2, '报修', 'Report'],
  warning: [3, '预警', 'Warning'],
  order: [4, '工单', 'Work order'],
  scanned: [5, '扫码', 'Scan on site'],
})
export const RepairState = dictionary('repair_state', ['维修状态', 'Repair status'], {
  unassigned: [0, '待派', 'To be assigned', 'warning'],
  assigned: [1, '已派', 'Assigned', 'warning'],
  working: [2, '处理中', 'In progress', 'warning'],
  handedIn: [3, '待验收', 'To be accepted', 'warning'],
  done: [4, '完成', 'Completed', 'success'],
  returned: [5, '退回', 'Returned'],
  scrapped: [6, '转报废', 'Scrapped', 'error'],
})
const { unassigned, assigned, working, handedIn, done, returned, scrapped } = RepairState
/** `scrap` is no step that somebody takes: an approved scrap ends the repair. */
export const repairCan = moves(RepairState, {
  assign: { [unassigned]: assigned },
  return: { [assigned]: returned },
  again: { [returned]: unassigned },
  start: { [assigned]: working },
  handIn: { [working]: handedIn },
  rework: { [handedIn]: working },
  accept: { [handedIn]: done },
  scrap: { [unassigned]: scrapped, [assigned]: scrapped, [working]: scrapped, [handedIn]: scrapped, [returned]: scrapped },
})
/** More parts than a cabinet has. */
const PARTS_MAX = 50
/** A hundred thousand yuan for one part, or for the labour: more is not repaired but bought. */
export const COST_MAX_FEN = 10_000_000
const cost = (zh: string, en: string) => fen(zh, en, { min: 0, max: COST_MAX_FEN })
export const Part = entity({
  name: text('配件', 'Part', { max: 60 }),
  qty: whole('数量', 'Quantity', { min: 1, max: 999 }),
  priceFen: cost('单价', 'Unit price'),
})
export const deviceNo = text('设备编号', 'Device number', { max: 32 })
export const parkCode = text('车场编号', 'Car park code', { max: 16 })
const person = (zh: string, en: string) => orNone(text(zh, en, { max: 40 }))

/** A device or a pile that is broken, from the first report to the acceptance that it works again. */
export const Repair = entity(['维修单', 'Repair'], {
  ...rowFields<'RepairId'>(),
  repairNo: text('维修单号', 'Repair number', { max: 40 }),
  deviceNo,
  deviceName: text('设备名称', 'Device', { max: 100 }),
  deviceType: among('设备类型', 'Device type', DeviceType),
  parkCode: orNone(parkCode),
  source: among('来源', 'Source', RepairSource),
  level: among('级别', 'Level', Level),
  desc: account('故障描述', 'Fault description', { max: 1000 }),
  images: orNone(pictures('故障照片', 'Fault pictures')),
  reports: whole('报修次数', 'Times reported', { min: 0 }),
  state: among('状态', 'Status', RepairState),
  tollNo: orNone(text('维修人工号', 'Repairer number', { max: 24 })),
  tollName: person('维修人', 'Repairer'),
  repairerName: person('提交人', 'Submitted by'),
  acceptorName: person('验收人', 'Accepted by'),
  parts: shaped('配件', 'Parts', listOf(Part, { max: PARTS_MAX })),
  partsFen: fen('配件费', 'Parts', { min: 0 }),
  labourFen: cost('人工费', 'Labour'),
  costFen: fen('维修费用', 'Cost', { min: 0 }),
  afterImages: orNone(pictures('修后照片', 'After-repair pictures')),
  reason: orNone(account('说明', 'Note', { max: 500 })),
  orderNo: orNone(text('工单号', 'Work order', { max: 40 })),
  openedName: text('报修人', 'Reported by', { max: 40 }),
  assignedAt: orNone(instant('派单时间', 'Assigned at')),
  startedAt: orNone(instant('开工时间', 'Started at')),
  submittedAt: orNone(instant('提交时间', 'Submitted at')),
  doneAt: orNone(instant('结束时间', 'Closed at')),
  /** From the first report until it worked again. */
  repairMin: orNone(whole('修复用时', 'Repair time', { unit: 'minute', min: 0 })),
})
/** Behind it: the accounts, which decide who may accept it, and where what waited or lay in the store goes back to. */
export const KeptRepair = entity({
  ...Repair.properties,
  useBefore: orNone(among('修后回到', 'Goes back to', DeviceUse)),
  workerId: orNone(id<'PersonId'>('维修人账号', 'Repairer (account)')),
  repairerId: orNone(id<'PersonId'>('提交人账号', 'Submitted by (account)')),
  acceptorId: orNone(id<'PersonId'>('验收人账号', 'Accepted by (account)')),
  orderId: orNone(id<'WorkOrderId'>('工单编号', 'Work order (id)')),
})
export const repairSearch = searchOf(
  Repair,
  {
    repairNo: 'startsWith',
    deviceNo: 'equals',
    deviceType: 'among',
    parkCode: 'equals',
    source: 'among',
    level: 'among',
    state: 'among',
    tollNo: 'equals',
    orderNo: 'equals',
    createdAt: 'between',
    doneAt: 'between',
  },
  { sort: ['createdAt', 'doneAt'] },
)
/** One report of it. */
export const RepairLine = entity(['报修记录', 'Fault report'], {
  id: id<'RepairLineId'>(),
  at: instant('时间', 'Time'),
  source: Repair.properties.source,
  level: Repair.properties.level,
  desc: Repair.properties.desc,
  images: Repair.properties.images,
  who: text('报修人', 'Reported by', { max: 40 }),
  contact: orNone(personal('phone', text('联系电话', 'Phone', { max: 20 }))),
})
export const RepairStep = entity(['维修经过', 'Repair step'], {
  id: id<'RepairStepId'>(),
  at: instant('时间', 'Time'),
  from: among('原状态', 'From', RepairState),
  to: among('新状态', 'To', RepairState),
  who: text('操作人', 'By', { max: 40 }),
  whom: person('维修人', 'Repairer'),
  reason: Repair.properties.reason,
  images: orNone(pictures('照片', 'Pictures')),
})
export const RepairStory = entity({
  ...Repair.properties,
  orderId: KeptRepair.properties.orderId,
  lines: shaped('报修记录', 'Fault reports', listOf(RepairLine)),
  steps: shaped('维修经过', 'Repair history', listOf(RepairStep)),
})
/** A device that may be repaired or scrapped, or a pile by its own number. */
export const Thing = entity({
  deviceNo,
  deviceName: Repair.properties.deviceName,
  deviceType: Repair.properties.deviceType,
  parkCode: Repair.properties.parkCode,
  useStatus: among('使用状态', 'Use status', DeviceUse),
})
export const Repairer = entity({
  tollNo: text('工号', 'Number', { max: 24 }),
  name: text('姓名', 'Name', { max: 40 }),
  open: whole('在修', 'In progress', { min: 0 }),
})
/** The part of a device that a stranger in front of it sees, and nothing more. */
export const Reportable = entity({ deviceName: Repair.properties.deviceName, deviceType: Repair.properties.deviceType })

const counted = (zh: string, en: string) => whole(zh, en, { min: 0 })
/** Of a period: opened and ended within it; `open` is what is open now. */
export const MaintainStatistics = entity({
  opened: counted('新增', 'Opened'),
  done: counted('完成', 'Completed'),
  open: counted('未结', 'Open'),
  minutes: whole('修复用时', 'Repair time', { unit: 'minute', min: 0 }),
  costFen: fen('维修费用', 'Cost', { min: 0 }),
})

const service = { service: 'device' } as const
const view = { ...service, needs: 'inspection:repair:view' } as const
const open = { ...service, own: true, needs: 'public', heavy: true } as const
const { id: repairId, version } = Repair.properties
const code = text('设备码', 'Device code', { max: 120 })
const find = call('inspection.repair.find', { ...view, get: '/inspectionRepair/find', query: paged(repairSearch), reply: pageOf(Repair) })
export const repair = {
  find,
  export: exportOf('inspection.repair.find-export', {
    ...view,
    get: '/inspectionRepair/findExport',
    title: ['维修记录', 'Repairs'],
    query: find,
    columns: [
      'repairNo',
      'deviceNo',
      'deviceName',
      'deviceType',
      'parkCode',
      parkName,
      'source',
      'level',
      'desc',
      'state',
      'tollNo',
      'tollName',
      'partsFen',
      'labourFen',
      'costFen',
      'repairerName',
      'acceptorName',
      'orderNo',
      'reports',
      'createdAt',
      'doneAt',
      'repairMin',
    ],
  }),
  /** All repairs of a device, the newest first. */
  ofDevice: call('inspection.repair.device-repair', {
    ...view,
    get: '/inspectionRepair/deviceRepair',
    query: message({ deviceNo }),
    reply: listOf(Repair),
  }),
  one: call('inspection.repair.one', { ...view, own: true, get: '/inspectionRepair/one', query: message({ id: repairId }), reply: RepairStory }),
  statistics: call('inspection.result.maintain-statistical', {
    ...view,
    get: '/inspection/result/maintainStatistical',
    query: message({}, { dateFrom: day('自', 'From'), dateTo: day('至', 'To'), parkCode }),
    reply: MaintainStatistics,
  }),
  /** Joins the device's open repair, or opens one. */
  insert: call('inspection.repair.insert', {
    ...service,
    post: '/inspectionRepair/insert',
    needs: 'inspection:repair:edit',
    writes: true,
    does: ['登记报修', 'Reported a fault'],
    body: pickSome(Repair, ['deviceNo', 'source', 'level', 'desc'], ['images']),
    reply: Repair,
  }),
  move: call('inspection.repair.move', {
    ...service,
    own: true,
    post: '/inspectionRepair/move',
    needs: 'inspection:repair:handle',
    writes: true,
    does: ['处理维修单', 'Handled a repair'],
    body: message(
      { id: repairId, to: among('新状态', 'To', RepairState) },
      {
        version,
        tollNo: text('维修人', 'Repairer', { max: 24 }),
        parts: Repair.properties.parts,
        labourFen: Repair.properties.labourFen,
        images: pictures('照片', 'Pictures'),
        reason: account('说明', 'Note', { max: 500 }),
      },
    ),
    reply: Repair,
  }),
  things: call('inspection.repair.things', {
    ...view,
    own: true,
    get: '/inspectionRepair/things',
    query: message({}, { keyword: text('设备', 'Device', { max: 32 }) }),
    reply: listOf(Thing),
  }),
  repairers: call('inspection.repair.repairers', {
    ...view,
    own: true,
    get: '/inspectionRepair/repairers',
    query: message({}),
    reply: listOf(Repairer),
  }),
  /** Returns the code printed on the device, by which anybody reports it. */
  code: call('inspection.repair.code', {
    ...view,
    own: true,
    get: '/inspectionRepair/code',
    query: message({ deviceNo }),
    reply: message({ deviceNo, deviceName: Repair.properties.deviceName, path: text('页面', 'Page', { max: 200 }) }),
  }),
  scanned: call('inspection.repair.scanned', { ...open, get: '/inspectionRepair/scanned', query: message({ code }), reply: Reportable }),
  /** Open to everybody at the device: its signed code says which it is. */
  report: call('inspection.repair.report', {
    ...open,
    post: '/inspectionRepair/report',
    writes: true,
    does: ['扫码报修', 'Reported a fault by code'],
    body: message(
      { code, desc: account('故障描述', 'Fault description', { max: 300 }) },
      { contact: personal('phone', text('联系电话', 'Phone', { max: 20, pattern: '^[0-9+*\\- ]{5,20}$' })) },
    ),
    reply: Reportable,
  }),
}
