import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeHash } from '../../domains/owner/server/driverSession.ts'
import { door } from '../../domains/owner/contract/door.ts'
import { addressOf } from '../../platform/contract/call.ts'
import type { Instant } from '../../platform/contract/field.ts'
import { run } from '../../platform/server/database.ts'
import { addJob, longTask, startWorker } from '../../platform/server/job/jobs.ts'
import { startTestServer, type TestServer } from '../../tests/support/server.ts'
import { mine as rentMine } from '../../domains/rent/contract/mine.ts'

let first: TestServer
let last: TestServer
beforeAll(async () => {
  first = await startTestServer({ role: 'web' })
  last = await startTestServer({ role: 'web' })
}, 60_000)
afterAll(() => Promise.all([first?.close(), last?.close()]))

const PHONE = '13700000042'
const NONCE = 'n'.repeat(22)
/** The house sends this code to the one telephone, and knows whose it is under this name. */
async function knows(server: TestServer, code: string, name: string) {
  await server.house.writing(1, 'test', async (tx) => {
    await run(tx, { sql: SENT }, [PHONE, codeHash(PHONE, code), codeHash(PHONE, NONCE)])
    await run(tx, { sql: OWNER }, [PHONE, name])
    await run(tx, { sql: BIDDER }, [PHONE, name])
  })
}
const SENT = `insert into owner.door_code (phone, code_hash, nonce_hash, address, sent_at, expires_at) values ($1, $2, $3, '127.0.0.1', now(), now() + interval '5 minutes')`
const OWNER = `insert into owner.account (phone, nickname, registered_at, active_at) values ($1, $2, now(), now())`
const BIDDER = `insert into rent.bidder (owner_id, user_type, name, cert_no, phone, images, applicant_name) select id, 1, $2, '42060619880101001X', $1, '', $2 from owner.account where phone = $1`

const signIn = (server: TestServer, code: string) =>
  server.ask(null, 'POST', addressOf(door.signIn), { enterpriseId: 1, phone: PHONE, nonce: NONCE, code })

test('of two houses in one process each answers for its own: at its doors, to its drivers, and in its jobs', async () => {
  await knows(first, '111111', '先开的')
  await knows(last, '222222', '后开的')
  for (const [server, own, other, name] of [
    [first, '111111', '222222', '先开的'],
    [last, '222222', '111111', '后开的'],
  ] as const) {
    expect((await signIn(server, other)).code, 'the code of the other house').toBe(41571)
    const { access_token: token } = (await signIn(server, own)).data
    const { data } = await server.ask(token, 'POST', addressOf(rentMine.me), {})
    expect(data.map((one: { name: string }) => one.name)).toEqual([name])
  }
  const heard: string[] = []
  const trial = longTask('trial.whose', async ({ enterprise, house }) =>
    house.reading(enterprise, async (tx) => {
      const [owner] = await run<{ nickname: string }>(tx, { sql: 'select nickname from owner.account where phone = $1' }, [PHONE])
      heard.push(owner!.nickname)
    }),
  )
  const workers = await Promise.all([first, last].map(({ house }) => startWorker(house, [trial], () => Promise.resolve([1]))))
  for (const { house } of [first, last])
    await house.writing(1, 'test', (tx) => addJob(tx, trial, {}, { runAt: new Date(0).toISOString() as Instant }))
  await expect.poll(() => heard.toSorted(), { timeout: 30_000 }).toEqual(['先开的', '后开的'].toSorted())
  await Promise.all(workers.map((worker) => worker.stop()))
}, 90_000)
