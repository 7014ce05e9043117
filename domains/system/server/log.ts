import { find, listOver, page } from '../../../platform/server/page.ts'
import { NotFound } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { log, LoginLine, loginSearch, Operation, operationSearch } from '../contract/log.ts'
import './tables.ts'

const logins = listOver(LoginLine, 'system.loginLog', loginSearch)
const operations = listOver(Operation, 'system.operation', operationSearch)

export const calls = serve(log, {
  loginPage: ({ tx, input }) => page(tx, logins, input),
  operationPage: ({ tx, input }) => page(tx, operations, input),
  async operation({ tx, input }) {
    const found = await find(tx, operations, input.id)
    if (!found) throw NotFound()
    return found
  },
})
