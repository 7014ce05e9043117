import type { Day, Instant, Of } from '../../../../platform/contract/field.ts'
import { dayBy, dayOf } from '../../../../platform/contract/time.ts'
import { enterpriseOf, run, type Tx } from '../../../../platform/server/database.ts'
import { addJob, type Task, task } from '../../../../platform/server/job/jobs.ts'
import { page } from '../../../../platform/server/page.ts'
import { phased, serve } from '../../../../platform/server/serve.ts'
import { exporting } from '../../../../platform/server/sheets/exporting.ts'
import { CheckState, type CheckSum, liquidation } from '../../contract/liquidation.ts'
import { CHANNELS, PayMethod } from '../../contract/payment.ts'
import { RefundState } from '../../contract/refund.ts'
import { providerOf } from '../pay/provider.ts'
import { additionPage, additions, apply, decideAddition } from './addition.ts'
import { askReopen, closeDay, compareDay, compareLate, decideReopen, uncleared } from './closing.ts'
import { DayClosed, details, lockTotal, type OfDay, recount, takeFile, totals } from './day.ts'
import { assign, decide, settle } from './differences.ts'
import { doubles, handlers, handOver, take } from './doubles.ts'
import { tradesOf } from './files.ts'
import { SYSTEM } from '../../../../platform/contract/said.ts'

/** The catalogue's names of a range of days, beside the list's own. */
const ranged = <T extends { dateFrom?: Day; dateTo?: Day; checkDateFrom?: Day; checkDateTo?: Day }>({ dateFrom, dateTo, ...rest }: T) => ({
  ...rest,
  ...(dateFrom && { checkDateFrom: dateFrom }),
  ...(dateTo && { checkDateTo: dateTo }),
})

export const liquidationCalls = serve(liquidation, {
  totals: ({ tx, input }) => page(tx, totals, ranged(input)),
  statistics: ({ tx, input }) => sumOf(tx, ranged(input)),
  details: ({ tx, input }) => page(tx, details, input),
  additions: ({ tx, input }) => additionPage(tx, input),
  doubles: ({ tx, input }) => page(tx, doubles, input),
  doubleExport: exporting(liquidation.doubleExport, doubles),
  doubleTake: ({ tx, input, actor, at }) => take(tx, input, actor, at),
  doubleHandOver: ({ tx, input, actor, at }) => handOver(tx, input, actor, at),
  doublePeople: ({ tx }) => handlers(tx),
  totalExport: exporting(liquidation.totalExport, async ({ tx, input }) => page(tx, totals, ranged(input))),
  detailExport: exporting(liquidation.detailExport, details),
  additionExport: exporting(liquidation.additionExport, additions),
  importFile: phased(async ({ input: { file, checkDate, channel }, actor, at, write }) => {
    const read = await tradesOf(channel, file.bytes)
    return write((tx) =>
      takeFile(tx, { checkDate, channel, file: read, fileName: file.name, importedName: actor.userName, mchId: merchantOf(actor.enterprise), at }),
    )
  }),
  async fetch({ tx, input }) {
    if ((await run(tx, { sql: CLOSED }, [input.checkDate, input.channel])).length > 0) throw DayClosed({ checkDate: input.checkDate })
    await addJob(tx, fetching, input, { key: `${fetching.name}:${input.channel}:${input.checkDate}` })
  },
  assign: ({ tx, input, actor, at }) => assign(tx, input, actor, at),
  settle: ({ tx, input, actor, at }) => settle(tx, input, actor, at),
  settleDecide: ({ tx, input, actor, at }) => decide(tx, input, actor, at),
  additionApply: ({ tx, input, actor, at }) => apply(tx, input, actor, at),
  additionDecide: ({ tx, input, actor, at }) => decideAddition(tx, input, actor, at),
  compareDay: ({ tx, input, at }) => compareDay(tx, input, at),
  uncleared: ({ tx, input }) => uncleared(tx, input),
  closeDay: phased(({ input, actor, at, write }) => closeDay(write, input, actor, at)),
  reopenDay: ({ tx, input: { reason, ...which }, actor, at }) => askReopen(tx, which, reason, actor, at),
  reopenDecide: ({ tx, input: { pass, ...which }, actor, at }) => decideReopen(tx, which, pass, actor, at),
})
const CLOSED = `select id from settlement.check_total where enterprise_id = scope_enterprise() and check_date = $1 and channel = $2 and state = ${CheckState.closed}`
const merchantOf = (enterprise: number) => `kerbline-${enterprise}`

async function sumOf(tx: Tx, input: Of<typeof liquidation.totals.input>): Promise<Of<typeof CheckSum>> {
  const count = (only: object) => page(tx, totals, { ...input, ...only, queryMode: 'total' })
  const of = (state: 0 | 1) => (input.state && !input.state.includes(state) ? { total: 0 } : count({ state: [state] }))
  const [{ sums }, all, awaited, differs] = await Promise.all([
    page(tx, totals, { ...input, queryMode: 'sum' }),
    count({}),
    of(CheckState.awaited),
    of(CheckState.differs),
  ])
  return { ...(sums as object), days: all.total, awaited: awaited.total, differs: differs.total } as Of<typeof CheckSum>
}

/** Asks a channel for its file of a day. A day whose file cannot be used stays 待文件. */
const fetching = task<OfDay>('settlement.check-fetch', async ({ tx, data, at, house }) => {
  const merchant = enterpriseOf(tx)
  const bytes = await providerOf(data.channel).dayFile?.({ merchant, ...data })
  if (!bytes) return
  const file = await tradesOf(data.channel, bytes)
  await house.writing(merchant, fetching.name, (own) =>
    takeFile(own, { ...data, file, fileName: `${data.channel}_${data.checkDate}`, importedName: SYSTEM, mchId: merchantOf(merchant), at }),
  )
})
const late = task<Pick<OfDay, 'channel'>>('settlement.check-late', ({ tx, data, at }) => compareLate(tx, data.channel, at))
/** At 10:30 of the city every day of a channel that has money and no file is asked for, and what was heard of too late for its own day looked for. */
const daily = task('settlement.check-day', async ({ tx, at }) => askForFiles(tx, at), { every: '30 2 * * *' })
const BACK_DAYS = 10
export async function askForFiles(tx: Tx, at: Instant): Promise<void> {
  for (const one of await awaitFiles(tx, at)) {
    // The issuers' files come by hand: see `etc` in domains/arrears.
    if (one.channel !== CHANNELS[PayMethod.etc]) await addJob(tx, fetching, one, { key: `${fetching.name}:${one.channel}:${one.checkDate}` })
  }
  for (const one of await run<{ channel: string }>(tx, { sql: HAS_CLOSED }, [])) await addJob(tx, late, one, { key: `${late.name}:${one.channel}` })
}
/** From midnight on yesterday stands there with what we have of it, and waits for its file, from the channel or a person. */
const midnight = task('settlement.check-await', async ({ tx, at }) => void (await awaitFiles(tx, at)), { every: '0 16 * * *' })
export async function awaitFiles(tx: Tx, at: Instant): Promise<OfDay[]> {
  const today = dayOf(at)
  const days = await run<OfDay>(tx, { sql: WITHOUT }, [dayBy(today, -BACK_DAYS), dayBy(today, -1)])
  for (const one of days) {
    await lockTotal(tx, one)
    await recount(tx, one, at)
  }
  return days
}
const HAS_CLOSED = `select distinct channel from settlement.check_total where enterprise_id = scope_enterprise() and state = ${CheckState.closed}`
const MOVED = `select p.channel, (p.paid_at at time zone 'Asia/Shanghai')::date as day, p.paid_at as at from settlement.payment p where p.enterprise_id = scope_enterprise() and p.trade_no is not null
  union all select p.channel, (f.finished_at at time zone 'Asia/Shanghai')::date, f.finished_at from settlement.refund f
    join settlement.payment p on p.enterprise_id = f.enterprise_id and p.id = f.payment_id where f.enterprise_id = scope_enterprise() and f.state = ${RefundState.done}`
const WITHOUT = `select check_date, channel from settlement.check_total where enterprise_id = scope_enterprise() and digest is null and check_date between $1 and $2
  union select m.day, m.channel from (${MOVED}) m
  where m.channel not in ('cash', 'stored', 'coupon', 'points', 'other')
    and m.at >= $1::date::timestamp at time zone 'Asia/Shanghai' and m.at < ($2::date + 1)::timestamp at time zone 'Asia/Shanghai'
    and not exists (select from settlement.check_total t where t.enterprise_id = scope_enterprise() and t.channel = m.channel and t.check_date = m.day and t.digest is not null)
  order by 1, 2`
export const checkTasks: Task[] = [fetching, late, midnight, daily]
