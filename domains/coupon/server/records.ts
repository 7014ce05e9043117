import type { Kind } from '../../../platform/server/record/kinds.ts'
import { run } from '../../../platform/server/database.ts'
import { Template, template } from '../contract/template.ts'

const TEMPLATES = '/activity/coupon/config'

/** A template is found by the beginning of its name. */
export const records: Kind[] = [
  {
    table: 'coupon.template',
    entity: Template,
    needs: template.queryPage.needs,
    async find(tx, words, most) {
      const rows = await run<{ id: string; name: string }>(
        tx,
        { sql: 'select id, name from coupon.template where enterprise_id = scope_enterprise() and name ^@ $1 order by name limit $2' },
        [words, most],
      )
      return rows.map(({ id, name }) => ({ key: id, title: name, detail: '', path: `${TEMPLATES}/${id}` }))
    },
  },
]
