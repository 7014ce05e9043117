import { listOver, page } from '../../../platform/server/page.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { Result, result, resultSearch } from '../contract/result.ts'
import './tables.ts'

const results = listOver(Result, 'inspection.result', resultSearch)

export const calls = serve(result, {
  query: ({ tx, input }) => page(tx, results, input),
  export: exporting(result.export, results),
})
