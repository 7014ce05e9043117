import type { Day, Instant, Of } from '../../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt, msOf, startOf } from '../../../platform/contract/time.ts'
import { parksOf, run, type Tx } from '../../../platform/server/database.ts'
import { task } from '../../../platform/server/job/jobs.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { post } from '../../ledger/server/api.ts'
import {
  checkSearch,
  Closing,
  Difference,
  differenceCan,
  DifferenceKind,
  differenceSearch,
  Direction,
  PartnerBill,
  partnerBillSearch,
  PartnerCheck,
  Statement,
  statement,
  statementCan,
  StatementRow,
  statementSearch,
  StatementState,
} from '../contract/statement.ts'
import { BillKind } from '../contract/money.ts'
import { ChargeStatus } from '../contract/session.ts'
import { PARK_OF_ALL } from '../contract/units.ts'
import { SelfApproval } from '../../settlement/server/api.ts'
import { adjust } from './bill.ts'
import { lockWithMoney } from './hold.ts'
import { adjustRoaming, billsOf, noted } from './roaming/bill.ts'
import { type RoamingCharge, roamingBySeq } from './roaming/charge.ts'
import { askDay, askYesterday, followDifferences } from './partnerCheck.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'

type Row = Of<typeof Statement>
type Shown = Of<typeof Difference>
type Person = { userId: string; userName: string }
const OwnSending = refusal(
  'charging.statement-own',
  41393,
  '发出人不能确认自己的对账单，请由他人确认',
  'The person who sent a statement cannot confirm it: ask somebody else',
  422,
)
const StillOpen = refusal(
  'charging.statement-open',
  41394,
  '还有 {count} 笔差异未处理，处理后才能确认',
  '{count:difference} still open: close them before confirming',
  422,
)
const AllParks = refusal(
  'charging.statement-all-parks',
  41395,
  '对账单涉及全部车场，请由有全部车场权限的人员办理',
  'A statement covers all car parks: it needs somebody who may see all car parks',
  403,
)
const NoCharge = refusal(
  'charging.difference-no-charge',
  41396,
  '我方没有该订单，不能按对方出账；请驳回或与对方核对',
  'We have no such session, so their figure cannot be billed: reject it, or check it with the partner',
  422,
)
const NoFigure = refusal(
  'charging.difference-no-figure',
  41397,
  '对方没有给出金额，请先与对方核实',
  'The partner gave no amount: check with them first',
  422,
)
const NotOver = refusal('charging.check-not-over', 41398, '只能对已结束的日期对账', 'Only a past day can be checked', 422)

const statements = listOver(Statement, 'charging.statementShown', statementSearch, { sums: ['orders', 'netFen'] })
const rows = listOver(StatementRow, 'charging.statement', statementSearch)
const differences = listOver(Difference, 'charging.partnerDifference', differenceSearch)
const checks = listOver(PartnerCheck, 'charging.partnerCheck', checkSearch)
const bills = listOver(PartnerBill, 'charging.partnerBill', partnerBillSearch, { sums: ['elecFen', 'serviceFen', 'adjustFen', 'partnerFen'] })

export const calls = serve(statement, {
  query: ({ tx, input }) => page(tx, statements, input),
  exportMonths: exporting(statement.exportMonths, statements),
  bills: ({ tx, input }) => page(tx, bills, input),
  export: exporting(statement.export, bills),
  checks: ({ tx, input }) => page(tx, checks, input),
  exportChecks: exporting(statement.exportChecks, checks),
  differences: ({ tx, input }) => page(tx, differences, input),
  exportDifferences: exporting(statement.exportDifferences, differences),
  async check({ tx, input: { platformId, day }, at }) {
    ofAllParks(tx)
    if (day >= dayOf(at)) throw NotOver()
    const [known] = await run(
      tx,
      { sql: 'select 1 from charging.platform where enterprise_id = scope_enterprise() and id = $1 and not deleted and not built_in' },
      [platformId],
    )
    if (!known) throw NotFound()
    const [{ askedBefore }] = (await run<{ askedBefore: number }>(tx, { sql: ASKED }, [platformId, day])) as [{ askedBefore: number }]
    return { count: await askDay(tx, platformId, day, at), askedBefore }
  },
  settleDifference: ({ tx, input, actor, at }) => settleDifference(tx, input, actor, at),
  decideDifference: ({ tx, input, actor, at }) => decideDifference(tx, input, actor, at),
  async send({ tx, input, actor, at }) {
    const found = await moving(tx, input, 'send')
    await setRow(tx, rows, found, { state: StatementState.sent, sentAt: at, senderId: actor.userId, senderName: actor.userName }, at)
    await followDifferences(tx, found, at)
    return shown(tx, found.id)
  },
  async confirm({ tx, input, actor, at }) {
    const found = await locked(tx, input)
    if (found.state === StatementState.differing) throw StillOpen({ count: (await shown(tx, found.id)).openDifferences })
    if (statementCan.confirm(found.state) === undefined) throw IllegalMove({ state: found.state })
    if (found.senderId === (actor.userId as string)) throw OwnSending()
    await bookSplit(tx, found, at)
    await setRow(tx, rows, found, { state: StatementState.confirmed, confirmedAt: at, confirmerName: actor.userName }, at)
    return shown(tx, found.id)
  },
  async settle({ tx, input: { tradeNo, ...which }, actor, at }) {
    const found = await moving(tx, which, 'settle')
    await bookPaid(tx, found, at)
    await setRow(tx, rows, found, { state: StatementState.settled, settledAt: at, settlerName: actor.userName, tradeNo }, at)
    return shown(tx, found.id)
  },
})

const ASKED =
  'select coalesce(sum(order_count), 0)::int as asked_before from charging.partner_check where enterprise_id = scope_enterprise() and platform_id = $1 and day = $2'

const ofAllParks = (tx: Tx): void => {
  if (parksOf(tx) !== null) throw AllParks()
}
/** A statement, held; its bills lie in every park. */
async function locked(tx: Tx, which: { id: string; version: number }): Promise<Of<typeof StatementRow>> {
  ofAllParks(tx)
  return lockRow(tx, rows, which)
}
async function moving(tx: Tx, which: { id: string; version: number }, verb: keyof typeof statementCan): Promise<Of<typeof StatementRow>> {
  const found = await locked(tx, which)
  if (statementCan[verb](found.state) === undefined) throw IllegalMove({ state: found.state })
  return found
}
async function shown(tx: Tx, id: string): Promise<Row> {
  const found = await find(tx, statements, id)
  if (!found) throw NotFound()
  return found
}

/** Ours stands and nothing is done; theirs waits for another person; or it is looked at again next month. */
async function settleDifference(
  tx: Tx,
  { id, version, closing, reason }: Of<typeof statement.settleDifference.input>,
  { userId, userName }: Person,
  at: Instant,
): Promise<Shown> {
  const found = await lockRow(tx, differences, { id, version })
  const state = closing === Closing.nextMonth ? move(found, 'carry') : closing === Closing.ours ? move(found, 'keep') : move(found, 'submit')
  if (closing === Closing.theirs) wantedOf(found)
  const changes =
    closing === Closing.nextMonth
      ? { month: after(found.month) }
      : closing === Closing.ours
        ? { closedAt: at, closedBy: userName }
        : { submitterId: userId, submitterName: userName }
  const made = await setRow(tx, differences, found, { state, reason, ...changes }, at)
  await followDifferences(tx, found, at)
  await followDifferences(tx, made, at)
  return made
}
/** With the yes of another than who submitted it theirs stands, by an adjusting bill of today. */
async function decideDifference(
  tx: Tx,
  { id, version, pass, verdict }: Of<typeof statement.decideDifference.input>,
  { userId, userName }: Person,
  at: Instant,
): Promise<Shown> {
  const found = await lockRow(tx, differences, { id, version })
  const state = move(found, pass ? 'confirm' : 'giveBack')
  if (found.submitterId === userId) throw SelfApproval()
  const reason = noted(found.reason, verdict)
  if (!pass) return setRow(tx, differences, found, { state, reason, submitterId: null, submitterName: null }, at)
  const billNo = await billTheirs(tx, found, Said.reconciled({ why: found.reason ?? '' }), found.submitterName!, at)
  const made = await setRow(tx, differences, found, { state, reason, billNo, closedAt: at, closedBy: userName }, at)
  await followDifferences(tx, made, at)
  return made
}
function move({ state }: Shown, verb: keyof typeof differenceCan) {
  const next = differenceCan[verb](state)
  if (next === undefined) throw IllegalMove({ state })
  return next
}
const after = (month: string): string => dayOf(instantAt(msOf(startOf(`${month}-28` as Day)) + 4 * DAY_MS)).slice(0, 7)

/** What they say that it cost. @throws NoCharge where we have none to bill it to, NoFigure */
function wantedOf({ orderNo, kind, theirFen }: Shown): number {
  if (!orderNo) throw NoCharge()
  const wanted = theirFen ?? (kind === DifferenceKind.missingThere ? 0 : undefined)
  if (wanted === undefined) throw NoFigure()
  return wanted
}
/** What they have and we billed are made one. @returns the bill's number, or none where the money was the same */
async function billTheirs(tx: Tx, difference: Shown, reason: string, byName: string, at: Instant): Promise<string | null> {
  const { direction, platformId, startChargeSeq } = difference
  const [wanted, orderNo] = [wantedOf(difference), difference.orderNo!]
  if (direction === Direction.payable) return oweTheirs(tx, (await roamingBySeq(tx, platformId, startChargeSeq))!, wanted, reason, at)
  const charge = await lockWithMoney(tx, orderNo)
  if (charge.status !== ChargeStatus.done) throw IllegalMove({ status: charge.status })
  const [{ fen }] = (await run<{ fen: number }>(tx, { sql: BILLED }, [orderNo])) as [{ fen: number }]
  return wanted === fen ? null : (await adjust(tx, charge, wanted - fen, reason, at, { byName })).billNo
}
/** Of a charge of our driver at theirs it is what we owe that is made one. */
async function oweTheirs(tx: Tx, charge: RoamingCharge, wantedFen: number, reason: string, at: Instant): Promise<string | null> {
  if (charge.status !== ChargeStatus.done) throw IllegalMove({ status: charge.status })
  const owedFen = (await billsOf(tx, charge.orderNo)).reduce((sum, { elecFen, serviceFen, adjustFen }) => sum + elecFen + serviceFen + adjustFen, 0)
  return wantedFen === owedFen ? null : (await adjustRoaming(tx, charge, wantedFen - owedFen, reason, at)).billNo
}
const BILLED = `select coalesce(sum(payable_fen), 0)::bigint as fen from charging.bill where enterprise_id = scope_enterprise() and order_no = $1`

type OfPark = { parkCode: string; grossFen: number; splitFen: number }
const onDebit = (account: 'asset.bank' | 'asset.partner' | 'liability.partner', sub: string, fen: number) =>
  fen < 0 ? { account, sub, creditFen: -fen } : { account, sub, debitFen: fen }

/** What the platform keeps of the service fee is owed to it until the month is paid. */
async function bookSplit(
  tx: Tx,
  { id, statementNo, platformId, direction, splitPermille, month }: Of<typeof StatementRow>,
  at: Instant,
): Promise<void> {
  if (direction === Direction.payable) return // all of it has been owed since each bill
  for (const { parkCode, splitFen } of await ofParks(tx, platformId, month, splitPermille))
    await post(tx, {
      bizType: 'charge.split',
      bizNo: statementNo,
      eventId: `statement-split:${id}:${parkCode}`,
      at,
      parkCode,
      business: 'charging',
      lines: [
        { account: 'expense.partner-split', sub: subOf(platformId), debitFen: splitFen },
        { account: 'liability.partner', sub: subOf(platformId), creditFen: splitFen },
      ],
    })
}
/** What the platform owes for the month, less its share, came into the bank; or what we owe it went out. */
async function bookPaid(
  tx: Tx,
  { id, statementNo, platformId, direction, splitPermille, month, netFen }: Of<typeof StatementRow>,
  at: Instant,
): Promise<void> {
  if (direction === Direction.payable)
    return void (await post(tx, {
      bizType: 'charge.roaming-paid',
      bizNo: statementNo,
      eventId: `statement-paid:${id}`,
      at,
      parkCode: PARK_OF_ALL,
      business: 'charging',
      lines: [onDebit('liability.partner', subOf(platformId), netFen), onDebit('asset.bank', 'partner', -netFen)],
    }))
  for (const { parkCode, grossFen, splitFen } of await ofParks(tx, platformId, month, splitPermille))
    await post(tx, {
      bizType: 'charge.partner-paid',
      bizNo: statementNo,
      eventId: `statement-paid:${id}:${parkCode}`,
      at,
      parkCode,
      business: 'charging',
      lines: [
        onDebit('asset.bank', 'partner', grossFen - splitFen),
        onDebit('liability.partner', subOf(platformId), splitFen),
        onDebit('asset.partner', subOf(platformId), -grossFen),
      ],
    })
}
const subOf = (platformId: string) => `platform:${platformId}`
const edges = (month: string): [Instant, Instant] => [startOf(`${month}-01` as Day), startOf(`${after(month)}-01` as Day)]
const ofParks = (tx: Tx, platformId: string, month: string, splitPermille: number): Promise<OfPark[]> =>
  run(tx, { sql: `select park_code, (elec_fen + service_fen + adjust_fen)::bigint as gross_fen, split_fen from (${PARKS}) x order by park_code` }, [
    ...edges(month),
    platformId,
    splitPermille,
  ])
/** A month by parks: the share is rounded in each, and the statement is their sum. */
const PARKS = `select b.platform_id, b.park_code, count(*) filter (where b.kind = ${BillKind.charge}) as orders, sum(b.energy_wh) as energy_wh, sum(b.elec_fen) as elec_fen,
    sum(b.service_fen) as service_fen, sum(b.adjust_fen) as adjust_fen, floor((sum(b.service_fen) * coalesce($4::int, p.split_permille) + 500) / 1000)::bigint as split_fen
  from charging.partner_bill b join charging.platform p on p.enterprise_id = b.enterprise_id and p.id = b.platform_id
  where b.enterprise_id = scope_enterprise() and b.final_at >= $1 and b.final_at < $2 and ($3::uuid is null or b.platform_id = $3) group by b.platform_id, b.park_code, p.split_permille`

/** On its first day the month before becomes a statement of each partner that charged; one that is there stays. */
export async function makeStatements(tx: Tx, month: string, at: Instant): Promise<void> {
  await run(tx, { sql: MAKE }, [...edges(month), null, null, month, at])
  await run(tx, { sql: MAKE_PAYABLE }, [...edges(month), month, at])
}
const MAKE = `insert into charging.statement (statement_no, platform_id, month, orders, energy_wh, elec_fen, service_fen, adjust_fen, split_permille, split_fen, created_at, updated_at)
  select platform.business_no('HL'), x.platform_id, $5, sum(x.orders), sum(x.energy_wh), sum(x.elec_fen), sum(x.service_fen), sum(x.adjust_fen), p.split_permille, sum(x.split_fen), $6, $6
  from (${PARKS}) x join charging.platform p on p.enterprise_id = scope_enterprise() and p.id = x.platform_id group by x.platform_id, p.split_permille
  on conflict (enterprise_id, platform_id, direction, month) do nothing`
const MAKE_PAYABLE = `insert into charging.statement (statement_no, platform_id, direction, month, orders, energy_wh, elec_fen, service_fen, adjust_fen, split_permille, split_fen, created_at, updated_at)
  select platform.business_no('HL'), platform_id, ${Direction.payable}, $3, count(*) filter (where kind = ${BillKind.charge}), sum(energy_wh), sum(elec_fen), sum(service_fen), sum(adjust_fen), 0, 0, $4, $4
  from charging.roaming_bill where enterprise_id = scope_enterprise() and final_at >= $1 and final_at < $2 group by platform_id
  on conflict (enterprise_id, platform_id, direction, month) do nothing`

/** Early in the morning: the day before is compared, and the month before is settled, also where the first of the month was slept through. */
export const statementTask = task(
  'charging.statements',
  async ({ tx, at }) => {
    await askYesterday(tx, at)
    await makeStatements(tx, dayOf(instantAt(msOf(startOf(`${dayOf(at).slice(0, 7)}-01` as Day)) - 1)).slice(0, 7), at)
  },
  { every: '10 17 * * *' },
)
