import { account } from '../contract/account.ts'
import { activity } from '../contract/activity.ts'
import { asset } from '../contract/asset.ts'
import { car, verification } from '../contract/car.ts'
import { card } from '../contract/card.ts'
import { storedRefund } from '../contract/refund.ts'

/** Calls that are read again when owners, their cars or their money change. */
export const OWNER_CHANGES = [account.info, account.statistics, car.queryCar, asset.info, asset.sum]
export const CAR_CHANGES = [car.queryCar, verification.query, account.info, account.statistics]
export const MONEY_CHANGES = [asset.info, asset.sum, account.info, account.statistics, card.page, card.query, card.detail, activity.list]
export const REFUND_CHANGES = [storedRefund.list, storedRefund.auditList, storedRefund.detail, ...MONEY_CHANGES]
