import { type MenuEntry, screen } from '../../../platform/contract/menu.ts'

const care = { code: 'care', name: ['登记、锁定、合并、注销', 'Register, lock, merge, delete'], needs: 'owner:account:care' } as const
const recharge = { code: 'recharge', name: ['充值', 'Recharge'], needs: 'owner:account:recharge' } as const
const apply = { code: 'apply', name: ['申请退款', 'Request a refund'], needs: 'owner:stored-refund:apply' } as const
const audit = { code: 'audit', name: ['审核退款', 'Review refunds'], needs: 'owner:stored-refund:audit' } as const
const transfer = { code: 'transfer', name: ['登记转账', 'Record the transfer'], needs: 'owner:stored-refund:transfer' } as const
const editCar = { code: 'edit', name: ['修改与解绑', 'Change and unbind'], needs: 'owner:car-owner:edit' } as const
const cards = { code: 'edit', name: ['办卡与变更', 'Issue and change cards'], needs: 'owner:park-card:edit' } as const
const seesParks = 'parking:park:view'

/** The screens of the domain and what each needs; paths and names are the catalogue's. */
export const menu: MenuEntry[] = [
  screen(
    '/userCenter/carOwner/info',
    'OwnerScreen',
    ['车主信息', 'Owners'],
    ['owner:asset:view', 'owner:person:view'],
    [care, recharge, apply, editCar],
  ),
  screen('/userCenter/carOwner/binding', 'BoundCarScreen', ['车辆绑定', 'Car binding'], ['owner:car-owner:view'], [editCar]),
  screen('/userCenter/carOwner/asset', 'OwnerAssetScreen', ['车主储值', 'Owner balances'], ['owner:asset:view', seesParks], [recharge, apply]),
  screen(
    '/userCenter/carOwner/licensePlateReview',
    'PlateReviewScreen',
    ['车牌审核', 'Plate review'],
    ['owner:car-verification:view'],
    [{ code: 'edit', name: ['审核车牌', 'Review plates'], needs: 'owner:car-verification:edit' }],
  ),
  screen(
    '/userCenter/stored/recharge',
    'StoredRechargeScreen',
    ['储值充值记录', 'Stored value recharges'],
    ['owner:asset:view', seesParks],
    [recharge],
  ),
  screen('/userCenter/stored/consumption', 'StoredConsumptionScreen', ['储值消费记录', 'Stored value spending'], ['owner:asset:view', seesParks]),
  screen('/userCenter/stored/refund', 'StoredRefundScreen', ['储值退款', 'Stored value refunds'], ['owner:stored-refund:view'], [apply, transfer]),
  screen('/userCenter/stored/refund/audit', 'StoredRefundAuditScreen', ['储值退款审核', 'Refund review'], ['owner:stored-refund:view'], [audit]),
  screen(
    '/userCenter/stored/refund/detail',
    'StoredRefundDetailScreen',
    ['储值退款明细', 'Stored value refund detail'],
    ['owner:stored-refund:view'],
    [transfer],
  ),
  screen(
    '/userCenter/stored/activity',
    'RechargeActivityScreen',
    ['储值充值活动', 'Recharge offers'],
    ['owner:recharge-activity:view'],
    [{ code: 'edit', name: ['管理活动', 'Manage promotions'], needs: 'owner:recharge-activity:edit' }],
  ),
  screen('/operation/storedValueCard/bind', 'CardBindScreen', ['储值卡绑定', 'Card binding'], ['owner:park-card:view', seesParks], [cards]),
  screen('/operation/storedValueCard/list', 'CardListScreen', ['储值卡列表', 'Card list'], ['owner:park-card:view', seesParks], [cards]),
  screen('/operation/storedValueCard/recharge', 'CardRechargeScreen', ['储值卡充值', 'Card recharge'], ['owner:park-card:view', seesParks], [cards]),
  screen('/businessCenter/carOwner/personalAssets', 'PersonalAssetsScreen', ['个人资产', 'Personal assets'], ['owner:asset:view', seesParks]),
]
