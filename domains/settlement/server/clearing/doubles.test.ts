import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../../../platform/server/database.ts'
import { aTill, type Till } from '../testing.ts'

/** Money that nobody asked for is somebody's work: one person's at a time. */
let till: Till
let deputy: string
let ids: Record<string, string>
beforeAll(async () => {
  till = await aTill()
  ids = Object.fromEntries(
    (await sql<{ username: string; id: string }>('select username, id from identity.person')).map(({ username, id }) => [username, id]),
  )
  // Sees to such money, and reviews nothing.
  const [button] = await sql<{ id: string; resourceId: string }>(
    `select id, resource_id from identity.button where capability = 'settlement:liquidation:handle' and not retired`,
  )
  const { data: role } = await till.server.ask(till.admin, 'POST', '/lbs/custom/roleNew/roleAddNew', {
    name: '对账',
    dataScope: 1,
    resourceIds: [button!.resourceId],
    buttonIds: [button!.id],
  })
  await sql('delete from identity.person_role where person_id = $1', [ids['operator']])
  await sql('insert into identity.person_role (person_id, role_id) values ($1, $2)', [ids['operator'], role.id])
  deputy = await till.server.signIn('operator')
})
afterAll(() => till.close())
const sql = <Row>(text: string, values: readonly unknown[] = []) =>
  till.server.house.writing(1, 'test', (tx) => run<Row>(tx, { sql: text }, [...values])) as Promise<Row[]>
const ask = (path: string, body: object = {}, token = till.admin) => till.server.ask(token, 'POST', `/lbs/checkBill/liquidation/${path}`, body)
const pickOf = ({ id, version }: { id: string; version: number }) => ({ id, version })

async function wrong() {
  const order = await till.anOrder()
  const { payNo, amountFen } = await till.startPaying(order)
  await till.notify({ payNo, amountFen: amountFen - 1, tradeNo: `W-${payNo}` })
  return lineOf(`W-${payNo}`)
}
const lineOf = async (tradeNo: string) => (await ask('doublePayments', { tradeNo })).data.records[0]

describe('a double payment', () => {
  test('is taken by one of those who reach for it at once; the others hear who has it', async () => {
    const line = await wrong()
    expect(line).toMatchObject({ ownerId: null, ownerName: null })
    const both = await Promise.all([ask('doubleTake', pickOf(line)), ask('doubleTake', pickOf(line), deputy)])
    const [winner, loser] = both[0].status === 200 ? both : [both[1], both[0]]
    expect(winner).toMatchObject({ status: 200, data: { ownerName: expect.any(String), version: line.version + 1 } })
    expect(loser.status).toBe(409)
    const now = await lineOf(line.tradeNo)
    expect(now).toMatchObject({ ownerId: winner.data.ownerId, ownedAt: expect.any(String) })
    const late = await ask('doubleTake', pickOf(now), winner === both[0] ? deputy : till.admin)
    expect(late).toMatchObject({ status: 409, code: 40571, message: expect.stringContaining(winner.data.ownerName) })
    // Taking again changes nothing for the person who has it.
    expect((await ask('doubleTake', pickOf(now), winner === both[0] ? till.admin : deputy)).data.version).toBe(now.version)
    expect((await ask('doublePayments', { ownerId: winner.data.ownerId })).data.records).toContainEqual(now)
  })

  test('is handed over by whoever has it, to somebody who may see to it, or back to nobody', async () => {
    const line = await wrong()
    expect(await ask('doubleHandOver', { ...pickOf(line), personId: ids['operator'] })).toMatchObject({ status: 409, code: 40573 })
    const { data: mine } = await ask('doubleTake', pickOf(line), deputy)
    expect(await ask('doubleHandOver', { ...pickOf(mine), personId: ids['auditor'] }, deputy)).toMatchObject({ status: 422, code: 40574 })
    const { data: theirs } = await ask('doubleHandOver', { ...pickOf(mine), personId: ids['admin'] }, deputy)
    expect(theirs).toMatchObject({ ownerId: ids['admin'] })
    expect(await ask('doubleHandOver', pickOf(mine), deputy)).toMatchObject({ status: 409 })
    const { data: nobodys } = await ask('doubleHandOver', pickOf(theirs))
    expect(nobodys).toMatchObject({ ownerId: null, ownerName: null, ownedAt: null })
    const { data: people } = await till.server.ask(till.admin, 'GET', '/lbs/checkBill/liquidation/doublePeople')
    expect(people.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining([ids['admin'], ids['operator']]))
  })

  test('is not taken away by one who neither has it nor reviews; a reviewer may', async () => {
    const { data: held } = await ask('doubleTake', pickOf(await wrong()))
    expect(await ask('doubleHandOver', { ...pickOf(held), personId: ids['operator'] }, deputy)).toMatchObject({ status: 409, code: 40572 })
    const { data: theirs } = await ask('doubleTake', pickOf(await wrong()), deputy)
    expect((await ask('doubleHandOver', { ...pickOf(theirs), personId: ids['admin'] })).data).toMatchObject({ ownerId: ids['admin'] })
  })

  test("that has gone back is nobody's work any more, and no other payment has an owner", async () => {
    const line = await wrong()
    await sql(`update settlement.payment set refund_fen = received_fen where id = $1`, [line.id])
    expect(await ask('doubleTake', pickOf(line))).toMatchObject({ status: 409, code: 40575 })
    const [paid] = await sql<{ id: string }>(`update settlement.payment set state = 1, refund_fen = 0 where id = $1 returning id`, [line.id])
    expect(await ask('doubleTake', { ...pickOf(line), id: paid!.id })).toMatchObject({ status: 404 })
    await expect(
      sql(`update settlement.payment set owner_id = $2, owner_name = 'x', owned_at = now() where id = $1`, [line.id, ids['admin']]),
    ).rejects.toThrow('owned_if_unasked')
  })
})
