import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { each, tally } from '../../scripts/tally.ts'
import { appIn, familyOf, lives, until } from '../faults/child.ts'
import { type Victim, victimOf } from './inputs.ts'
import { addresses, injectionsOn, leaksAt, reflectedAt } from './scanner.ts'
import { openWorld, tried, type World } from './world.ts'

const AT_ONCE = 8
/** The others ask for a thing that the demo has not. */
const ANSWERED_SHARE = 0.7
const HOURS_MS = 2 * 3_600_000
let world: World
let victim: Victim
beforeAll(async () => {
  world = await openWorld()
  victim = await victimOf(world.owner, 1, 'P003')
})
afterAll(() => world.close())

test(
  'no text that a call looks for or sorts by is run as a statement',
  async () => {
    const looks = tried.filter(({ writes, file }) => !writes && !file)
    const found: string[] = []
    let [sent, answered] = [0, 0]
    const left = [...looks]
    const one = async () => {
      for (let call = left.shift(); call; call = left.shift()) {
        const result = await injectionsOn(world, call, victim)
        sent += result.sent
        if (result.usual === 200) answered++
        found.push(...result.found)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, one))
    expect(found).toEqual([])
    // A call that is refused before it looks anything up tells nothing.
    expect(answered).toBeGreaterThan(looks.length * ANSWERED_SHARE)
    tally({ check: 'scanner: injections', calls: each(looks, 1), numbers: { sent, answered } })
  },
  HOURS_MS,
)

test('nothing of the machine lies at any address, and no page repeats what is written into its own', async () => {
  const found: string[] = []
  for (let i = 0; i < addresses.length; i += AT_ONCE)
    found.push(...(await Promise.all(addresses.slice(i, i + AT_ONCE).map((address) => leaksAt(world, address)))).flat())
  for (const page of ['/', '/dist', '/dist/login', '/m', '/my/1', '/q/x', '/lbs/docs', '/lbs/nowhere'])
    found.push(...(await reflectedAt(world, page)))
  expect(found).toEqual([])
  tally({ check: 'scanner: addresses', numbers: { addresses: addresses.length } })
}, 600_000)

test('a server listens where it says, and its database to its own machine alone', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'kerbline-ports-'))
  chmodSync(dataDir, 0o755) // PostgreSQL runs as another user than root
  const app = await appIn(dataDir, { DEMO: 'none' })
  try {
    await app.start()
    const port = Number(new URL(app.url).port)
    const heard = listeners(familyOf(app.child().pid!))
    const open = heard.filter(({ loopback }) => !loopback).map((one) => one.port)
    expect(open.filter((one) => ![port, port + 6, port + 7, port + 8].includes(one))).toEqual([])
    expect(heard.map((one) => one.port)).toContain(port)
    tally({ check: 'scanner: ports', numbers: { listening: heard.length, open: open.length } })
  } finally {
    const family = familyOf(app.child().pid!)
    app.child().kill('SIGTERM')
    await until(() => !family.some(lives), 30_000, 'The end of the server')
    rmSync(dataDir, { recursive: true, force: true })
  }
}, 300_000)

const LISTENS = '0A'
/** Where processes listen, from what the kernel says of their sockets. */
function listeners(pids: readonly number[]): { port: number; loopback: boolean }[] {
  const sockets = new Set(pids.flatMap((pid) => readdirSync(`/proc/${pid}/fd`).map((fd) => target(`/proc/${pid}/fd/${fd}`))))
  return ['tcp', 'tcp6'].flatMap((kind) =>
    readFileSync(`/proc/net/${kind}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((cells) => cells[3] === LISTENS && sockets.has(`socket:[${cells[9]}]`))
      .map((cells) => {
        const [host, port] = cells[1]!.split(':') as [string, string]
        return { port: parseInt(port, 16), loopback: host === '0100007F' || /^0{24}01000000$|^0{16}FFFF00000100007F$/.test(host) }
      }),
  )
}
const target = (file: string) => {
  try {
    return readlinkSync(file)
  } catch {
    return '' // closed meanwhile
  }
}
