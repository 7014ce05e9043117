import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../platform/server/start/port.ts'
import { spawned, until } from './child.ts'
import { aPost, type Post } from '../../domains/message/server/testing.ts'

let post: Post
const dataDir = mkdtempSync(path.join(tmpdir(), 'kerbline-crash-'))
beforeAll(async () => void (post = await aPost({ lagMs: 600 })))
afterAll(async () => {
  await post.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const PEOPLE = 60
const KILLS = 3

test('the worker killed in the middle of a task neither loses a message nor sends one twice', async () => {
  const { data: rule } = await post.get('messageRule/get')
  await post.post('messageRule/update', { version: rule.version, quiet: false })
  const custIds: string[] = []
  for (let i = 0; i < PEOPLE; i++) custIds.push(await post.aPerson({ phone: `1370000${String(5000 + i)}` }))
  const [template, channel] = [await post.aTemplate(), await post.aChannel({ ratePerSec: 20 })]
  const { data: task } = await post.post('messageTask/insert', {
    name: '重启',
    templateId: template.id,
    channelId: channel.id,
    audience: { kind: 1, custIds },
    state: 1,
  })
  const detail = async () => (await post.get('messageTask/detail', { id: task.id })).data
  const [port, mqttPort] = [await freePort(), await freePort()]
  const worker = () =>
    spawned('apps/server/main.ts', {
      ROLE: 'worker',
      DATABASE_URL: post.server.ownerUrl,
      DATA_DIR: dataDir,
      DEMO: 'none',
      PORT: String(port),
      MQTT_PORT: String(mqttPort),
      OUTSIDE_ALLOWED: new URL(post.provider.url).host,
    })
  for (let kill = 0; kill < KILLS; kill++) {
    const child = worker()
    const before = post.provider.notify.counts.sent
    await until(() => post.provider.notify.counts.sent > before + 3, 60_000, 'some messages under way')
    child.kill('SIGKILL')
    // The lease of what it had in hand runs out, as it does after a minute.
    await post.sql(`update message.record set next_at = now() where task_id = $1 and send_state = 1`, [task.id])
  }
  const last = worker()
  await until(async () => (await detail()).state === 3, 60_000, 'the task’s end')
  last.kill('SIGTERM')
  expect((await once(last, 'exit'))[0], 'it stops when it is told to').toBe(0)
  expect(await detail()).toMatchObject({ total: PEOPLE, succeeded: PEOPLE, failed: 0 })
  const sent = post.provider.notify.sent.filter(({ to }) => to.startsWith('1370000'))
  expect([sent.length, new Set(sent.map(({ to }) => to)).size]).toEqual([PEOPLE, PEOPLE])
  // Something was in hand when it died, and was asked for again under its own key: the provider knew it.
  const [lost] = await post.sql<{ n: number }>(`select count(*)::int as n from message.attempt where outcome = 5`)
  expect(lost!.n).toBeGreaterThan(0)
  expect(post.provider.notify.counts.again).toBeGreaterThan(0)
}, 200_000)
