import type { Day, Instant, Of } from '../../../platform/contract/field.ts'
import { dayOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { NotFound, refusal, Stale } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { columnsIn } from '../../../platform/contract/names.ts'
import { BalanceDetail } from '../contract/account.ts'
import { Statement, statement, statementSearch } from '../contract/statement.ts'
import { couponsOf } from './questions.ts'
import './tables.ts'

const NotOver = refusal('merchant.day-not-over', 41740, '当天尚未结束，次日起可确认', 'The day is not over: it can be agreed on from tomorrow', 422)
const AgreedAlready = refusal('merchant.day-agreed', 41741, '该日对账单已确认', 'That day was agreed on already')

export const statements = listOver(Statement, 'merchant.statement', statementSearch, {
  sums: ['rechargeFen', 'boughtFen', 'returnedFen', 'deductedFen', 'expiredBackFen'],
})
type Which = { mchId: string; day: Day }
const NONE = { issued: 0, used: 0, withdrawn: 0, expired: 0 }

export const calls = serve(statement, {
  page: ({ tx, input }) => page(tx, statements, input),
  async day({ tx, input }) {
    const [of, movements, coupons] = await Promise.all([
      statementOf(tx, input),
      run<Of<typeof BalanceDetail>>(tx, MOVEMENTS, [input.mchId, input.day]),
      couponsOf.ask(tx, input),
    ])
    return { ...of, ...(coupons[0]?.answer ?? NONE), movements }
  },
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
const DETAIL = columnsIn(BalanceDetail)
const MOVEMENTS = {
  sql: `select ${DETAIL} from merchant.balance_detail where enterprise_id = scope_enterprise() and mch_id = $1 and (at at time zone 'Asia/Shanghai')::date = $2 order by at, id limit 500`,
}

async function statementOf(tx: Tx, { mchId, day }: Which): Promise<Of<typeof Statement>> {
  const found = await find(tx, statements, `${mchId}.${day}`)
  if (!found) throw NotFound()
  return found
}
async function confirmed(tx: Tx, { mchId, day }: Which, closingFen: number, by: string, at: Instant): Promise<void> {
  const sql = `insert into merchant.confirmation (mch_id, day, closing_fen, confirmed_by, confirmed_at) values ($1, $2, $3, $4, $5) on conflict do nothing returning id`
  if (!(await run(tx, { sql }, [mchId, day, closingFen, by, at])).length) throw AgreedAlready()
}
