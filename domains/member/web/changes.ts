import { accessRule } from '../contract/accessRule.ts'
import { amount } from '../contract/amount.ts'
import { business, car, customer } from '../contract/customer.ts'
import { group } from '../contract/group.ts'
import { seat } from '../contract/pass.ts'
import { carFees } from '../contract/plan.ts'
import { whiteBlack } from '../contract/whiteBlack.ts'

export const CUSTOMER_CHANGES = [
  customer.queryPage,
  customer.detail,
  customer.history,
  customer.queryStatistics,
  customer.getMemberGroup,
  business.todayAndTotal,
  seat.query,
  car.query,
  amount.queryPage,
]
export const GROUP_CHANGES = [group.selectAll, group.selectTree, group.selectListByParkCode, group.detail, customer.getMemberGroup]
export const PLAN_CHANGES = [carFees.queryPage, carFees.selectByCustId, group.detail, customer.getMemberGroup]
export const RULE_CHANGES = [accessRule.queryPage, accessRule.queryOne]
export const LIST_CHANGES = [whiteBlack.queryPage]
