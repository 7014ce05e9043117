import { listOver, page } from '../../../platform/server/page.ts'
import { serve } from '../../../platform/server/serve.ts'
import { Use, use, usedSearch } from '../contract/use.ts'
import './tables.ts'

const used = listOver(Use, 'coupon.used', usedSearch, { sums: ['faceFen', 'deductedFen', 'wastedFen'] })
export const calls = serve(use, { queryPage: ({ tx, input }) => page(tx, used, input) })
