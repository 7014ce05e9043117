import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashed } from '../../identity/server/api.ts'
import { DataScope, RoleGrants } from '../../identity/contract/role.ts'
import { runDue } from '../../../platform/server/sheets/scheduled.ts'
import { cityTime, instantAt } from '../../../platform/contract/time.ts'
import { digestOf, PASSWORD, startTestServer, type TestServer } from '../../../tests/support/server.ts'

/** An export written later, when nobody is signed in, holds what its owner may see and no more. */
const MINE = 'P001'
const OTHER = 'P002'
/** More than are written at once. */
const DEVICES = 5_100
const LONG_MS = 240_000
let server: TestServer
let owner: pg.Client
let token: string
beforeAll(async () => {
  server = await startTestServer()
  owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
  for (const park of [MINE, OTHER])
    await owner.query(
      "insert into parking.park (enterprise_id, park_code, name, p_type, region_code, total_bays) values (1, $1, $1, 1, '420607', 10)",
      [park],
    )
  const made = `insert into device.device (enterprise_id, device_no, name, type, park_code, secret_hash)
    select 1, $1 || '-' || i, $1 || '的设备', 5, $1, 'x' from generate_series(1, $2::int) i`
  await owner.query(made, [MINE, DEVICES])
  await owner.query(made, [OTHER, 40])
  token = await someoneOf(MINE)
})
afterAll(async () => {
  await owner.end()
  await server.close()
})

/** A person with all permissions, in one park. */
async function someoneOf(park: string): Promise<string> {
  const idOf = async (sql: string, values: unknown[]) => (await owner.query<{ id: string }>(`${sql} returning id`, values)).rows[0]!.id
  const hash = await hashed(digestOf('few', PASSWORD))
  const person = await idOf(
    "insert into identity.person (enterprise_id, username, name, password_hash, must_change) values (1, 'few', '少数', $1, false)",
    [hash],
  )
  const role = await idOf('insert into identity.role (enterprise_id, name, grants, data_scope, parks) values (1, $1, $2, $3, $4)', [
    'few',
    RoleGrants.everything,
    DataScope.parks,
    [park],
  ])
  await owner.query('insert into identity.person_role (enterprise_id, person_id, role_id) values (1, $1, $2)', [person, role])
  return server.signIn('few')
}
async function fileOf(id: string): Promise<string[]> {
  const get = () => server.ask(token, 'GET', '/lbs/basic/sysExport/download', { id })
  await expect.poll(async () => (await get()).status, { timeout: LONG_MS / 2, interval: 300 }).toBe(200)
  return String((await get()).data)
    .replace('\ufeff', '')
    .trim()
    .split(/\r?\n/)
    .slice(1)
}

test(
  'a long list in the background holds the parks of whoever asked, not all',
  async () => {
    const { data } = await server.ask(token, 'GET', '/lbs/device/iotDevice/export', {
      format: 'csv',
      background: 'true',
      columns: 'deviceNo,parkCode',
    })
    const lines = await fileOf(data.id)
    expect(lines.length).toBeGreaterThanOrEqual(DEVICES)
    expect(lines.filter((line) => !line.endsWith(`,${MINE}`))).toEqual([])
  },
  LONG_MS,
)

test(
  'a scheduled list holds the parks of its owner, not all',
  async () => {
    const timeOfDay = cityTime(instantAt(Date.now() + 12 * 3_600_000)).slice(11, 16)
    const asked = { call: 'parking.park.export', criteria: {}, columns: ['name', 'parkCode'], name: '车场', rhythm: 1, timeOfDay, format: 'csv' }
    const { data, message } = await server.ask(token, 'POST', '/lbs/basic/scheduledExport/add', asked)
    expect(data?.id, message).toEqual(expect.any(String))
    await owner.query(`update platform.scheduled_export set next_at = now() + interval '59 minutes' where id = $1`, [data.id])
    await server.house.writing(1, 'test', (tx) => runDue(tx, instantAt(Date.now() + 3_600_000)))
    const [run] = (await server.ask(token, 'GET', '/lbs/basic/scheduledExport/runs', { id: data.id })).data
    const lines = await fileOf(run.exportId)
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.filter((line) => !line.endsWith(`,${MINE}`))).toEqual([])
  },
  LONG_MS,
)
