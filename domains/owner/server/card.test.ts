import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PlateColorCode } from '../../../platform/contract/plate.ts'
import { tokenOfParks } from '../../../tests/support/roles.ts'
import { pursesOf } from './spend.ts'
import { aPhone, aPlate, aGarage, type Garage } from './testing.ts'

let garage: Garage
beforeAll(async () => {
  garage = await aGarage()
  await garage.codeOf('P001')
  await garage.codeOf('P002')
})
afterAll(() => garage.close())

const issue = async (more: object = {}) => (await garage.business('/rechargeParkCard/add', { holder: '王芳', phone: aPhone(), ...more })).data
const change = (card: any, act: number, more: object = {}) =>
  garage.business('/rechargeParkCard/update', { id: card.id, version: card.version, act, ...more })
const [DETAILS, BIND, RECHARGE, FREEZE, UNFREEZE, LOSE, REPLACE, CANCEL] = [1, 2, 3, 4, 5, 6, 7, 8]

test('a card is issued with money, bound, recharged, and its movements tell it', async () => {
  const plateNo = aPlate()
  const { card, recharge } = await issue({ plates: [plateNo], payFen: 5_000, payMethod: 4, parkCodes: ['P001'] })
  expect(card).toMatchObject({ status: 1, balanceFen: 5_000, plates: plateNo, parkCodes: ['P001'] })
  expect(card.cardNo).toMatch(/^88\d{8}$/)
  expect(recharge).toMatchObject({ payUrl: null })
  const more = (await change(card, RECHARGE, { payFen: 1_000, payMethod: 4 })).data
  expect(more.card.balanceFen).toBe(6_000)
  expect(await change(card, RECHARGE, { payFen: 1_000 })).toMatchObject({ code: 41552 })
  const other = aPlate()
  await change(more.card, BIND, { plates: [plateNo, other] })
  for (const by of [{ cardNo: card.cardNo }, { plateNo: other }, { phone: card.phone }])
    expect((await garage.business('/rechargeParkCard/query', by)).data).toMatchObject([{ id: card.id }])
  const order = await garage.spends(other, 900)
  expect(order.status).toBe(2)
  const { data } = await garage.business('/rechargeParkCard/detail', { id: card.id })
  expect(data.map(({ kind, amountFen, balanceAfterFen }: any) => [kind, amountFen, balanceAfterFen])).toEqual([
    [3, -900, 5_100],
    [1, 1_000, 6_000],
    [1, 5_000, 5_000],
  ])
  expect(data[0]).toMatchObject({ plateNo: other, parkCode: 'P001' })
  await expect(garage.spends(other, 900, 'P002')).rejects.toMatchObject({ code: 41501 })
  expect(await garage.differing()).toEqual([])
})

test('whoever looks after one park issues cards of it alone, and lets none into another, whatever they do with it', async () => {
  const token = await tokenOfParks(garage.server, ['P001'])
  const add = (parkCodes: string[]) => garage.business('/rechargeParkCard/add', { holder: '李娜', phone: aPhone(), parkCodes }, token)
  expect((await add(['P001', 'P002'])).status).toBe(404)
  const made = await add(['P001'])
  expect(made).toMatchObject({ status: 200, data: { card: { parkCodes: ['P001'] } } })
  const { id, version } = made.data.card
  const update = (act: number, more: object) => garage.business('/rechargeParkCard/update', { id, version, act, ...more }, token)
  for (const act of [DETAILS, BIND]) expect((await update(act, { parkCodes: ['P001', 'P002'] })).status, `act ${act}`).toBe(404)
  expect(await update(BIND, { plates: [aPlate()], parkCodes: ['P001'] })).toMatchObject({ status: 200, data: { card: { parkCodes: ['P001'] } } })
})

test('a card is found by any part of what its plates say, as long as they are its', async () => {
  const [one, other] = [aPlate(), aPlate()]
  const { card } = await issue({ plates: [one, other] })
  const found = async (plates: string) =>
    (await garage.business('/rechargeParkCard/page', { plates, holder: '王芳' })).data.records.filter(({ id }: any) => id === card.id).length
  const foundBy = (texts: string[]) => Promise.all(texts.map(found))
  expect(await foundBy([one, other.slice(2), one.slice(0, 2).toLowerCase(), `${one},${other}`, `${other},${one}`, '%'])).toEqual([1, 1, 1, 1, 0, 0])
  expect((await change(card, BIND, { plates: [other] })).data.card.plates).toBe(other)
  expect(await foundBy([one, other])).toEqual([0, 1])
  const cards = await garage.sql<{ id: string }>(`select id from owner.card c where plates is distinct from
    (select coalesce(string_agg(n.plate_no, ',' order by n.slot), '') from owner.card_plate n where n.card_id = c.id)`)
  expect(cards).toEqual([])
})

test('movements and refunds are found by the name and telephone that they show: an owner’s, a card’s, or a card’s that an owner has got since', async () => {
  const { ownerId, phone } = await garage.anOwner('孙晓')
  await garage.recharge(ownerId, 2_000)
  const { card } = await issue({ holder: '钱进', payFen: 1_000, payMethod: 4 })
  const bound = (await change(card, BIND, { ownerId })).data.card
  await change(bound, RECHARGE, { payFen: 3_000, payMethod: 4 })
  const lone = (await issue({ holder: '冯远', payFen: 4_000, payMethod: 4 })).card
  for (const whose of [{ ownerId }, { cardNo: card.cardNo }, { cardNo: lone.cardNo }])
    expect((await garage.custom('/assetsStore/refund/apply', { reason: '不再使用', ...whose })).code).toBe(200)
  const ids = async (path: string, more: object) => (await garage.custom(path, { limit: 500, ...more })).data.records.map(({ id }: any) => id).sort()
  for (const path of ['/assert/selectCarOwnerAssetInfo', '/assetsStore/refund/list']) {
    const all: any[] = (await garage.custom(path, { limit: 500 })).data.records
    const having = (field: string, part: string) =>
      all
        .filter((row) => row[field].includes(part))
        .map(({ id }) => id)
        .sort()
    for (const one of [phone, card.phone, lone.phone, '13900'])
      expect(await ids(path, { phone: one }), `${path} ${one}`).toEqual(having('phone', one))
    for (const one of path.endsWith('refund/list') ? ['孙晓', '钱', '冯远', '孙', '没有'] : [])
      expect(await ids(path, { holder: one }), one).toEqual(having('holder', one))
    expect(having('phone', lone.phone)).toHaveLength(path.endsWith('refund/list') ? 1 : 2)
  }
  const movements = async (one: string) =>
    (await garage.custom('/assert/selectCarOwnerAssetInfo', { phone: one, kind: [1] })).data.records.map(({ amountFen }: any) => amountFen)
  expect([await movements(phone), await movements(card.phone)]).toEqual([[3_000, 2_000], [1_000]])
  expect((await garage.custom('/assert/selectCarOwnerAssetSum', { phone: card.phone })).data).toMatchObject({ rechargedFen: 1_000 })
})

test('a card pays for its plate in any colour, for the counter types none; a plate whose form tells its colour, in that one alone', async () => {
  const [plateNo, green] = [aPlate(), '鄂FD12345']
  const { card } = await issue({ plates: [plateNo, green], payFen: 1_000, payMethod: 4 })
  const paysFor = async (of: string, plateColor: PlateColorCode) =>
    (await garage.server.house.writing(1, 'test', (tx) => pursesOf(tx, { plateNo: of, plateColor }, 'P001', true))).includes(card.purseId)
  expect([await paysFor(plateNo, 0), await paysFor(plateNo, 1), await paysFor(green, 4), await paysFor(green, 0)]).toEqual([true, true, true, false])
})

test('a card is spent before the account of its owner, and both pay where one is too little', async () => {
  const { ownerId } = await garage.anOwner()
  await garage.recharge(ownerId, 2_000)
  const { plateNo } = await garage.aCar(ownerId)
  const { card } = await issue({ ownerId, plates: [plateNo], payFen: 1_000, payMethod: 4 })
  await garage.spends(plateNo, 600)
  expect((await garage.stands(ownerId)).principalFen).toBe(2_000)
  await garage.spends(plateNo, 900)
  expect((await garage.stands(ownerId)).principalFen).toBe(1_500)
  await expect(garage.spends(plateNo, 1_501)).rejects.toMatchObject({ code: 41501 })
  expect((await garage.business('/rechargeParkCard/query', { cardNo: card.cardNo })).data[0].balanceFen).toBe(0)
  expect(await garage.differing()).toEqual([])
})

test('a lost card pays nothing; its replacement keeps what is in it; with money in it it is not cancelled', async () => {
  const plateNo = aPlate()
  const { card } = await issue({ plates: [plateNo], payFen: 1_000, payMethod: 4 })
  const lost = (await change(card, LOSE)).data.card
  expect(lost.status).toBe(4)
  await expect(garage.spends(plateNo, 100)).rejects.toMatchObject({ code: 41501 })
  expect((await change(lost, FREEZE)).status).toBe(409)
  const replaced = (await change(lost, REPLACE)).data.card
  expect(replaced).toMatchObject({ status: 1, balanceFen: 1_000, formerNo: card.cardNo })
  expect((await garage.business('/rechargeParkCard/query', { cardNo: card.cardNo })).data).toMatchObject([{ id: card.id }])
  expect(await change(replaced, CANCEL)).toMatchObject({ code: 41551 })
  await garage.spends(plateNo, 1_000)
  const frozen = (await change(replaced, FREEZE)).data.card
  const free = (await change(frozen, UNFREEZE)).data.card
  expect((await change(free, CANCEL)).data.card.status).toBe(3)
  expect((await change({ ...free, version: free.version + 1 }, RECHARGE, { payFen: 100, payMethod: 4 })).status).toBe(409)
})

test('money that comes back to a card cancelled meanwhile waits on it, frozen, and whoever keeps cards hears of it; at once with the cancelling it is never on a cancelled card', async () => {
  for (let round = 0; round < 10; round++) {
    const plateNo = aPlate()
    const { card } = await issue({ plates: [plateNo], payFen: 1_000, payMethod: 4 })
    const order = await garage.spends(plateNo, 1_000)
    const asked = (await garage.call(garage.second, '/orderRefund/apply', { orderId: order.id, amountFen: 400, reason: '多收' })).data
    const approve = () => garage.call(garage.third, '/orderRefund/approve', { id: asked.id, version: asked.version })
    if (round === 0) {
      expect((await change(card, CANCEL)).data.card.status).toBe(3)
      expect((await approve()).data.state).toBe(3)
    } else {
      const [cancelled, approved] = await Promise.all([change(card, CANCEL), approve()])
      expect(approved.data.state).toBe(3)
      if (cancelled.code !== 200) expect(cancelled.code).toBe(41551)
    }
    const [now] = (await garage.business('/rechargeParkCard/query', { cardNo: card.cardNo })).data
    const told = await garage.sql('select 1 from message.record where title like $1', [`%${card.cardNo}`])
    expect([now.balanceFen, now.status === 2 ? told.length > 0 : now.status]).toEqual([400, now.status === 2 ? true : 1])
    if (now.status !== 2) continue
    await expect(garage.spends(plateNo, 100)).rejects.toMatchObject({ code: 41501 })
    expect(await change(now, CANCEL)).toMatchObject({ code: 41551 })
  }
  expect(await garage.differing()).toEqual([])
})

test('a card that is bound while its owner’s account is merged away belongs to whoever remains; neither waits for the other in a ring', async () => {
  for (let round = 0; round < 12; round++) {
    const [keep, gone] = [await garage.anOwner(), await garage.anOwner()]
    const { card } = await issue({ ...(round % 2 === 0 && { ownerId: gone.ownerId }), payFen: 1_000, payMethod: 4 })
    const merge = () => garage.custom('/owner/account/merge', { keepId: keep.ownerId, goneId: gone.ownerId })
    const bind = () => change(card, BIND, { ownerId: gone.ownerId, plates: [aPlate()] })
    const [merged, bound] = await Promise.all([merge(), bind()])
    expect(merged.data?.done).toBe(true)
    expect([200, 41510]).toContain(bound.code)
    const [of] = await garage.sql<any>(
      'select c.owner_id, p.owner_id as purse_owner from owner.card c join owner.purse p on p.id = c.purse_id where c.id = $1',
      [card.id],
    )
    const whose = round % 2 === 0 || bound.code === 200 ? keep.ownerId : null
    expect(of).toEqual({ ownerId: whose, purseOwner: whose })
  }
  expect(await garage.differing()).toEqual([])
})

test('a card whose recharge is being paid is not cancelled: the money would lie on a card that is gone', async () => {
  const { card } = await issue({ plates: [aPlate()], payFen: 1_000, payMethod: 1 })
  expect(card.balanceFen).toBe(0)
  expect(await change(card, CANCEL)).toMatchObject({ status: 409, code: 41553 })
  const [{ orderId }] = (await garage.sql<any>('select order_id from owner.recharge order by made_at desc limit 1')) as [any]
  await garage.sql('update settlement.order set status = 0, paying_until = null where id = $1', [orderId])
  expect((await garage.business('/order/cancel', { id: orderId, reason: '不充了' })).code).toBe(200)
  expect((await change(card, CANCEL)).data.card.status).toBe(3)
})

test('six plates, no plate, an unknown park: refused', async () => {
  const add = (more: object) => garage.business('/rechargeParkCard/add', { holder: '王芳', phone: aPhone(), ...more })
  expect((await add({ plates: Array.from({ length: 6 }, aPlate) })).status).toBe(400)
  expect(await add({ plates: ['不是'] })).toMatchObject({ code: 41550 })
  expect((await add({ parkCodes: ['NOWHERE'] })).status).toBe(404)
  expect((await add({ payFen: 100 })).code).toBe(41552)
})

test('of two hundred spends at once out of a purse for ten, ten', async () => {
  const plateNo = aPlate()
  const { card } = await issue({ plates: [plateNo], payFen: 1_000, payMethod: 4 })
  const spent = await Promise.allSettled(Array.from({ length: 200 }, () => garage.spends(plateNo, 100)))
  expect(spent.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  expect(new Set(spent.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : [])))).toEqual(new Set([41501]))
  expect((await garage.business('/rechargeParkCard/query', { cardNo: card.cardNo })).data[0].balanceFen).toBe(0)
  expect(await garage.differing()).toEqual([])
})

test('what was spent comes back into the purse that it came from', async () => {
  const { ownerId } = await garage.anOwner()
  await garage.recharge(ownerId, 2_000)
  const { plateNo } = await garage.aCar(ownerId)
  const order = await garage.spends(plateNo, 900)
  const asked = (await garage.call(garage.second, '/orderRefund/apply', { orderId: order.id, amountFen: 400, reason: '多收' })).data
  expect((await garage.call(garage.third, '/orderRefund/approve', { id: asked.id, version: asked.version })).data.state).toBe(3)
  expect((await garage.stands(ownerId)).principalFen).toBe(1_500)
  const sum = (await garage.custom('/assert/selectCarOwnerAssetSum', { ownerId })).data
  expect(sum).toMatchObject({ rechargedFen: 2_000, spentFen: 500, closingFen: 1_500 })
  expect(await garage.differing()).toEqual([])
})
