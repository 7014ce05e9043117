import { listOver, page } from '../../../platform/server/page.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { supervise, Supervised, superviseSearch } from '../contract/supervise.ts'
import './tables.ts'

const supervised = listOver(Supervised, 'fleet.superviseLine', superviseSearch)

export const calls = serve(supervise, {
  query: ({ tx, input }) => page(tx, supervised, input),
  export: exporting(supervise.export, supervised),
})
