import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Instant } from '../../../../platform/contract/field.ts'
import type { Tx } from '../../../../platform/server/database.ts'
import { groupsOf } from '../../../charging/server/api.ts'
import { bindCar, register } from '../../../owner/server/api.ts'
import { anOffice, aPhone, aPlate, type Office } from '../testing.ts'

let office: Office
beforeAll(async () => void (office = await anOffice()))
afterAll(() => office.server.close())

const now = () => new Date().toISOString() as Instant
const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => office.server.house.writing(1, 'test', work)
const groups = (ownerId: string, at = now()) => write(async (tx) => (await groupsOf.ask(tx, { ownerId, at })).flatMap(({ answer }) => answer))

test('an owner is in the kinds of pass that they hold now, by their telephone or for their verified car', async () => {
  const [phone, plateNo] = [aPhone(), aPlate()]
  const ownerId = await write(async (tx) => (await register(tx, { phone, nickname: '车主', at: now() })).id as string)
  const car = await write((tx) => bindCar(tx, { ownerId, plateNo, at: now() }))
  const [own, fleet, other] = [await office.aGroup(), await office.aGroup(), await office.aGroup()]
  await office.aPass(own, { memberId: await office.aCustomer({ phone }) })
  const covering = await office.aPass(fleet, { plates: [plateNo] })
  await office.aPass(other)
  // A plate that nobody has verified says nothing.
  expect(await groups(ownerId)).toEqual([own.group.id])
  await office.sql('update owner.car set verify_state = 1 where id = $1', [car.id])
  expect((await groups(ownerId)).toSorted()).toEqual([own.group.id, fleet.group.id].toSorted())
  // A pass that is over, or frozen, is none.
  expect(await groups(ownerId, new Date(Date.now() + 400 * 86_400_000).toISOString() as Instant)).toEqual([])
  await office.sql('update member.pass set state = 3, frozen_at = now() where id = $1', [covering.id])
  expect(await groups(ownerId)).toEqual([own.group.id])
  expect(await groups('nobody')).toEqual([])
})
