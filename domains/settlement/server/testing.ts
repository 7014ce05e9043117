import { randomBytes } from 'node:crypto'
import { type RunningChannel, startChannel } from '../../../city/pay/server.ts'
import { signed } from '../../../city/pay/signature.ts'
import type { Instant } from '../../../platform/contract/field.ts'
import { type Answer, startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import type { House } from '../../../platform/server/domain.ts'
import { leaveUnpaid, openOrder, type OrderRow } from './api.ts'
import { debit } from './pay/debit.ts'
import { tasks } from './pay/jobs.ts'
import { EXPIRE } from './pay/queue.ts'
import { useSandbox } from './settings.ts'

/** Two hundred at once on a busy machine: not all get a connection in time, and they are told to come again. Nothing was done then. */
const BUSY = 503
const SECRET = randomBytes(32).toString('hex')
export const now = () => new Date().toISOString() as Instant

/** The jobs that take a fee by agreement, and that end an attempt whose time is over, now. */
export const debitNow = (house: House, data: { paymentId: string; contractNo: string; tries: number }) =>
  debit.alone!({ enterprise: 1, data, at: now(), house })
export const expireNow = (house: House, tx: Tx, paymentId: string) =>
  tasks.find(({ name }) => name === EXPIRE)!.work({ tx, data: { paymentId }, at: now(), house })

/** The real product and a real channel, with what a test of money needs to say. */
export interface Till {
  server: TestServer
  channel: RunningChannel
  admin: string
  operator: string
  /** A temporary car's order; `owed` leaves it unpaid at once. */
  anOrder(amounts?: {
    receivableFen?: number
    discountFen?: number
    parkCode?: string
    owed?: boolean
    at?: Instant
    plateNo?: string
  }): Promise<OrderRow>
  /** The order as the console sees it. */
  story(id: string): Promise<any>
  call(token: string | null, path: string, body: object, headers?: Record<string, string>): Promise<Answer<any>>
  startPaying(order: OrderRow, payMethod?: number): Promise<{ payNo: string; amountFen: number }>
  /** A notice as the channel would sign it, sent by ourselves. */
  notify(notice: {
    payNo: string
    amountFen: number
    tradeNo?: string
    nonce?: string
    timestamp?: number
    secret?: string
    kind?: string
    result?: string
  }): Promise<Answer<any>>
  /** The code that a driver scans at a park; the park is made if there is none. */
  codeOf(parkCode: string): Promise<string>
  /** While the channel does not answer. */
  unanswered(work: () => Promise<void>): Promise<void>
  /** While the channel's notices about its payments are lost. */
  untold(work: () => Promise<void>): Promise<void>
  /** While none is set up. */
  without(work: () => Promise<void>): Promise<void>
  replay(): Promise<{ right: boolean; differences: unknown[]; entries: number }>
  close(): Promise<void>
}

/** The sandbox channel beside a server that has none, and what it would tell of a payment that succeeded. */
export async function aChannel(server: Pick<TestServer, 'url' | 'ask'>) {
  const channel = await startChannel({ port: 0, secret: SECRET, refundAfterMs: 20, retryMs: [100, 200, 400] })
  const here = `${server.url}/lbs/business/pay/sandbox/notice`
  const at = (url: string, notifyUrl = here) => useSandbox({ url, secret: SECRET, notifyUrl })
  at(channel.url)
  return {
    channel,
    async unanswered(work: () => Promise<void>) {
      at('http://127.0.0.1:1')
      await work().finally(() => at(channel.url))
    },
    async without(work: () => Promise<void>) {
      useSandbox(undefined)
      await work().finally(() => at(channel.url))
    },
    async untold(work: () => Promise<void>) {
      at(channel.url, 'http://127.0.0.1:1')
      await work().finally(() => at(channel.url))
    },
    paid: (payment: { payNo: string; amountFen: number }) => server.ask(null, 'POST', '/lbs/business/pay/sandbox/notice', noticeOf(payment)),
    async stop() {
      useSandbox(undefined)
      await channel.stop()
    },
  }
}
function noticeOf({
  payNo,
  amountFen,
  tradeNo = `T${randomBytes(6).toString('hex')}`,
  nonce = randomBytes(16).toString('hex'),
  timestamp,
  secret = SECRET,
  kind = 'payment',
  result = 'SUCCESS',
}: Parameters<Till['notify']>[0]) {
  const told = { mchId: 'kerbline-1', channel: 'wechat', kind, number: payNo, tradeNo, amountFen, result, finishedAt: now() }
  return signed({ ...told, timestamp: timestamp ?? Math.floor(Date.now() / 1000), nonce }, secret)
}

export async function aTill(differs: Parameters<typeof startTestServer>[0] = {}): Promise<Till> {
  const server = await startTestServer(differs)
  const { channel, unanswered, untold, without, stop } = await aChannel(server)
  const [admin, operator] = await Promise.all([server.signIn('admin'), server.signIn('operator')])
  const call: Till['call'] = async (token, path, body, headers) => {
    for (;;) {
      const answer = await server.ask(token, 'POST', `/lbs/business${path}`, body, headers)
      if (answer.code !== BUSY) return answer
    }
  }
  return {
    server,
    channel,
    admin,
    operator,
    call,
    unanswered,
    untold,
    without,
    anOrder: ({ receivableFen = 1200, discountFen = 0, parkCode = 'P001', owed = false, at = now(), plateNo = '鄂F12345' } = {}) =>
      insisting(() =>
        server.house.writing(1, 'test', async (tx) => {
          const order = await openOrder(tx, { type: 1, plateNo, plateColor: 0, parkCode, receivableFen, discountFen, at })
          return owed ? leaveUnpaid(tx, order.id, { at }) : order
        }),
      ),
    story: async (id) => (await server.ask(admin, 'GET', '/lbs/business/order/info', { id })).data,
    startPaying: async (order, payMethod = 1) => (await call(admin, '/order/pay', { id: order.id, payMethod })).data,
    notify: (notice) => call(null, '/pay/sandbox/notice', noticeOf(notice)),
    codeOf: (parkCode) =>
      server.house.writing(1, 'test', async (tx) => {
        await run(
          tx,
          {
            sql: `insert into parking.park (park_code, name, p_type, region_code, total_bays) values ($1, $1, 1, '420607', 100) on conflict do nothing`,
          },
          [parkCode],
        )
        const [{ code }] = (await run<{ code: string }>(tx, { sql: 'select code from parking.qrcode_shown where park_code = $1 and target = 1' }, [
          parkCode,
        ])) as [{ code: string }]
        return code
      }),
    replay: async () => (await server.ask(admin, 'GET', '/lbs/business/ledger/replay/check')).data,
    async close() {
      await stop()
      await server.close()
    },
  }
}

/** With two hundred at once on a busy machine, a caller that got no connection in time tries again. */
export async function insisting<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (typeof (error as { code?: unknown }).code === 'number' || !/connect|busy|忙/i.test((error as Error).message)) throw error
    }
  }
}

/** Waits for what a job or a notice brings about. */
export async function until<T>(look: () => Promise<T>, right: (seen: T) => boolean, ms = 10_000): Promise<T> {
  const end = Date.now() + ms
  for (;;) {
    const seen = await look()
    if (right(seen)) return seen
    if (Date.now() > end) throw new Error(`Waited in vain; last seen: ${JSON.stringify(seen)?.slice(0, 800)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
