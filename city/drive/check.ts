import { record } from '../../domains/arrears/contract/record.ts'
import { account } from '../../domains/ledger/contract/account.ts'
import { park } from '../../domains/parking/contract/park.ts'
import { stay, SessionStatus } from '../../domains/parking/contract/stay.ts'
import { order } from '../../domains/settlement/contract/order.ts'
import { refund, RefundState } from '../../domains/settlement/contract/refund.ts'
import { report } from '../../domains/settlement/contract/report.ts'
import type { Call } from '../../platform/contract/call.ts'
import type { Instant } from '../../platform/contract/field.ts'
import type { Client } from '../client.ts'
import { pause } from './world.ts'
import type { DrivenPark } from './world.ts'

export interface Snapshot {
  at: Instant
  /** The same at the issuer of ETC cards. */
  issuerFen: number
  etcFen: number
  /** The payment channel's takings less its refunds, and the ledger's balance of the channel, both in fen. */
  channelFen: number
  bookedFen: number
}
const SANDBOX = ['wechat', 'alipay', 'unionpay', 'ecny']

/** A refund is at its channel for seconds; what is on its way longer is lost, and the books will not agree. */
const BACK_WITHIN_MS = 60_000
const LOOK_MS = 500

/** Both sides of one moment: a refund that one of them has told of and the other has not heard of would stand in every comparison from then on. */
export async function snapshot(client: Client, pay: string, issuer: string): Promise<Snapshot> {
  for (const end = Date.now() + BACK_WITHIN_MS; ; await pause(LOOK_MS)) {
    const outside = await countsOf(pay, issuer)
    const still = !(await isOnItsWay(client))
    const booked = await bookedNow(client)
    if ((still && sameFen(outside, await countsOf(pay, issuer))) || Date.now() > end)
      return { at: new Date().toISOString() as Instant, ...outside, ...booked }
  }
}
type Outside = Pick<Snapshot, 'channelFen' | 'issuerFen'>
async function countsOf(pay: string, issuer: string): Promise<Outside> {
  const counts = (await (await fetch(`${pay}/counts`)).json()) as { paidFen: number; refundedFen: number }
  const cards = (await (await fetch(`${issuer}/counts`)).json()) as { takenFen: number; refundedFen: number }
  return { channelFen: counts.paidFen - counts.refundedFen, issuerFen: cards.takenFen - cards.refundedFen }
}
const sameFen = (one: Outside, other: Outside) => one.channelFen === other.channelFen && one.issuerFen === other.issuerFen
async function bookedNow(client: Client): Promise<Pick<Snapshot, 'bookedFen' | 'etcFen'>> {
  const channels = (await client.ask(account.trialBalance, {})).accounts.filter((one) => one.account === 'asset.channel')
  const sumOf = (subs: readonly string[]) =>
    channels.reduce((sum, { sub, debitFen, creditFen }) => sum + (subs.includes(sub ?? '') ? debitFen - creditFen : 0), 0)
  return { bookedFen: sumOf(SANDBOX), etcFen: sumOf(['etc']) }
}
/** Of what was agreed to, cash waits at the counter for as long as it takes. */
async function isOnItsWay(client: Client): Promise<boolean> {
  const { records } = await client.ask(refund.list, { state: [RefundState.approved, RefundState.sending] })
  for (const { state, orderId, paymentId } of records) {
    if (state === RefundState.sending) return true
    const { payments } = await client.ask(order.info, { id: orderId })
    if (payments.find(({ id }) => id === paymentId)?.channel !== 'cash') return true
  }
  return false
}

/** Do the platform, the barriers and the ledger tell the same story? Each line says what was compared; those that differ are failures. */
export async function compare(
  client: Client,
  parks: readonly DrivenPark[],
  before: Snapshot,
  { pay, issuer }: { pay: string; issuer: string },
): Promise<{ what: string; right: boolean }[]> {
  const after = await snapshot(client, pay, issuer)
  const lines: { what: string; right: boolean }[] = []
  const same = (what: string, platform: number, other: number) => lines.push({ what: `${what}: ${platform} / ${other}`, right: platform === other })
  for (const { plan, entries, exits } of parks) {
    const total = async (criteria: object) =>
      (await client.ask(stay.queryPage, { parkCode: plan.parkCode, queryMode: 'total', ...criteria } as never)).total
    const passed = (lanes: typeof entries) => lanes.reduce((sum, one) => sum + one.passed, 0)
    same(`${plan.parkCode} stays begun / cars through the entrances`, await total({ entryTimeFrom: before.at }), passed(entries))
    same(
      `${plan.parkCode} stays ended / cars through the exits`,
      await total({ exitTimeFrom: before.at, status: [SessionStatus.left] }),
      passed(exits),
    )
    const { presentCount } = await client.ask(park.queryDetail, { parkCode: plan.parkCode as never })
    same(`${plan.parkCode} present by count / by list`, presentCount, await total({ status: [SessionStatus.present, SessionStatus.leaving] }))
  }
  same('Fen in the channel by the ledger / by the channel', after.bookedFen - before.bookedFen, after.channelFen - before.channelFen)
  same('Fen of ETC by the ledger / by the issuer', after.etcFen - before.etcFen, after.issuerFen - before.issuerFen)
  for (const line of await identities(client)) lines.push(line)
  const { right, differences } = await client.ask(account.replay, {})
  lines.push({ what: `Replay of the ledger: ${differences.length} differences`, right })
  return lines
}

/** Checks that the books agree whatever was played: by park, by day and by way of paying the same, and every fen of a debt in one place. */
async function identities(client: Client): Promise<{ what: string; right: boolean }[]> {
  const whole = await client.ask(report.sum, {})
  const [days, parks, methods] = await Promise.all([
    everyRow(client, report.temporaryStop),
    everyRow(client, report.parks),
    everyRow(client, report.methods),
  ])
  const debts = await client.ask(record.summary, {})
  const { accounts } = await client.ask(account.trialBalance, {})
  const receivable = accounts.filter((one) => one.account === 'asset.arrears').reduce((sum, { debitFen, creditFen }) => sum + debitFen - creditFen, 0)
  const sum = <K extends string>(rows: readonly Record<K, number>[], name: K) => rows.reduce((all, row) => all + row[name], 0)
  const same = (what: string, one: number, ...others: number[]) => ({
    what: `${what}: ${[one, ...others].join(' / ')}`,
    right: others.every((other) => other === one),
  })
  return [
    same(
      'Receivable / paid + discount + waived + arrears',
      whole.receivableFen,
      whole.paidFen + whole.discountFen + whole.waivedFen + whole.arrearsFen,
    ),
    same('Paid in all / by day / by park / by way', whole.paidFen, sum(days, 'paidFen'), sum(parks, 'paidFen'), sum(methods, 'paidFen')),
    same('Refunded in all / by day / by park / by way', whole.refundFen, sum(days, 'refundFen'), sum(parks, 'refundFen'), sum(methods, 'refundFen')),
    same(
      'Debts / repaid + waived + written off + revoked + owed',
      debts.amountFen,
      debts.paidFen + debts.waivedFen + debts.writtenOffFen + debts.revokedFen + debts.owedFen,
    ),
    same('Owed by the files / by the ledger', debts.owedFen, receivable),
  ]
}

const PAGE = 500
async function everyRow<Row>(client: Client, list: Call<any, { records: Row[] }>): Promise<Row[]> {
  const rows: Row[] = []
  for (let current = 1; ; current++) {
    const { records } = await client.ask(list, { current, limit: PAGE })
    rows.push(...records)
    if (records.length < PAGE) return rows
  }
}
