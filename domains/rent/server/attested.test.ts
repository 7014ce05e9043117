import { afterAll, beforeAll, expect, test } from 'vitest'
import { instantAt } from '../../../platform/contract/time.ts'
import { pngOf } from '../../../tests/support/hostile.ts'
import { anAuction, type Auction } from './testing.ts'

let house: Auction
beforeAll(async () => void (house = await anAuction()))
afterAll(() => house.close())
const now = () => instantAt(Date.now())
const setAttested = (bidderId: string, state: 0 | 1 | 2) =>
  house.sql(`update rent.bidder set state = $2, opinion = '证照不符' where id = $1`, [bidderId, state])

test('whoever has enrolled and brings other papers is reviewed anew, and does not become somebody else meanwhile', async () => {
  const project = await house.enrolling()
  const [one, two] = [await house.qualified(project.id), await house.qualified(project.id)]
  await house.open(project.id, 60_000)
  const [{ certNo }] = await house.sql('select cert_no from rent.bidder where id = $1', [one.bidderId])
  const other = { userType: 1, name: '另一人', certNo: '420606199001017788' }
  const mine = (papers: object) => house.call(one.token, '/rentUser/mine/apply', papers)
  const bid = (token: string, bidFen: number) => house.call(token, '/rentBid/place', { projectId: project.id, bidFen })
  const room = async () => (await house.call(one.token, '/rentBid/room', { projectId: project.id })).data
  expect(await bid(one.token, 1_000_000)).toMatchObject({ status: 200 })
  expect(await mine(other)).toMatchObject({ status: 409, code: 42404 })
  expect(await room()).toMatchObject({ mayBid: true, attested: true })
  const anew = { userType: 2, name: '襄城商贸新名', certNo, phone: '13900003333', images: '/lbs/file?fileName=b.png' }
  expect(await house.post('/rentUser/apply', anew)).toMatchObject({ status: 200, data: { state: 0, auditorName: null } })
  // Under review they are still who enrolled.
  expect(await mine(other)).toMatchObject({ status: 409, code: 42404 })
  expect(await room()).toMatchObject({ mayBid: false, attested: false })
  expect(await bid(one.token, 1_020_000)).toMatchObject({ status: 403, code: 42451 })
  expect(await bid(two.token, 1_020_000)).toMatchObject({ status: 200 })
  const [{ version }] = await house.sql('select version from rent.bidder where id = $1', [one.bidderId])
  expect(await house.post('/rentUser/audit', { id: one.bidderId, version, state: 1 }, house.deputy)).toMatchObject({ status: 200 })
  expect(await bid(one.token, 1_040_000)).toMatchObject({ status: 200 })
})

test('with the enrolment withdrawn an account may bring papers of another number', async () => {
  const project = await house.enrolling()
  const one = await house.qualified(project.id)
  const mine = () => house.call(one.token, '/rentUser/mine/apply', { userType: 1, name: '另一人', certNo: '420606199001017796' })
  expect(await mine()).toMatchObject({ status: 409, code: 42404 })
  await house.post('/rentEnroll/withdraw', { id: one.id, version: (await house.enrolment(one.id)).version, reason: '换证' })
  expect(await mine()).toMatchObject({ status: 200 })
  expect(await house.sql('select state, name from rent.bidder where id = $1', [one.bidderId])).toEqual([{ state: 0, name: '另一人' }])
})

test('whoever is not attested is not qualified, and when bidding opens they are out with their money back', async () => {
  const project = await house.enrolling()
  const [out, in1, in2] = [await house.qualified(project.id), await house.qualified(project.id), await house.qualified(project.id)]
  const bidder = await house.aBidder()
  const { id } = (await house.post('/rentEnroll/apply', { projectId: project.id, bidderId: bidder.id })).data
  await house.post('/rentEnroll/pay', { id, payMethod: 4, amountFen: 200_000 })
  await setAttested(bidder.id, 2)
  const version = (await house.enrolment(id)).version
  expect(await house.post('/rentEnroll/audit', { id, version, state: 1 }, house.deputy)).toMatchObject({ status: 422, code: 42431 })
  await setAttested(out.bidderId, 2)
  await house.open(project.id, 1_000)
  expect(await house.enrolment(out.id)).toMatchObject({ state: 4, earnestState: 1 })
  const { orderId } = await house.enrolment(out.id)
  expect(await house.sql('select amount_fen, state from settlement.refund where order_id = $1', [orderId])).toEqual([
    { amountFen: 200_000, state: 1 },
  ])
  expect([(await house.enrolment(in1.id)).earnestState, (await house.enrolment(in2.id)).earnestState]).toEqual([2, 2])
})

test('whoever is not attested does not bid, win, or get a lease', async () => {
  const project = await house.enrolling()
  const [one, two] = [await house.qualified(project.id), await house.qualified(project.id)]
  await house.open(project.id, 1_000)
  const bid = () => house.call(one.token, '/rentBid/place', { projectId: project.id, bidFen: 1_000_000 })
  await setAttested(one.bidderId, 2)
  expect(await bid()).toMatchObject({ status: 403, code: 42451 })
  await setAttested(one.bidderId, 1)
  expect(await bid()).toMatchObject({ status: 200 })
  await house.sql(`update rent.project set bid_to = now() - interval '1 minute', ends_at = now() - interval '1 minute' where id = $1`, [project.id])
  await house.tick(now())
  await setAttested(one.bidderId, 0)
  const decide = () => house.post('/rentProject/bidding', { projectId: project.id, enrollId: one.id }, house.deputy)
  expect(await decide()).toMatchObject({ status: 422, code: 42431 })
  expect(await house.project(project.id)).toMatchObject({ state: 5, winnerId: null })
  await setAttested(one.bidderId, 1)
  expect(await decide()).toMatchObject({ status: 200 })
  await house.sql(`update rent.project set public_until = current_date - 1 where id = $1`, [project.id])
  await setAttested(one.bidderId, 2)
  const lease = { projectId: project.id, fromDay: now().slice(0, 10), cycle: 1 }
  expect(await house.post('/rentContract/add', lease)).toMatchObject({ status: 422, code: 42431 })
  expect((await house.enrolment(two.id)).earnestState).toBe(2)
})

test('whoever is a bidder already is told so where they bring a number that was registered at the counter', async () => {
  const mine = await house.aBidder()
  const certNo = '91420600ABCDEFGH1X'
  const counter = { userType: 2, name: '柜台登记', certNo, phone: '13900003399', images: '/lbs/file?fileName=a.png' }
  await house.post('/rentUser/apply', counter)
  const asked = await house.call(mine.token, '/rentUser/mine/apply', { userType: 2, name: '另一家', certNo })
  expect(asked).toMatchObject({ status: 409, code: 42407, message: expect.stringContaining(mine.name) })
  expect((await house.post('/rentUser/query', { certNo })).data.records).toMatchObject([{ name: '柜台登记', ownerId: null }])
})

test('a personal number whose check digit is wrong is refused at the counter and on the telephone; papers of other kinds have none', async () => {
  const { id } = await house.enrolling()
  const { token } = await house.qualified(id)
  const papers = { userType: 1, name: '周丽', phone: '13900004499', images: 'x' }
  const applies = (certNo: string, more: object = {}) => house.post('/rentUser/apply', { ...papers, certNo, ...more })
  expect(await applies('420606198001011235')).toMatchObject({ status: 422, code: 42425 })
  expect(await house.call(token, '/rentUser/mine/apply', { userType: 1, name: '周丽', certNo: '420606198001011235' })).toMatchObject({ code: 42425 })
  expect(await applies('420699198905120023')).toMatchObject({ status: 200 })
  expect(await applies('E12345678')).toMatchObject({ status: 200 })
  expect(await applies('420606198001011235', { userType: 2 })).toMatchObject({ status: 200 })
})

test('a bidder adds pictures of their papers on the telephone while these are reviewed, three at most, and not afterwards', async () => {
  const { token, id } = await house.aBidder()
  const sends = (of: string) => {
    const body = new FormData()
    body.set('file', new Blob([pngOf(8, 8) as Uint8Array<ArrayBuffer>], { type: 'image/png' }), 'x.png')
    return house.server.ask<any>(of, 'POST', '/lbs/business/rentUser/mine/paper', body)
  }
  expect(await sends(token)).toMatchObject({ code: 42426 })
  await house.sql(`update rent.bidder set state = 0, images = '' where id = $1`, [id])
  for (const pictures of [1, 2, 3]) expect(await sends(token)).toMatchObject({ status: 200, data: { id, pictures } })
  expect(await sends(token)).toMatchObject({ status: 422, code: 42427 })
  expect((await house.post('/rentUser/query', { id })).data.records[0].images.split(',')).toHaveLength(3)
  const [again] = await house.sql('select user_type, name, cert_no from rent.bidder where id = $1', [id])
  const pictures = async () => (await house.post('/rentUser/query', { id })).data.records[0].images.split(',').filter(Boolean).length
  expect(await house.call(token, '/rentUser/mine/apply', again)).toMatchObject({ status: 200 })
  expect(await pictures()).toBe(3)
  // Those that were rejected make room for better ones.
  const [{ version }] = await house.sql('select version from rent.bidder where id = $1', [id])
  expect(await house.post('/rentUser/audit', { id, version, state: 2, opinion: '证照不清' }, house.deputy)).toMatchObject({ status: 200 })
  expect(await house.call(token, '/rentUser/mine/apply', again)).toMatchObject({ status: 200 })
  expect(await pictures()).toBe(0)
  expect(await sends(token)).toMatchObject({ status: 200, data: { id, pictures: 1 } })
})
