import { afterAll, beforeAll, expect, test } from 'vitest'
import { pngOf } from '../../../tests/support/hostile.ts'
import type { Instant } from '../../../platform/contract/field.ts'
import { openSession, register } from '../../owner/server/api.ts'
import { aLot, type Lot } from './testing.ts'

let lot: Lot
beforeAll(async () => void (lot = await aLot()))
afterAll(() => lot.close())

let made = 0
const ALWAYS = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '00:00', to: '24:00' }))
async function anOwner() {
  const [phone, at] = [`135${String(++made).padStart(8, '0')}`, lot.at(0) as Instant]
  const { ownerId, token } = await lot.write(async (tx) => {
    const { id } = await register(tx, { phone, nickname: '张业主', at })
    return { ownerId: id as string, token: await openSession(tx, id, '127.0.0.1', at) }
  })
  const mine = (what: string, body: object = {}) => lot.post(`/share/mine/${what}`, body, token)
  const offers = (parkCode: string, more: object = {}) => mine('offer', { parkCode, seatNo: `B${++made}`, windows: ALWAYS, ...more })
  return { ownerId, phone, token, mine, offers }
}
const approves = (id: string, more: object = {}) => lot.get('/share/updateShareMemberState', { id, state: 1, ...more })

test('an owner offers a bay, which waits until the operator has looked at it; pauses, resumes and withdraws it, and nobody else’s', async () => {
  const [owner, stranger, { parkCode }] = [await anOwner(), await anOwner(), await lot.aSharedPark()]
  expect((await owner.mine('bays')).data.parks).toContainEqual({ parkCode, parkName: expect.any(String), splitPermille: 600, priceFen: 600 })
  expect(await owner.offers(parkCode, { windows: [{ day: 1, from: '24:00', to: '08:00' }] })).toMatchObject({ status: 422, code: 41807 })
  expect(await owner.offers('NONE')).toMatchObject({ status: 422, code: 41806 })
  const { data: waiting } = await owner.offers(parkCode)
  expect(waiting).toMatchObject({ status: 0, splitPermille: 600, booked: 0, windows: ALWAYS })
  expect(await lot.sql('select owner_name, phone from share.offer where id = $1', [waiting.id])).toEqual([
    { ownerName: '张业主', phone: owner.phone },
  ])
  const turn = async (status: number, who = owner) => {
    const [now] = await lot.sql<{ version: number }>('select version from share.offer where id = $1', [waiting.id])
    return who.mine('turn', { id: waiting.id, version: now!.version, status })
  }
  expect(await turn(1)).toMatchObject({ status: 409, code: 41871 })
  await approves(waiting.id)
  expect((await turn(3, stranger)).status).toBe(404)
  expect((await stranger.mine('bays')).data).toMatchObject({ bays: [], orders: [], payouts: [], balanceFen: 0 })
  expect((await owner.mine('turn', { id: waiting.id, version: waiting.version, status: 3 })).status).toBe(409)
  expect((await turn(3)).data).toMatchObject({ status: 3 })
  expect((await turn(1)).data).toMatchObject({ status: 1 })
  // An owner cannot resume a bay that the operator paused.
  await approves(waiting.id, { state: 3, reason: '投诉核实中' })
  expect(await turn(1)).toMatchObject({ status: 409, code: 41872, message: expect.stringContaining('投诉核实中') })
  await approves(waiting.id)
  await approves(waiting.id, { state: 3 })
  expect(await turn(1)).toMatchObject({ status: 409, code: 41872 })
  await approves(waiting.id)
  await lot.booked(waiting.id)
  expect(await turn(2)).toMatchObject({ status: 409, code: 41803 })
  expect((await owner.mine('bays')).data).toMatchObject({ bays: [{ booked: 1 }], orders: [{ state: 1 }] })
})

test('proof is shown while the bay waits; ten bays at most', async () => {
  const [owner, stranger, { parkCode }] = [await anOwner(), await anOwner(), await lot.aSharedPark()]
  const { data: bay } = await owner.offers(parkCode)
  const proves = (token: string) => {
    const body = new FormData()
    body.set('id', bay.id)
    body.set('file', new Blob([pngOf(8, 8) as Uint8Array<ArrayBuffer>], { type: 'image/png' }), 'x.png')
    return lot.server.ask(token, 'POST', '/lbs/business/share/mine/proof', body) as Promise<any>
  }
  expect((await proves(stranger.token)).status).toBe(404)
  for (let n = 1; n <= 3; n++) expect(await proves(owner.token)).toMatchObject({ status: 200, data: { pictures: n } })
  expect(await proves(owner.token)).toMatchObject({ status: 422, code: 41873 })
  await approves(bay.id)
  expect((await proves(owner.token)).status).toBe(409)
  for (let n = 1; n < 10; n++) expect((await owner.offers(parkCode)).status).toBe(200)
  expect(await owner.offers(parkCode)).toMatchObject({ status: 422, code: 41870 })
})

test('what a bay brought is its owner’s: the order without who parked, and a payout of it that the operator reviews', async () => {
  const [owner, { parkCode }] = [await anOwner(), await lot.aSharedPark()]
  const { data: bay } = await owner.offers(parkCode)
  await approves(bay.id)
  const booked = await lot.booked(bay.id, { startAt: lot.at(0), endAt: lot.at(240) })
  await lot.tick(31)
  await lot.tick(31 + 25 * 60)
  const { data } = await owner.mine('bays')
  expect(data).toMatchObject({ balanceFen: 1440, orders: [{ bookingNo: booked.bookingNo, splitFen: 1440 }] })
  expect(JSON.stringify(data)).not.toContain(booked.plateNo)
  const asks = (amountFen: number) => owner.mine('payout', { amountFen, bank: '6222000011112222' })
  expect((await asks(1441)).code).toBe(41860)
  const twice = await Promise.all([asks(1440), asks(1440)])
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 409])
  const [asked] = (await owner.mine('bays')).data.payouts
  expect(asked).toMatchObject({ amountFen: 1440, state: 0 })
  const [row] = await lot.sql<{ id: string; version: number }>('select id, version from share.payout where id = $1', [asked.id])
  expect((await lot.post('/share/payoutAudit', { ...row, pass: true })).data).toMatchObject({ state: 1 })
})

test('where a park has its bays on record, only one of them can be let; where it has none, any number is taken for review', async () => {
  const { offers } = await anOwner()
  const { parkCode } = await lot.aSharedPark()
  expect((await offers(parkCode, { seatNo: 'A-017' })).status).toBe(200)
  await lot.sql(`insert into roadside.berth (park_code, seat_code, berth_no) values ($1, 'A-018', '18')`, [parkCode])
  expect(await offers(parkCode, { seatNo: 'A-019' })).toMatchObject({ status: 422, code: 41812 })
  expect((await offers(parkCode, { seatNo: 'A-018' })).status).toBe(200)
})
