import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDoor, aGarage, aPhone, type Door, type Garage } from './testing.ts'

let garage: Garage
let door: Door
beforeAll(async () => {
  garage = await aGarage()
  door = await aDoor(garage)
})
afterAll(() => garage.close())

const HOME = '/lbs/custom/owner/mine/home'
const home = (token: string | null, headers?: Record<string, string>) => garage.server.ask(token, 'POST', HOME, {}, headers)
/** As if so many minutes had passed since the codes of this telephone. */
const passes = (phone: string, minutes: number) =>
  garage.sql(
    "update owner.door_code set sent_at = sent_at - $2 * interval '1 minute', expires_at = expires_at - $2 * interval '1 minute' where phone = $1",
    [phone, minutes],
  )

test('a driver comes in by a code that was sent to them, once, and goes out again', async () => {
  const phone = aPhone()
  expect((await door.code(phone)).status).toBe(200)
  const code = await door.told(phone)
  const [first, again] = await Promise.all([door.enter(phone, code), door.enter(phone, code)])
  const opened = [first, again].filter(({ status }) => status === 200)
  expect(opened).toHaveLength(1)
  expect([first, again].find(({ status }) => status !== 200)).toMatchObject({ status: 422, code: 41571 })
  const token = opened[0].data.access_token
  expect((await home(token)).data).toMatchObject({ phone, nickname: `车主${phone.slice(-4)}`, cars: [], principalFen: 0, debts: 0 })
  expect((await garage.server.ask(token, 'POST', '/lbs/custom/owner/door/signOut', {})).status).toBe(200)
  expect((await home(token)).status).toBe(401)
  expect((await door.enter(phone, code)).status).toBe(422)
})

test('a number that is known and one that is not are answered alike', async () => {
  const [known, unknown] = [(await garage.anOwner()).phone, aPhone()]
  const shapeOf = async (phone: string) => {
    const { status, data, message } = await door.code(phone)
    return { status, message, fields: Object.keys(data) }
  }
  expect(await shapeOf(known)).toEqual(await shapeOf(unknown))
  const wrong = async (phone: string) => {
    const { status, code, message } = await door.enter(phone, (await door.told(phone)) === '000000' ? '111111' : '000000')
    return { status, code, message }
  }
  const never = await door.enter(aPhone(), '123456')
  expect(await wrong(known)).toEqual(await wrong(unknown))
  expect(await wrong(known)).toEqual({ status: never.status, code: never.code, message: never.message })
  expect((await garage.sql('select 1 from owner.account where phone = $1', [unknown])).length).toBe(0)
})

test('after five wrong tries the right code is wrong too; so is one that is old, or not the last', async () => {
  const phone = aPhone()
  await door.code(phone)
  const code = await door.told(phone)
  const other = code === '000000' ? '111111' : '000000'
  for (let i = 0; i < 5; i++) expect((await door.enter(phone, other)).status).toBe(422)
  expect((await door.enter(phone, code)).status).toBe(422)
  await passes(phone, 2)
  await door.code(phone)
  const second = await door.told(phone)
  await passes(phone, 6)
  expect((await door.enter(phone, second)).status).toBe(422)
  await door.code(phone)
  const third = await door.told(phone)
  if (second !== third) expect((await door.enter(phone, second)).status).toBe(422)
  expect((await door.enter(phone, third)).status).toBe(200)
})

test('a stranger who knows the number keeps nobody out: neither by wrong tries nor by asking for codes', async () => {
  const phone = aPhone()
  const { data } = await door.code(phone)
  const code = await door.told(phone)
  const other = code === '000000' ? '111111' : '000000'
  for (let i = 0; i < 6; i++) expect((await door.enter(phone, other, {}, 'x'.repeat(22))).status).toBe(422)
  await passes(phone, 1)
  // The stranger's own code, from elsewhere, and wrong tries of it.
  await garage.sql(
    `insert into owner.door_code (phone, code_hash, nonce_hash, address, sent_at, expires_at) select $1, '\\x00', '\\x00', '10.9.9.9', now() - n * interval '6 minutes', now() from generate_series(1, 10) n`,
    [phone],
  )
  expect((await door.enter(phone, code, {}, 'x'.repeat(22))).status, 'the code alone is nothing').toBe(422)
  expect((await door.enter(phone, code, {}, data.nonce)).status).toBe(200)
  expect((await door.code(phone)).status, 'ten of theirs are not the driver’s ten').toBe(200)
  await garage.sql(
    `insert into owner.door_code (phone, code_hash, nonce_hash, address, sent_at, expires_at) select $1, '\\x00', '\\x00', '10.9.9.' || n, now() - interval '2 hours', now() from generate_series(1, 20) n`,
    [phone],
  )
  await passes(phone, 2)
  expect((await door.code(phone)).status, 'a telephone gets no more than thirty a day, from wherever').toBe(429)
})

test('codes are sent once a minute, five times an hour and ten a day to a telephone; two at once are one', async () => {
  const phone = aPhone()
  const both = await Promise.all([door.code(phone), door.code(phone), door.code(phone)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 429, 429])
  for (let i = 1; i < 5; i++) {
    await passes(phone, 2)
    expect((await door.code(phone)).status).toBe(200)
  }
  await passes(phone, 2)
  expect((await door.code(phone)).status).toBe(429)
  for (let i = 0; i < 5; i++) {
    await passes(phone, 61)
    expect((await door.code(phone)).status).toBe(200)
  }
  await passes(phone, 61)
  expect((await door.code(phone)).status).toBe(429)
  expect((await door.code(aPhone())).status).toBe(200)
})

test('a clock that was put back keeps no driver from a code, and the code that comes is the one that counts', async () => {
  const phone = aPhone()
  for (let i = 0; i < 5; i++) {
    await door.code(phone)
    await passes(phone, 2)
  }
  expect((await door.code(phone)).status).toBe(429)
  await passes(phone, -60)
  const early = await door.told(phone)
  expect((await door.code(phone)).status).toBe(200)
  const code = await door.told(phone)
  if (early !== code) expect((await door.enter(phone, early)).status).toBe(422)
  expect((await door.enter(phone, code)).status).toBe(200)
  expect((await door.code(phone)).status).toBe(429)
})

test('an address, and a company, are not made to send without end', async () => {
  await garage.sql(
    `insert into owner.door_code (phone, code_hash, nonce_hash, address, sent_at, expires_at) select '1' || n, '\\x00', '\\x00', '127.0.0.1', now(), now() + interval '1 minute' from generate_series(1, 60) n`,
  )
  expect((await door.code(aPhone())).status).toBe(429)
  await garage.sql(`update owner.door_code set address = '10.0.0.1' where code_hash = '\\x00'`)
  expect((await door.code(aPhone())).status).toBe(200)
  await garage.sql(
    `insert into owner.door_code (phone, code_hash, nonce_hash, address, sent_at, expires_at) select '2' || n, '\\x00', '\\x00', '10.1.' || n, now(), now() + interval '1 minute' from generate_series(1, 3000) n`,
  )
  expect((await door.code(aPhone())).status).toBe(429)
  await garage.sql(`delete from owner.door_code where code_hash = '\\x00'`)
  expect((await door.code(aPhone())).status).toBe(200)
})

test('a page gets its session as a cookie that no script reads, and no token', async () => {
  const phone = aPhone()
  await door.code(phone)
  const { data, headers } = await door.enter(phone, await door.told(phone), { origin: garage.server.url })
  expect(data).toEqual({})
  const cookie = headers.get('set-cookie')!
  expect(cookie).toMatch(/^kerbline-driver=[\w-]{43}; Path=\/lbs; HttpOnly; SameSite=Strict/)
  expect((await home(null, { cookie: cookie.split(';')[0]! })).status).toBe(200)
  expect((await home(null, { cookie: 'kerbline-driver=x' })).status).toBe(401)
})

test('a driver’s session opens no call of the console, and the console’s none of a driver’s', async () => {
  const token = await door.comes(aPhone())
  expect((await home(token)).status).toBe(200)
  const console_ = (who: string) => garage.server.ask(who, 'GET', '/lbs/custom/account/getUserInfo')
  expect((await console_(token)).status).toBe(401)
  expect((await garage.custom('/assert/selectCarOwnerInfo', {}, token)).status).toBe(401)
  expect((await console_(garage.admin)).status).toBe(200)
  expect((await home(garage.admin)).status).toBe(401)
})

test('whoever is locked is out at once, and does not come in', async () => {
  const phone = aPhone()
  const token = await door.comes(phone)
  await garage.sql('update owner.account set status = 2 where phone = $1', [phone])
  expect((await home(token)).status).toBe(401)
  await passes(phone, 2)
  await door.code(phone)
  expect(await door.enter(phone, await door.told(phone))).toMatchObject({ status: 409, code: 41510 })
  await garage.sql('update owner.account set status = 1 where phone = $1', [phone])
  expect((await home(token)).status).toBe(200)
})

test('a company that is none has no door; where no message can be sent, that is said', async () => {
  expect((await door.code(aPhone(), { enterpriseId: 999_999 })).status).toBe(404)
  expect((await door.code('12345')).status).toBe(400)
  await garage.sql('update message.template set state = 2 where code = $1', ['login.code'])
  const phone = aPhone()
  expect(await door.code(phone)).toMatchObject({ status: 503, code: 41570 })
  expect(await garage.sql('select 1 from owner.door_code where phone = $1', [phone])).toEqual([])
})
