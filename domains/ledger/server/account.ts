import type { Day, Fen, Of } from '../../../platform/contract/field.ts'
import { parksOf, run, type Tx } from '../../../platform/server/database.ts'
import { question } from '../../../platform/server/question.ts'
import { BadInput } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import {
  account,
  ACCOUNTS,
  type AccountCode,
  type Balance,
  type Difference,
  type Line,
  type NamedLine,
  type StatementLine,
  AccountSide,
} from '../contract/account.ts'

export const calls = serve(account, {
  list: ({ tx, input }) => balances(tx, input),
  statement: ({ tx, input }) => statement(tx, input),
  about: ({ tx, input }) => linesAbout(tx, input.about),
  async trialBalance({ tx, input }) {
    const accounts = await movements(tx, input)
    const debitFen = sum(accounts, 'debitFen')
    const creditFen = sum(accounts, 'creditFen')
    return { debitFen, creditFen, balanced: debitFen === creditFen, accounts }
  },
  replay: ({ tx }) => replay(tx),
})
const sum = (rows: readonly { debitFen: Fen; creditFen: Fen }[], field: 'debitFen' | 'creditFen') =>
  rows.reduce((total, row) => total + row[field], 0) as Fen

type BalanceRow = Of<typeof Balance>
type SubNamed = Pick<BalanceRow, 'subName' | 'subNameEn'>
type Sum = Omit<BalanceRow, keyof SubNamed>
export type SubAccount = Pick<BalanceRow, 'account' | 'sub'>
export interface SubName extends SubAccount {
  zh: string
  en: string
}
/** Sub-accounts are those of other domains: who keeps what they stand for says its name. */
export const subNames = question<readonly SubAccount[], SubName[]>('ledger.sub-names')

async function named<Row extends SubAccount>(tx: Tx, found: Promise<Row[]>): Promise<(Row & SubNamed)[]> {
  const rows = await found
  const answers = await subNames.ask(
    tx,
    rows.filter(({ sub }) => sub !== ''),
  )
  const names = new Map(answers.flatMap(({ answer }) => answer).map((one) => [keyOf(one), one]))
  return rows.map((row) => {
    const name = names.get(keyOf(row))
    return { ...row, subName: name?.zh ?? null, subNameEn: name?.en ?? null }
  })
}
const keyOf = ({ account, sub }: SubAccount) => `${account} ${sub}`

/** Returns the balance of every account and sub-account that was ever used. */
export const balances = (tx: Tx, { parkCode }: { parkCode?: string | undefined } = {}): Promise<BalanceRow[]> =>
  named(
    tx,
    run<Sum>(
      tx,
      {
        sql: `select a.code as account, a.name, a.name_en, a.kind, a.normal, b.sub, sum(b.debit_fen)::bigint as debit_fen, sum(b.credit_fen)::bigint as credit_fen,
          (sum(b.debit_fen - b.credit_fen) * case a.normal when ${AccountSide.debit} then 1 else -1 end)::bigint as balance_fen
        from ledger.balance b join ledger.account a on a.code = b.account
        where b.enterprise_id = scope_enterprise() and ($1::text is null or b.park_code = $1)
        group by a.code, b.sub order by a.position, b.sub`,
      },
      [parkCode ?? null],
    ),
  )

interface Span {
  parkCode?: string | undefined
  dayFrom?: Day | undefined
  dayTo?: Day | undefined
}
/** Returns the sums of every account within business days, both included; of the whole time without them. */
export const movements = (tx: Tx, { parkCode, dayFrom, dayTo }: Span): Promise<BalanceRow[]> =>
  named(
    tx,
    run<Sum>(
      tx,
      {
        sql: `select a.code as account, a.name, a.name_en, a.kind, a.normal, d.sub, sum(d.debit_fen)::bigint as debit_fen, sum(d.credit_fen)::bigint as credit_fen,
          (sum(d.debit_fen - d.credit_fen) * case a.normal when ${AccountSide.debit} then 1 else -1 end)::bigint as balance_fen
        from ledger.daily d join ledger.account a on a.code = d.account
        where d.enterprise_id = scope_enterprise() and d.day between $1 and $2 and ($3::text is null or d.park_code = $3)
        group by a.code, d.sub order by a.position, d.sub`,
      },
      [dayFrom ?? FIRST_DAY, dayTo ?? LAST_DAY, parkCode ?? null],
    ),
  )
const FIRST_DAY = '2000-01-01'
const LAST_DAY = '9999-12-31'

type Statement = Of<typeof account.statement.reply>
/**
 * The lines of one account over business days, oldest first, each with the balance after it. Without `sub` all sub-accounts together.
 * Amounts in fen; the balance is on the account's normal side.
 */
export async function statement(tx: Tx, input: Of<typeof account.statement.input>): Promise<Statement> {
  const { account: of, sub = null, parkCode = null, dayFrom = FIRST_DAY, dayTo = LAST_DAY, current = 1, limit = 100 } = input
  if (!ACCOUNTS.includes(of as AccountCode)) throw BadInput({ zh: `没有科目 ${of}`, en: `there is no account ${of}` })
  const parks = parksOf(tx)
  const filter = [of, sub, parkCode, dayFrom, dayTo, parks]
  const [[before], [within], records] = await Promise.all([
    run<{ fen: number; normal: 1 | 2 }>(tx, { sql: OPENING }, [of, sub, parkCode, dayFrom]),
    run<{ debitFen: Fen; creditFen: Fen; n: number }>(tx, { sql: WITHIN }, [of, sub, parkCode, dayFrom, dayTo]),
    run<Of<typeof StatementLine>>(tx, { sql: STATEMENT }, [...filter, limit, (current - 1) * limit]),
  ])
  const side = before!.normal === AccountSide.debit ? 1 : -1
  const openingFen = (0 + before!.fen * side) as Fen
  const { debitFen, creditFen, n } = within!
  return {
    openingFen,
    debitFen,
    creditFen,
    total: n,
    closingFen: (openingFen + (debitFen - creditFen) * side) as Fen,
    records: records.map((line) => ({ ...line, balanceFen: (openingFen + line.balanceFen * side) as Fen })),
  }
}
const OPENING = `select a.normal, coalesce((select sum(d.debit_fen - d.credit_fen) from ledger.daily d where d.enterprise_id = scope_enterprise() and d.account = $1
    and ($2::text is null or d.sub = $2) and ($3::text is null or d.park_code = $3) and d.day < $4), 0)::bigint as fen from ledger.account a where a.code = $1`
const WITHIN = `select coalesce(sum(d.debit_fen), 0)::bigint as debit_fen, coalesce(sum(d.credit_fen), 0)::bigint as credit_fen, coalesce(sum(d.debits + d.credits), 0)::integer as n
  from ledger.daily d where d.enterprise_id = scope_enterprise() and d.account = $1 and ($2::text is null or d.sub = $2) and ($3::text is null or d.park_code = $3) and d.day between $4 and $5`
const STATEMENT = `select l.entry_id, l.seq, l.at, l.day, l.park_code, l.account, l.sub, l.debit_fen, l.credit_fen, l.balance_fen, e.biz_type, e.biz_no, e.about, e.memo
  from (select l.*, (sum(l.debit_fen - l.credit_fen) over (order by l.at, l.entry_id, l.seq))::bigint as balance_fen from ledger.line l
    where l.enterprise_id = scope_enterprise() and l.account = $1 and ($2::text is null or l.sub = $2) and ($3::text is null or l.park_code = $3)
      and l.at >= ($4::date)::timestamp at time zone 'Asia/Shanghai' and l.at < ($5::date)::timestamp at time zone 'Asia/Shanghai' + interval '1 day'
      and ($6::text[] is null or l.park_code = any ($6))
    order by l.at, l.entry_id, l.seq limit $7 offset $8) l
  join ledger.entry e on e.enterprise_id = scope_enterprise() and e.id = l.entry_id and e.at = l.at order by l.at, l.entry_id, l.seq`

/** Rebuilds every balance from the lines and compares it with what is kept. `differences` is empty when all is right. */
export async function replay(tx: Tx): Promise<Of<typeof account.replay.reply>> {
  const [[counted], differences] = await Promise.all([
    run<{ entries: number; lines: number }>(
      tx,
      {
        sql: 'select count(distinct entry_id)::integer as entries, count(*)::integer as lines from ledger.line where enterprise_id = scope_enterprise()',
      },
      [],
    ),
    run<Of<typeof Difference>>(
      tx,
      { sql: `select what, account, sub, park_code, kept_fen, replayed_fen from ledger.replay() limit ${DIFFERENCES_MAX}` },
      [],
    ),
  ])
  return { ...counted!, right: differences.length === 0, differences }
}
/** More are not worth reading: something is broken. */
const DIFFERENCES_MAX = 200

/** Every line of the entries that belong to one number, in the order of the events. */
export const linesAbout = (tx: Tx, about: string): Promise<Of<typeof NamedLine>[]> =>
  named(
    tx,
    run<Of<typeof Line>>(
      tx,
      {
        sql: `select l.entry_id, l.seq, l.at, l.day, l.park_code, l.account, l.sub, l.debit_fen, l.credit_fen, e.biz_type, e.biz_no, e.about, e.memo
          from ledger.entry e join ledger.line l on l.enterprise_id = e.enterprise_id and l.entry_id = e.id and l.at = e.at
          where e.enterprise_id = scope_enterprise() and e.about = $1 order by e.at, e.id, l.seq limit 500`,
      },
      [about],
    ),
  )
