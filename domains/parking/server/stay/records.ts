import type { Personal } from '../../../../platform/contract/personal.ts'
import type { Instant } from '../../../../platform/contract/field.ts'
import { ParentGone } from '../../../../platform/server/record/bin.ts'
import { isWholePlate, normalizePlate } from '../../../../platform/contract/plate.ts'
import { FIND_MIN } from '../../../../platform/contract/records.ts'
import type { Found, Kind } from '../../../../platform/server/record/kinds.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { NotFound } from '../../../../platform/server/refusal.ts'
import { unmarkRow } from '../../../../platform/server/row.ts'
import { tell } from '../../../../platform/server/realtime.ts'
import { area, Area } from '../../contract/area.ts'
import { gate, Gate } from '../../contract/gate.ts'
import { park, Park } from '../../contract/park.ts'
import { stay, Stay } from '../../contract/stay.ts'
import { laneTopic } from '../questions.ts'

const STAYS = '/operation/record/parking/parkingRecord'
const PARKS = '/assetManage/parkingAndFacility/selfParking'
const GATES = '/assetManage/parkingAndFacility/channel'
/** The most plates looked at; not each has a stay that its searcher may see. */
const PLATES_LOOKED_AT = 100

/** Records of parking that the search finds and follows. A plate leads to everything that is known of it. */
export const records: Kind[] = [
  { table: 'parking.stay', label: ['车辆', 'Vehicle'], entity: Stay, needs: stay.queryPage.needs, find: plates },
  {
    table: 'parking.park',
    label: ['车场', 'Car park'],
    entity: Park,
    needs: park.queryPage.needs,
    find: parks,
    bin: { needs: park.delete.needs, unmark: (tx, _, id, at) => unmarkRow(tx, 'parking.park', id, at) },
  },
  {
    table: 'parking.gate',
    entity: Gate,
    needs: gate.queryPage.needs,
    find: gates,
    bin: { needs: gate.delete.needs, unmark: (tx, _, id, at) => ofParkAgain(tx, 'parking.gate', id, at) },
  },
  {
    table: 'parking.area',
    entity: Area,
    needs: area.queryPage.needs,
    bin: { needs: area.delete.needs, unmark: (tx, _, id, at) => ofParkAgain(tx, 'parking.area', id, at) },
  },
]

/** A part of a park comes back where its park is. @throws ParentGone */
async function ofParkAgain(tx: Tx, table: 'parking.gate' | 'parking.area', id: string, at: Instant): Promise<void> {
  const row = await tx
    .selectFrom(table as 'parking.gate')
    .select('parkCode')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw NotFound()
  const there = await tx.selectFrom('parking.park').select('id').where('parkCode', '=', row.parkCode).where('deleted', '=', false).executeTakeFirst()
  if (!there) throw ParentGone()
  await unmarkRow(tx, table, id, at)
  await tell(tx, laneTopic, { park: row.parkCode })
}

/** By any run of the plate's characters, plates that end so first; a person who is not shown plates searches by the whole one, since the answers would reveal it sign for sign. */
async function plates(tx: Tx, words: string, most: number, hidden: readonly Personal[]): Promise<Found[]> {
  const signs = normalizePlate(words)
  if (signs.length < FIND_MIN || (hidden.includes('plate') && !isWholePlate(signs))) return []
  const rows = await run<{ plateNo: string; parkName: string }>(
    tx,
    {
      sql: `select e.plate_no, p.name as park_name from (
          select plate_no, min(ending) as ending from (
            select plate_no, ending from platform.plate_ending where enterprise_id = scope_enterprise() and ending ^@ $1 order by ending, plate_no limit ${PLATES_LOOKED_AT}) e
          group by plate_no) e
        cross join lateral (select park_code from parking.stay s where s.enterprise_id = scope_enterprise() and s.third_platform is null and s.plate_no = e.plate_no
          order by seen_at desc limit 1) s
        join parking.park p on p.enterprise_id = scope_enterprise() and p.park_code = s.park_code order by e.ending, e.plate_no limit $2`,
    },
    [signs, most],
  )
  return rows.map(({ plateNo, parkName }) => ({
    key: plateNo,
    title: plateNo,
    detail: parkName,
    path: `${STAYS}?plateNo=${encodeURIComponent(plateNo)}`,
  }))
}

async function parks(tx: Tx, words: string, most: number): Promise<Found[]> {
  const rows = await run<{ parkCode: string; name: string; address: string | null }>(
    tx,
    {
      sql: `select park_code, name, address from parking.park where enterprise_id = scope_enterprise() and (park_code ^@ $1 or name ^@ $2)
        order by park_code limit $3`,
    },
    [words.toUpperCase(), words, most],
  )
  return rows.map(({ parkCode, name, address }) => ({
    key: parkCode,
    title: name,
    detail: [parkCode, address].filter(Boolean).join(' '),
    path: `${PARKS}/${encodeURIComponent(parkCode)}`,
  }))
}

async function gates(tx: Tx, words: string, most: number): Promise<Found[]> {
  const rows = await run<{ gateCode: string; name: string }>(
    tx,
    { sql: 'select gate_code, name from parking.gate where enterprise_id = scope_enterprise() and gate_code ^@ $1 order by gate_code limit $2' },
    [words.toUpperCase(), most],
  )
  return rows.map(({ gateCode, name }) => ({ key: gateCode, title: name, detail: gateCode, path: `${GATES}/${encodeURIComponent(gateCode)}` }))
}
