import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { COUNTED } from './fill.ts'

let database: TestDatabase
let client: pg.Client
beforeAll(async () => {
  database = await testDatabase()
  client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  await client.query('set session_replication_role = replica')
})
afterAll(async () => {
  await client?.end()
  await database?.drop()
})

/** A verified shift as the past has them, with the cash that it took. */
async function counted(taken: readonly number[]) {
  const { rows } = await client.query<{ id: string }>(
    `insert into settlement.shift (enterprise_id, shift_no, person_id, person_name, state, opened_at, closed_at) values (1, 'BC' || gen_random_uuid(), gen_random_uuid(), '李收费', 4, now(), now()) returning id`,
  )
  const { id } = rows[0]!
  for (const fen of taken)
    await client.query(
      `insert into settlement.payment (enterprise_id, order_id, park_code, pay_no, pay_method, channel, trade_no, amount_fen, received_fen, state, paid_at, shift_id)
        values (1, gen_random_uuid(), 'P001', gen_random_uuid()::text, 4, 'cash', gen_random_uuid()::text, $1::bigint, $1::bigint, 1, now(), $2)`,
      [fen, id],
    )
  await client.query(COUNTED, [id, 1])
  const found = await client.query<{ countedFen: number; expectedFen: number; differenceFen: number; counted: { faceFen: number; count: number }[] }>(
    `select counted_fen::int as "countedFen", expected_fen::int as "expectedFen", difference_fen::int as "differenceFen", counted from settlement.shift where id = $1`,
    [id],
  )
  return found.rows[0]!
}

test('a past shift is counted in the notes and coins that its cash comes to', async () => {
  expect(await counted([12_345, 7_700])).toEqual({
    ...{ countedFen: 20_045, expectedFen: 20_045, differenceFen: 0 },
    counted: [
      { faceFen: 10_000, count: 2 },
      { faceFen: 10, count: 4 },
      { faceFen: 1, count: 5 },
    ],
  })
  expect(await counted([])).toEqual({ countedFen: 0, expectedFen: 0, differenceFen: 0, counted: [] })
})
