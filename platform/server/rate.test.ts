import pg from 'pg'
import { expect, test } from 'vitest'
import { testDatabase } from '../../tests/support/database.ts'
import { permilleOf } from '../contract/rate.ts'

test('a rate is rounded to the nearest, alike in TypeScript and in SQL', async () => {
  const parts = [
    [14, 21, 667],
    [17, 22, 773],
    [2, 7, 286],
    [1, 3, 333],
    [1, 2000, 1],
    [0, 5, 0],
    [7, 5, 1000],
    [3, 0, null],
  ] as const
  const { appUrl, drop } = await testDatabase()
  const client = new pg.Client({ connectionString: appUrl })
  await client.connect()
  try {
    const { rows } = await client.query(
      'select platform.permille(part, whole) as rate from unnest($1::numeric[], $2::numeric[]) as pairs (part, whole)',
      [parts.map(([part]) => part), parts.map(([, whole]) => whole)],
    )
    expect(parts.map(([part, whole]) => permilleOf(part, whole))).toEqual(parts.map(([, , rate]) => rate))
    expect(rows.map(({ rate }: { rate: number | null }) => rate)).toEqual(parts.map(([, , rate]) => rate))
  } finally {
    await client.end()
    await drop()
  }
})
