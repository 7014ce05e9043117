import { run } from '../../../platform/server/database.ts'
import type { Kind } from '../../../platform/server/record/kinds.ts'
import { Case, standardCase } from '../contract/case.ts'
import { Suggestion, suggestion } from '../contract/suggestion.ts'
import { clockFields, WorkOrder, workOrder } from '../contract/workOrder.ts'
import { entity } from '../../../platform/contract/field.ts'

const ORDERS = '/operation/afterSale/order/all'
const FEEDBACK = '/operation/afterSale/feedback'

/** Orders and feedback are found by the beginning of their number, cases by that of their title. */
export const records: Kind[] = [
  {
    table: 'after_sale.work_order',
    label: WorkOrder.label,
    entity: entity({ ...WorkOrder.properties, ...clockFields }),
    needs: workOrder.delete.needs,
    async find(tx, words, most) {
      const rows = await run<{ id: string; orderNo: string; title: string }>(tx, { sql: BY_NUMBER }, [words.toUpperCase(), most])
      return rows.map(({ id, orderNo, title }) => ({ key: id, title: orderNo, detail: title, path: `${ORDERS}/${id}` }))
    },
  },
  {
    table: 'after_sale.suggestion',
    entity: Suggestion,
    needs: suggestion.query.needs,
    async find(tx, words, most) {
      const rows = await run<{ id: string; suggestNo: string; name: string | null }>(tx, { sql: SUGGESTIONS }, [words.toUpperCase(), most])
      return rows.map(({ id, suggestNo, name }) => ({ key: id, title: suggestNo, detail: name ?? '', path: `${FEEDBACK}/${id}` }))
    },
  },
  {
    table: 'after_sale.case',
    entity: Case,
    needs: standardCase.query.needs,
    bin: { needs: standardCase.delete.needs },
    async find(tx, words, most) {
      const rows = await run<{ id: string; title: string }>(tx, { sql: CASES }, [words, most])
      return rows.map(({ id, title }) => ({ key: id, title, detail: '', path: `/operation/afterSale/case/${id}` }))
    },
  },
]
const BY_NUMBER =
  'select id, order_no, title from after_sale.work_order where enterprise_id = scope_enterprise() and order_no ^@ $1 order by order_no limit $2'
const SUGGESTIONS =
  'select id, suggest_no, contact_name as name from after_sale.suggestion where enterprise_id = scope_enterprise() and suggest_no ^@ $1 order by suggest_no limit $2'
const CASES = 'select id, title from after_sale.case where enterprise_id = scope_enterprise() and title ^@ $1 order by title limit $2'
