import { randomBytes, randomUUID } from 'node:crypto'
import { run } from '../../platform/server/database.ts'
import { hashOfLink } from '../../domains/after-sale/server/closing.ts'
import { bindCar } from '../../domains/owner/server/car.ts'
import { openSession } from '../../domains/owner/server/driverSession.ts'
import { register } from '../../domains/owner/server/owner.ts'
import { openOrder, payCash } from '../../domains/settlement/server/api.ts'
import { AS, aPlate, type Factories, type Maker, now, of, some } from './maker.ts'

const PHONE = '13900003344'
const PAID_FEN = 1_200
const STARTED = 4
const SOLVED = 7
const CLOSED = 9

/** Feedback and orders in the states that are asked for, interviews that wait, cases that nobody used. */
export function ready({ row, write, asked, admin, parkCode }: Maker): Factories {
  const mine = async () => (await row(`select id from identity.person where username = 'admin'`)).id as string
  const said = () => asked(admin, 'after-sale.suggestion.add', { kind: 1, source: 1, content: `反馈 ${some()}`, phone: PHONE, parkCode })
  const order = async (more: object = {}) =>
    asked(admin, 'after-sale.work-order.add', {
      title: `工单 ${some()}`,
      type: 3,
      source: 1,
      level: 2,
      content: '试',
      contact: PHONE,
      parkCode,
      ...more,
    })
  const step = (id: string, event: number) => asked(admin, 'after-sale.work-order.handle', { id, event, opinion: '试' })
  const working = async () => {
    const made = await order({ assigneeId: await mine() })
    return step(made.id, STARTED)
  }
  const closed = async () => {
    const { id } = await working()
    await step(id, SOLVED)
    return step(id, CLOSED)
  }
  /** A complaint that was closed is asked about; whoever closed it is not who asks. */
  const interview = async () => {
    const { id } = await closed()
    await row(`update after_sale.work_order set assignee_id = gen_random_uuid() where id = $1 returning id`, [id])
    const [planned] = [await row('select id, version from after_sale.interview where target_id = $1', [id])]
    return planned ?? asked(admin, 'after-sale.interview.add', { targetType: 1, targetId: id, way: 1 })
  }
  const accepted = async () => asked(admin, 'after-sale.suggestion.accept', { ...of(await said()), accept: true })
  const aCase = (state?: number) =>
    asked(admin, 'after-sale.case.add', { title: `案例 ${some()}`, category: 3, content: '<p>试</p>', ...(state !== undefined && { state }) })
  const link = async () => {
    const { id } = await closed()
    const code = `1-${randomBytes(24).toString('base64url')}`
    await row('update after_sale.work_order set link_hash = $2 where id = $1 returning id', [id, hashOfLink(code)])
    return code
  }
  /** A bill that a driver has paid, and that driver, signed in. */
  const paidBill = async () => {
    const [phone, plateNo, at] = [`136${String(parseInt(some(), 16) % 100_000_000).padStart(8, '0')}`, aPlate(), now()]
    const { token, orderNo } = await write(async (tx) => {
      const { id: ownerId } = await register(tx, { phone, nickname: '试', at })
      const { id } = await bindCar(tx, { ownerId, plateNo, at })
      await run(tx, { sql: 'update owner.car set verify_state = 1 where id = $1' }, [id])
      const order = await openOrder(tx, { type: 1, plateNo, plateColor: 0, parkCode, receivableFen: PAID_FEN, at })
      await payCash(tx, { orderId: order.id, amountFen: PAID_FEN, actor: { userId: randomUUID(), userName: 'cashier' }, at })
      return { token: await openSession(tx, ownerId, '127.0.0.1', at), orderNo: order.orderNo }
    })
    return { [AS]: `Bearer ${token}`, orderNo }
  }
  return {
    'after-sale.mine.objections': paidBill,
    'after-sale.mine.object': async () => ({ ...(await paidBill()), reason: 1, content: '多收了一小时' }),
    'after-sale.suggestion.add': async () => ({ kind: 2, source: 1, content: `反馈 ${some()}`, phone: PHONE, parkCode }),
    'after-sale.suggestion.update': async () => ({ ...of(await said()), content: '改' }),
    'after-sale.suggestion.delete': async () => ({ id: (await said()).id }),
    'after-sale.suggestion.accept': async () => ({ ...of(await said()), accept: true }),
    'after-sale.suggestion.reply': async () => ({ ...of(await accepted()), reply: '已处理' }),
    'after-sale.suggestion.close': async () => ({
      ...of(await asked(admin, 'after-sale.suggestion.reply', { ...of(await accepted()), reply: '已处理' })),
      result: 1,
    }),
    'after-sale.suggestion.convert': async () => ({ ...of(await said()), type: 2, level: 2 }),
    'after-sale.work-order.add': async () => ({ title: `工单 ${some()}`, type: 3, source: 1, level: 2, content: '试', contact: PHONE, parkCode }),
    'after-sale.work-order.update': async () => ({ ...of(await order()), level: 3 }),
    'after-sale.work-order.assign': async () => ({ ids: [(await order()).id], assigneeId: await mine() }),
    'after-sale.work-order.handle': async () => ({ id: (await order({ assigneeId: await mine() })).id, event: STARTED, opinion: '试' }),
    'after-sale.work-order.send-message': async () => ({ id: (await order()).id }),
    'after-sale.work-order.send-message-post': async () => ({ id: (await order()).id }),
    'after-sale.work-order.delete': async () => ({ id: (await order()).id }),
    'after-sale.interview.add': async () => {
      const { id } = await closed()
      await row('delete from after_sale.interview where target_id = $1 returning id', [id])
      return { targetType: 1, targetId: id, way: 1 }
    },
    'after-sale.interview.update': async () => ({ ...of(await interview()), result: 1, solved: 1, score: 5 }),
    'after-sale.interview.delete': async () => ({ id: (await interview()).id }),
    'after-sale.case.add': async () => ({ title: `案例 ${some()}`, category: 3, content: '<p>试</p>' }),
    'after-sale.case.update': async () => ({ ...of(await aCase()), content: '<p>改</p>' }),
    'after-sale.case.delete': async () => ({ id: (await aCase()).id }),
    'after-sale.case.use': async () => ({ caseId: (await aCase(1)).id, orderId: (await working()).id }),
    'after-sale.evaluation.show': async () => ({ code: await link() }),
    'after-sale.evaluation.rate': async () => ({ code: await link(), score: 5 }),
  }
}
