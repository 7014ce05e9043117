import type { Domain } from '../../../platform/server/domain.ts'
import { personHeld } from '../../identity/server/api.ts'
import { subNames } from '../../ledger/server/api.ts'
import { menu } from '../contract/menu.ts'
import { orderCalls } from './order.ts'
import { scanCalls } from './scan.ts'
import { tasks } from './pay/jobs.ts'
import { calls as noticeCalls } from './payment.ts'
import { calls as refundCalls } from './refund/refund.ts'
import { calls as refundWhyCalls } from './refund/refundWhy.ts'
import { moneySheetCalls } from './report/moneySheet.ts'
import { calls as compareCalls } from './report/compare.ts'
import { calls as rechargeCalls, sheetCalls as rechargeSheets } from './recharge.ts'
import { calls as reportCalls } from './report/report.ts'
import { checkTasks, liquidationCalls } from './clearing/calls.ts'
import { setUpChannels } from './settings.ts'
import { calls as shiftCalls } from './shift/shift.ts'
import { inWords, tillOf } from './shift/shiftRow.ts'
import { subNamesOf } from './subNames.ts'
import { calls as waiverCalls } from './refund/waiver.ts'
import { records } from './records.ts'
import { nouns } from './nouns.ts'
import { known } from './known.ts'

export const settlement: Domain = {
  name: 'settlement',
  known,
  calls: [
    ...orderCalls,
    ...scanCalls,
    ...noticeCalls,
    ...refundCalls,
    ...refundWhyCalls,
    ...waiverCalls,
    ...shiftCalls,
    ...reportCalls,
    ...compareCalls,
    ...moneySheetCalls,
    ...rechargeCalls,
    ...rechargeSheets,
    ...liquidationCalls,
  ],
  menu,
  records,
  nouns,
  tasks: [...tasks, ...checkTasks],
  start(house) {
    setUpChannels(house.config, process.env)
    subNames.answer('settlement', subNamesOf)
    personHeld.answer('settlement', async (tx, { personId }) => inWords(await tillOf(tx, personId)))
  },
}
