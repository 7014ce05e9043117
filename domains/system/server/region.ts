import { serve } from '../../../platform/server/serve.ts'
import { region, type RegionNode } from '../contract/region.ts'
import './tables.ts'

export const calls = serve(region, {
  async tree({ tx }) {
    const rows = await tx.selectFrom('system.region').select(['code', 'parentCode', 'name', 'nameEn', 'rank']).orderBy('code').execute()
    const below = (parent: string | null): RegionNode[] =>
      rows
        .filter(({ parentCode }) => parentCode === parent)
        .map(({ code, name, nameEn, rank }) => ({ code, name, nameEn, rank, children: below(code) }))
    return below(null)
  },
})
