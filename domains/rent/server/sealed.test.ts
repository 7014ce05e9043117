import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { instantAt } from '../../../platform/contract/time.ts'
import { digestOf, PASSWORD } from '../../../tests/support/server.ts'
import { hashed } from '../../identity/server/api.ts'
import { closed, hashOf, joined, newSecret, sealKeyOf, split } from './sealing.ts'
import { anAuction, type Auction } from './testing.ts'

let house: Auction
let notary: string
beforeAll(async () => {
  house = await anAuction()
  await house.sql(
    `insert into identity.person (enterprise_id, username, name, password_hash, must_change) values (1, 'notary', '公证员', $1, false)`,
    [await hashed(digestOf('notary', PASSWORD))],
  )
  await house.sql(
    `insert into identity.person_role (enterprise_id, person_id, role_id) select 1, n.id, r.role_id from identity.person n, identity.person_role r join identity.person a on a.id = r.person_id where n.username = 'notary' and a.username = 'admin'`,
  )
  notary = await house.server.signIn('notary')
})
afterAll(() => house.close())
const now = () => instantAt(Date.now())
const inDays = (days: number) => instantAt(Date.now() + days * 86_400_000)
let made = 0
/** As a browser does it; that it does it so is tried by tests/journeys/rent.browser.test.ts. */
const newCode = () => {
  const secret = newSecret()
  return { publicKey: sealKeyOf(secret), code: secret.toString('base64url') }
}
const sealed = (sealKey: string, message: string) => ({ cipher: closed(sealKey, Buffer.from(message)), commitment: hashOf(message) })
const bidMessage = (enrollId: string, bidFen: number) => JSON.stringify({ enrollId, bidFen, salt: randomUUID() })

const drafted = async () => {
  const terms = {
    name: `密封项目${++made}`,
    type: 3,
    parkCode: 'R001',
    assets: '库房 120 ㎡',
    baseFen: 1_000_000,
    earnestFen: 200_000,
    leaseMonths: 36,
  }
  const times = { enrollFrom: inDays(-1), enrollTo: inDays(40), bidFrom: inDays(41), bidTo: inDays(42) }
  return (await house.post('/rentProject/add', { ...terms, ...times })).data
}
const join = async (projectId: string, holder: 1 | 2 | 3, token?: string) => {
  const { publicKey, code } = newCode()
  return { code, answer: await house.post('/rentSeal/join', { projectId, holder, publicKey }, token) }
}
/** A draft whose three have taken their keys. */
async function keyed() {
  const { id } = await drafted()
  const codes = [(await join(id, 1)).code, (await join(id, 2, house.deputy)).code, (await join(id, 3, notary)).code] as const
  return { id, codes }
}
const publish = async (projectId: string) => {
  const { data: told } = await house.post('/rentNotices/add', { projectId, type: 1, title: '招租', content: '密封竞价招租' })
  return house.post('/rentNotices/publish', { id: told.id, version: told.version }, house.deputy)
}
/** Open for sealed bids, with so many who may place one. */
async function bidding(bidders: number) {
  const { id, codes } = await keyed()
  expect(await publish(id)).toMatchObject({ status: 200 })
  const them = []
  for (let n = 0; n < bidders; n++) them.push(await house.qualified(id))
  await house.open(id, 60)
  return { id, codes, them }
}
type Bidder = Awaited<ReturnType<typeof bidding>>['them'][number]
const roomOf = async (projectId: string, { token }: Bidder) => (await house.call(token, '/rentBid/room', { projectId })).data
const place = (projectId: string, { token }: Bidder, bid: object) => house.call(token, '/rentBid/seal', { projectId, ...bid })
const seal = async (projectId: string, bidder: Bidder, bidFen: number) => {
  const { sealKey, enrollId } = await roomOf(projectId, bidder)
  return place(projectId, bidder, sealed(sealKey, bidMessage(enrollId, bidFen)))
}
const over = (projectId: string) =>
  house.sql(`update rent.project set bid_to = now() - interval '1 minute', ends_at = now() - interval '1 minute' where id = $1`, [projectId])
const open = (projectId: string, firstCode: string, secondCode: string, token?: string) =>
  house.post('/rentSeal/open', { projectId, firstCode, secondCode }, token)

test('two parts of a secret give it, whichever they are; one gives nothing of it', () => {
  const secret = newSecret()
  const parts = split(secret).map((share, n) => ({ at: n + 1, share }))
  for (const one of parts) for (const other of parts) if (one !== other) expect(joined(one, other).equals(secret)).toBe(true)
  for (const { share } of parts) expect(share.equals(secret)).toBe(false)
})

test('a sealed letting is published once its handler and two others hold a key each', async () => {
  const { id } = await drafted()
  expect((await house.project(id)).minBidders).toBe(2)
  expect((await join(id, 2)).answer).toMatchObject({ status: 422, code: 42482 })
  expect((await join(id, 1, house.deputy)).answer).toMatchObject({ status: 422, code: 42482 })
  expect((await join(id, 1)).answer).toMatchObject({ status: 200 })
  expect((await join(id, 2, house.deputy)).answer).toMatchObject({ status: 200 })
  expect((await join(id, 3, house.deputy)).answer).toMatchObject({ status: 409, code: 42483 })
  expect((await house.project(id)).sealKey).toBeNull()
  expect(await publish(id)).toMatchObject({ status: 422, code: 42410 })
  expect((await join(id, 3, notary)).answer).toMatchObject({ status: 200 })
  const { sealKey } = await house.project(id)
  expect(sealKey).toMatch(/^[\w-]{43}$/)
  expect((await house.post('/rentSeal/query', { projectId: id })).data.records.map(({ holder, share }: any) => [holder, share])).toEqual([
    [1, undefined],
    [2, undefined],
    [3, undefined],
  ])
  expect(await publish(id)).toMatchObject({ status: 200 })
  expect((await join(id, 3, notary)).answer).toMatchObject({ status: 409 })
  expect((await house.project(id)).sealKey).toBe(sealKey)
})

test('a key taken anew takes the place of the one before, which opens nothing; the other two stay as they are', async () => {
  const { id, codes } = await keyed()
  const { sealKey } = await house.project(id)
  const { code } = await join(id, 2, house.deputy)
  expect((await house.project(id)).sealKey).not.toBe(sealKey)
  await publish(id)
  const them = [await house.qualified(id), await house.qualified(id)]
  await house.open(id, 60)
  await seal(id, them[0]!, 1_000_000)
  await over(id)
  expect(await open(id, codes[0], codes[1])).toMatchObject({ status: 422, code: 42484 })
  expect(await open(id, codes[0], code)).toMatchObject({ status: 200 })
})

test('sealed bids are read by nobody before two holders open them in one act; of equal ones the earlier leads; what is void goes back', async () => {
  const { id, codes, them } = await bidding(6)
  const [early, late, below, liar, thief, silent] = them as [Bidder, Bidder, Bidder, Bidder, Bidder, Bidder]
  expect(await house.call(early.token, '/rentBid/place', { projectId: id, bidFen: 1_200_000 })).toMatchObject({ status: 409, code: 42450 })
  expect(await seal(id, early, 1_200_000)).toMatchObject({ status: 200, data: { mayBid: false } })
  expect(await seal(id, early, 1_300_000)).toMatchObject({ status: 409, code: 42487 })
  expect(await seal(id, late, 1_200_000)).toMatchObject({ status: 200 })
  expect(await seal(id, below, 999_999)).toMatchObject({ status: 200 })
  const { sealKey, enrollId } = await roomOf(id, liar)
  const [one, other] = [sealed(sealKey, bidMessage(enrollId, 5_000_000)), sealed(sealKey, bidMessage(enrollId, 1_000_000))]
  expect(await place(id, liar, { cipher: one.cipher, commitment: other.commitment })).toMatchObject({ status: 200 })
  const [copied] = await house.sql('select cipher, commitment from rent.sealed where enroll_id = $1', [early.id])
  expect(await place(id, thief, copied)).toMatchObject({ status: 200 })
  const stored = JSON.stringify([
    ...(await house.sql('select * from rent.sealed where project_id = $1', [id])),
    ...(await house.sql('select * from rent.seal_part where project_id = $1', [id])),
  ])
  for (const read of ['1200000', '999999', ...codes]) expect(stored).not.toContain(read)
  const shown = (await house.post('/rentSeal/bids', { projectId: id })).data.records
  expect(shown).toHaveLength(5)
  expect((await roomOf(id, silent)).sealed).toEqual(shown)
  await expect(house.sql(`update rent.sealed set cipher = 'x' where enroll_id = $1`, [early.id])).rejects.toThrow()

  expect(await open(id, codes[0], codes[1])).toMatchObject({ status: 422, code: 42486 })
  await over(id)
  const told = async () =>
    (await house.sql(`select from message.record where channel_type = 1 and title like '%' || $1 || '%'`, [(await house.project(id)).name])).length
  await house.tick(now())
  expect(await told()).toBe(3)
  await house.tick(now())
  expect(await told()).toBe(3)
  expect((await house.project(id)).state).toBe(4)
  expect(await open(id, codes[0], codes[0])).toMatchObject({ status: 422, code: 42484 })
  expect(await open(id, codes[0], newCode().code)).toMatchObject({ status: 422, code: 42484 })
  expect(await house.enrolment(early.id)).toMatchObject({ bidFen: null })
  const both = await Promise.all([open(id, codes[1], codes[2]), open(id, codes[2], codes[0], notary)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await house.project(id)).toMatchObject({ state: 5, currentFen: 1_200_000, bids: 2 })
  expect(await house.enrolment(early.id)).toMatchObject({ bidFen: 1_200_000, rank: 1 })
  expect(await house.enrolment(late.id)).toMatchObject({ bidFen: 1_200_000, rank: 2 })
  for (const one of [below, liar, thief]) {
    const { bidFen, refundId, orderId } = await house.enrolment(one.id)
    expect(bidFen).toBeNull()
    expect(refundId).not.toBeNull()
    expect(await house.sql('select amount_fen from settlement.refund where order_id = $1', [orderId])).toEqual([{ amountFen: 200_000 }])
  }
  expect((await house.enrolment(silent.id)).refundId).toBeNull()
  expect(await house.post('/rentProject/bidding', { projectId: id, enrollId: late.id }, house.deputy)).toMatchObject({ status: 422, code: 42461 })
  expect(await house.post('/rentProject/bidding', { projectId: id, enrollId: early.id, bidFen: 1_200_000 }, house.deputy)).toMatchObject({
    status: 200,
    data: { state: 6 },
  })
  expect((await house.enrolment(silent.id)).refundState).toBe(0)
})

test('only holders open; a bid after the end is none; with none at all, or none that counts, the project fails', async () => {
  const [none, void1] = [await bidding(2), await bidding(2)]
  await over(none.id)
  expect(await seal(none.id, none.them[0]!, 1_000_000)).toMatchObject({ status: 409, code: 42450 })
  await house.tick(instantAt(Date.now() + 10_000))
  expect((await house.project(none.id)).state).toBe(10)
  await seal(void1.id, void1.them[0]!, 1)
  await over(void1.id)
  await house.sql(`update rent.seal_part set person_id = uuidv7() where project_id = $1 and holder = 2`, [void1.id])
  expect(await open(void1.id, void1.codes[0], void1.codes[1], house.deputy)).toMatchObject({ status: 403, code: 42485 })
  expect(await open(void1.id, void1.codes[0], void1.codes[2])).toMatchObject({ status: 200, data: { state: 10 } })
  expect((await house.enrolment(void1.them[1]!.id)).refundState).toBe(0)
})
