import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO_ENTERPRISE } from '../../domains/identity/server/api.ts'
import { run } from '../../platform/server/database.ts'
import { PASSWORD, startTestServer, type TestServer } from '../../tests/support/server.ts'
import { addFinance, FINANCE } from './finance.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await addFinance(server.house, DEMO_ENTERPRISE, PASSWORD)
})
afterAll(() => server.close())

test('what one of the two begins the other may end: both hold every right to decide on money', async () => {
  const rights = (username: string) =>
    server.house
      .reading(DEMO_ENTERPRISE, (tx) => run<{ capability: string }>(tx, { sql: RIGHTS }, [username]))
      .then((rows) => rows.map(({ capability }) => capability))
  for (const [username] of FINANCE) {
    const held = await rights(username)
    expect(held).toEqual(expect.arrayContaining(DECIDES))
    expect(held.filter((one) => one.startsWith('identity:') || one.startsWith('system:'))).toEqual([])
  }
})
const RIGHTS = `select b.capability from identity.person p join identity.person_role pr on pr.person_id = p.id join identity.role_button rb on rb.role_id = pr.role_id
  join identity.button b on b.id = rb.button_id where p.username = $1`
const DECIDES = [
  'settlement:refund:approve',
  'settlement:waiver:approve',
  'settlement:shift:settle',
  'settlement:shift:verify',
  'settlement:liquidation:review',
  'arrears:appeal:decide',
  'arrears:closing:approve',
  'arrears:etc:verify',
  'arrears:etc:clear',
  'share:payout:settle',
  'fleet:allocation:approve',
]
