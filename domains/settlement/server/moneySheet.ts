import { sameAs, serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { moneySheet } from '../contract/moneySheet.ts'
import { report } from '../contract/report.ts'
import { calls as reportCalls, payments } from './report.ts'
import { orders } from './row.ts'

const income = sameAs(reportCalls, report.temporaryStop)
const parks = sameAs(reportCalls, report.parks)

export const moneySheetCalls = serve(moneySheet, {
  orders: exporting(moneySheet.orders, orders),
  income: exporting(moneySheet.income, ({ input, ...context }) => income(context as never, input)),
  details: exporting(moneySheet.details, payments),
  parks: exporting(moneySheet.parks, ({ input, ...context }) => parks(context as never, input)),
})
