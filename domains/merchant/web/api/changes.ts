import { account } from '../../contract/account.ts'
import { advertisement } from '../../contract/advertisement.ts'
import { credit } from '../../contract/credit.ts'
import { merchant } from '../../contract/merchant.ts'
import { statement } from '../../contract/statement.ts'

/** Calls that are read again when a merchant, its balance or its credit changes. */
export const MERCHANT_CHANGES = [
  merchant.queryPage,
  merchant.findList,
  credit.page,
  credit.serialPage,
  account.balanceDetailPage,
  statement.page,
  statement.day,
]
export const AD_CHANGES = [advertisement.find]
