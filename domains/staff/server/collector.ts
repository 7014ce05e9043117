import { dayOf, startOf } from '../../../platform/contract/time.ts'
import { run } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { NotFound } from '../../../platform/server/refusal.ts'
import { lockRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { importing } from '../../../platform/server/sheets/importing.ts'
import { templating } from '../../../platform/server/sheets/template.ts'
import { heldBy } from '../../settlement/server/api.ts'
import { CollectorLine, collectorSearch, OnJob, toll } from '../contract/collector.ts'
import { collectorImport } from './collectorImport.ts'
import { addCollector, changeCollector, collectors, removeCollector } from './collectorRow.ts'
import { tell } from './notice.ts'
import './tables.ts'

const lines = listOver(CollectorLine, 'staff.collectorLine', collectorSearch)

export const calls = serve(toll, {
  query: ({ tx, input }) => page(tx, lines, input),
  pick: ({ tx, input: { tollType = null, groupId = null, parkCode = null, keyword = null } }) =>
    run(tx, { sql: PICK }, [tollType, groupId, parkCode, keyword]),
  async save({ tx, input }) {
    await addCollector(tx, input)
  },
  async update({ tx, input: { id, version, ...changes }, at }) {
    await changeCollector(tx, await lockRow(tx, collectors, { id, version }), changes, at)
  },
  delete: ({ tx, input: { id }, at }) => removeCollector(tx, id, at),
  async detail({ tx, input: { tollNo }, at }) {
    const [known] = await run<{ id: string }>(tx, { sql: BY_NO }, [tollNo])
    const found = known && (await find(tx, lines, known.id))
    if (!found) throw NotFound()
    const held = found.personId ? await heldBy(tx, found.personId) : undefined
    const monthStart = `${dayOf(at).slice(0, 7)}-01`
    const [month] = await run<{ cells: number; orders: number; paidFen: number }>(tx, { sql: MONTH }, [
      found.id,
      monthStart,
      found.personId,
      startOf(monthStart as never),
      dayOf(at),
    ])
    return { ...found, cashHeldFen: held?.expectedFen ?? 0, shiftNo: held?.shiftNo ?? null, month: month! } as never
  },
  import: importing(toll.import, collectorImport),
  template: templating(toll.import),
  export: exporting(toll.export, lines),
  message: ({ tx, input, actor, at }) => tell(tx, input, actor, at),
})
const PICK = `select id, toll_no, name, toll_type, group_id, park_code from staff.collector where enterprise_id = scope_enterprise() and on_job = ${OnJob.employed}
  and ($1::smallint is null or toll_type = $1) and ($2::uuid is null or group_id = $2) and ($3::text is null or park_code = $3)
  and ($4::text is null or position($4 in name) > 0 or toll_no ^@ $4) order by toll_no limit 2000`
const BY_NO = 'select id from staff.collector where enterprise_id = scope_enterprise() and toll_no = $1'
const MONTH = `select (select count(*)::int from staff.cell where enterprise_id = scope_enterprise() and collector_id = $1 and shift_id is not null and work_date between $2 and $5) as cells,
  count(p.id)::int as orders, coalesce(sum(p.received_fen - p.refund_fen), 0)::bigint as paid_fen
  from settlement.shift s join settlement.payment p on p.enterprise_id = s.enterprise_id and p.shift_id = s.id
  where s.enterprise_id = scope_enterprise() and s.person_id = $3 and s.opened_at >= $4`
