import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { answersAt, startChild } from './child.ts'
import { signIn, stranger } from './client.ts'
import { compare, snapshot } from './drive/check.ts'
import { type Disputed, settleDisputes } from './drive/disputes.ts'
import { driverOf } from './drive/driver.ts'
import { connectAntennas, type EtcTally } from './drive/etc.ts'
import { compareDomes, connectDomes, playDome } from './drive/domes.ts'
import { carry, connectHandhelds } from './drive/handhelds.ts'
import { compareBoxes, connectBoxes, playBox } from './drive/lamps.ts'
import { compareStreets, connectStreets, type DrivenStreets, emptyStreets, playBerth, playPatrol, type StreetTally } from './drive/streets.ts'
import { emptyTally, playPark, type Tally } from './drive/traffic.ts'
import { type Address, connectLanes, pause } from './drive/world.ts'
import { randomFrom } from './random.ts'

/**
 * `npm run city -- --speed 60 [--minutes 5 | --days 2] [--seed 1] [--url http://127.0.0.1:8600] [--mqtt mqtt://127.0.0.1:8601]`: plays cars and their drivers against a
 * running server through its public doors; `--days` are those of the city, which go by as fast as `--speed` says. At the end it compares what the platform, the barriers and the ledger say; 1 when they do not agree.
 */
const { values } = parseArgs({
  options: {
    speed: { type: 'string', default: '60' },
    minutes: { type: 'string', default: '5' },
    days: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    url: { type: 'string', default: `http://127.0.0.1:${process.env['PORT'] ?? 8600}` },
    mqtt: { type: 'string', default: `mqtt://127.0.0.1:${process.env['MQTT_PORT'] ?? 8601}` },
  },
})
const DAY_MIN = 1440
/** The time in which work under way at the end of the traffic is finished: late payers, retries of a barrier. */
const WIND_DOWN_MS = 25_000

async function main(): Promise<number> {
  const speed = positive('speed', values.speed)
  const minutes = values.days === undefined ? positive('minutes', values.minutes) : (positive('days', values.days) * DAY_MIN) / speed
  const address = addressOf()
  await ensureProcess('payment channel', 'pay', address.pay)
  await ensureProcess('issuer of ETC cards', 'etc', address.issuer)
  const admin = await signIn(address.url, 'admin', address.password)
  const operator = await signIn(address.url, 'operator', address.password)
  const parks = await connectLanes(admin, address)
  const etc = await connectAntennas(admin, address, parks, address.issuer, randomFrom(Number(values.seed) * 47))
  const handhelds = await connectHandhelds(admin, address)
  const streets = await connectStreets(admin, address, randomFrom(Number(values.seed) * 61))
  const boxes = await connectBoxes(admin, address)
  const domes = await connectDomes(admin, address)
  const before = await snapshot(admin, address.pay, address.issuer)
  const tally = emptyTally()
  const street = emptyStreets()
  const driver = driverOf(address, stranger(address.url), admin)
  const until = Date.now() + minutes * 60_000
  let stopped = false
  process.once('SIGINT', () => (stopped = true))
  const going = () => !stopped && Date.now() < until
  console.log(
    `${parks.length} parks, ${handhelds.length} handhelds, ${streets.berths.length} berths, ${parks.reduce((sum, { entries, exits }) => sum + entries.length + exits.length, 0)} lanes, speed ${speed}, ${minutes} min, seed ${values.seed}`,
  )
  const report = setInterval(() => console.log(newsOf(tally, street)), 10_000)
  const seed = Number(values.seed)
  await Promise.all([
    ...handhelds.map((one, i) => carry(one, { random: randomFrom(seed * 37 + i), going })),
    ...boxes.map((one, i) => playBox(one, { random: randomFrom(seed * 53 + i), going })),
    ...domes.map((one, i) => playDome(one, { random: randomFrom(seed * 59 + i), going })),
    ...streets.berths.map((at, i) => playBerth(at, streets, { client: admin, random: randomFrom(seed * 41 + i), speed, tally: street, going })),
    ...[...streets.patrols.keys()].map((code, i) =>
      playPatrol(code, streets, { client: admin, random: randomFrom(seed * 43 + i), speed, tally: street, going }),
    ),
    ...parks.map((park, i) => playPark(park, { client: admin, driver, etc, random: randomFrom(seed * 31 + i), speed, tally, going })),
  ])
  clearInterval(report)
  await pause(WIND_DOWN_MS)
  const disputed = await settleDisputes({
    stranger: stranger(address.url),
    admin,
    operator,
    codeAt: driver.codeAt,
    issuer: address.issuer,
    since: before.at,
  })
  const lines = [
    ...(await compare(admin, parks, before, address)),
    ...(await compareStreets(admin, streets, before.at, street)),
    ...(await compareBoxes(admin, boxes)),
    ...(await compareDomes(admin, domes, before.at)),
  ]
  tellEnd(lines, tally, street, etc.tally, disputed)
  const wires = [...[...handhelds, ...boxes, ...domes].map(({ wire }) => wire), ...wiresOf(streets)]
  const lanes = parks.flatMap(({ entries, exits }) => [...entries, ...exits].map(({ lane }) => lane))
  await Promise.all([...wires, ...lanes, ...[...etc.antennas.values()].map(({ wire }) => wire)].map((one) => one.close()))
  return lines.every(({ right }) => right) ? 0 : 1
}

function tellEnd(lines: readonly { what: string; right: boolean }[], tally: Tally, street: StreetTally, etc: EtcTally, disputed: Disputed) {
  for (const { what, right } of lines) console.log(`${right ? 'agree ' : 'DIFFER'}  ${what}`)
  for (const problem of [...tally.problems, ...street.problems, ...disputed.problems].slice(0, 20)) console.log(`problem ${problem}`)
  console.log(
    JSON.stringify({
      ...tally,
      problems: tally.problems.length,
      street: { ...street, problems: street.problems.length },
      etc,
      disputed: { ...disputed, problems: disputed.problems.length },
    }),
  )
}
const wiresOf = ({ berths, cameras, patrols }: DrivenStreets) => [...berths.map(({ sensor }) => sensor), ...cameras.values(), ...patrols.values()]
const newsOf = (tally: Tally, street: StreetTally) =>
  `came ${tally.came}, left ${tally.left}, paid ${tally.paid}, refused ${tally.refused}, parked at the street ${street.parked}, problems ${tally.problems.length + street.problems.length}`

function positive(name: string, text: string): number {
  const value = Number(text)
  if (!(value > 0 && value <= 10_000)) throw new Error(`--${name} ${text}: a number above 0 is needed.`)
  return value
}

function addressOf(): Address {
  const dataDir = path.resolve(process.env['DATA_DIR'] || '.data')
  const read = (name: string) => (existsSync(path.join(dataDir, name)) ? readFileSync(path.join(dataDir, name), 'utf8').trim() : undefined)
  const password = process.env['DEMO_PASSWORD'] || read('demo-password')
  if (!password) throw new Error(`No password: set DEMO_PASSWORD, or start the server with a demo city first (${dataDir}).`)
  const kept = read('pay-sandbox.json')
  const pay = process.env['PAY_SANDBOX_URL'] || (kept ? (JSON.parse(kept) as { url: string }).url : 'http://127.0.0.1:8602')
  const issuer = process.env['ETC_SANDBOX_URL'] || beside(pay)
  return { url: values.url, mqtt: values.mqtt, pay, issuer, password }
}

/** The issuer of ETC cards listens three doors behind the payment channel: between them stand the provider of messages and its mail. */
function beside(pay: string): string {
  const { protocol, hostname, port } = new URL(pay)
  return `${protocol}//${hostname}:${Number(port) + 3}`
}

/** Starts a service outside the platform as a process of its own, or uses one that runs already. */
async function ensureProcess(name: string, folder: 'pay' | 'etc', url: string): Promise<void> {
  if (await answersAt(url)) return
  const { port } = new URL(url)
  await startChild(name, `${folder}/main.ts`, { at: `at port ${port}`, args: ['--port', port] })
}

main().then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(error.message)
    process.exit(2)
  },
)
