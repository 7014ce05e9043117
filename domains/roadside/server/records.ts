import { listOf, shaped, text, yes } from '../../../platform/contract/field.ts'
import type { Found, Kind } from '../../../platform/server/record/kinds.ts'
import type { Noun } from '../../../platform/server/record/nouns.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { unmarkRow } from '../../../platform/server/row.ts'
import { Berth, berth } from '../contract/berth.ts'
import { dome, Preset } from '../contract/dome.ts'
import { IllegalStop, illegalStop } from '../contract/illegalStop.ts'

const BERTHS = '/assetManage/roadParking/berth'

/** Records of the street that the search finds and follows. */
export const records: Kind[] = [
  {
    table: 'roadside.berth',
    entity: Berth,
    needs: berth.find.needs,
    find: berths,
    bin: { needs: berth.remove.needs, unmark: (tx, _, id, at) => unmarkRow(tx, 'roadside.berth', id, at) },
  },
  { table: 'roadside.illegal_stop', entity: IllegalStop, needs: illegalStop.query.needs },
  { table: 'roadside.preset', entity: Preset, needs: dome.presetList.needs, bin: { needs: dome.presetDelete.needs } },
]
/** Columns of theirs that no contract names. */
export const recordNouns: Noun[] = [
  { table: 'roadside.berth', entity: Berth, also: { deleted: yes('已删除', 'Removed') } },
  { table: 'roadside.illegal_stop', entity: IllegalStop, also: { filedBy: shaped('登记人', 'Recorded by', listOf(text('登记人', 'Recorded by'))) } },
]

async function berths(tx: Tx, words: string, most: number): Promise<Found[]> {
  const rows = await run<{ parkCode: string; seatCode: string; berthNo: string; parkName: string }>(
    tx,
    {
      sql: `select b.park_code, b.seat_code, b.berth_no, p.name as park_name from roadside.berth b join parking.park p on p.enterprise_id = b.enterprise_id and p.park_code = b.park_code
        where b.enterprise_id = scope_enterprise() and b.seat_code ^@ $1 and not b.deleted order by b.seat_code limit $2`,
    },
    [words.toUpperCase(), most],
  )
  return rows.map(({ parkCode, seatCode, berthNo, parkName }) => ({
    key: `${parkCode}/${seatCode}`,
    title: seatCode,
    detail: [berthNo, parkName].join(' '),
    path: `${BERTHS}?parkCode=${encodeURIComponent(parkCode)}&seatCode=${encodeURIComponent(seatCode)}`,
  }))
}
