import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  fen,
  id,
  listOf,
  message,
  nothing,
  orNone,
  personal,
  pick,
  pickSome,
  rowFields,
  text,
  yes,
} from '../../../platform/contract/field.ts'
import { exportOf, importOf } from '../../../platform/contract/sheet.ts'
import { parkCodes } from '../../identity/contract/parks.ts'

export const MerchantType = dictionary('merchant_type', ['商户类型', 'Merchant type'], {
  shop: [1, '店铺', 'Shop'],
  hotel: [2, '酒店', 'Hotel'],
  hospital: [3, '医院', 'Hospital'],
  company: [4, '企业', 'Enterprise'],
  other: [5, '其他', 'Other'],
})
/** The way in which a merchant pays: the coupon's price when it buys it, or what the coupon really took off a fee. */
export const SettleMode = dictionary('merchant_settle_mode', ['结算方式', 'Settlement'], {
  face: [1, '面值', 'Face value'],
  actual: [2, '实抵', 'As deducted'],
})
export const MerchantStatus = dictionary('merchant_status', ['商户状态', 'Merchant status'], {
  enabled: [1, '启用', 'Enabled', 'success'],
  disabled: [2, '停用', 'Disabled', 'default'],
})

/** A shop or a company that pays for its guests' parking. */
export const Merchant = entity(['商户', 'Merchant'], {
  ...rowFields<'MerchantId'>(),
  /** Its account's name too. */
  mchNo: text('商户编号', 'Merchant number', { max: 20 }),
  name: text('名称', 'Name'),
  type: among('类型', 'Type', MerchantType),
  contact: text('联系人', 'Contact'),
  phone: personal('phone', text('手机', 'Phone', { min: 5, max: 20, pattern: '^[0-9+ *-]*$' })),
  parkCodes: parkCodes('车场', 'Car parks'),
  settleMode: among('结算方式', 'Settlement', SettleMode),
  expiredBack: yes('过期退回', 'Return expired coupons'),
  status: among('状态', 'Status', MerchantStatus),
  balanceFen: fen('余额', 'Balance', { min: 0 }),
  quotaFen: fen('授信额度', 'Credit', { min: 0 }),
  usedFen: fen('已用授信', 'Credit used', { min: 0 }),
  heldFen: fen('冻结', 'On hold for coupons', { min: 0 }),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
})
export const merchantSearch = searchOf(
  Merchant,
  { name: 'contains', mchNo: 'equals', type: 'among', status: 'among', settleMode: 'among', contact: 'equals', phone: 'equals' },
  { sort: ['createdAt'] },
)
const { name, type, contact, phone, settleMode, expiredBack, remark, version } = Merchant.properties
const MerchantRow = message({ name, type, contact, phone, parkCodes: Merchant.properties.parkCodes, settleMode }, { expiredBack, remark })
/** Made by the server, shown this once; it is changed at the first sign-in. */
const password = text('一次性密码', 'One-time password')
const which = { id: Merchant.properties.id, version }
/** The digest sent in place of a password: of it with the account's name. */
const digest = (zh: string, en: string) => text(zh, en, { min: 64, max: 64, pattern: '^[0-9a-f]{64}$' })
export const mchId = id<'MerchantId'>('商户', 'Merchant')

const edit = { service: 'custom', needs: 'merchant:merchant:edit', writes: true } as const
const view = { service: 'custom', needs: 'merchant:merchant:view' } as const
const queryPage = call('merchant.merchant.query-page', { ...view, post: '/merchant/queryPage', body: paged(merchantSearch), reply: pageOf(Merchant) })
export const merchant = {
  queryPage,
  /** Returns merchants for pickers: their names, and what each could spend. */
  findList: call('merchant.merchant.find-list', {
    ...view,
    post: '/merchant/findMchList',
    body: pickSome(Merchant, [], ['name', 'status']),
    reply: listOf(pick(Merchant, 'id', 'mchNo', 'name', 'status', 'settleMode', 'balanceFen', 'quotaFen', 'usedFen')),
  }),
  add: call('merchant.merchant.add', {
    ...edit,
    post: '/merchant/add',
    does: ['新增商户', 'Added a merchant'],
    body: MerchantRow,
    reply: message({ id: Merchant.properties.id, mchNo: Merchant.properties.mchNo, login: text('登录名', 'Account'), password }),
  }),
  update: call('merchant.merchant.update', {
    ...edit,
    post: '/merchant/update',
    does: ['修改商户', 'Changed a merchant'],
    body: pickSome(Merchant, ['id', 'version'], ['name', 'type', 'contact', 'phone', 'parkCodes', 'settleMode', 'expiredBack', 'remark']),
    reply: Merchant,
  }),
  delete: call('merchant.merchant.delete', {
    ...edit,
    post: '/merchant/delete',
    does: ['删除商户', 'Deleted a merchant'],
    body: message(which),
    reply: nothing,
  }),
  /** Disabled it signs in, buys and issues no more; coupons that are out stay good. */
  updateStatus: call('merchant.merchant.update-status', {
    ...edit,
    post: '/merchant/updateStatus',
    does: ['启停商户', 'Enabled or disabled a merchant'],
    body: message({ ...which, status: Merchant.properties.status }),
    reply: Merchant,
  }),
  /** To `newPassword`, said twice, where one is given; the server makes one otherwise, and answers it. */
  resetPassword: call('merchant.merchant.reset-password', {
    service: 'custom',
    post: '/merchant/resetPassword',
    needs: 'merchant:merchant:reset',
    writes: true,
    does: ['重置商户密码', 'Reset a merchant’s password'],
    body: message(
      { custId: mchId },
      {
        newPassword: digest('新密码', 'New password'),
        confirmPassword: digest('确认密码', 'Confirm password'),
        type: text('类型', 'Type', { max: 1 }),
      },
    ),
    reply: message({ login: text('登录名', 'Account'), password: orNone(password) }),
  }),
  import: importOf('merchant.merchant.import', {
    service: 'custom',
    post: '/merchant/import',
    needs: 'merchant:merchant:edit',
    title: ['商户', 'Merchants'],
    row: MerchantRow,
    unique: 'name',
    note: [
      '新商户没有密码：导入后在列表里勾选他们并重置密码，把一次性密码交给商户，首次登录须修改。名称相同的商户按表格更新，密码不变。',
      'New merchants have no password: after the import, select them in the list, reset their passwords, and give them the one-time passwords, which they must change at first sign-in. A merchant with the same name is updated and keeps its password.',
    ],
  }),
  export: exportOf('merchant.merchant.export', {
    ...view,
    get: '/merchant/export',
    title: ['商户', 'Merchants'],
    query: queryPage,
    columns: [
      'mchNo',
      'name',
      'type',
      'contact',
      'phone',
      'parkCodes',
      'settleMode',
      'expiredBack',
      'status',
      'balanceFen',
      'quotaFen',
      'usedFen',
      'heldFen',
      'remark',
    ],
  }),
}
export const MerchantNamed = {
  mchId,
  mchNo: Merchant.properties.mchNo,
  mchName: Merchant.properties.name,
}
