import type { Noun } from '../../../platform/server/record/nouns.ts'
import { PlatformRow } from '../contract/platform.ts'
import { PlatformReduce } from '../contract/platformReduce.ts'
import { Difference, StatementRow } from '../contract/statement.ts'

export const nouns: Noun[] = [
  { table: 'roaming.platform', entity: PlatformRow },
  { table: 'roaming.platform_reduce', entity: PlatformReduce },
  { table: 'roaming.statement', entity: StatementRow },
  { table: 'roaming.partner_difference', entity: Difference },
]
