import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { holdRules, type NamedPlace, NoRule, type Nowhere, type RuledPlace, withoutRule } from '../../fee/server/api.ts'
import { UseStatus } from '../../parking/contract/park.ts'

/** The answer to `fee.mayUntie`: an enabled section keeps its last rule, also while its district is off, for it opens with it again. */
export const ruledSections = (tx: Tx, parkCode?: string): Promise<RuledPlace[]> => run(tx, RULED, [UseStatus.inUse, parkCode ?? null])
const RULED = {
  sql: `select park_code, section_code, name from roadside.section
    where enterprise_id = scope_enterprise() and not deleted and flag = $1 and ($2::text is null or park_code = $2) order by section_code`,
}

/** A rule ends by itself too. @throws NoRule where a section that would open with this district has none any more */
export async function refuseBare(tx: Tx, parkCode: string, at: Instant): Promise<void> {
  await holdRules(tx)
  const [bare] = await withoutRule(tx, await ruledSections(tx, parkCode), at)
  if (bare) throw NoRule({ sectionCode: bare.sectionCode, name: bare.name })
}

/** The answer to `fee.nowhere`: the section that is named has to be there, in its district where one is named too. */
export async function noSection(tx: Tx, { parkCode = null, sectionCode = null }: NamedPlace): Promise<Nowhere[]> {
  if (sectionCode === null) return []
  return (await run(tx, { sql: THERE }, [sectionCode, parkCode])).length > 0 ? [] : ['sectionCode']
}
const THERE = `select from roadside.section where enterprise_id = scope_enterprise() and section_code = $1 and ($2::text is null or park_code = $2) and not deleted`
