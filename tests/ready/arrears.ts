import { createHash } from 'node:crypto'
import { clearingFile } from '../../city/etc/issuer.ts'
import { begin, leaveUnpaid, noticePayment, openOrder } from '../../domains/settlement/server/api.ts'
import { aStay } from '../../domains/parking/server/factories.ts'
import { moveStay } from '../../domains/parking/server/stay/stayMoves.ts'
import { printed } from './parking.ts'
import { aPlate, type Factories, type Maker, now, of, some } from './maker.ts'

const DUE_FEN = 900

/** Debts in the very state that a call asks for. */
export function ready({ write, row, asked, deputy, parkCode }: Maker): Factories {
  const order = (stayId: string | null = null) =>
    write((tx) => openOrder(tx, { type: 1, stayId, plateNo: aPlate(), plateColor: 0, parkCode, receivableFen: DUE_FEN, discountFen: 0, at: now() }))
  const debt = async (exceptionType: 0 | 2 = 0) => {
    const { id } = await order()
    await write((tx) => leaveUnpaid(tx, id, { at: now(), exceptionType }))
    return row('select id, version from arrears.record where order_id = $1', [id])
  }
  const over = () => write(async (tx) => moveStay(tx, await aStay(tx, { parkCode, plateNo: aPlate() }), 'leave', { exitTime: now() }))
  const old = async () => {
    const one = await debt()
    await row(`update arrears.record set created_at = now() - interval '400 days' where id = $1 returning id`, [one.id])
    return one
  }
  const appeal = async () => asked(deputy, 'arrears.appeal.apply', { id: (await debt()).id, reason: '试', contact: '13900001111' })
  const writeOff = async () => (await asked(deputy, 'arrears.write-off.apply', { ids: [(await old()).id], cause: 1, reason: '试' }))[0]
  const deduct = async () => {
    const { id: orderId } = await order()
    const deductNo = `T${some()}-1`
    const attempt = await write((tx) => begin(tx, orderId, 6, now()))
    await row(`update settlement.payment set pay_no = $2 where id = $1 returning id`, [attempt.attempt.id, deductNo])
    await row(
      `insert into arrears.etc_deduct (enterprise_id, deduct_no, payment_id, order_id, park_code, device_no, lane_no, psam_no, amount_fen, trade_time, etc_state, matched)
        values (1, $1, $2, $3, $4, 'ETC-R', 'LR', '0123456789AB', $5, now(), 2, true) returning id`,
      [deductNo, attempt.attempt.id, orderId, parkCode, DUE_FEN],
    )
    await write((tx) => noticePayment(tx, { payNo: deductNo, channel: 'etc', tradeNo: deductNo, amountFen: DUE_FEN, paidAt: now(), at: now() }))
    return { deductNo, amountFen: 100, reason: 3, note: '试' }
  }
  const etcRefund = async () => {
    const body = await deduct()
    await asked(deputy, 'arrears.etc.refund-apply', body)
    return row('select id from arrears.etc_refund where deduct_no = $1', [body.deductNo])
  }
  const clearing = () => {
    const seq = String((Date.now() % 900_000) + Math.floor(Math.random() * 90_000))
    const { name, text } = clearingFile('HB', '2026-11-23', Number(seq), [])
    return { file: { name, text } }
  }
  /** A debt of a plate of its own, as the driver's page names it. */
  const atDoor = async () => {
    const { id } = await debt()
    const { plateNo } = await row('select plate_no as "plateNo" from arrears.record where id = $1', [id])
    return { plateNo, ref: createHash('sha256').update(id).digest('hex').slice(0, 32), code: (await printed(write, parkCode)).code }
  }
  const doorAppeal = async () => {
    const { plateNo, ref, code } = await atDoor()
    const { appealNo } = await asked(deputy, 'arrears.door.appeal', { code, plateNo, debt: ref, reason: '试', contact: '13900001111' })
    return { code, appealNo }
  }
  return {
    'arrears.door.pay': async () => {
      const { plateNo, ref, code } = await atDoor()
      return { code, plateNo, debts: [ref], paidFen: DUE_FEN, payMethod: 1 }
    },
    'arrears.door.appeal': async () => {
      const { plateNo, ref, code } = await atDoor()
      return { code, plateNo, debt: ref }
    },
    'arrears.door.picture': doorAppeal,
    'arrears.etc.refund-apply': deduct,
    'arrears.etc.refund-verify': async () => ({ id: (await etcRefund()).id, result: 2 }),
    'arrears.etc.file-import': async () => clearing(),
    'arrears.appeal.apply': async () => ({ id: (await debt()).id }),
    'arrears.appeal.accept': async () => of(await appeal()),
    'arrears.appeal.reject': async () => of(await appeal()),
    'arrears.record.revoke': async () => debt(),
    'arrears.write-off.apply': async () => ({ ids: [(await old()).id] }),
    'arrears.write-off.decide': async () => ({ ...of(await writeOff()), pass: true }),
    'arrears.dun.send': async () => ({ ids: [(await debt()).id] }),
    'arrears.record.create': async () => ({ orderNo: (await order((await over()).id)).orderNo, sourceType: 4 }),
    'arrears.record.add-evidence': async () => ({ id: (await debt()).id }),
    'arrears.record.release': async () => debt(2),
    'arrears.record.suspect': async () => ({ ...(await debt()), exceptionType: 2 }),
    'arrears.repay.collect': async () => ({ ids: [(await debt()).id], paidFen: DUE_FEN, payMethod: 4, place: 3 }),
  }
}
