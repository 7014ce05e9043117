import { exportOf, parkName } from '../../../platform/contract/sheet.ts'
import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  exact,
  id,
  instant,
  listOf,
  message,
  moves,
  nothing,
  only,
  orNone,
  pictures,
  plate,
  rowFields,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { Park } from '../../parking/contract/park.ts'

export const IllegalType = dictionary('illegal_type', ['违停类型', 'Illegal stop type'], {
  noStopping: [1, '禁停区', 'No-stopping zone'],
  wrongWay: [2, '逆向', 'Against traffic'],
  acrossBerths: [3, '跨位', 'Across berths'],
  tooLong: [4, '超时', 'Overstay'],
  chargingBerth: [5, '占用充电位', 'On a charging berth'],
  accessibleBerth: [6, '占用残疾人位', 'On an accessible berth'],
})
export const IllegalSource = dictionary('illegal_source', ['来源', 'Source'], {
  dome: [1, '球机', 'Dome camera'],
  highPole: [2, '高位', 'High-pole camera'],
  patrol: [3, '巡检车', 'Patrol car'],
  person: [4, '人工', 'Staff'],
  report: [5, '举报', 'Public report'],
})
export const IllegalState = dictionary('illegal_state', ['违停状态', 'Status'], {
  waiting: [0, '待审', 'Pending review', 'warning'],
  valid: [1, '有效', 'Valid', 'success'],
  invalid: [2, '无效', 'Invalid'],
  pushed: [3, '已推送交警', 'Sent to police'],
  handled: [4, '已处理', 'Handled', 'success'],
})
export const InvalidReason = dictionary('illegal_invalid_reason', ['无效原因', 'Invalid reason'], {
  evidence: [1, '证据不足', 'Insufficient evidence'],
  special: [2, '特种车', 'Special vehicle'],
  misread: [3, '误识别', 'Misread'],
  permitted: [4, '有许可', 'Permitted'],
})
export const IllegalResult = dictionary('illegal_result', ['处理结果', 'Outcome'], {
  fined: [1, '处罚', 'Fined'],
  warned: [2, '警告', 'Warned'],
  dropped: [3, '不处理', 'No action'],
})
/** A case that was sent may come back: the police handle it, or return it as it was. */
export const illegalCan = moves(IllegalState, {
  accept: { [IllegalState.waiting]: IllegalState.valid },
  reject: { [IllegalState.waiting]: IllegalState.invalid },
  recheck: { [IllegalState.invalid]: IllegalState.waiting },
  push: { [IllegalState.valid]: IllegalState.pushed },
  handle: { [IllegalState.pushed]: IllegalState.handled },
  giveBack: { [IllegalState.pushed]: IllegalState.valid },
})

export type IllegalId = 'IllegalId'
const Picture = entity({
  image: pictures('图片', 'Picture'),
  at: instant('时间', 'Time'),
  showsPlate: yes('可见车牌', 'Plate visible'),
  showsPlace: yes('可见位置', 'Location visible'),
})
/** A car where it may not stop (违停). The same car at the same place within two hours is one record that counts up. */
export const IllegalStop = entity(['违停记录', 'Illegal stop'], {
  ...rowFields<IllegalId>(),
  parkCode: Park.properties.parkCode,
  illegalNo: text('违停编号', 'Number', { max: 40 }),
  type: among('违停类型', 'Type', IllegalType),
  source: among('来源', 'Source', IllegalSource),
  plateNo: orNone(plate()),
  plateColor: orNone(among('车牌颜色', 'Plate colour', PlateColor)),
  /** How sure the surest of the cameras was; none: no camera said. */
  confidence: orNone(whole('识别置信度', 'Confidence', { unit: 'permille', min: 0, max: 1000 })),
  sectionCode: orNone(text('路段编号', 'Section code', { max: 24 })),
  seatCode: orNone(text('泊位编号', 'Berth code', { max: 24 })),
  place: text('地点', 'Place', { max: 200 }),
  deviceNo: orNone(text('设备编号', 'Device', { max: 32 })),
  firstAt: instant('首次发现', 'First seen'),
  lastAt: instant('最近发现', 'Last seen'),
  images: shaped('图片', 'Pictures', listOf(Picture, { max: 20 })),
  count: whole('次数', 'Times seen'),
  state: among('状态', 'Status', IllegalState),
  invalidReason: orNone(among('无效原因', 'Invalid reason', InvalidReason)),
  reviewedBy: orNone(text('审核人', 'Reviewed by')),
  reviewedAt: orNone(instant('审核时间', 'Reviewed at')),
  policeNo: orNone(text('交警编号', 'Police reference', { max: 64 })),
  pushError: orNone(text('推送错误', 'Send error', { max: 300 })),
  result: orNone(among('处理结果', 'Outcome', IllegalResult)),
  holdMin: whole('停留时限', 'Time limit', { unit: 'minute', min: 3, max: 60 }),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
})
export const illegalSearch = searchOf(
  IllegalStop,
  {
    id: 'equals',
    parkCode: 'equals',
    illegalNo: 'equals',
    type: 'among',
    source: 'among',
    plateNo: 'plate',
    sectionCode: 'equals',
    deviceNo: 'equals',
    state: 'among',
    firstAt: 'between',
  },
  { sort: ['firstAt', 'createdAt'] },
)
/** Of the kinds of violation this call answers the second; those of own vehicles are the fleet’s, under calls of its own. */
export const ViolationKind = dictionary('violation_kind', ['违规类型', 'Violation type'], { illegalStop: [2, '违停', 'Illegal parking'] })
/** The most pictures of one sighting. */
export const SHOTS_MAX = 10
const V = { id: IllegalStop.properties.id, version: IllegalStop.properties.version }
const { parkCode, type, source, place, holdMin } = IllegalStop.properties
const view = { service: 'business', needs: 'roadside:illegal:view' } as const
const write = { service: 'business', writes: true, own: true } as const
const query = call('fleet.violation.query', {
  ...view,
  post: '/violationRecords/query',
  body: paged(illegalSearch, { kind: among('违规类型', 'Violation type', ViolationKind) }),
  reply: pageOf(IllegalStop),
})
export const illegalStop = {
  query,
  export: exportOf('roadside.illegal.export', {
    ...view,
    own: true,
    post: '/illegalStop/export',
    title: ['违停记录', 'Illegal stops'],
    query,
    columns: [
      'illegalNo',
      'plateNo',
      'plateColor',
      'type',
      'source',
      'parkCode',
      parkName,
      'sectionCode',
      'seatCode',
      'place',
      'deviceNo',
      'firstAt',
      'lastAt',
      'count',
      'holdMin',
      'state',
      'invalidReason',
      'reviewedBy',
      'reviewedAt',
      'policeNo',
      'pushError',
      'result',
      'remark',
    ],
  }),
  one: call('roadside.illegal.one', {
    ...view,
    own: true,
    get: '/illegalStop/one',
    query: message({ id: IllegalStop.properties.id }),
    reply: IllegalStop,
  }),
  create: call('roadside.illegal.create', {
    ...write,
    needs: 'roadside:illegal:create',
    does: ['登记违停', 'Recorded an illegal stop'],
    post: '/illegalStop/create',
    body: message(
      {
        parkCode,
        type,
        source,
        plateNo: plate(),
        place,
        at: instant('发现时间', 'Seen at'),
        images: shaped('图片', 'Pictures', listOf(Picture, { max: SHOTS_MAX })),
      },
      {
        plateColor: among('车牌颜色', 'Plate colour', PlateColor),
        sectionCode: text('路段编号', 'Section code', { max: 24 }),
        seatCode: text('泊位编号', 'Berth code', { max: 24 }),
        deviceNo: text('设备编号', 'Device', { max: 32 }),
        holdMin,
        remark: text('备注', 'Remark', { max: 500 }),
      },
    ),
    reply: IllegalStop,
  }),
  /** Not one's own. 有效 needs two pictures with plate and place, as far apart as the car must have stood. */
  review: call('roadside.illegal.review', {
    ...write,
    needs: 'roadside:illegal:review',
    does: ['审核违停', 'Reviewed an illegal stop'],
    post: '/illegalStop/review',
    body: message(
      {
        ...V,
        state: only(among('结论', 'Finding', IllegalState), [IllegalState.valid, IllegalState.invalid]),
      },
      { invalidReason: among('无效原因', 'Invalid reason', InvalidReason) },
    ),
    reply: IllegalStop,
  }),
  /** Within seven days, by another than who had found it invalid. */
  recheck: call('roadside.illegal.recheck', {
    ...write,
    needs: 'roadside:illegal:review',
    does: ['复核违停', 'Sent an illegal stop back to review'],
    post: '/illegalStop/recheck',
    body: message({ ...V, reason: text('原因', 'Reason', { max: 200 }) }),
    reply: IllegalStop,
  }),
  push: call('roadside.illegal.push', {
    ...write,
    needs: 'roadside:illegal:push',
    does: ['推送交警', 'Sent illegal stops to the police'],
    post: '/illegalStop/push',
    body: message({ ids: shaped('违停记录', 'Illegal stops', listOf(id<IllegalId>(), { max: 200 })) }),
    reply: nothing,
  }),
  receipt: call('roadside.illegal.receipt', {
    ...write,
    needs: 'roadside:illegal:push',
    does: ['登记交警回执', 'Recorded a police response'],
    post: '/illegalStop/receipt',
    body: message(V, { result: among('处理结果', 'Outcome', IllegalResult), reason: text('退回原因', 'Return reason', { max: 200 }) }),
    reply: IllegalStop,
  }),
  /** The police platform itself says it, signed: HMAC-SHA256 over `policeNo.result.at` in hexadecimal. */
  notice: call('roadside.illegal.notice', {
    ...write,
    needs: 'public',
    does: ['交警平台回执', 'Received a police platform response'],
    post: '/illegalStop/notice',
    body: exact(
      message(
        { policeNo: text('交警编号', 'Police reference', { max: 64 }), at: instant('时间', 'Time'), sign: text('签名', 'Signature', { max: 128 }) },
        { result: among('处理结果', 'Outcome', IllegalResult) },
      ),
    ),
    reply: nothing,
  }),
}
