import { addJob } from '../../../../platform/server/job/jobs.ts'
import { run } from '../../../../platform/server/database.ts'
import { nounsTold } from '../../../../platform/server/record/nouns.ts'
import { find, listOver, page } from '../../../../platform/server/page.ts'
import { NotFound } from '../../../../platform/server/refusal.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { exporting } from '../../../../platform/server/sheets/exporting.ts'
import type { Of } from '../../../../platform/contract/field.ts'
import { Change, changeSearch, log, LoginLine, loginSearch, Operation, operationSearch, PdaLine, pdaSearch } from '../../contract/log.ts'
import { chainsOf, checkAll } from './chain.ts'
import { masked } from './masking.ts'
import '../tables.ts'

const logins = listOver(LoginLine, 'system.loginLog', loginSearch)
const operations = listOver(Operation, 'system.operationLog', operationSearch)
const handhelds = listOver(PdaLine, 'system.pdaLog', pdaSearch)
const changes = listOver(Change, 'system.operation', changeSearch)

export const calls = serve(log, {
  loginPage: ({ tx, input }) => page(tx, logins, input),
  operationPage: ({ tx, input }) => page(tx, operations, input),
  async operation({ tx, input }) {
    const found = await find(tx, operations, input.id)
    if (!found) throw NotFound()
    const rows = await run<ChangeRow>(tx, { sql: CHANGES }, [found.requestId])
    return { ...found, changes: rows.map(shown) }
  },
  pdaQuery: ({ tx, input }) => page(tx, handhelds, input),
  async changePage({ tx, input }) {
    const found = await page(tx, changes, input)
    return { ...found, records: found.records.map(shown) }
  },
  async change({ tx, input }) {
    const found = await find(tx, changes, input.id)
    if (!found) throw NotFound()
    return shown(found)
  },
  operationExport: exporting(log.operationExport, operations),
  loginExport: exporting(log.loginExport, logins),
  pdaExport: exporting(log.pdaExport, handhelds),
  nouns: async () => nounsTold(),
  chains: ({ tx }) => chainsOf(tx),
  checkChains: ({ tx }) => addJob(tx, checkAll, {}, { key: 'system.log-chains-check' }),
})

type ChangeRow = Of<typeof Change>
const shown = (row: ChangeRow): ChangeRow => ({ ...row, before: masked(row.before, row.entity), after: masked(row.after, row.entity) })

/** The most changes shown of one request; others are in the change log. */
const CHANGES_MAX = 200
const CHANGES = `select id, at, author_name, author_id, via, entity, row_id, event, before, after, reason, request_id from platform.change
  where enterprise_id = scope_enterprise() and request_id = $1 and request_id <> '' order by id limit ${CHANGES_MAX}`
