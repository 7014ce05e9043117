import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf, type Call } from '../../platform/contract/call.ts'
import { inputFor, type Victim, victimOf } from '../matrix/inputs.ts'
import { calls, openWorld, type World } from '../matrix/world.ts'
import { tally } from '../../scripts/tally.ts'
import { freePort } from '../../platform/server/start/port.ts'
import { answersIn, type Asked } from './zone-probe.ts'

const ZONES = ['Asia/Shanghai', 'UTC', 'America/New_York']
let world: World
let victim: Victim
beforeAll(async () => {
  world = await openWorld()
  victim = await victimOf(world.owner, 1, 'P001')
})
afterAll(() => world.close())

/** Entry and exit in city time, where days, months, leap days, years and other countries' summer time end. */
const STAYS: [entry: string, exit: string][] = [
  ['2026-03-02 09:00:00', '2026-03-02 10:31:00'],
  ['2026-03-31 22:10:00', '2026-04-01 08:40:00'],
  ['2026-04-30 23:59:59', '2026-05-01 00:00:00'],
  ['2028-02-28 20:00:00', '2028-03-01 06:30:00'],
  ['2028-02-29 00:00:00', '2028-02-29 23:59:59'],
  ['2027-02-28 12:00:00', '2027-03-01 12:00:00'],
  ['2026-12-31 18:00:00', '2027-01-01 09:15:00'],
  ['2026-03-08 14:00:00', '2026-03-08 18:00:00'], // New York loses an hour
  ['2026-11-01 12:00:00', '2026-11-01 17:00:00'], // and has one twice
  ['2026-10-01 07:30:00', '2026-10-08 07:30:00'],
  ['2037-12-31 23:00:00', '2038-02-01 01:00:00'],
]
const fees = (): Asked[] =>
  ['P001', 'P002', 'P003'].flatMap((parkCode) =>
    STAYS.map(([entry, at]) => ({ method: 'POST' as const, address: '/lbs/fee/feeRule/calFee', body: { entry, at, parkCode } })),
  )
const windows = (): Asked[] => {
  const today = new Date(Date.now() + 8 * 3600_000)
  const day = (back: number) => new Date(today.getTime() - back * 86_400_000).toISOString().slice(0, 10)
  const between = [2, 3, 4].map((back) => `entryTimeFrom=${day(back)} 00:00:00&entryTimeTo=${day(back)} 23:59:59`)
  return between.map((query) => ({ method: 'GET', address: `/lbs/fee/parkRecord/queryPage?${encodeURI(query)}&limit=100` }))
}
/** When somebody was last there, and what a server measures, changes by itself. */
const BY_THE_MOMENT = /^(identity\.session\.|identity\.enterprise\.detail$|system\.performance\.)/
/** Everything that is read with nothing but what must be given. When a session was last used changes by itself. */
const lists = (): Asked[] =>
  calls
    .filter(({ id, writes, file, needs }) => !writes && !file && needs !== 'public' && !BY_THE_MOMENT.test(id))
    .map((call) => askedOf(call, inputFor(call, victim)))
function askedOf(call: Call<any, any>, input: Record<string, unknown>): Asked {
  const at = addressOf(call).replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))
  if (call.payload === 'body') return { method: 'POST', address: at, body: input }
  return {
    method: call.method as 'GET',
    address: `${at}?${new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value)]))}`,
  }
}

test('fees and lists are the same, whatever time zone the server lives in', async () => {
  const asked = [...fees(), ...windows(), ...lists()]
  const env = { DATABASE_URL: world.ownerUrl, ROLE: 'web', DATA_DIR: '/nonexistent-but-unused' }
  const inZone = async (zone: string) => answersIn(zone, env, await freePort(), asked, world.tokens.admin)
  const answers: string[][] = []
  for (const zone of [...ZONES, ZONES[0]!]) answers.push(await inZone(zone))
  const [first, ...others] = answers as [string[], ...string[][]]
  // Answers that differ in one zone between the beginning and the end say nothing about zones: minutes of running stays are
  // counted on.
  const again = others.pop()!
  const stable = asked.map((_, i) => i).filter((i) => first[i] === again[i])
  const worked = fees().flatMap((_, i) => (/ 200 /.test(first[i]!) ? [i] : []))
  expect(worked.filter((i) => !stable.includes(i))).toEqual([])
  expect(worked.length).toBeGreaterThanOrEqual(STAYS.length) // where no rule holds at that time, the refusals are the same
  expect(stable.length).toBeGreaterThan(asked.length * 0.8)
  for (const other of others)
    expect(stable.filter((i) => other[i] !== first[i]).map((i) => [first[i]!.slice(0, 600), other[i]!.slice(0, 600)])).toEqual([])
  tally({ check: 'time zones', numbers: { zones: ZONES.length, fees: worked.length, compared: stable.length } })
}, 480_000)
