import type { Personal } from '../../../platform/contract/personal.ts'
import { isWholePlate, normalizePlate } from '../../../platform/contract/plate.ts'
import type { Found, Kind } from '../../../platform/server/kinds.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { gate, Gate } from '../contract/gate.ts'
import { park, Park } from '../contract/park.ts'
import { stay, Stay } from '../contract/stay.ts'

const STAYS = '/operation/record/parking/parkingRecord'
const PARKS = '/assetManage/parkingAndFacility/selfParking'
const GATES = '/assetManage/parkingAndFacility/channel'
/** So many of the newest stays of the plates that begin so are looked at: a plate comes every day. */
const STAYS_LOOKED_AT = 500

/** What of parking can be found and followed. A plate leads to everything that is known of it. */
export const records: Kind[] = [
  { table: 'parking.stay', label: ['车辆', 'Vehicle'], entity: Stay, needs: stay.queryPage.needs, find: plates },
  { table: 'parking.park', label: ['车场', 'Park'], entity: Park, needs: park.queryPage.needs, find: parks },
  { table: 'parking.gate', label: ['通道', 'Lane'], entity: Gate, needs: gate.queryPage.needs, find: gates },
]

/** By the beginning of the plate; whoever is not shown plates by the whole one, since the answers would tell it sign for sign. */
async function plates(tx: Tx, words: string, most: number, hidden: readonly Personal[]): Promise<Found[]> {
  if (hidden.includes('plate') && !isWholePlate(normalizePlate(words))) return []
  const rows = await run<{ plateNo: string; parkName: string }>(
    tx,
    {
      sql: `select distinct on (s.plate_no) s.plate_no, p.name as park_name from (
          select plate_no, park_code, seen_at from parking.stay where enterprise_id = scope_enterprise() and third_platform is null and plate_no ^@ $1
          order by plate_no, seen_at desc limit ${STAYS_LOOKED_AT}) s
        join parking.park p on p.enterprise_id = scope_enterprise() and p.park_code = s.park_code order by s.plate_no, s.seen_at desc limit $2`,
    },
    [words.toUpperCase(), most],
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
