import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { addressOf, type Call } from '../../../platform/contract/call.ts'
import { session } from '../../identity/contract/session.ts'
import { park } from '../../parking/contract/park.ts'
import { screen } from '../../parking/contract/screen.ts'
import { home } from '../contract/home.ts'
import { wall, wallLink, WallScreen } from '../contract/wall.ts'

let server: TestServer
let admin: string
let operator: string
let owner: pg.Pool
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
  operator = await server.signIn('operator')
  owner = new pg.Pool({ connectionString: server.ownerUrl })
  await owner.query(`insert into parking.park (enterprise_id, park_code, name, p_type, region_code, total_bays)
    values (1, 'P001', '东门', 1, '420607', 10), (1, 'P009', '西门', 1, '420607', 20), (2, 'Q001', '别家', 1, '420607', 30)`)
})
afterAll(async () => {
  await owner?.end()
  await server?.close()
})

const ask = (token: string, call: Call<any, any>, input: object = {}) => server.ask(token, call.method, addressOf(call), input)
const both = { screens: [WallScreen.parking, WallScreen.roadside], rotateSec: 30, days: 30 }
const made = async (who: string, more: object = {}) =>
  (await ask(who, wallLink.add, { name: '左屏', ...both, ...more })).data as { id: string; token: string }
const codes = async (token: string) => ((await ask(token, wall.snapshot)).data.parks as { parkCode: string }[]).map(({ parkCode }) => parkCode)

/** Asks again until all answers fall into one hour of the city. */
async function withinAnHour<T>(ask: () => Promise<T>): Promise<T> {
  const hour = () => Math.floor(Date.now() / 3_600_000)
  for (;;) {
    const [before, seen] = [hour(), await ask()]
    if (hour() === before) return seen
  }
}
test('a link shows what its maker sees, without money, plates and names, and the same figures as the console', async () => {
  const { token } = await made(admin)
  const [{ data }, ...flows] = await withinAnHour(() => Promise.all([ask(token, wall.snapshot), ask(admin, screen.flow), ask(admin, home.flow)]))
  expect(data).toMatchObject({ name: '左屏', rotateSec: 30, screens: both.screens, street: { overview: { seatTotal: 0 } } })
  expect(JSON.stringify(data)).not.toMatch(/Fen"|plateNo|userName/)
  expect(data.parks).toEqual((await ask(admin, screen.overview)).data)
  expect(data.flow).toHaveLength(24)
  for (const same of flows) expect(data.flow).toEqual(same.data)
  expect(await codes(token)).toEqual(['P001', 'P009'])
  expect(await codes((await made(operator)).token)).toEqual(['P001'])
  expect((await ask((await made(admin, { screens: [WallScreen.roadside] })).token, wall.snapshot)).data).toMatchObject({
    parks: null,
    flow: null,
    moves: null,
  })
})

test('it shows the parks that were chosen; those that its maker does not see are refused by their codes', async () => {
  expect(await codes((await made(admin, { parkCodes: ['P009'] })).token)).toEqual(['P009'])
  expect(await ask(operator, wallLink.add, { name: '右屏', ...both, parkCodes: ['P001', 'P009'] })).toMatchObject({
    status: 422,
    code: 40942,
    message: expect.stringContaining('P009'),
  })
  expect(await ask(admin, wallLink.add, { name: '右屏', ...both, parkCodes: ['Q001'] })).toMatchObject({ status: 422, code: 40942 })
})

test('a region shows the parks that lie in it, later ones included, and no others; of chosen parks only those; nothing where there are none', async () => {
  await owner.query(
    `insert into parking.park (enterprise_id, park_code, name, p_type, region_code, total_bays) values (1, 'P010', '老城', 1, '420602', 10), (1, 'P011', '邻市', 1, '420700', 10)`,
  )
  const district = await made(admin, { regionCode: '420602' })
  expect(await codes(district.token)).toEqual(['P010'])
  expect(await codes((await made(admin, { regionCode: '420600' })).token)).toEqual(['P001', 'P009', 'P010'])
  expect(await codes((await made(admin, { regionCode: '420600', parkCodes: ['P009', 'P011'] })).token)).toEqual(['P009'])
  expect(await codes((await made(operator, { regionCode: '420600' })).token)).toEqual(['P001'])
  expect(await codes((await made(admin, { regionCode: '420624', screens: [1, 2, 3] })).token)).toEqual([])
  await owner.query(
    `insert into parking.park (enterprise_id, park_code, name, p_type, region_code, total_bays) values (1, 'P012', '新城', 1, '420602', 10), (2, 'Q012', '别家', 1, '420602', 10)`,
  )
  expect(await codes(district.token)).toEqual(['P010', 'P012'])
  const used = async () => (await owner.query(`select dashboard.region_is_used('420602') as used`)).rows[0].used
  expect(await used()).toBe(true)
  await ask(admin, wallLink.revoke, { id: district.id })
  expect(await used()).toBe(false)
  await owner.query(`delete from parking.park where park_code in ('P010', 'P011', 'P012', 'Q012')`)
})

test('amounts are shown where the link says so, and nobody can make it say so who may not see orders', async () => {
  const { data } = await ask((await made(admin, { money: true, screens: [1, 2, 3] })).token, wall.snapshot)
  expect(data.money).toEqual({
    parks: { receivableFen: 0, netFen: 0 },
    street: { receivableFen: 0, paidFen: 0, arrearsFen: 0 },
    charging: { receivableFen: 0, netFen: 0 },
  })
  const some = await ask((await made(admin, { money: true, screens: [WallScreen.charging] })).token, wall.snapshot)
  expect(some.data).toMatchObject({ parks: null, street: null, money: { parks: null, street: null, charging: { netFen: 0 } } })
  expect((await ask((await made(admin)).token, wall.snapshot)).data.money).toBeNull()
  expect((await made(operator, { money: true })).token).toBeTruthy()
  await owner.query(`delete from identity.role_resource where resource_id in (select id from identity.resource where 'settlement:order:view' = any (needs))
    and role_id in (select r.role_id from identity.person_role r join identity.person p on p.id = r.person_id where p.username = 'operator')`)
  operator = await server.signIn('operator')
  expect((await ask(operator, wallLink.add, { name: '右屏', ...both, money: true })).status).toBe(403)
  expect((await ask(operator, wallLink.add, { name: '右屏', ...both })).status).toBe(200)
})

test('its token opens nothing else, and no session opens a snapshot', async () => {
  const { token } = await made(admin)
  for (const call of [screen.overview, park.queryList, wallLink.query, session.logout]) expect((await ask(token, call)).status).toBe(401)
  for (const other of [admin, operator, '', 'x'.repeat(43), 'x'.repeat(5000)]) expect((await ask(other, wall.snapshot)).status).toBe(401)
})

test('it goes dark when it is revoked or over; whoever sees some parks sees no link that shows more', async () => {
  const { id, token } = await made(admin)
  const state = async (who: string) =>
    ((await ask(who, wallLink.query, { name: '左屏', limit: 500 })).data.records as { id: string; state: number; seenAt: string | null }[]).find(
      (one) => one.id === id,
    )
  expect(await state(admin)).toMatchObject({ state: 1, seenAt: null })
  expect((await ask(token, wall.snapshot)).status).toBe(200)
  expect(await state(admin)).toMatchObject({ seenAt: expect.any(String) })
  expect(await state(operator)).toBeUndefined()
  expect((await ask(operator, wallLink.revoke, { id })).status).toBe(404)
  expect((await ask(token, wall.snapshot)).status).toBe(200)
  expect((await ask(admin, wallLink.revoke, { id })).message).toBe('ok')
  expect((await ask(token, wall.snapshot)).status).toBe(401)
  expect(await state(admin)).toMatchObject({ state: 3 })
  const later = await made(admin)
  await owner.query(`update dashboard.wall_link set expires_at = now() where id = $1`, [later.id])
  expect((await ask(later.token, wall.snapshot)).status).toBe(401)
})

test('it tells what came and left last in its parks alone, as the console does, and of which car it was nothing', async () => {
  await owner.query(`insert into parking.stay (enterprise_id, park_code, plate_no, plate_color, vehicle_class, car_kind_in, entry_mode, entry_time)
    select e, park, '鄂F8000' || n, 0, 2, 9, 1, now() - n * interval '1 min' from (values (1, 'P009', 1), (1, 'P001', 2), (2, 'Q001', 3)) one (e, park, n)`)
  const told = async (token: string) => (await ask(token, wall.snapshot)).data
  const parksOf = async (token: string) => (await told(token)).moves.map(({ parkCode }: { parkCode: string }) => parkCode)
  const { token } = await made(admin)
  expect(await parksOf(token)).toEqual(['P009', 'P001'])
  const seen = await told(token)
  expect(seen.moves).toEqual((await ask(admin, screen.lastMoves)).data)
  expect(JSON.stringify(seen)).not.toMatch(/鄂F|plateNo/)
  expect(await parksOf((await made(admin, { parkCodes: ['P009'] })).token)).toEqual(['P009'])
  expect(await parksOf((await made(operator)).token)).toEqual(['P001'])
})
