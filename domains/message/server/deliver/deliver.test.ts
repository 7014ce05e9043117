import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { allowOutside } from '../../../../platform/server/outside.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { send } from '../api.ts'
import { aPost, later, MORNING, type Post } from '../testing.ts'
import { deliver } from './deliver.ts'

let post: Post
let between: pg.Client
beforeAll(async () => {
  post = await aPost({ lagMs: 1_000 })
  between = new pg.Client({ connectionString: post.server.ownerUrl })
  await between.connect()
})
afterAll(async () => {
  await between.end()
  await post.close()
})

const ADDRESSES = ['13800004561', '13800004562', '13800004563', '13800004564']
/** Longer than a process may keep a message that it took. */
const LEASE_S = 61

test('whoever writes down what was said and whoever takes the same messages after their lease never wait for each other', async () => {
  await post.aChannel()
  const { code } = await post.aTemplate()
  const { house } = post.server
  await house.writing(1, 'test', async (tx) => {
    for (const address of ADDRESSES) await send(tx, { template: code, to: { address, name: '某人' }, vars: {}, at: MORNING })
  })
  const slow = deliver(house, 1, MORNING)
  await expect.poll(async () => (await post.sql('select from message.attempt where outcome = 0')).length, { interval: 5 }).toBe(ADDRESSES.length)
  // Somebody has one of the tries in hand: the first stops there in the middle of its writing, the second when it takes up that message.
  await between.query('begin')
  await between.query('select from message.attempt order by id desc limit 1 for update')
  const waiting = async () => (await post.sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).length
  await expect.poll(waiting, { interval: 5, timeout: 20_000 }).toBe(1)
  const second = deliver(house, 1, later(MORNING, LEASE_S))
  await Promise.race([second, expect.poll(waiting, { interval: 5, timeout: 20_000 }).toBe(2)])
  await between.query('commit')
  await Promise.all([slow, second])
  await post.work(later(MORNING, 2 * LEASE_S))
  expect(await post.sql('select distinct send_state from message.record')).toEqual([{ send_state: 2 }])
  expect(await (await fetch(`${post.provider.url}/counts`)).json()).toMatchObject({ sent: ADDRESSES.length })
}, 60_000)

test('a channel that cannot send, or whose provider answers what cannot be kept, takes nobody else with it', async () => {
  const { house } = post.server
  const odd = createServer((_, answer) => answer.end(JSON.stringify({ id: 'a\u0000b' }))).listen(0, '127.0.0.1')
  await once(odd, 'listening')
  const port = (odd.address() as AddressInfo).port
  allowOutside([`127.0.0.1:${port}`])
  const channels = [await post.aChannel(), await post.aChannel(), await post.aChannel({ url: `http://127.0.0.1:${port}/` })]
  // Older than the rule that an account is what a header can hold.
  await post.sql('update message.channel set account = $2 where id = $1', [channels[1]!.id, 'kerb\r\nline'])
  const at = later(MORNING, 86_400)
  const { code } = await post.aTemplate()
  for (const [n, channel] of channels.entries()) {
    await house.writing(1, 'test', (tx) => send(tx, { template: code, to: { address: `1380000777${n}`, name: '某人' }, vars: {}, at }))
    await post.sql('update message.record set channel_id = $1 where address = $2', [channel.id, `1380000777${n}`])
  }
  expect(await deliver(house, 1, at)).toBe(channels.length)
  odd.close()
  const tries = await post.sql<{ id: string; sendState: number }>(
    `select r.send_state, count(*)::int as n from message.record r join message.attempt a on a.record_id = r.id where r.address like '1380000777%' group by r.address, r.send_state order by r.address`,
  )
  expect(tries).toEqual([
    { send_state: 2, n: 1 },
    { send_state: 3, n: 1 },
    { send_state: 2, n: 1 },
  ])
})
