import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts'
import { aPark } from '../factories.ts'

/** Each night the cars inside are held against what came and went; the people who handle the lanes are told of a park that does not agree. */
let server: TestServer
let owner: pg.Pool
beforeAll(async () => {
  server = await startTestServer()
  owner = new pg.Pool({ connectionString: server.ownerUrl, max: 1 })
  await server.house.writing(1, 'test', async (tx) => {
    await aPark(tx, { parkCode: 'T900', name: '人民广场停车场' })
    await aPark(tx, { parkCode: 'T901', name: '火车站停车场' })
  })
})
afterAll(async () => {
  await owner.end()
  await server.close()
})

/** Hours ago it came and went; none: it is inside. */
const stay = async (parkCode: string, plate: string, came: number | null, went: number | null, status = went === null ? 1 : 3) =>
  (
    await owner.query(
      `insert into parking.stay (enterprise_id, park_code, plate_no, plate_color, vehicle_class, car_kind_in, entry_time, exit_time, status, duration_min)
       values (1, $1, $2, 0, 1, 9, now() - $3::float * interval '1 hour', now() - $4::float * interval '1 hour', $5, 1) returning id`,
      [parkCode, plate, came, went, status],
    )
  ).rows[0].id as string
async function night() {
  await owner.query(`select platform.add_job('parking.check-present', $1, null, null)`, [JSON.stringify({ enterprise: 1, data: {} })])
  const left = async () => (await owner.query(`select 1 from graphile_worker.jobs where task_identifier = 'parking.check-present'`)).rowCount
  await expect.poll(left, { timeout: 10_000 }).toBe(0)
  const { rows } = await owner.query(
    `select title, content, link, urgent from message.record where title like '%在场数与进出记录不符%' order by created_at, id`,
  )
  return rows as { title: string; content: string; link: string; urgent: boolean }[]
}

test('a park whose cars inside are not what came less what went is an urgent alarm; one that agrees is none', async () => {
  await stay('T900', '鄂F00001', 30, null)
  await stay('T900', '鄂F00002', 30, 2.5)
  await stay('T900', '鄂F00003', 3.5, 1.5)
  await stay('T900', '鄂F00004', null, 1.2) // not seen coming
  await stay('T900', '鄂F00005', 4, 0.5, 9) // void
  await stay('T901', '鄂F00006', 5, null)
  const lost = await stay('T901', '鄂F00007', 6.5, null)
  expect(await night()).toEqual([])
  await owner.query('set session_replication_role = replica')
  await owner.query('delete from parking.present where stay_id = $1', [lost])
  await owner.query('set session_replication_role = origin')
  const told = await night()
  expect(told.length).toBeGreaterThan(0)
  expect(told[0]).toMatchObject({ title: '火车站停车场：在场数与进出记录不符', urgent: true, link: expect.stringContaining('T901') })
  expect(told[0]!.content).toContain('按进出记录应为')
  expect(new Set(told.map(({ title }) => title)).size).toBe(1)
})
