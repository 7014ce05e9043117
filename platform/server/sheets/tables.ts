import type { Generated } from 'kysely'
import type { Instant } from '../../contract/field.ts'
import type { Personal } from '../../contract/personal.ts'
import type { Of } from '../../contract/field.ts'
import type { ScheduledExport } from '../../contract/scheduled.ts'
import type { SheetFormat } from '../../contract/sheet.ts'

type Stamped = 'id' | 'version' | 'createdAt' | 'updatedAt' | 'state' | 'stoppedBy' | 'lastAt'
type Scheduled = Of<typeof ScheduledExport>

declare module '../database.ts' {
  interface Tables {
    'platform.export': {
      id: Generated<string>
      enterpriseId: Generated<number>
      personId: string
      call: string
      title: string
      titleEn: string
      criteria: Record<string, unknown>
      format: SheetFormat
      rows: number | null
      at: Generated<Instant>
    }
    'platform.exportFile': {
      id: string
      enterpriseId: Generated<number>
      personId: string
      columns: string[]
      parks: string[] | null
      departments: string[] | null
      hidden: Personal[]
      language: number
      format: SheetFormat
      name: string
      state: Generated<number>
      rowsDone: Generated<number>
      rowsTotal: Generated<number | null>
      bytes: Generated<number | null>
      heardAt: Generated<Instant>
      finishedAt: Generated<Instant | null>
      linkUntil: Generated<Instant | null>
      createdAt: Generated<Instant>
    }
    'platform.myExport': { id: string; enterpriseId: number; personId: string; name: string; state: number; createdAt: Instant }
    'platform.scheduledExport': Omit<Scheduled, Stamped> & { [K in Stamped]: Generated<Scheduled[K]> } & {
      enterpriseId: Generated<number>
      personId: string
      criteria: Record<string, unknown>
      language: number
    }
    'platform.scheduledRun': {
      id: Generated<string>
      enterpriseId: Generated<number>
      scheduledId: string
      dueAt: Instant
      at: Instant
      exportId: string | null
      said: string | null
      saidEn: string | null
    }
  }
}
