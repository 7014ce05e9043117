import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDesk, type Desk } from '../testing.ts'
import { contentOf } from './testing.ts'

let desk: Desk
beforeAll(async () => void (desk = await aDesk()))
afterAll(() => desk.close())

const ask = async (method: string, content: object) => contentOf(await desk.alipay(`alipay.eco.mycar.${method}`, content))
const plate = (plateNo: string, act: string, more: object = {}) => desk.driver('/alipay/parking', { car_number: plateNo, act, ...more })
const pay = (number: string, plateNo: string, more: object = {}) =>
  ask('parking.order.pay', {
    car_number: plateNo,
    out_trade_no: number,
    subject: '停车费',
    total_fee: '8.00',
    seller_id: desk.keys.alipay.apps[0]!.sellerId,
    parking_id: 'PI1',
    out_parking_id: 'P1',
    ...more,
  })

test('whether fees of a car can be debited is found by its plate and colour', async () => {
  const query = (more: object = {}) => ask('parking.agreement.query', { car_number: '鄂A10001', ...more })
  expect(await query()).toMatchObject({ agreement_status: '1', agreement_scene: 'NO_AGREEMENT_SCENE' })
  await plate('鄂A10001', 'open')
  expect(await query()).toMatchObject({ agreement_status: '0', agreement_scene: 'PLATE_PAY', car_status: 'NON-SENSE-PAY' })
  expect((await query({ car_number_color: 'green' })).agreement_status).toBe('1')
  await plate('鄂A10001', 'end')
  expect((await query()).agreement_status).toBe('1')
})

test('a fee is taken at once, once under one number, and can be asked after and given back', async () => {
  await plate('鄂A10002', 'open')
  const paid = await pay('debited-1', '鄂A10002')
  expect(paid).toMatchObject({ code: '10000', out_trade_no: 'debited-1', total_fee: '8.00' })
  expect((await pay('debited-1', '鄂A10002')).trade_no).toBe(paid.trade_no)
  expect((await pay('debited-1', '鄂A10002', { total_fee: '8.01' })).sub_code).toBe('ACQ.CONTEXT_INCONSISTENT')
  const query = () => ask('trade.order.query', { out_biz_trade_no: 'debited-1' })
  expect(await query()).toMatchObject({ trade_no: paid.trade_no, trade_status: 1, total_fee: '8.00' })
  const refund = (fee: string, out: string) => ask('parking.order.refund', { order_no: paid.trade_no, out_refund_no: out, refund_fee: fee })
  expect(await refund('3.00', 'r1')).toMatchObject({ code: '10000', refund_fee: '3.00', out_refund_no: 'r1' })
  expect(await refund('3.00', 'r1')).toMatchObject({ code: '10000' })
  expect((await refund('5.01', 'r2')).sub_code).toBe('ACQ.REFUND_AMT_NOT_EQUAL_TOTAL')
  expect(await query()).toMatchObject({ trade_status: 8, send_back_fee: '3.00' })
})

test('without an agreement, with too little in the account, or for another seller nothing is taken', async () => {
  expect((await pay('debited-2', '鄂A10003')).sub_code).toBe('ACQ.AGREEMENT_NOT_EXIST')
  await plate('鄂A10003', 'open', { limitFen: 799 })
  expect((await pay('debited-2', '鄂A10003')).sub_code).toBe('ACQ.BUYER_BALANCE_NOT_ENOUGH')
  expect((await pay('debited-2', '鄂A10003', { seller_id: '2088000000000000' })).sub_code).toBe('ACQ.INVALID_PARAMETER')
  expect((await ask('trade.order.query', { out_biz_trade_no: 'debited-2' })).sub_code).toBe('ACQ.TRADE_NOT_EXIST')
})
