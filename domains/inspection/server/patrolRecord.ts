import { run } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { NotFound } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { PatrolRecord, patrolRecord, recordSearch } from '../contract/patrolRecord.ts'
import { insertRound } from './round.ts'
import { taskLines } from './taskRow.ts'
import './tables.ts'

const records = listOver(PatrolRecord, 'inspection.recordLine', recordSearch)

export const calls = serve(patrolRecord, {
  find: ({ tx, input }) => page(tx, records, input),
  insert: ({ tx, input, actor, at }) => insertRound(tx, input, actor, at),
  async details({ tx, input: { recordId } }) {
    if (!(await find(tx, records, recordId))) throw NotFound()
    return run(tx, { sql: LINES }, [recordId])
  },
  async devices({ tx, input: { taskId } }) {
    if (!(await find(tx, taskLines, taskId))) throw NotFound()
    return run(tx, { sql: DEVICES }, [taskId])
  },
  export: exporting(patrolRecord.export, records),
})
const LINES = `select id, device_no, device_name, device_type, item_name, item_type, value, ok, level, images, proof, dist_m, repair_no from inspection.line
  where enterprise_id = scope_enterprise() and record_id = $1 order by seq`
const DEVICES = `select d.device_no, d.name, d.type, d.gate_code, coalesce(k.done, false) as done, coalesce(k.abnormal, false) as abnormal, k.reason
  from inspection.due d left join inspection.task_device k on k.enterprise_id = d.enterprise_id and k.task_id = d.task_id and k.device_no = d.device_no
  where d.enterprise_id = scope_enterprise() and d.task_id = $1 order by d.gate_code, d.device_no`
