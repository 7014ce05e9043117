import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { instantAt } from '../../platform/contract/time.ts'
import { erase as eraseTask } from '../../domains/owner/server/account.ts'
import { register } from '../../domains/owner/server/api.ts'
import { CustomerStatus } from '../../domains/member/contract/customer.ts'
import { anOffice, aPlate, type Office } from '../../domains/member/server/testing.ts'
import { Said } from '../../domains/owner/contract/said.ts'

let office: Office
beforeAll(async () => {
  office = await anOffice()
})
afterAll(() => office.server.close())

const write = <T>(work: (tx: any) => Promise<T>) => office.server.house.writing(1, 'test', work)
const now = () => instantAt(Date.now())
const care = (what: string, body: object): Promise<any> => office.ask(office.admin, `/custom/owner/account/${what}`, body)
const one = async (sql: string, id: string) => (await office.sql(sql, [id]))[0]
const CUSTOMER = 'select name, phone, cert_no, address, remark, status from member.customer where id = $1'

/** An owner whose telephone a customer with a pass has, and who stands on the white list. */
async function aHolder(more: object = {}) {
  const phone = `150${String(randomInt(1e8)).padStart(8, '0')}`
  const { id: ownerId } = await write((tx) => register(tx, { phone, nickname: '王芳', at: now() }))
  const memberId = await office.aCustomer({ name: '王芳', phone, certNo: '420607199001011234', address: '春园路 1 号', remark: '老客户', ...more })
  const plateNo = aPlate()
  const pass = await office.aPass(await office.aGroup(), { memberId, plates: [plateNo] })
  const listed = await one(
    `insert into member.list (list_type, plate_no, start_at, reason_type, white_kind, holder, phone) values (1, $1, now(), 1, 1, '王芳', '${phone}') returning id`,
    aPlate(),
  )
  const version = async () => (await one('select version from owner.account where id = $1', ownerId)).version
  const erases = async () => care('erase', { ownerId, version: await version() })
  async function isErased() {
    expect((await erases()).code).toBe(200)
    await office.sql(`update owner.account set erase_at = now() - interval '1 minute' where id = $1`, [ownerId])
    await write((tx) => eraseTask.work({ house: office.server.house, tx, at: now(), data: {} }))
  }
  const ends = () =>
    office.sql(`update member.pass set start_at = now() - interval '40 days', end_at = now() - interval '1 day' where id = $1`, [pass.id])
  return { ownerId, memberId, phone, plateNo, pass, listId: listed.id, erases, isErased, ends }
}

test('an owner is handed out what they are to the parks: their record, cars, passes and periods, and where they are listed; nobody’s name at the counter is in it', async () => {
  const { ownerId, memberId, plateNo, pass, listId } = await aHolder()
  const { others } = (await care('export', { ownerId })).data
  const kept = (of: string) => others.filter((one: any) => one.of === of)
  expect(kept('member.customer')).toMatchObject([{ id: memberId, name: '王芳', address: '春园路 1 号' }])
  expect(kept('member.car')).toMatchObject([{ plate_no: plateNo }])
  expect(kept('member.pass')).toMatchObject([{ id: pass.id }])
  expect(kept('member.period')).toMatchObject([{ pass_id: pass.id }])
  expect(kept('member.list')).toMatchObject([{ id: listId, holder: '王芳' }])
  const [{ operatorName }] = await office.sql('select operator_name from member.period where pass_id = $1', [pass.id])
  expect(operatorName).toBeTruthy()
  expect(kept('member.period')[0]).not.toHaveProperty('operator_name')
})

test('whoever has a pass that runs is not erased; afterwards no name and number stays, and what was sold does', async () => {
  const { memberId, pass, listId, erases, isErased, ends } = await aHolder()
  expect(await erases()).toMatchObject({ code: 41483 })
  await ends()
  await isErased()
  expect(await one(CUSTOMER, memberId)).toEqual({
    name: Said.erased,
    phone: null,
    certNo: null,
    address: null,
    remark: null,
    status: CustomerStatus.stopped,
  })
  expect(await one('select holder, phone from member.list where id = $1', listId)).toEqual({ holder: Said.erased, phone: null })
  expect(await one('select member_id from member.pass where id = $1', pass.id)).toEqual({ memberId })
})

test('a company keeps its name, not the telephone of who signed for it', async () => {
  const { memberId, isErased, ends } = await aHolder({ name: '汉江物流', kind: 2, certNo: '91420600MA4XXXXX1K' })
  await ends()
  await isErased()
  expect(await one(CUSTOMER, memberId)).toMatchObject({ name: '汉江物流', certNo: '91420600MA4XXXXX1K', phone: null, address: null })
})
