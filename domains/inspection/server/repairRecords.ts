import { run } from '../../../platform/server/database.ts'
import type { Kind } from '../../../platform/server/record/kinds.ts'
import { KeptRepair, Repair, repair } from '../contract/repair.ts'
import { KeptScrap, Scrap, scrap } from '../contract/scrap.ts'

const REPAIRS = '/operation/maintain/maintainRecord'
/** Found by the beginning of the number. */
export const repairRecords: Kind[] = [
  {
    table: 'inspection.repair',
    label: Repair.label,
    entity: KeptRepair,
    needs: repair.find.needs,
    async find(tx, words, most) {
      const rows = await run<{ id: string; repairNo: string; deviceName: string }>(tx, { sql: BY_NUMBER }, [words.toUpperCase(), most])
      return rows.map(({ id, repairNo, deviceName }) => ({ key: id, title: repairNo, detail: deviceName, path: `${REPAIRS}/${id}` }))
    },
  },
  {
    table: 'inspection.scrap',
    label: Scrap.label,
    entity: KeptScrap,
    needs: scrap.query.needs,
    async find(tx, words, most) {
      const rows = await run<{ id: string; scrapNo: string; deviceName: string }>(tx, { sql: SCRAPS }, [words.toUpperCase(), most])
      return rows.map(({ id, scrapNo, deviceName }) => ({
        key: id,
        title: scrapNo,
        detail: deviceName,
        path: `/operation/maintain/scrapRecord/${id}`,
      }))
    },
  },
]
const SCRAPS =
  'select id, scrap_no, device_name from inspection.scrap where enterprise_id = scope_enterprise() and scrap_no ^@ $1 order by scrap_no limit $2'
const BY_NUMBER =
  'select id, repair_no, device_name from inspection.repair where enterprise_id = scope_enterprise() and repair_no ^@ $1 order by repair_no limit $2'
