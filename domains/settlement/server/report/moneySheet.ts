import { serve } from '../../../../platform/server/serve.ts'
import { exporting } from '../../../../platform/server/sheets/exporting.ts'
import { moneySheet } from '../../contract/moneySheet.ts'
import { incomePage, parksPage, payments } from './report.ts'
import { orders } from '../row.ts'

export const moneySheetCalls = serve(moneySheet, {
  orders: exporting(moneySheet.orders, orders),
  income: exporting(moneySheet.income, ({ tx, input }) => incomePage(tx, input)),
  details: exporting(moneySheet.details, payments),
  parks: exporting(moneySheet.parks, ({ tx, input }) => parksPage(tx, input)),
})
