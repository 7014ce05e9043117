import type { Noun } from '../../../platform/server/record/nouns.ts'
import { PlatformRow } from '../contract/platform.ts'
import { PlatformReduce } from '../contract/platformReduce.ts'
import { Difference, StatementRow } from '../contract/statement.ts'

export const nouns: Noun[] = [
  { table: 'charging.platform', entity: PlatformRow },
  { table: 'charging.platform_reduce', entity: PlatformReduce },
  { table: 'charging.statement', entity: StatementRow },
  { table: 'charging.partner_difference', entity: Difference },
]
