import { run, type Tx } from '../../../platform/server/database.ts'
import type { SubAccount, SubName } from '../../ledger/server/api.ts'
import { methodOf, PayMethod } from '../contract/payment.ts'

/** Names the ledger's sub-accounts of money: a till by its shift, money in transit by its channel. */
export async function subNamesOf(tx: Tx, subs: readonly SubAccount[]): Promise<SubName[]> {
  const tills = subs.filter(({ account }) => account === 'asset.cash')
  return [...(tills.length > 0 ? await tillNames(tx, tills) : []), ...subs.filter(({ account }) => BY_CHANNEL.has(account)).map(channelName)]
}
const BY_CHANNEL = new Set(['asset.channel', 'asset.bank', 'expense.channel-fee', 'clearing.duplicate', 'clearing.over-short'])

async function tillNames(tx: Tx, tills: readonly SubAccount[]): Promise<SubName[]> {
  const shifts = await run<{ id: string; shiftNo: string; personName: string }>(
    tx,
    { sql: 'select id, shift_no, person_name from settlement.shift where enterprise_id = scope_enterprise() and id::text = any($1)' },
    [tills.map(({ sub }) => sub)],
  )
  return shifts.map(({ id, shiftNo, personName }) => {
    const name = `${personName} ${shiftNo}`
    return { account: 'asset.cash', sub: id, zh: name, en: name }
  })
}

const channelName = ({ account, sub }: SubAccount): SubName => {
  const [zh, en] = PayMethod.entries[methodOf(sub)]
  return { account, sub, zh, en }
}
