import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillDemo } from '../../apps/server/demo.ts'
import { STARTING } from '../../apps/server/health.ts'
import { startServer } from '../../apps/server/server.ts'
import { signIn } from '../../city/client.ts'
import { rule, RuleStatus } from '../../domains/fee/contract/rule.ts'
import { openLog } from '../../platform/server/log.ts'
import { type DemoCity, demoCity } from '../support/demo.ts'
import { configFor, PASSWORD } from '../support/server.ts'

let demo: DemoCity
let owner: pg.Client
let running: Awaited<ReturnType<typeof startServer>>
beforeAll(async () => {
  demo = await demoCity()
  owner = new pg.Client({ connectionString: demo.ownerUrl })
  await owner.connect()
  running = await startServer({
    config: configFor(demo.ownerUrl, { demo: 'small', role: 'web', dataDir: demo.dataDir }),
    ...demo,
    log: openLog('silent'),
    waitingFor: STARTING,
  })
})
afterAll(async () => {
  await running?.close()
  await owner?.end()
  await demo?.drop()
})
const rules = async () =>
  (await owner.query<{ name: string; status: number; version: number }>('select name, status, version from fee.rule order by id')).rows
const filled = async () =>
  (await owner.query<{ name: string }>(`select name from platform.setting where name like 'demo.part.%' order by 1`)).rows.map(({ name }) => name)
/** Changes made by a start of the demo: calls of its own people, and its own writes. Its sandboxes may listen elsewhere each time. */
const changedSince = async (at: string) =>
  (
    await owner.query<{ via: string; entity: string }>(
      `select distinct via, entity from platform.change where at > $1 and entity not in ('identity.session', 'identity.known_browser') and via not like 'charging.platform.%' and via <> 'message.channel.update'`,
      [at],
    )
  ).rows
const nowThere = async () => (await owner.query<{ at: string }>('select clock_timestamp()::text as at')).rows[0]!.at

test('a start says from its first answer on that it is not ready, until it knows that nothing is to be filled', async () => {
  const ready = async () => {
    const reply = await fetch(`${running.url}/lbs/ready`)
    return { status: reply.status, waitingFor: ((await reply.json()) as { data: { waitingFor: string | null } }).data.waitingFor }
  }
  expect(await ready()).toEqual({ status: 503, waitingFor: STARTING })
  await fillDemo(running, () => {})
  expect(await ready()).toEqual({ status: 200, waitingFor: null })
})

test('a later start of a demo leaves what people did as it is, and what they may do does not keep it from its end', async () => {
  const stranger = await signIn(running.url, 'otheradmin', PASSWORD)
  const admin = await signIn(running.url, 'admin', PASSWORD)
  for (const person of [stranger, admin]) {
    const { records } = await person.ask(rule.queryPage, { limit: 100 } as never)
    for (const one of records.filter(({ status }) => status === RuleStatus.published)) {
      await person.ask(rule.revise, { id: one.id })
      // Not where a park would be left without any.
      await person
        .ask(rule.withdraw, { id: one.id, version: one.version, reason: '换新价' })
        .catch((error: Error) => expect(error.message).toContain('没有其他收费规则'))
    }
  }
  const [left, at] = [await rules(), await nowThere()]
  expect(left.filter(({ status }) => status === RuleStatus.draft).length).toBeGreaterThan(2)
  expect(left.some(({ status }) => status === RuleStatus.withdrawn)).toBe(true)
  const said: string[] = []
  await fillDemo(running, (line) => said.push(line))
  expect(said[0]).toContain('/dist/')
  expect(await rules()).toEqual(left)
  expect(await changedSince(at)).toEqual([])
})

test('a part that was cut off is filled by the next start, and no other', async () => {
  const all = await filled()
  expect(all.length).toBeGreaterThan(12)
  await owner.query(`delete from platform.setting where name = 'demo.part.members'`)
  const at = await nowThere()
  await fillDemo(running, () => {})
  expect(await filled()).toEqual(all)
  expect(await changedSince(at), 'its passes were all there').toEqual([])
})

test.for([
  ['city', 'DEMO=small and stays so; for DEMO=city'],
  ['none', 'DEMO=small; with DEMO=none nothing more'],
] as const)('a start with DEMO=%s of what was filled as the small demo says so in one sentence, and adds nothing', async ([demo, told]) => {
  const [all, at] = [await filled(), await nowThere()]
  const said: string[] = []
  const { house } = running
  await fillDemo({ ...running, house: { ...house, config: { ...house.config, demo } } }, (line) => said.push(line))
  expect(said.filter((line) => line.includes('DEMO='))).toEqual([expect.stringContaining(told)])
  expect(said[1]).toContain('/dist/')
  expect(await filled()).toEqual(all)
  expect(await changedSince(at)).toEqual([])
})

test('an administrator who has another password by now keeps it, and the server goes on', async () => {
  await owner.query(
    `update identity.person set password_hash = (select password_hash from identity.person where username = 'auditor') where username = 'admin'`,
  )
  const said: string[] = []
  await fillDemo(running, (line) => said.push(line))
  expect(said[0]).toContain('/dist/')
  await expect(signIn(running.url, 'admin', PASSWORD)).rejects.toThrow()
})
