import { randomBytes, randomUUID } from 'node:crypto'
import { signed } from '../../city/pay/signature.ts'
import { openOrder, payCash } from '../../domains/settlement/server/api.ts'
import { printed } from './parking.ts'
import { billOf } from '../../city/pay/bills.ts'
import { type Factories, type Maker, now, of, some } from './maker.ts'

const DUE_FEN = 1200
/** The channel that payments are made through. */
const WECHAT = 1

/** Orders that wait for their money, refunds and waivers that wait for their approval, a channel's notice of a payment, signed as the channel signs it. */
export function ready({ write, asked, made, row, admin, deputy, parkCode, secret }: Maker): Factories {
  const anOrder = () =>
    write((tx) => openOrder(tx, { type: 1, plateNo: '鄂F6S218', plateColor: 0, parkCode, receivableFen: DUE_FEN, discountFen: 0, at: now() }))
  const paid = async () => {
    const order = await anOrder()
    return write((tx) => payCash(tx, { orderId: order.id, amountFen: DUE_FEN, actor: { userId: randomUUID(), userName: 'cashier' }, at: now() }))
  }
  const refund = async () => asked(deputy, 'settlement.refund.apply', { orderId: (await paid()).id, amountFen: 300, reason: '试' })
  const waiver = async () => asked(deputy, 'settlement.waiver.apply', { orderId: (await anOrder()).id, amountFen: DUE_FEN, reason: '试' })
  /** Money of a wrong amount, which waits for a person. */
  const wrongAmount = async () => {
    const { id } = await anOrder()
    return row(
      `insert into settlement.payment (enterprise_id, order_id, park_code, pay_no, pay_method, channel, trade_no, amount_fen, received_fen, state, paid_at)
       values (1, $1, $2, $3, 1, 'wechat', $3, $4, $4, 5, now()) returning id, version`,
      [id, parkCode, `W-${some()}`, DUE_FEN],
    )
  }
  /** Cash of the park in somebody's running shift; whoever that is has no other. */
  const running = async (userId: string, userName = 'cashier') => {
    await row(`update settlement.shift set state = 4, closed_at = now() where state = 0 and person_id = $1 returning id`, [userId])
    const { id: orderId } = await anOrder()
    await write((tx) => payCash(tx, { orderId, amountFen: DUE_FEN, actor: { userId, userName }, at: now() }))
    return row('select id, version from settlement.shift where person_id = $1 and state = 0', [userId])
  }
  const mine = async () => running((await row(`select id from identity.person where username = 'admin'`)).id)
  const countedIn = async (state: number, countedFen = DUE_FEN) => {
    const { id } = await running(randomUUID())
    const set = `state = $2::smallint, counted = '[]', counted_fen = $3::bigint, expected_fen = ${DUE_FEN}, open_fen = case when $2 = 5 then $3 - ${DUE_FEN} else 0 end, closed_at = now()`
    return row(`update settlement.shift set ${set} where id = $1 returning id, version`, [id, state, countedFen])
  }
  const toTake = async () => {
    const { id } = await running(randomUUID())
    const set = `state = 1, counted = '[]', counted_fen = ${DUE_FEN}, expected_fen = ${DUE_FEN}, closed_at = now(), taker_name = 'taker', taker_id = (select id from identity.person where username = 'admin')`
    return row(`update settlement.shift set ${set} where id = $1 returning id, version`, [id])
  }
  const byOrder = async () => ({ id: (await anOrder()).id })
  const notice = (payNo: string) =>
    signed(
      {
        mchId: 'kerbline-1',
        channel: 'wechat',
        kind: 'payment',
        number: payNo,
        tradeNo: `T-${some()}`,
        amountFen: DUE_FEN,
        result: 'SUCCESS',
        finishedAt: now(),
        timestamp: Math.floor(Date.now() / 1000),
        nonce: randomBytes(16).toString('hex'),
      },
      secret,
    )
  const failedRefund = async () => {
    const { id: orderId } = await anOrder()
    await write((tx) => payCash(tx, { orderId, amountFen: DUE_FEN, actor: { userId: randomUUID(), userName: 'cashier' }, at: now() }))
    const asking = await asked(deputy, 'settlement.refund.apply', { orderId, amountFen: 300, reason: '试' })
    const refund = await asked(admin, 'settlement.refund.approve', of(asking))
    await row('update settlement.payment set refunding_fen = refunding_fen - 300 where order_id = $1', [orderId])
    await row('update settlement.order set refunding_fen = refunding_fen - 300 where id = $1', [orderId])
    return row('update settlement.refund set state = 4 where id = $1 returning id, version', [refund.id])
  }
  // Each day once: the days of a channel are closed in their order.
  const aFile = async (lines: Parameters<typeof billOf>[1] = [], channel = `bank-${some()}`) => {
    const checkDate = '2026-10-01'
    await asked(deputy, 'settlement.liquidation.import-file', {
      file: { name: 'day.csv', text: Buffer.from(billOf(channel, lines)).toString() },
      checkDate,
      channel,
    })
    return { checkDate, channel }
  }
  const over = async () => {
    const tradeNo = `X-${some()}`
    const day = await aFile([{ kind: 'payment', tradeNo, number: tradeNo, amountFen: DUE_FEN, feeFen: 0, at: '2026-10-01 10:00:00' }])
    return row('select id, version, trade_no as "tradeNo" from settlement.check_detail where channel = $1', [day.channel])
  }
  const settledOver = async () => {
    const { id, version } = await over()
    return asked(deputy, 'settlement.liquidation.settle', { id, version, closing: 3, note: '试' })
  }
  const addition = async () => ({ tradeNo: (await over()).tradeNo, orderNo: (await anOrder()).orderNo, reason: '试', evidence: '/lbs/file/a.png' })
  const closed = async () => {
    const day = await aFile()
    await asked(deputy, 'settlement.liquidation.close-day', day)
    return day
  }
  return {
    'settlement.shift.deposit': async () => ({ ...of(await mine()), amountFen: 100, voucherNo: `V-${some()}` }),
    'settlement.shift.close': async () => ({ ...of(await mine()), counted: [{ faceFen: 100, count: 12 }] }),
    'settlement.shift.take-over': async () => ({ ...of(await toTake()), accept: true, countedFen: DUE_FEN }),
    'settlement.shift.settle': async () => ({ ...of(await countedIn(5, 10_000)), way: 2 }),
    'settlement.shift.verify': async () => of(await countedIn(3)),
    'settlement.liquidation.import-file': async () => ({
      file: { name: 'day.csv', text: Buffer.from(billOf('unionpay', [])).toString() },
      checkDate: '2026-10-01',
      channel: `bank-${some()}`,
    }),
    'settlement.liquidation.fetch': async () => ({ checkDate: '2026-10-01', channel: 'wechat' }),
    'settlement.liquidation.double-take': async () => of(await wrongAmount()),
    'settlement.liquidation.double-hand-over': async () => of(await asked(admin, 'settlement.liquidation.double-take', of(await wrongAmount()))),
    'settlement.liquidation.assign': async () => of(await over()),
    'settlement.liquidation.settle': async () => ({ ...of(await over()), closing: 3, note: '试' }),
    'settlement.liquidation.settle-decide': async () => ({ ...of(await settledOver()), pass: true }),
    'settlement.liquidation.addition-apply': addition,
    'settlement.liquidation.addition-decide': async () => ({
      ...of(await asked(deputy, 'settlement.liquidation.addition-apply', await addition())),
      pass: true,
    }),
    'settlement.liquidation.compare-day': () => aFile(),
    'settlement.liquidation.close-day': () => aFile(),
    'settlement.liquidation.reopen-day': async () => ({ ...(await closed()), reason: '试' }),
    'settlement.liquidation.reopen-decide': async () => {
      const day = await closed()
      await asked(deputy, 'settlement.liquidation.reopen-day', { ...day, reason: '试' })
      return { ...day, pass: true }
    },
    'settlement.order.cash': async () => ({ ...(await byOrder()), amountFen: DUE_FEN }),
    'settlement.order.cancel': byOrder,
    'settlement.order.pay': async () => ({ ...(await byOrder()), payMethod: WECHAT }),
    'settlement.scan.pay': async () => ({ code: (await printed(write, parkCode)).code, orderNo: (await anOrder()).orderNo, payMethod: WECHAT }),
    'settlement.refund.apply': async () => ({ orderId: (await paid()).id, amountFen: 300 }),
    'settlement.refund.approve': async () => of(await refund()),
    'settlement.refund.reject': async () => of(await refund()),
    'settlement.refund.withdraw': async () =>
      of(await asked(admin, 'settlement.refund.apply', { orderId: (await paid()).id, amountFen: 300, reason: '试' })),
    'settlement.refund.pay-out': async () => {
      await mine()
      return of(await asked(admin, 'settlement.refund.approve', of(await refund())))
    },
    'settlement.waiver.apply': async () => ({ orderId: (await anOrder()).id, amountFen: DUE_FEN }),
    'settlement.waiver.approve': async () => of(await waiver()),
    'settlement.waiver.reject': async () => of(await waiver()),
    'settlement.waiver.withdraw': async () =>
      of(await asked(admin, 'settlement.waiver.apply', { orderId: (await anOrder()).id, amountFen: DUE_FEN, reason: '试' })),
    'settlement.notice.sandbox': async () => notice((await made('settlement.order.pay', { id: (await anOrder()).id, payMethod: 1 })).payNo),
    'settlement.refund.retry': failedRefund,
  }
}
