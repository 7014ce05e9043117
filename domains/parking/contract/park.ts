import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  callable,
  day,
  degrees,
  dictionary,
  entity,
  fen,
  id,
  images,
  instant,
  listOf,
  message,
  moves,
  nothing,
  orNone,
  pick,
  pickSome,
  region,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { PARK_CODE } from '../../identity/contract/parks.ts'
import { Change } from './change.ts'

/** Codes of the dictionaries are fixed by the city's data exchange: never renumber one. */
export const ParkType = dictionary('pType', ['车场类型', 'Car park type'], {
  offStreet: [1, '停车场', 'Off-street'],
  roadside: [2, '路内停车', 'Roadside'],
  charging: [3, '充电站', 'Charging station'],
  other: [4, '其他', 'Other'],
})
/** Whose a park is: the map's layers are cut by it. */
export const ParkSubType = dictionary('subType', ['经营方式', 'Operating mode'], {
  own: [1, '自营', 'Own'],
  third: [2, '第三方', 'Third party'],
  shared: [3, '共享', 'Shared'],
})
export const UseStatus = dictionary('use_status', ['启用状态', 'In use'], {
  inUse: [1, '启用', 'In use', 'success'],
  disabled: [2, '停用', 'Disabled', 'warning'],
})
export const statusCan = moves(UseStatus, {
  enable: { [UseStatus.disabled]: UseStatus.inUse },
  disable: { [UseStatus.inUse]: UseStatus.disabled },
})
export const FilingStatus = dictionary('filing_status', ['备案状态', 'Filing'], {
  none: [0, '未备案', 'Not filed'],
  underReview: [1, '待审', 'Pending review', 'warning'],
  filed: [2, '已备案', 'Filed', 'success'],
  rejected: [3, '驳回', 'Rejected', 'error'],
  expired: [4, '过期', 'Expired', 'error'],
})
export const FullPolicy = dictionary('full_policy', ['满位策略', 'When full'], {
  noTemporary: [1, '禁止临时车', 'No temporary cars'],
  oneForOne: [2, '一进一出', 'One in, one out'],
  admit: [3, '放行', 'Admit'],
})
export const DupEntry = dictionary('dup_entry', ['重复入场策略', 'If already inside'], {
  closeOld: [1, '关闭旧记录并开新', 'Close the old, open a new'],
  keepOld: [2, '保留旧记录忽略新', 'Keep the old, ignore the new'],
  ask: [3, '人工', 'Ask staff'],
})
export const NoEntry = dictionary('no_entry', ['无入场记录策略', 'If there is no entry record'], {
  minimumFee: [1, '按最低收费', 'Charge the minimum fee'],
  free: [2, '免费放行', 'Free'],
  ask: [3, '人工输入入场时间', 'Ask for the entry time'],
})
export const ExitArrears = dictionary('exit_arrears', ['出口欠费策略', 'Arrears at the exit'], {
  ignore: [1, '不提醒', 'No reminder'],
  remind: [2, '提醒放行', 'Remind and let pass'],
  payFirst: [3, '先补缴欠费再放行', 'Pay arrears first'],
})
export const EntryArrears = dictionary('entry_arrears', ['入口欠费策略', 'Arrears at the entrance'], {
  ignore: [1, '不限', 'No limit'],
  remind: [2, '提醒', 'Remind'],
  refuse: [3, '达到金额或笔数禁止入场', 'Refuse from an amount or count'],
})
export const RuleBind = dictionary('rule_bind', ['收费规则取自', 'Use fee rule valid at'], {
  entry: [1, '入场时', 'Entry'],
  exit: [2, '出场时', 'Exit'],
})

export type ParkId = 'ParkId'
/** A car park: where it is, how many bays it has, and what its lanes do when the easy case fails. */
export const Park = entity({
  id: id<ParkId>(),
  parkCode: text('车场编号', 'Car park code', { max: 16, pattern: PARK_CODE }),
  name: text('车场名称', 'Car park'),
  pType: among('车场类型', 'Type', ParkType),
  subType: among('经营方式', 'Operating mode', ParkSubType),
  regionCode: region(),
  address: orNone(text('地址', 'Address', { max: 200 })),
  lng: orNone(degrees('经度', 'Longitude')),
  lat: orNone(degrees('纬度', 'Latitude', 90)),
  totalBays: whole('总车位', 'Bays', { min: 0, max: 100_000 }),
  tempBays: whole('临停车位', 'Temporary bays', { min: 0, max: 100_000 }),
  passBays: whole('月租车位', 'Pass bays', { min: 0, max: 100_000 }),
  chargeBays: whole('充电车位', 'Charging bays', { min: 0, max: 100_000 }),
  disabledBays: whole('无障碍车位', 'Accessible bays', { min: 0, max: 100_000 }),
  openFrom: text('开放时间', 'Opens at', { max: 5, pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' }),
  /** The same as `openFrom` = day and night; earlier = past midnight. */
  openTo: text('关闭时间', 'Closes at', { max: 5, pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' }),
  phone: orNone(callable('电话', 'Phone')),
  images: orNone(images('图片', 'Pictures')),
  filingNo: orNone(text('备案号', 'Filing number')),
  filingStatus: among('备案状态', 'Filing', FilingStatus),
  filingUntil: orNone(day('备案有效期', 'Filed until')),
  status: among('状态', 'Status', UseStatus),
  fullPolicy: among('满位策略', 'When full', FullPolicy),
  tempAllowed: yes('允许临时车', 'Temporary cars'),
  dupEntry: among('重复入场策略', 'If already inside', DupEntry),
  noEntry: among('无入场记录策略', 'If there is no entry record', NoEntry),
  noEntryFeeFen: fen('无入场最低收费', 'Fee without an entry', { min: 0 }),
  entryArrears: among('入口欠费策略', 'Arrears at the entrance', EntryArrears),
  entryArrearsFen: fen('禁止入场的欠费金额', 'Block entry at arrears of (¥)', { min: 0 }),
  entryArrearsCount: whole('禁止入场的欠费笔数', 'Block entry at unpaid fees (count)', { min: 0, max: 1000 }),
  exitArrears: among('出口欠费策略', 'Arrears at the exit', ExitArrears),
  exitArrearsCount: whole('出口补缴笔数上限', 'Max. arrears collected at exit', { min: 1, max: 100 }),
  ruleBind: among('收费规则取自', 'Use fee rule valid at', RuleBind),
  exitGraceMin: whole('缴费后离场时限', 'Time to leave after paying', { unit: 'minute', min: 0, max: 240 }),
  fuzzyAuto: yes('唯一模糊匹配时自动采用', 'Accept unique near-matches'),
  countPassInAvail: yes('月租车占余位', 'Pass cars use free bays'),
  overstayDays: whole('超长在场时限', 'Overstay after', { unit: 'day', min: 1, max: 3650 }),
  /** A bill above it is looked at by a person before anybody pays. */
  billMaxFen: fen('单笔费用复核线', 'Check fees above', { min: 1 }),
  /** Roadside: a stay may wait so long for its plate, and a debt so long before its driver is reminded. */
  plateFillMin: whole('补录车牌时限', 'Time to add the plate', { unit: 'minute', min: 1, max: 1440 }),
  payGraceHours: whole('缴费宽限', 'Payment grace', { unit: 'hour', min: 0, max: 720 }),
  remainderOffset: whole('余位修正', 'Free bays correction'),
  /** While set, all barriers stand open (应急常开) and cars that leave are free. */
  openAllFrom: orNone(instant('应急常开开始时间', 'Emergency open since')),
  openAllBy: orNone(text('应急常开人', 'Opened by')),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
  version: whole('版本', 'Version'),
  createdAt: instant('创建时间', 'Created at'),
  updatedAt: instant('更新时间', 'Updated at'),
})

/** Cars inside now, from one source everywhere (list, map, lane board, screens). */
export const Occupancy = entity({
  presentCount: whole('在场车辆', 'Cars present'),
  remainingBays: whole('余位', 'Free bays'),
})
/** Answers about parks name the kind once more as the city's data exchange spells it. */
const ptype = { ptype: Park.properties.pType }
export const ParkNow = entity({ ...Park.properties, ...ptype, ...Occupancy.properties })
/** For pickers: enough to choose a park by. */
export const ParkChoice = entity({ ...pick(Park, 'parkCode', 'name', 'pType', 'subType', 'regionCode', 'status').properties, ...ptype })

export const parkSearch = searchOf(
  Park,
  { parkCode: 'equals', name: 'contains', pType: 'among', subType: 'among', regionCode: 'within', status: 'among', filingStatus: 'among' },
  { sort: ['parkCode', 'createdAt'], ascending: true },
)

const WRITTEN = [
  'subType',
  'address',
  'lng',
  'lat',
  'tempBays',
  'passBays',
  'chargeBays',
  'disabledBays',
  'openFrom',
  'openTo',
  'phone',
  'images',
  'fullPolicy',
  'tempAllowed',
  'dupEntry',
  'noEntry',
  'noEntryFeeFen',
  'entryArrears',
  'entryArrearsFen',
  'entryArrearsCount',
  'exitArrears',
  'exitArrearsCount',
  'ruleBind',
  'exitGraceMin',
  'fuzzyAuto',
  'countPassInAvail',
  'overstayDays',
  'billMaxFen',
  'remark',
] as const
const One = pick(Park, 'parkCode')

/** A park with the devices it holds, as the device screens list it. */
export const ParkDevice = entity({
  sn: text('设备编号', 'Serial number', { max: 32 }),
  kind: text('设备类型', 'Type', { max: 32 }),
  gateCode: orNone(text('通道编号', 'Lane code', { max: 24 })),
  online: yes('在线', 'Online'),
})
export const ParkDevices = entity({
  ...ParkChoice.properties,
  ...Occupancy.properties,
  totalBays: Park.properties.totalBays,
  remainderOffset: Park.properties.remainderOffset,
  devices: shaped('设备', 'Devices', listOf(ParkDevice)),
})

const view = 'parking:park:view'

const parkView = { service: 'basic', needs: 'parking:park:view' } as const
const edit = { service: 'basic', needs: 'parking:park:edit', writes: true } as const
export const park = {
  queryPage: call('parking.park.query-page', { ...parkView, post: '/parkInfo/queryPage', body: paged(parkSearch), reply: pageOf(ParkNow) }),
  // Every screen has a park picker: every signed-in person may know the names of the parks of their scope.
  queryList: call('parking.park.query-list', {
    forPrograms: true,
    service: 'basic',
    post: '/parkInfo/queryList',
    needs: 'signed-in',
    body: message({}, { pType: Park.properties.pType, subType: Park.properties.subType, status: Park.properties.status, name: Park.properties.name }),
    reply: listOf(ParkChoice),
  }),
  queryDetail: call('parking.park.query-detail', { ...parkView, post: '/parkInfo/queryDetail', body: One, reply: ParkNow }),
  add: call('parking.park.add', {
    ...edit,
    post: '/parkInfo/add',
    does: ['新增车场', 'Added a car park'],
    body: pickSome(Park, ['parkCode', 'name', 'pType', 'regionCode', 'totalBays'], WRITTEN),
    reply: Park,
  }),
  /** A park's code is on its signs, its devices and its filing: it cannot change. */
  update: call('parking.park.update', {
    ...edit,
    post: '/parkInfo/update',
    does: ['修改车场', 'Changed a car park'],
    body: pickSome(Park, ['id', 'version'], ['name', 'pType', 'regionCode', 'totalBays', ...WRITTEN]),
    reply: Park,
  }),
  delete: call('parking.park.delete', {
    service: 'basic',
    post: '/parkInfo/delete',
    writes: true,
    needs: 'parking:park:delete',
    does: ['删除车场', 'Deleted a car park'],
    body: pick(Park, 'id', 'version'),
    reply: nothing,
  }),
  updateStatus: call('parking.park.update-status', {
    service: 'basic',
    post: '/parkInfo/updateStatus',
    writes: true,
    needs: 'parking:park:enable',
    does: ['启用或停用车场', 'Enabled or disabled a car park'],
    body: message(
      { id: Park.properties.id, version: Park.properties.version, status: Park.properties.status },
      { reason: text('原因', 'Reason', { max: 200 }) },
    ),
    reply: Park,
  }),
  /** Returns who changed what of a park, and why; newest first. */
  history: call('parking.park.history', { ...parkView, get: '/parkInfo/history', own: true, query: One, reply: listOf(Change) }),
  /** Emergency: every barrier of the park stays open; cars that leave meanwhile leave free (应急常开). */
  openAll: call('parking.park.open-all', {
    service: 'basic',
    post: '/parkInfo/openAll',
    writes: true,
    own: true,
    needs: 'parking:park:emergency',
    does: ['应急常开', 'Opened all barriers'],
    body: message({ parkCode: Park.properties.parkCode, open: yes('常开', 'All open'), reason: text('原因', 'Reason', { max: 200 }) }),
    reply: Park,
  }),
  parkInfo: call('parking.device.park-info', {
    service: 'device',
    get: '/device/parkInfo',
    needs: view,
    query: message({}, { parkCode: Park.properties.parkCode }),
    reply: listOf(ParkDevices),
  }),
  // The console corrects the number by GET, so the contract has to say that it writes.
  editRemainder: call('parking.device.edit-remainder', {
    service: 'device',
    get: '/device/editRemainder',
    writes: true,
    needs: 'parking:park:remainder',
    does: ['修正余位', 'Corrected free bays'],
    query: message({
      parkCode: Park.properties.parkCode,
      remainder: whole('余位', 'Free bays', { min: 0, max: 100_000 }),
      reason: text('原因', 'Reason', { max: 200 }),
    }),
    reply: Occupancy,
  }),
}
