import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../../platform/server/database.ts'
import { stayCan, type StayStatus } from '../../parking/contract/stay.ts'
import { settleGone } from './leaving.ts'
import { aStreet, type Field, type Street } from './testing.ts'

let street: Street
beforeAll(async () => {
  street = await aStreet()
})
afterAll(() => street.close())

/** Everything that can be told of two berths, in any order, early, late and twice. */
const seat = fc.constantFrom(0, 1)
const plate = fc.constantFrom('鄂F60001', '粤BD12345', '苏E66666', undefined)
const minute = fc.integer({ min: 0, max: 240 })
const said = { seat, plate, minute, confidence: fc.constantFrom(0.6, 0.94, 0.99), late: fc.integer({ min: 0, max: 60 }) }
const happening = fc.oneof(
  fc.record({ what: fc.constant('sensor' as const), type: fc.constantFrom('occupied' as const, 'vacant' as const), ...said }),
  fc.record({ what: fc.constant('camera' as const), type: fc.constantFrom('occupied' as const, 'vacant' as const, 'seen' as const), ...said }),
  fc.record({ what: fc.constant('waits' as const), ...said }),
  fc.record({ what: fc.constant('collects' as const), ...said }),
  fc.record({ what: fc.constant('splits' as const), ...said }),
  fc.record({ what: fc.constant('merges' as const), ...said }),
  fc.record({ what: fc.constant('names' as const), ...said }),
)
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never

const staysOf = (field: Field, seatCode: string) =>
  street.write((tx) =>
    run<any>(tx, { sql: 'select * from parking.stay where park_code = $1 and seat_code = $2 and status <> 9 order by seen_at desc, id desc' }, [
      field.parkCode,
      seatCode,
    ]),
  )
async function happens(field: Field, devices: { sensors: string[]; camera: string }, one: Happening): Promise<void> {
  const seatCode = field.berths[one.seat]!
  const last = async () => (await staysOf(field, seatCode))[0]
  const key = (stay: any) => ({ id: stay.id, version: stay.version })
  const more = { berth: seatCode, told: one.minute + one.late }
  switch (one.what) {
    case 'sensor':
      return field.says(devices.sensors[one.seat]!, one.type, one.minute, more)
    case 'camera':
      return field.says(devices.camera, one.type, one.minute, {
        ...more,
        confidence: one.confidence,
        ...(one.plate && { plate: one.plate, image: '/a.jpg' }),
      })
    case 'waits':
      return street.write((tx) => settleGone(tx, field.at(one.minute + 4)))
    case 'collects': {
      const stay = await last()
      const bill = stay && (await street.ask('/business/roadStay/bill', key(stay))).data
      return void (bill?.orderId && (await street.ask('/business/roadStay/collect', { id: stay.id, version: bill.version, amountFen: bill.dueFen })))
    }
    case 'splits': {
      const stay = await last()
      return void (stay && (await street.ask('/business/roadStay/split', { ...key(stay), at: field.at(one.minute), reason: '试' })))
    }
    case 'merges': {
      const [a, b] = await staysOf(field, seatCode)
      return void (b && (await street.ask('/business/roadStay/merge', { ids: [a.id, b.id], reason: '试' })))
    }
    case 'names': {
      const stay = await last()
      return void (stay && one.plate && (await street.ask('/business/roadStay/fillPlate', { ...key(stay), plateNo: one.plate })))
    }
  }
}

/** Checks the invariants of two berths. */
async function check(field: Field): Promise<void> {
  const of = <T>(sql: string) => street.write((tx) => run<T>(tx, { sql }, [field.parkCode]))
  const [inside, open, twice, moves, wrong, overlapping] = await Promise.all([
    of<{ stayId: string }>('select stay_id from parking.present where park_code = $1 order by 1'),
    of<{ id: string }>('select id from parking.stay where park_code = $1 and status in (1, 2) order by 1'),
    of('select seat_code from parking.stay where park_code = $1 and status in (1, 2) group by seat_code having count(*) > 1'),
    of<{ was: StayStatus; became: StayStatus }>(
      `select (before ->> 'status')::int as was, (after ->> 'status')::int as became from platform.change where entity = 'parking.stay' and event = 'update' and park_code = $1 and after ? 'status'`,
    ),
    of(
      `select s.id from parking.stay s where park_code = $1 and status <> 9 and s.paid_fen <> (select coalesce(sum(o.paid_fen), 0) from settlement.order o where o.stay_id = s.id)`,
    ),
    of(`select a.id, b.id from parking.stay a join parking.stay b on a.park_code = b.park_code and a.seat_code = b.seat_code and a.id < b.id
      where a.park_code = $1 and a.status in (1, 2, 3) and b.status in (1, 2, 3) and a.entry_time < coalesce(b.exit_time, 'infinity') and b.entry_time < coalesce(a.exit_time, 'infinity')`),
  ])
  expect(inside.map(({ stayId }) => stayId)).toEqual(open.map(({ id }) => id))
  expect([twice, wrong, overlapping]).toEqual([[], [], []])
  expect(moves.filter(({ was, became }) => !Object.values(stayCan).some((move) => move(was) === became))).toEqual([])
}

test('whatever is told in whatever order, a berth holds one car at a time, stays do not overlap, and paid money stands on its stay', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 4, maxLength: 14 }), async (story) => {
      const field = await street.field({ berths: 2 })
      const sensors = [await field.sensor(field.berths[0]!), await field.sensor(field.berths[1]!)]
      const camera = await field.camera(...field.berths)
      for (const one of story) await happens(field, { sensors, camera }, one)
      await check(field)
    }),
    { numRuns: 20 },
  )
}, 240_000)

test('the ledger balances after all of that', async () => {
  expect((await street.get('/business/ledger/replay/check', {})).data).toMatchObject({ right: true, differences: [] })
})
