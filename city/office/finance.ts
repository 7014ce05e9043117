import { DataScope } from '../../domains/identity/contract/role.ts'
import { digestOf, hashed } from '../../domains/identity/server/api.ts'
import type { House } from '../../platform/server/domain.ts'
import { addPerson, addRole } from './roles.ts'

/** Two people for finance: one begins, the other finishes; second approvals come from the administrator. */
export const FINANCE = [
  ['finance', '财务经办'],
  ['finance2', '财务复核'],
] as const
/** Where money goes through: income and the books, refunds and clearing, debts and appeals, passes, statements, and what they approve for others. */
const SCREENS = [
  '/index',
  '/operation/dashboard',
  '/operation/temporaryIncome',
  '/operation/monthlyRecharge',
  '/operation/finance',
  '/operation/ledger',
  '/operation/month/info',
  '/operation/month/pay',
  '/operation/record/parking/arrears',
  '/operation/record/parking/makeUp',
  '/operation/record/roadParking/arrears',
  '/operation/record/roadParking/makeUp',
  '/userCenter/arrearage/',
  '/userCenter/stored/recharge',
  '/userCenter/stored/consumption',
  '/userCenter/stored/refund',
  '/userCenter/stored/refund/',
  '/extendedBusiness/etc/arrears',
  '/extendedBusiness/etc/deduct',
  '/extendedBusiness/etc/refund',
  '/assetManage/person/charging',
  '/businessCenter/merchant/account',
  '/activity/coupon/account',
  '/activity/coupon/bill',
  '/activity/coupon/offlineRecharge',
  '/recharge/chargingOrder/',
  '/recharge/chargingStatement',
  '/recharge/chargingAnalysis/income',
  '/recharge/chargingAnalysis/finance',
  '/share/order',
  '/share/timeout',
  '/share/makeUp',
  '/car/distribution',
  '/rent/',
]
/** Permissions that finance does not get: others decide on merchants and charging orders. */
const NOT_THEIRS = ['merchant:merchant:edit', 'merchant:merchant:reset', 'charging:order:edit']

/** Two who may decide on money, so that nobody has to approve their own. Made as administrators make people and roles, with the password of the demo. */
export async function addFinance(house: House, enterprise: number, password: string): Promise<void> {
  const people = await Promise.all(FINANCE.map(async ([username, name]) => ({ username, name, hash: await hashed(digestOf(username, password)) })))
  await house.writing(enterprise, 'city.finance', async (tx) => {
    const roleId = await addRole(tx, {
      name: '财务',
      remark: '收入与总账、退款、对账、欠费、申诉、结算单与各项审批',
      dataScope: DataScope.enterprise,
      screens: SCREENS,
      mayNot: NOT_THEIRS,
    })
    for (const person of people) await addPerson(tx, { ...person, roleId })
  })
}
