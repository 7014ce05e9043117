import { plural } from '../../../../platform/contract/plural.ts'
import type { Instant } from '../../../../platform/contract/field.ts'
import { cityTime } from '../../../../platform/contract/time.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { MessageKind } from '../../../message/contract/template.ts'
import { sendInner } from '../../../message/server/api.ts'
import { laneBoard } from '../../contract/laneBoard.ts'
import { SessionStatus } from '../../contract/stay.ts'

/** Where the cars that stand inside are not what came less what went: `at` is the first hour at which it shows. */
export interface Drift {
  parkCode: string
  name: string
  at: Instant
  /** By the cars inside now, rolled back to then. */
  counted: number
  /** Entries less exits up to then. */
  recorded: number
}

const HOURS = 24
/**
 * The count of cars inside at any past time is entries less exits up to it. The cars inside are a table of their own, so at each full hour of the last day they
 * are rolled back from now, and held against the stays that had come and not gone.
 */
export const presentDrifts = (tx: Tx, at: Instant): Promise<Drift[]> => run<Drift>(tx, { sql: DRIFTS }, [at, HOURS])
const OWN = 's.enterprise_id = scope_enterprise() and s.third_platform is null'
const PARKS = '(select array_agg(park_code) from parking.park where enterprise_id = scope_enterprise())::text[]'
const DRIFTS = `with stays as (
    select s.park_code, s.seen_at as came, null::timestamptz as gone from parking.stay s where ${OWN} and s.status in (${SessionStatus.present}, ${SessionStatus.leaving})
    union all
    select s.park_code, s.seen_at, s.exit_time from parking.stay s where ${OWN} and s.status = ${SessionStatus.left} and s.park_code = any (${PARKS}) and s.exit_time > $1::timestamptz - $2::int * interval '1 hour'
  ), inside as (
    select park_code, count(*)::int as n from parking.present where enterprise_id = scope_enterprise() group by park_code
  ), parks as (
    select p.park_code, p.name, coalesce(i.n, 0) as inside from parking.park p left join inside i using (park_code) where p.enterprise_id = scope_enterprise()
  ), hours as (
    select p.park_code, p.name, p.inside, h.at,
      (select count(*)::int from stays s where s.park_code = p.park_code and s.came > h.at) as came,
      (select count(*)::int from stays s where s.park_code = p.park_code and s.gone > h.at) as went,
      (select count(*)::int from stays s where s.park_code = p.park_code and s.came <= h.at and (s.gone is null or s.gone > h.at)) as recorded
    from parks p cross join (select $1::timestamptz - i * interval '1 hour' as at from generate_series(0, $2) i) h
  )
  select distinct on (park_code) park_code, name, at, inside - came + went as counted, recorded from hours where inside - came + went <> recorded order by park_code, at`

/** Checks all parks each night, and tells the people who handle the lanes of every park that does not agree. */
export async function checkPresent(tx: Tx, at: Instant): Promise<void> {
  for (const { parkCode, name, at: since, counted, recorded } of await presentDrifts(tx, at)) {
    const hour = cityTime(since).slice(0, 16)
    await sendInner(tx, {
      to: { capability: laneBoard.answer.needs as string, parkCode },
      title: [`${name}：在场数与进出记录不符`, `${name}: cars present do not match entries and exits`],
      body: [
        `自 ${hour} 起在场 ${counted} 辆，按进出记录应为 ${recorded} 辆；请核对在场车辆并清场或补录`,
        `Since ${hour} ${counted} ${plural(counted, 'car')} counted as present, but entries and exits make it ${recorded}: check the cars present, then clear or add records`,
      ],
      link: `/operation/record/parking/present?parkCode=${parkCode}`,
      kind: MessageKind.alarm,
      urgent: true,
      at,
    })
  }
}
