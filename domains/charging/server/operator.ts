import { run } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { BadInput, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { Operator, operator, operatorSearch } from '../contract/operator.ts'
import './tables.ts'

const OperatorUsed = refusal(
  'charging.operator-used',
  41320,
  '该运营商名下还有充电站，不能删除；请先转移或关闭其充电站',
  'The operator still has stations and cannot be deleted: move or close its stations first',
)
const operators = listOver(Operator, 'charging.operator', operatorSearch)

export const calls = serve(operator, {
  list: ({ tx, input }) => page(tx, operators, input),
  export: exporting(operator.export, operators),
  async saveOrUpdate({ tx, input: { id, version, operatorId, ...changes }, at }) {
    if (id) return setRow(tx, operators, await lockRow(tx, operators, { id, version }), changes, at)
    if (!operatorId) throw BadInput({ zh: '请填写运营商 ID（9 位组织机构代码）', en: 'enter the operator id (the 9-character organisation code)' })
    return addRow(tx, operators, { operatorId, ...changes })
  },
  async delete({ tx, input, at }) {
    const found = await lockRow(tx, operators, input)
    const [used] = await run(tx, { sql: 'select 1 from charging.station where enterprise_id = scope_enterprise() and operator_id = $1 limit 1' }, [
      found.operatorId,
    ])
    if (used) throw OperatorUsed()
    await removeRow(tx, operators, found, at)
  },
})
