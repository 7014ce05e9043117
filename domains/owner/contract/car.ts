import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  id,
  instant,
  message,
  moves,
  nothing,
  orNone,
  personal,
  pick,
  pictures,
  plate,
  rowFields,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { PlateColor, VehicleClass } from '../../../platform/contract/plate.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { Owner, ownerId, phone } from './account.ts'

export const VerifyState = dictionary('plate_verify_state', ['车牌认证', 'Plate verification'], {
  waiting: [0, '待审核', 'To review', 'warning'],
  verified: [1, '通过', 'Verified', 'success'],
  rejected: [2, '驳回', 'Rejected', 'error'],
  appealed: [3, '已申诉', 'Appealed', 'warning'],
  unbound: [4, '已解绑', 'Unbound'],
})
/** A claim on a plate that somebody else has is `claim`: it waits for them, then the claimant gets it. */
export const verifyCan = moves(VerifyState, {
  approve: { 0: 1, 3: 1 },
  reject: { 0: 2, 3: 2 },
  claim: { 0: 3, 3: 3 },
  appeal: { 2: 3 },
  recolor: { 0: 0, 1: 0, 2: 0 },
  unbind: { 0: 4, 1: 4, 2: 4, 3: 4 },
})
/** The document by which a reviewer verifies whose plate it is. */
export const PlateProof = dictionary('plate_proof', ['认证依据', 'Shown by'], {
  licence: [1, '行驶证', 'Vehicle licence'],
  pass: [2, '本手机号的月卡', 'Pass of this phone'],
  counter: [3, '柜台核验', 'Seen at the counter'],
})
/** A licence has two sides; a request has no more pictures than these. */
export const LICENCE_PICTURES = 4
/** The most plates of one owner. */
export const CARS_MAX = 5
/** The time in which the owner of a plate may object to another's claim. */
export const CONTEST_HOURS = 72
/** A request that waits longer is marked. */
export const LATE_HOURS = 48

/** A plate that an owner says is theirs, with its evidence and its reviewer. `rivalId` is the car of the owner who had it when it was claimed. */
export const Car = entity(['绑定车辆', 'Bound car'], {
  ...rowFields<'BoundCarId'>(),
  ownerId,
  plateNo: plate(),
  plateColor: among('车牌颜色', 'Plate colour', PlateColor),
  vehicleClass: among('车型', 'Vehicle class', VehicleClass),
  verifyState: among('认证状态', 'Verification', VerifyState),
  slot: orNone(whole('车位序', 'Slot', { min: 1, max: CARS_MAX })),
  vin: orNone(
    personal('document', text('车架号', 'VIN', { max: 17, pattern: '^([A-HJ-NPR-Z0-9]{17}|[A-HJ-NPR-Z0-9]{4}[*]{4}[A-HJ-NPR-Z0-9]{4})$' })),
  ),
  autoDebit: yes('免密代扣', 'Automatic debit'),
  isDefault: yes('默认车辆', 'Default car'),
  remark: orNone(text('备注', 'Remark', { max: 200 })),
  proof: orNone(among('认证依据', 'Shown by', PlateProof)),
  images: orNone(pictures('行驶证', 'Vehicle licence')),
  bindAt: instant('绑定时间', 'Bound at'),
  appliedAt: instant('申请时间', 'Requested at'),
  unboundAt: orNone(instant('解绑时间', 'Unbound at')),
  unbindReason: orNone(text('解绑原因', 'Unbind reason', { max: 200 })),
  verifierId: orNone(id<'PersonId'>('初审人编号', 'Reviewed by (id)')),
  verifierName: orNone(text('初审人', 'Reviewed by')),
  verifiedAt: orNone(instant('初审时间', 'Reviewed at')),
  verdict: orNone(text('审核意见', 'Review comment', { max: 200 })),
  appeal: orNone(text('申诉理由', 'Appeal', { max: 500 })),
  appealImages: orNone(pictures('申诉材料', 'Appeal evidence')),
  appealedAt: orNone(instant('申诉时间', 'Appealed at')),
  rivalId: orNone(id<'BoundCarId'>('被申诉车辆', 'Claimed from')),
  dueAt: orNone(instant('等待期至', 'Waiting until')),
  contest: orNone(text('异议', 'Objection', { max: 500 })),
  contestedAt: orNone(instant('异议时间', 'Objected at')),
  deciderId: orNone(id<'PersonId'>('复核人编号', 'Decided by (id)')),
  deciderName: orNone(text('复核人', 'Decided by')),
  decidedAt: orNone(instant('复核时间', 'Decided at')),
})
const of = Car.properties
const whose = { nickname: Owner.properties.nickname, phone }
/** The binding of a plate, with whose it is. */
export const BoundCar = entity({
  ...pick(Car, 'id', 'version', 'createdAt', 'updatedAt', 'ownerId').properties,
  ...whose,
  ...pick(
    Car,
    'plateNo',
    'plateColor',
    'vehicleClass',
    'vin',
    'verifyState',
    'autoDebit',
    'isDefault',
    'bindAt',
    'unboundAt',
    'unbindReason',
    'remark',
  ).properties,
  debitMethod: orNone(among('签约代扣', 'Debit agreement', PayMethod)),
})
export const carSearch = searchOf(
  BoundCar,
  { plateNo: 'plate', phone: 'startsWith', verifyState: 'among', ownerId: 'equals', autoDebit: 'equals', bindAt: 'between' },
  { sort: ['bindAt'] },
)

/** The request behind it. The rival has the plate now. */
export const Verification = entity({
  ...pick(Car, 'id', 'ownerId').properties,
  ...whose,
  ...pick(
    Car,
    'plateNo',
    'plateColor',
    'vehicleClass',
    'verifyState',
    'proof',
    'images',
    'appliedAt',
    'verifierId',
    'verifierName',
    'verifiedAt',
    'verdict',
  ).properties,
  ...pick(Car, 'appeal', 'appealImages', 'appealedAt', 'dueAt', 'contest', 'contestedAt', 'deciderName', 'decidedAt', 'version').properties,
  rivalName: orNone(text('现认证车主', 'Current verified owner', { max: 40 })),
  rivalPhone: orNone(phone),
})
export const verificationSearch = searchOf(
  Verification,
  { plateNo: 'plate', phone: 'startsWith', verifyState: 'among', appliedAt: 'between' },
  { sort: ['appliedAt'], ascending: true },
)

const { id: carId, version } = of
const one = { id: carId, version }
const remark = text('备注', 'Remark', { max: 200 })
const reason = text('说明', 'Explanation', { max: 500 })
const edit = { service: 'business', needs: 'owner:car-owner:edit', writes: true } as const
const decide = { service: 'business', needs: 'owner:car-verification:edit', writes: true } as const
const view = { service: 'business', needs: 'owner:car-owner:view' } as const
const queryCar = call('owner.car-owner.query-car', { ...view, post: '/carOwner/queryCarInfo', body: paged(carSearch), reply: pageOf(BoundCar) })
export const car = {
  queryCar,
  exportCar: exportOf('owner.car-owner.export-car', {
    ...view,
    get: '/carOwner/exportCarInfo',
    title: ['车辆绑定', 'Bound cars'],
    query: queryCar,
    columns: [
      'plateNo',
      'plateColor',
      'vehicleClass',
      'nickname',
      'phone',
      'verifyState',
      'autoDebit',
      'debitMethod',
      'isDefault',
      'bindAt',
      'remark',
    ],
  }),
  /** A plate for an owner, as they ask for it at the counter; it waits for its review. */
  bind: call('owner.car-owner.bind-car', {
    ...edit,
    own: true,
    post: '/carOwner/bindCarInfo',
    does: ['登记车辆绑定', 'Bound a car for an owner'],
    body: message(
      { ownerId, plateNo: plate() },
      { plateColor: of.plateColor, vehicleClass: of.vehicleClass, images: pictures('行驶证', 'Vehicle licence'), remark },
    ),
    reply: BoundCar,
  }),
  /**
   * Neither its plate nor whose it is. Automatic debit is switched off here, never on; another colour is another vehicle and is reviewed anew. The VIN is what its licence says: by it a pile
   * that hears it knows a verified car.
   */
  updateCar: call('owner.car-owner.update-car', {
    ...edit,
    post: '/carOwner/updateCarInfo',
    does: ['修改绑定车辆', 'Changed a bound car'],
    body: message(one, {
      plateColor: of.plateColor,
      vehicleClass: of.vehicleClass,
      vin: of.vin,
      isDefault: of.isDefault,
      autoDebit: of.autoDebit,
      remark: of.remark,
    }),
    reply: BoundCar,
  }),
  unbindCar: call('owner.car-owner.unbind-car', {
    ...edit,
    post: '/carOwner/unBindCarInfo',
    does: ['解绑车辆', 'Unbound a car'],
    body: message({ ...one, reason: text('解绑原因', 'Unbind reason', { max: 200 }) }),
    reply: nothing,
  }),
}
export const verification = {
  query: call('owner.car-verification.query', {
    service: 'business',
    needs: 'owner:car-verification:view',
    post: '/carVerification/queryCarVerification',
    body: paged(verificationSearch, { late: yes('超 48 小时', 'Over 48 hours') }),
    reply: pageOf(Verification),
  }),
  /** To grant what another has verified binds nobody: it becomes a claim that waits for them. */
  update: call('owner.car-verification.update', {
    ...decide,
    post: '/carVerification/updateCarVerification',
    does: ['审核车牌', 'Reviewed a plate'],
    body: message({ ...one, verifyState: among('审核结果', 'Result', VerifyState) }, { verdict: text('审核意见', 'Review comment', { max: 200 }) }),
    reply: Verification,
  }),
  /** Taken down for an owner whose request was rejected. */
  appeal: call('owner.car-verification.appeal', {
    ...decide,
    own: true,
    post: '/carVerification/appealCarVerification',
    does: ['登记车牌申诉', 'Recorded a plate appeal'],
    body: message({ ...one, reason }, { images: pictures('申诉材料', 'Appeal evidence') }),
    reply: Verification,
  }),
  /** Records an objection of the plate's owner: from then on only a person decides. */
  contest: call('owner.car-verification.contest', {
    ...decide,
    own: true,
    post: '/carVerification/contestCarVerification',
    does: ['登记车牌异议', 'Recorded an objection to a plate claim'],
    body: message({ ...one, reason }),
    reply: Verification,
  }),
}
