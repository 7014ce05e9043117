import pg from 'pg'
import { tariffOfPublished } from '../../domains/fee/server/api.ts'
import { startOf, dayOf, DAY_MS, instantAt, CITY_OFFSET_MS } from '../../platform/contract/time.ts'
import { OTHER_PARKS, type PlannedPark } from '../plan.ts'
import { TARIFFS } from '../tariffs.ts'
import { type Belongs, loadVisits, numbered, type Till } from './load.ts'
import { passesOf, pricedPark, type PricedPark, visitsOn } from './visits.ts'
import { SessionStatus } from '../../domains/parking/contract/stay.ts'

export interface Past {
  ownerUrl: string
  parks: readonly PlannedPark[]
  belongs: ReadonlyMap<string, Belongs>
  /** Days of the past to fill, counted back from today: from 3 to 90 are the days before the small demo's. */
  fromDay: number
  toDay: number
  nowMs: number
  progress?: (done: number, of: number) => void
}

/**
 * Fills the past day by day, each in a transaction of its own that also notes how far it came, so that a start that was cut off goes on where it was.
 * Newest day first: what people look at is there first.
 */
export async function fillPast({ ownerUrl, parks, belongs, fromDay, toDay, nowMs, progress }: Past): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl, options: '-c timezone=UTC' })
  client.on('error', () => {}) // what fails is told by the statement that it cuts off
  await client.connect()
  try {
    const priced = parks.map((park) => pricedPark(park, tariffOfPublished(TARIFFS[park.tariff].rule), passesOf(park)))
    const today = Date.parse(startOf(dayOf(instantAt(nowMs))))
    const tillOf = await tills(client)
    for (let back = fromDay; back <= toDay; back++) {
      await fillDay(client, today - back * DAY_MS, priced, (code) => belongs.get(code)!, tillOf, nowMs)
      progress?.(back - fromDay + 1, toDay - fromDay + 1)
    }
    await finish(client, [...new Set([...belongs.values()].map(({ enterprise }) => enterprise))])
  } finally {
    await client.end()
  }
}

async function fillDay(
  client: pg.Client,
  dayMs: number,
  priced: readonly PricedPark[],
  of: (parkCode: string) => Belongs,
  tillOf: TillOf,
  nowMs: number,
) {
  const mark = `demo.day.${new Date(dayMs + CITY_OFFSET_MS).toISOString().slice(0, 10)}.${priced[0]!.park.parkCode}`
  await client.query('begin')
  const { rowCount } = await client.query(`insert into platform.setting (name, value) values ($1, 'true') on conflict do nothing`, [mark])
  if (rowCount) {
    await client.query('set local session_replication_role = replica')
    for (const enterprise of new Set(priced.map(({ park }) => of(park.parkCode).enterprise))) {
      const mine = priced.filter(({ park }) => of(park.parkCode).enterprise === enterprise)
      const visits = mine.flatMap((one) => visitsOn(dayMs, one, nowMs))
      const till = await tillOf(enterprise, dayMs)
      await loadVisits(client, visits, of, till)
      await client.query(COUNTED, [till.shiftId, enterprise])
    }
  }
  await client.query('commit')
}

/** The takings of a shift were counted at its end, note by note, and found to be right. */
export const COUNTED = `update settlement.shift s set expected_fen = t.fen, counted_fen = t.fen, counted = t.counted from (
    select c.fen, (select coalesce(jsonb_agg(jsonb_build_object('faceFen', f.face, 'count', c.fen % f.above / f.face) order by f.face desc), '[]')
        from (values (10000, 9223372036854775807), (5000, 10000), (1000, 5000), (500, 1000), (100, 500), (50, 100), (10, 50), (1, 10)) f (face, above) where c.fen % f.above / f.face > 0) as counted
    from (select coalesce(sum(received_fen), 0)::bigint as fen from settlement.payment where enterprise_id = $2::integer and shift_id = $1) c) t
  where s.enterprise_id = $2::integer and s.id = $1`

type TillOf = (enterprise: number, dayMs: number) => Promise<Till>
/** One shift a day and enterprise, handed over and settled long ago. */
async function tills(client: pg.Client): Promise<TillOf> {
  const { rows: people } = await client.query<{ enterprise_id: number; id: string; name: string }>(
    `select distinct on (enterprise_id) enterprise_id, id, name from identity.person order by enterprise_id, username = 'operator' desc`,
  )
  return async (enterprise, dayMs) => {
    const person = people.find(({ enterprise_id }) => enterprise_id === enterprise)!
    const { rows } = await client.query<{ id: string }>(
      `insert into settlement.shift (enterprise_id, shift_no, person_id, person_name, state, opened_at, closed_at) values ($1, $2, $3, $4, 4, $5, $6) returning id`,
      [enterprise, numbered('BC', dayMs), person.id, person.name, new Date(dayMs), new Date(dayMs + DAY_MS)],
    )
    return { shiftId: rows[0]!.id, personId: person.id, personName: person.name }
  }
}

/**
 * Fills for all rows at once what triggers keep for single rows, then checks it. Lanes are at work meanwhile: a car that leaves
 * just then is waited for.
 */
async function finish(client: pg.Client, enterprises: readonly number[]) {
  await client.query(`insert into parking.present (stay_id, enterprise_id, park_code, plate_no, plate_color, area_code, car_kind)
    select id, enterprise_id, park_code, plate_no, plate_color, area_code, car_kind_in from parking.stay where status in (${SessionStatus.present}, ${SessionStatus.leaving}) and third_platform is null for share on conflict do nothing`)
  for (const enterprise of enterprises) {
    await client.query('begin')
    await client.query('lock table ledger.balance, ledger.daily in exclusive mode') // a payment of this moment waits and then adds itself
    await client.query('select ledger.rebuild($1)', [enterprise])
    await client.query(`select set_config('scope.enterprise', $1, true), set_config('scope.parks', '*', true)`, [String(enterprise)])
    const { rows } = await client.query('select * from ledger.replay() limit 3')
    if (rows.length > 0) throw new Error(`The demo's ledger does not agree with itself: ${JSON.stringify(rows)}`)
    await client.query('commit')
  }
  await client.query('analyze parking.stay, settlement.order, settlement.payment, ledger.entry, ledger.line')
}

export const isOther = ({ parkCode }: PlannedPark) => OTHER_PARKS.some((one) => one.parkCode === parkCode)
