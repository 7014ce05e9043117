import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf, type Call } from '../../platform/contract/call.ts'
import { tally } from '../../scripts/tally.ts'
import { inputFor, type Victim, victimOf } from '../matrix/inputs.ts'
import { calls, openWorld, type World } from '../matrix/world.ts'
import { readyIn, type Request, requestFor } from '../ready/all.ts'
import { largestPicture, pixelBombs, remarkBomb } from '../support/bombs.ts'
import { type Hostile, pngOf } from '../support/hostile.ts'
import { underAttack } from './attack.ts'
import { type Program, productOn, running } from './running.ts'

/** `BOMBS=20` throws each of them so often at once. */
const AT_ONCE = Number(process.env['BOMBS'] ?? 2)
let world: World
let victim: Victim
let device: string
/** A driver shows pictures of what is theirs alone. */
const drivers = new Map<string, Request>()
let bombs: Hostile[]
let server: Program
let careless: Program
const dataDir = mkdtempSync(path.join(tmpdir(), 'kerbline-bombs-'))

beforeAll(async () => {
  world = await openWorld()
  victim = await victimOf(world.owner, 1, 'P001')
  const added = calls.find(({ id }) => id === 'device.iot-device.insert')!
  const { text } = await world.ask(added, { ...inputFor(added, victim), deviceNo: 'PG-BOMB' }, { authorization: `Bearer ${world.tokens.admin}` })
  device = `Basic ${Buffer.from(`PG-BOMB:${JSON.parse(text).data.secret}`).toString('base64')}`
  const made = await readyIn(world)
  for (const door of doors.filter(({ needs }) => needs === 'driver')) drivers.set(door.id, await requestFor(world, made, door))
  bombs = await pixelBombs()
  server = await productOn(world.ownerUrl, dataDir)
  careless = await running('tests/limits/careless-door.ts', {}, '/')
})
afterAll(async () => {
  await careless.stop()
  await server.stop()
  await world.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const admin = () => ({ authorization: `Bearer ${world.tokens.admin}` })
const other = () => fetch(`${server.url}/lbs/custom/account/getUserInfo`, { headers: admin() }).then((answer) => answer.text())
const doors = calls.filter(({ payload }) => payload === 'multipart')
/** Sheets are read in a process of their own, which knows no pictures at all: there a few of them show it. */
const isSheet = (door: object) => 'row' in door || (door as { id: string }).id.endsWith('import-clause')
const SHEET_BOMBS = AT_ONCE > 2 ? Infinity : 2

async function upload(door: Call<any, any>, { name, type, bytes }: Hostile): Promise<{ status: number; message: string }> {
  const form = new FormData()
  const own = drivers.get(door.id)
  for (const [field, value] of Object.entries(own?.input ?? inputFor(door, victim))) if (field !== 'file') form.set(field, String(value))
  form.set('file', new Blob([bytes as BlobPart], { type }), name)
  const headers = own ? { authorization: own.authorization } : door.needs === 'public' ? { authorization: device } : admin()
  const answer = await fetch(server.url + addressOf(door), { method: door.method, headers, body: form })
  return { status: answer.status, message: ((await answer.json()) as { message: string }).message }
}
const refused = ({ status, message }: { status: number; message: string }) => [413, 422, 429].includes(status) && /\p{Script=Han}/u.test(message)

test('the harness sees a door that draws whatever comes', async () => {
  const flood = pngOf(16_000, 16_000)
  const attack = () => Promise.all([1, 2].map(() => fetch(careless.url, { method: 'POST', body: flood as BodyInit }).then(({ status }) => status)))
  const { result, wrong } = await underAttack(careless.pid, () => fetch(careless.url), attack)
  expect([result, wrong[0]]).toEqual([[200, 200], expect.stringMatching(/memory grew by \d+ MB/)])
})

test(
  'small files that would be gigantic pictures are refused with a sentence at every door, and nobody else feels them',
  async () => {
    const wrong: string[] = []
    let thrown = 0
    const {
      grownMb,
      medianMs,
      wrong: felt,
    } = await underAttack(server.pid, other, async () => {
      for (const door of doors)
        for (const bomb of isSheet(door) ? bombs.slice(0, SHEET_BOMBS) : bombs) {
          const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => upload(door, bomb)))
          thrown += AT_ONCE
          wrong.push(...answers.filter((one) => !refused(one)).map(({ status, message }) => `${door.id}, ${bomb.what}: ${status} ${message}`))
        }
    })
    expect([...wrong, ...felt]).toEqual([])
    tally({ check: 'limits: pixel bombs', numbers: { doors: doors.length, bombs: bombs.length, thrown, grownMb, medianOfOthersMs: medianMs } })
  },
  60_000 * AT_ONCE,
)

test('the largest picture that is taken, on its side, from many at once: drawn one after the other, and remarks are not unfolded', async () => {
  const door = calls.find(({ id }) => id === 'system.file.upload')!
  const largest = { what: 'the largest', name: 'x.jpg', type: 'image/jpeg', bytes: await largestPicture() }
  const { result, wrong, grownMb } = await underAttack(server.pid, other, async () => ({
    drawn: await Promise.all(Array.from({ length: AT_ONCE }, () => upload(door, largest))),
    remarks: await upload(door, remarkBomb()),
  }))
  expect(wrong).toEqual([])
  // Nobody knows which of them came first; but somebody was served.
  expect(result.drawn.filter((one) => one.status !== 200 && !refused(one))).toEqual([])
  expect([result.drawn.some(({ status }) => status === 200), result.remarks.status]).toEqual([true, 200])
  tally({ check: 'limits: largest pictures', numbers: { atOnce: AT_ONCE, grownMb } })
}, 120_000)
