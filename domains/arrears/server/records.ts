import { covered } from '../../../platform/contract/personal.ts'
import { run } from '../../../platform/server/database.ts'
import type { Kind } from '../../../platform/server/record/kinds.ts'
import { ArrearsRecord } from '../contract/file.ts'
import { record } from '../contract/record.ts'

const ARREARS = '/userCenter/arrearage/record'

/** A file is found by the beginning of its number. */
export const records: Kind[] = [
  {
    table: 'arrears.record',
    entity: ArrearsRecord,
    needs: record.list.needs,
    async find(tx, words, most, hidden) {
      const rows = await run<{ id: string; arrearsNo: string; plateNo: string | null }>(
        tx,
        {
          sql: 'select id, arrears_no, plate_no from arrears.record where enterprise_id = scope_enterprise() and arrears_no ^@ $1 order by arrears_no desc limit $2',
        },
        [words.toUpperCase(), most],
      )
      return rows.map(({ id, arrearsNo, plateNo }) => ({
        key: id,
        title: arrearsNo,
        detail: plateNo && hidden.includes('plate') ? covered('plate', plateNo) : (plateNo ?? ''),
        path: `${ARREARS}/${id}`,
      }))
    },
  },
]
