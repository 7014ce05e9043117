import type { Kind } from '../../../platform/server/record/kinds.ts'
import { run } from '../../../platform/server/database.ts'
import { Merchant, merchant } from '../contract/merchant.ts'

const MERCHANTS = '/businessCenter/merchant/account'

/** A merchant is found by the beginning of its name or number. */
export const records: Kind[] = [
  {
    table: 'merchant.merchant',
    entity: Merchant,
    needs: merchant.queryPage.needs,
    async find(tx, words, most) {
      const rows = await run<{ id: string; mchNo: string; name: string }>(
        tx,
        {
          sql: 'select id, mch_no, name from merchant.merchant where enterprise_id = scope_enterprise() and not deleted and (name ^@ $1 or mch_no ^@ upper($1)) order by name limit $2',
        },
        [words, most],
      )
      return rows.map(({ id, mchNo, name }) => ({ key: id, title: name, detail: mchNo, path: `${MERCHANTS}/${id}` }))
    },
  },
]
