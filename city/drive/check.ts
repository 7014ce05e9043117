import { account } from '../../domains/ledger/contract/account.ts'
import { park } from '../../domains/parking/contract/park.ts'
import { stay } from '../../domains/parking/contract/stay.ts'
import type { Instant } from '../../platform/contract/field.ts'
import type { Client } from '../client.ts'
import type { DrivenPark } from './world.ts'

export interface Snapshot {
  at: Instant
  /** What the payment channel has taken and given back, and what the ledger says lies there. */
  channelFen: number
  bookedFen: number
}
const SANDBOX = ['wechat', 'alipay', 'unionpay', 'ecny']

export async function snapshot(client: Client, pay: string): Promise<Snapshot> {
  const counts = (await (await fetch(`${pay}/counts`)).json()) as { paidFen: number; refundedFen: number }
  const { accounts } = await client.ask(account.trialBalance, {})
  const booked = accounts.filter((one) => one.account === 'asset.channel' && SANDBOX.includes(one.sub ?? ''))
  return {
    at: new Date().toISOString() as Instant,
    channelFen: counts.paidFen - counts.refundedFen,
    bookedFen: booked.reduce((sum, { debitFen, creditFen }) => sum + debitFen - creditFen, 0),
  }
}

/** Do the platform, the barriers and the ledger tell the same story? Each line says what was compared; those that differ are failures. */
export async function compare(
  client: Client,
  parks: readonly DrivenPark[],
  before: Snapshot,
  pay: string,
): Promise<{ what: string; right: boolean }[]> {
  const after = await snapshot(client, pay)
  const lines: { what: string; right: boolean }[] = []
  const same = (what: string, platform: number, other: number) => lines.push({ what: `${what}: ${platform} / ${other}`, right: platform === other })
  for (const { plan, entries, exits } of parks) {
    const total = async (criteria: object) =>
      (await client.ask(stay.queryPage, { parkCode: plan.parkCode, queryMode: 'total', ...criteria } as never)).total
    const passed = (lanes: typeof entries) => lanes.reduce((sum, one) => sum + one.passed, 0)
    same(`${plan.parkCode} stays begun / cars through the entrances`, await total({ entryTimeFrom: before.at }), passed(entries))
    same(`${plan.parkCode} stays ended / cars through the exits`, await total({ exitTimeFrom: before.at, status: [3] }), passed(exits))
    const { presentCount } = await client.ask(park.queryDetail, { parkCode: plan.parkCode as never })
    same(`${plan.parkCode} present by count / by list`, presentCount, await total({ status: [1, 2] }))
  }
  same('Fen in the channel by the ledger / by the channel', after.bookedFen - before.bookedFen, after.channelFen - before.channelFen)
  const { right, differences } = await client.ask(account.replay, {})
  lines.push({ what: `Replay of the ledger: ${differences.length} differences`, right })
  return lines
}
