import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aTill, type Till, until } from '../../domains/settlement/server/testing.ts'
import { tally } from '../../scripts/tally.ts'
import { type Flow, type Outcome, SPENDERS, spendAtOnce } from './spend.ts'

/** `SPENDS=50` repeats each flow. */
const ROUNDS = Number(process.env['SPENDS'] ?? 1)
let till: Till
let owner: pg.Pool
beforeAll(async () => {
  till = await aTill()
  owner = new pg.Pool({ connectionString: till.server.ownerUrl, max: 10 })
})
afterAll(async () => {
  await owner.end()
  await till.close()
})

const keyed = () => ({ 'idempotency-key': randomUUID() })
/** A rule refuses in its own words. Where only the table's last wall (a CHECK) said no, the guard in front of it is gone. */
const outcomeOf = ({ status, code, message }: { status: number; code: number; message: string }): Outcome => {
  if (status === 200) return 'passed'
  if ((status === 409 || status === 422) && code !== 422) return 'refused'
  throw new Error(`A spend was answered with ${status}: ${message}`)
}

/** Checks that hold for the books after any spend. */
async function books(): Promise<string[]> {
  const { differences } = await till.replay()
  const one = async (sql: string) => (await owner.query<{ n: string }>(sql)).rows[0]!.n
  const unbalanced = await one(
    'select count(*)::int as n from (select entry_id from ledger.line group by entry_id having sum(debit_fen) <> sum(credit_fen)) e',
  )
  const refunds = await one(
    'select count(*)::int as n from settlement.payment where refund_fen + refunding_fen > received_fen or refund_fen < 0 or refunding_fen < 0',
  )
  const orders = await one('select count(*)::int as n from settlement.order where refund_fen + refunding_fen > paid_fen or paid_fen > payable_fen')
  return [
    ...(differences.length > 0 ? [`a replay of the ledger differs: ${JSON.stringify(differences).slice(0, 300)}`] : []),
    ...(Number(unbalanced) > 0 ? [`${unbalanced} entries do not sum to zero`] : []),
    ...(Number(refunds) > 0 ? [`${refunds} payments gave back more than came in`] : []),
    ...(Number(orders) > 0 ? [`${orders} orders gave back more than was paid, or took more than was due`] : []),
  ]
}

function inCash(): Flow {
  let id = ''
  return {
    name: 'one order, paid in cash',
    affordable: 1,
    setUp: async () => void (id = (await till.anOrder()).id),
    spend: async (i) => outcomeOf(await till.call(i % 2 ? till.operator : till.admin, '/order/cash', { id, amountFen: 1200 }, keyed())),
    async check() {
      const { paidFen, payments } = await till.story(id)
      return [...(paidFen === 1200 && payments.length === 1 ? [] : [`${payments.length} payments, ${paidFen} fen`]), ...(await books())]
    },
  }
}

/** Every notice is another trade of the same attempt: the first pays, all others are money that goes back. */
function byNotice(): Flow {
  let id = ''
  let payNo = ''
  let trades = 0
  return {
    name: 'one order, paid by notices of many trades',
    affordable: 1,
    async setUp() {
      const order = await till.anOrder()
      id = order.id
      payNo = (await till.startPaying(order)).payNo
      trades = 0
    },
    async spend(i) {
      const { status } = await till.notify({ payNo, amountFen: 1200, tradeNo: `T-${payNo}-${i}` })
      if (status !== 200) throw new Error(`A notice was answered with ${status}.`)
      const { rows } = await owner.query<{ state: number }>('select state from settlement.payment where order_id = $1 and trade_no = $2', [
        id,
        `T-${payNo}-${i}`,
      ])
      trades += rows.length
      return rows[0]?.state === 1 ? 'passed' : 'refused'
    },
    async check() {
      const { rows } = await owner.query<{ state: number; n: number }>(
        'select state, count(*)::int as n from settlement.payment where order_id = $1 group by 1 order by 1',
        [id],
      )
      const kept =
        JSON.stringify(rows) ===
          JSON.stringify([
            { state: 1, n: 1 },
            { state: 4, n: SPENDERS - 1 },
          ]) && trades === SPENDERS
      const { paidFen, refundFen } = await till.story(id)
      return [
        ...(kept ? [] : [`the trades are ${JSON.stringify(rows)}`]),
        ...(paidFen === 1200 && refundFen === 0 ? [] : [`paid ${paidFen}, refunded ${refundFen}`]),
        ...(await books()),
      ]
    },
  }
}

/** 300 fen of 20,000, two hundred times. */
function refunding(): Flow {
  const [paid, part] = [20_000, 300]
  let id = ''
  return {
    name: 'refunds of one paid order',
    affordable: Math.floor(paid / part),
    async setUp() {
      const order = await till.anOrder({ receivableFen: paid })
      id = order.id
      till.channel.channel.pay((await till.startPaying(order)).payNo)
      await until(
        () => till.story(id),
        ({ status }) => status === 2,
      )
    },
    spend: async (i) =>
      outcomeOf(await till.call(i % 2 ? till.operator : till.admin, '/orderRefund/apply', { orderId: id, amountFen: part, reason: '试' }, keyed())),
    async check() {
      const { refundingFen, refundFen } = await till.story(id)
      return [...(refundingFen + refundFen === Math.floor(paid / part) * part ? [] : [`set aside ${refundingFen}`]), ...(await books())]
    },
  }
}

/** A purse that is read, thought about and written: what nobody may write. And the same, guarded. */
function purse(guarded: boolean): Flow {
  const affordable = 10
  return {
    name: guarded ? 'a guarded purse' : 'a purse that is read and then written',
    affordable,
    setUp: async () =>
      void (await owner.query(
        `create table if not exists trial_purse (id int primary key, fen bigint not null); insert into trial_purse values (1, ${affordable * 100}) on conflict (id) do update set fen = excluded.fen`,
      )),
    async spend() {
      if (guarded) return (await owner.query('update trial_purse set fen = fen - 100 where id = 1 and fen >= 100')).rowCount ? 'passed' : 'refused'
      const fen = Number((await owner.query<{ fen: string }>('select fen from trial_purse where id = 1')).rows[0]!.fen)
      if (fen < 100) return 'refused'
      await owner.query('update trial_purse set fen = $1 where id = 1', [fen - 100])
      return 'passed'
    },
    check: async () => [],
  }
}

test('the harness sees a balance that is read and then written, and lets a guarded one pass', async () => {
  expect(await spendAtOnce(purse(false))).toEqual([expect.stringMatching(/\d+ of 200 passed, there was enough for 10/)])
  expect(await spendAtOnce(purse(true))).toEqual([])
})

test.each([inCash, byNotice, refunding].map((flow) => [flow().name, flow] as const))(
  '%s: of two hundred at once exactly the affordable ones pass, and the books are right',
  async (name, flow) => {
    for (let round = 0; round < ROUNDS; round++) expect(await spendAtOnce(flow())).toEqual([])
    tally({ check: `spend: ${name}`, numbers: { rounds: ROUNDS, spends: ROUNDS * SPENDERS, affordable: flow().affordable } })
  },
  60_000 + ROUNDS * 20_000,
)
