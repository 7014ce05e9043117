import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../../../platform/server/database.ts'
import { stayCan, type StayStatus } from '../../contract/stay.ts'
import { settleExits } from '../lane/passing.ts'
import { aGround, type Field, type Ground } from '../testing.ts'

let ground: Ground
beforeAll(async () => {
  ground = await aGround()
})
afterAll(() => ground.server.close())

/** Everything that can happen to three cars in a park, in any order, plausible or not. */
const PLATES = ['鄂F60001', '粤BD12345', '苏E66666']
const plate = fc.constantFrom(...PLATES)
const happening = fc.oneof(
  fc.record({ what: fc.constant('enters' as const), plate }),
  fc.record({ what: fc.constant('exits' as const), plate }),
  fc.record({ what: fc.constant('pays' as const), plate }),
  fc.record({ what: fc.constant('passes' as const), plate, cause: fc.constantFrom('command', 'manual') }),
  fc.record({ what: fc.constant('waits' as const), plate }),
  fc.record({ what: fc.constant('handles' as const), plate, handling: fc.constantFrom(1, 2, 3) }),
  fc.record({ what: fc.constant('corrects' as const), plate, to: plate }),
  fc.record({ what: fc.constant('clears' as const), plate }),
  fc.record({ what: fc.constant('cancels' as const), plate }),
  fc.record({ what: fc.constant('opens' as const), plate, fee: fc.constantFrom(undefined, 1, 2, 3) }),
)
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never

async function happens(field: Field, one: Happening, minute: number): Promise<void> {
  const stay = await field.stay(one.plate)
  const record = (path: string, body: object) => ground.ask(ground.admin, `/fee/parkRecord/${path}`, { reason: '试', ...body })
  switch (one.what) {
    case 'enters':
      return field.enters(one.plate, minute)
    case 'exits':
      return field.exits(one.plate, minute)
    case 'pays':
      return stay && (await field.orders(stay)).some(({ status }) => status === 0 || status === 4) ? field.pays(stay, minute) : undefined
    case 'passes':
      return field.passes(minute, { cause: one.cause })
    case 'waits':
      return field.write((tx) => settleExits(tx, field.at(minute + 11)))
    case 'handles':
      return void (
        stay && (await record('handle', { id: stay.id, version: stay.version, handling: one.handling, ...(one.handling === 1 && { fee: 1 }) }))
      )
    case 'corrects':
      return void (stay && (await record('correctPlate', { id: stay.id, version: stay.version, plateNo: one.to })))
    case 'clears':
      return void (stay && (await record('clear', { parkCode: field.parkCode, ids: [stay.id] })))
    case 'cancels': {
      const open = stay && (await field.orders(stay)).find(({ status }) => status === 0 || status === 1)
      return void (open && (await ground.ask(ground.admin, '/business/order/cancel', { id: open.id, reason: '试' })))
    }
    case 'opens':
      return void (await opens(field, one.fee))
  }
}

/** A person opens, long after the barrier was told to open last. */
async function opens(field: Field, fee?: number) {
  await field.write((tx) => run(tx, { sql: 'update device.presence set last_open_at = null where device_no = $1' }, [field.outSn]))
  return ground.ask(ground.admin, '/device/gateOperation/openGateToPark', { gateCode: field.outGate, action: 1, reason: 1, ...(fee && { fee }) })
}

/** Whatever came before, a car that comes to the exit is seen, and let through or opened for by hand: nothing traps it. */
async function leavesAtLast(field: Field, plateNo: string, minute: number): Promise<void> {
  await field.exits(plateNo, minute)
  const lane = await field.lane(field.outGate)
  if (lane.outcome === 5) expect([plateNo, (await opens(field, 2)).status]).toEqual([plateNo, 200])
  else if (lane.outcome !== 1) expect([plateNo, (await opens(field, 1)).status]).toEqual([plateNo, 200])
  await field.passes(minute + 1)
}

/** Checks the invariants of a park's records. */
async function check(field: Field): Promise<void> {
  const of = <T>(sql: string) => field.write((tx) => run<T>(tx, { sql }, [field.parkCode]))
  const [inside, open, moves, orders] = await Promise.all([
    of<{ stayId: string }>('select stay_id from parking.present where park_code = $1 order by 1'),
    of<{ id: string }>('select id from parking.stay where park_code = $1 and status in (1, 2) order by 1'),
    of<{ was: StayStatus; became: StayStatus }>(
      `select (before ->> 'status')::int as was, (after ->> 'status')::int as became from platform.change
        where entity = 'parking.stay' and event = 'update' and park_code is null and row_id::uuid in (select id from parking.stay where park_code = $1) and after ? 'status'
      union all select (before ->> 'status')::int, (after ->> 'status')::int from platform.change
        where entity = 'parking.stay' and event = 'update' and park_code = $1 and after ? 'status'`,
    ),
    of<{ wrong: number }>(
      `select count(*)::int as wrong from parking.stay s where park_code = $1
        and s.paid_fen <> (select coalesce(sum(o.paid_fen), 0) from settlement.order o where o.id = s.order_id or o.stay_id = s.id or o.stay_id = s.corrected_from) and s.corrected_from is null and s.status <> 9`,
    ),
  ])
  expect(inside.map(({ stayId }) => stayId)).toEqual(open.map(({ id }) => id))
  const allowed = Object.values(stayCan)
  expect(moves.filter(({ was, became }) => !allowed.some((move) => move(was) === became))).toEqual([])
  expect(orders).toEqual([{ wrong: 0 }])
}

test('whatever happens, cars inside are the open stays, every move is allowed, and paid money stands on its stay', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(happening, { minLength: 5, maxLength: 25 }),
      fc.constantFrom(1, 2, 3),
      fc.constantFrom(1, 2, 3),
      async (story, dupEntry, noEntry) => {
        const field = await ground.field({ dupEntry, noEntry })
        for (const [n, one] of story.entries()) await happens(field, one, n * 7)
        await check(field)
        for (const [n, plateNo] of PLATES.entries()) await leavesAtLast(field, plateNo, (story.length + n) * 7)
        await check(field)
      },
    ),
    { numRuns: 25 },
  )
}, 120_000)

test('the ledger balances after all of that', async () => {
  const answer = await ground.ask(ground.admin, '/business/ledger/replay/check', {}, 'GET')
  expect(answer.data).toMatchObject({ right: true, differences: [] })
})
