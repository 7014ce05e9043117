import type { Generated } from 'kysely'
import type { Instant } from '../../../platform/contract/field.ts'

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'message.innerMessage': {
      id: Generated<string>
      enterpriseId: Generated<number>
      custId: string
      toName: string
      title: string
      titleEn: string
      content: Generated<string>
      contentEn: Generated<string>
      link: string | null
      readState: Generated<number>
      readAt: Instant | null
      createdAt: Generated<Instant>
    }
  }
}
