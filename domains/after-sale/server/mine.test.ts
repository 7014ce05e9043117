import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDoor, aGarage, aPhone, type Door, type Garage } from '../../owner/server/testing.ts'
import { aDesk, CANCELLED, CLOSED, type Desk, type Person, REOPENED, RESUMED, SOLVED, STARTED, WAITED } from './testing.ts'

let desk: Desk
let garage: Garage
let door: Door
let handler: Person
let dispatcher: Person
beforeAll(async () => {
  desk = await aDesk()
  garage = await aGarage(desk)
  door = await aDoor(desk)
  handler = await desk.person('处理人', ['order:handle'])
  dispatcher = await desk.person('调度', ['order:assign'])
})
afterAll(() => desk.close())

const FEE = 1200
interface Driver {
  token: string
  phone: string
  plateNo: string
}
async function aDriver(): Promise<Driver> {
  const phone = aPhone()
  const token = await door.comes(phone)
  const [{ id }] = (await desk.sql<{ id: string }>('select id from owner.account where phone = $1', [phone])) as [{ id: string }]
  const { plateNo } = await garage.aCar(id)
  return { token, phone, plateNo }
}
async function aPaidBill({ plateNo }: Driver): Promise<{ id: string; orderNo: string }> {
  const order = await desk.anOrder({ plateNo, receivableFen: FEE })
  expect((await desk.call(desk.operator, '/order/cash', { id: order.id, amountFen: FEE })).status).toBe(200)
  return order
}
const mine = (who: Driver, path: string, body: object): Promise<any> => desk.post(`/workOrder/mine/${path}`, body, who.token)
const objects = (who: Driver, orderNo: string, more: object = {}) => mine(who, 'object', { orderNo, reason: 1, content: '只停了半小时', ...more })
const objections = async (who: Driver, orderNo: string) => (await mine(who, 'objections', { orderNo })).data
/** The work order that stands behind a bill's last objection. */
const orderBehind = async (orderNo: string) =>
  (await desk.sql<any>('select * from after_sale.order_line where related_no = $1 order by created_at desc limit 1', [orderNo]))[0]
async function inHand(orderNo: string): Promise<string> {
  const { id } = await orderBehind(orderNo)
  await desk.post('/workOrder/assign', { ids: [id], assigneeId: handler.id })
  expect((await desk.handles(id, STARTED, {}, handler.token)).status).toBe(200)
  return id
}

test('a driver objects to a bill that is paid: the staff has a fee dispute with the bill, the car and whom to call; the driver sees that it is looked into', async () => {
  const driver = await aDriver()
  const { orderNo } = await aPaidBill(driver)
  expect(await objections(driver, orderNo)).toEqual({ mayObject: true, objections: [] })
  const { status, data } = await objects(driver, orderNo)
  expect(status).toBe(200)
  expect(data).toMatchObject({
    mayObject: false,
    objections: [{ content: '只停了半小时', state: 0, finding: null, remedyFen: null, answer: null, solvedAt: null }],
  })
  expect(await desk.inbox(dispatcher.id)).toContain('有工单待分派')
  const { id } = await orderBehind(orderNo)
  expect((await desk.get('/workOrder/one', { id })).data).toMatchObject({
    orderNo: data.objections[0].objectionNo,
    title: '账单异议：金额不对',
    type: 7,
    source: 2,
    relatedNo: orderNo,
    plateNo: driver.plateNo,
    parkCode: 'P001',
    contact: driver.phone,
    content: '只停了半小时',
    creatorName: '客户',
  })
})

test('a bill is objected to once, also by two presses at the same time; only what is the driver’s own', async () => {
  const [driver, stranger] = [await aDriver(), await aDriver()]
  const { orderNo } = await aPaidBill(driver)
  expect((await objects(stranger, orderNo)).status).toBe(404)
  expect((await mine(stranger, 'objections', { orderNo })).status).toBe(404)
  const answers = await Promise.all([objects(driver, orderNo), objects(driver, orderNo)])
  expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 42163])
  expect(await desk.sql('select id from after_sale.work_order where related_no = $1', [orderNo])).toHaveLength(1)
  expect((await objects(driver, orderNo, { content: ' ' })).status).toBe(400)
  expect((await objects(driver, orderNo, { reason: 9 })).status).toBe(400)
})

test('what is not upheld reads so at the bill, in the words of who decided; reopened it is looked into again', async () => {
  const driver = await aDriver()
  const { orderNo } = await aPaidBill(driver)
  await objects(driver, orderNo)
  const id = await inHand(orderNo)
  await desk.handles(id, WAITED, { opinion: '请提供入场照片' }, handler.token)
  expect((await objections(driver, orderNo)).objections).toMatchObject([{ state: 3, answer: '请提供入场照片' }])
  await desk.handles(id, RESUMED, {}, handler.token)
  expect((await objections(driver, orderNo)).objections).toMatchObject([{ state: 2, answer: null }])
  expect((await desk.handles(id, SOLVED, { finding: 2, opinion: '照片显示停了两小时' }, handler.token)).status).toBe(200)
  const decided = { state: 4, finding: 2, remedyFen: null, answer: '照片显示停了两小时' }
  expect(await objections(driver, orderNo)).toMatchObject({ mayObject: false, objections: [decided] })
  expect((await objects(driver, orderNo)).code).toBe(42163)
  await desk.handles(id, CLOSED)
  expect((await objections(driver, orderNo)).objections).toMatchObject([{ ...decided, state: 5 }])
  await desk.handles(id, REOPENED)
  expect((await objections(driver, orderNo)).objections).toMatchObject([{ state: 1, finding: null, answer: null }])
})

test('what is upheld goes back by a refund of the bill, as any other does, and reads with its amount', async () => {
  const driver = await aDriver()
  const { id: orderId, orderNo } = await aPaidBill(driver)
  await objects(driver, orderNo, { reason: 4 })
  const id = await inHand(orderNo)
  expect((await desk.handles(id, SOLVED, { finding: 1 }, handler.token)).code).toBe(42112)
  const asked = (await desk.call(garage.second, '/orderRefund/apply', { orderId, amountFen: 500, reason: '重复收费' })).data
  expect((await desk.call(desk.admin, '/orderRefund/approve', { id: asked.id, version: asked.version })).status).toBe(200)
  const [remedy] = (await desk.get('/workOrder/remedies', { id })).data
  expect((await desk.handles(id, SOLVED, { finding: 1, remedyId: remedy.id, opinion: '退还多收部分' }, handler.token)).status).toBe(200)
  expect((await objections(driver, orderNo)).objections).toMatchObject([{ finding: 1, remedyFen: 500, answer: '退还多收部分' }])
})

test('one that was cancelled decided nothing: the driver reads why, and may object again', async () => {
  const driver = await aDriver()
  const { orderNo } = await aPaidBill(driver)
  await objects(driver, orderNo)
  await desk.handles((await orderBehind(orderNo)).id, CANCELLED, { opinion: '与另一单重复' })
  expect(await objections(driver, orderNo)).toMatchObject({ mayObject: true, objections: [{ state: 8, answer: '与另一单重复' }] })
  expect((await objects(driver, orderNo)).data.objections.map(({ state }: any) => state)).toEqual([0, 8])
})

test('no objection to a bill that nobody has paid, that was paid long ago, or that went back whole', async () => {
  const driver = await aDriver()
  const refuses = async (orderNo: string, code: number) => {
    expect((await objections(driver, orderNo)).mayObject).toBe(false)
    expect((await objects(driver, orderNo)).code).toBe(code)
  }
  await refuses((await desk.anOrder({ plateNo: driver.plateNo })).orderNo, 42161)
  const old = await aPaidBill(driver)
  const paidDaysAgo = (days: number) =>
    desk.sql(`update settlement.order set pay_time = now() - make_interval(days => $2) where id = $1`, [old.id, days])
  await paidDaysAgo(31)
  await refuses(old.orderNo, 42162)
  await paidDaysAgo(29)
  expect((await objects(driver, old.orderNo)).status).toBe(200)
  const whole = await aPaidBill(driver)
  const asked = (await desk.call(garage.second, '/orderRefund/apply', { orderId: whole.id, amountFen: FEE, reason: '多收' })).data
  const approved = (await desk.call(desk.admin, '/orderRefund/approve', { id: asked.id, version: asked.version })).data
  await desk.call(desk.operator, '/orderRefund/payOut', { id: approved.id, version: approved.version })
  await refuses(whole.orderNo, 42161)
})

test('arrears that were paid are objected to at their own bill, unless the debt was appealed', async () => {
  const driver = await aDriver()
  const collected = async () => {
    const order = await desk.anOrder({ plateNo: driver.plateNo, receivableFen: FEE, owed: true })
    const [file] = await desk.sql<{ id: string }>('select id from arrears.record where order_id = $1', [order.id])
    const { data } = await garage.business('/escape/repayCollect', { ids: [file!.id], paidFen: FEE, payMethod: 4, place: 3 }, desk.operator)
    return { orderNo: order.orderNo, fileId: file!.id, repayNo: data.repayNo }
  }
  const plain = await collected()
  expect(await objections(driver, plain.repayNo)).toEqual({ mayObject: false, objections: [] })
  expect((await objects(driver, plain.repayNo)).code).toBe(42160)
  expect((await objects(driver, plain.orderNo)).status).toBe(200)
  const appealed = await collected()
  await garage.business('/escape/appealApply', { id: appealed.fileId, reason: '不是我的车', contact: driver.phone }, desk.operator)
  expect((await objects(driver, appealed.orderNo)).code).toBe(42163)
})
