import type { Day, Instant, Of } from '../../../platform/contract/field.ts'
import { dayOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { NotFound, refusal, Stale } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { columnsIn } from '../../../platform/contract/names.ts'
import { LINES_MAX, Statement, type StatementDay, StatementLine, statement, statementSearch } from '../contract/statement.ts'
import { couponsOf } from './questions.ts'
import './tables.ts'

const NotOver = refusal('merchant.day-not-over', 41740, '当天尚未结束，次日起可确认', 'The day is not over: it can be confirmed from tomorrow', 422)
const AgreedAlready = refusal(
  'merchant.day-agreed',
  41741,
  '该日对账单已确认，请刷新列表',
  'The statement of that day is already confirmed: refresh the list',
)

export const statements = listOver(Statement, 'merchant.statement', statementSearch, {
  sums: ['rechargeFen', 'boughtFen', 'returnedFen', 'deductedFen', 'expiredBackFen'],
})
type Which = { mchId: string; day: Day }
const NONE = { issued: 0, used: 0, withdrawn: 0, expired: 0 }

export const calls = serve(statement, {
  page: ({ tx, input }) => page(tx, statements, input),
  day: ({ tx, input }) => dayOfMerchant(tx, input),
  async confirm({ tx, input, actor, at }) {
    if (input.day >= dayOf(at)) throw NotOver()
    const shown = await statementOf(tx, input)
    if (shown.confirmedAt !== null) throw AgreedAlready()
    if (shown.closingFen !== input.closingFen) throw Stale({ ...shown })
    await confirmed(tx, input, shown.closingFen, actor.userName, at)
    return statementOf(tx, input)
  },
  export: exporting(statement.export, statements),
})
const LINE = columnsIn(StatementLine)
const LINES = {
  sql: `select ${LINE} from merchant.statement_line where enterprise_id = scope_enterprise() and mch_id = $1 and day = $2 order by at, id limit ${LINES_MAX}`,
}
const COUNT = { sql: 'select count(*)::int as n from merchant.statement_line where enterprise_id = scope_enterprise() and mch_id = $1 and day = $2' }

/** A day with what moved it, and what became of the merchant's coupons on it. @throws NotFound */
export async function dayOfMerchant(tx: Tx, which: Which): Promise<Of<typeof StatementDay>> {
  const values = [which.mchId, which.day]
  const [of, lines, [counted], counts] = await Promise.all([
    statementOf(tx, which),
    run<Of<typeof StatementLine>>(tx, LINES, values),
    run<{ n: number }>(tx, COUNT, values),
    couponCounts(tx, which),
  ])
  return { ...of, ...counts, lines, lineCount: counted!.n }
}
export const couponCounts = async (tx: Tx, which: Which) => (await couponsOf.ask(tx, which))[0]?.answer ?? NONE

const STATEMENT = columnsIn(Statement)
const DAYS_MAX = 31
const DAYS = {
  sql: `select ${STATEMENT} from merchant.statement where enterprise_id = scope_enterprise() and mch_id = $1 and ($2::date is null or day < $2) order by day desc limit ${DAYS_MAX}`,
}
/** The latest days of a merchant on which something moved. */
export const daysOf = (tx: Tx, mchId: string, before?: Day) => run<Of<typeof Statement>>(tx, DAYS, [mchId, before ?? null])

async function statementOf(tx: Tx, { mchId, day }: Which): Promise<Of<typeof Statement>> {
  const found = await find(tx, statements, `${mchId}.${day}`)
  if (!found) throw NotFound()
  return found
}
async function confirmed(tx: Tx, { mchId, day }: Which, closingFen: number, by: string, at: Instant): Promise<void> {
  const sql = `insert into merchant.confirmation (mch_id, day, closing_fen, confirmed_by, confirmed_at) values ($1, $2, $3, $4, $5) on conflict do nothing returning id`
  if (!(await run(tx, { sql }, [mchId, day, closingFen, by, at])).length) throw AgreedAlready()
}
