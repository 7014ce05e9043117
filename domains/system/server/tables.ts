import type { Generated } from 'kysely'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import type { DictionaryEntry, DictionaryType } from '../contract/dictionary.ts'
import type { HelpPage } from '../contract/helpPage.ts'
import type { Change, LoginLine, Operation, PdaLine } from '../contract/log.ts'
import type { Region } from '../contract/region.ts'
import type { AlarmRecord } from '../contract/alarmRecord.ts'
import type { AlarmRule } from '../contract/alarmRule.ts'
import type { Document, Folder } from '../contract/document.ts'
import type { Sample, Server } from '../contract/performance.ts'
import type { Clause, Regulation } from '../contract/regulation.ts'
import type { UpdateNote } from '../contract/updateNote.ts'

/** Columns that the database fills by itself. */
type Filled<Row, Names extends keyof Row> = Omit<Row, Names> & { [K in Names]: Generated<Row[K]> }
interface Owned {
  enterpriseId: Generated<number>
  createdAt: Generated<Instant>
}
interface Stamped {
  createdAt: Generated<Instant>
  updatedAt: Generated<Instant>
}

type EntryRow = Omit<Of<typeof DictionaryEntry>, 'item' | 'place'>
export interface FileRow {
  id: Generated<string>
  enterpriseId: Generated<number>
  name: string
  originalName: string
  type: string
  bytes: number
  sha256: string
  authorId: string | null
  createdAt: Generated<Instant>
}

interface Scoped {
  enterpriseId: Generated<number>
}
type RuleDefaults = 'id' | 'serverIds' | 'notifyPeople' | 'notifyRoles' | 'enabled' | 'version' | 'createdAt' | 'updatedAt'

/** Deleted rows wait in the bin; `deletedWith` names the folder that took them along. */
interface Binnable {
  deletedAt: Generated<Instant | null>
  deletedBy: Generated<string | null>
  deletedWith: Generated<string | null>
}
type Kept = 'id' | 'version' | 'createdAt' | 'updatedAt'
interface AnnexeRow extends Scoped {
  id: Generated<string>
  documentId: string
  fileId: string
  name: string
  authorId: string | null
  authorName: string
  bytes: number
  createdAt: Generated<Instant>
}

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'system.dictionaryType': Filled<Of<typeof DictionaryType>, 'id' | 'fixed' | 'remark' | 'version'> & Stamped
    'system.dictionaryRow': Filled<EntryRow, 'id' | 'tone' | 'sort' | 'status' | 'fixed' | 'remark' | 'version' | 'updatedAt'>
    'system.dictionaryEntry': Of<typeof DictionaryEntry> & { categoryNameEn: string }
    'system.region': Filled<Of<typeof Region>, 'nameEn' | 'version' | 'updatedAt'>
    'system.file': FileRow
    'system.configuration': { name: string; value: unknown; version: Generated<number>; updatedBy: string; updatedAt: Generated<Instant> }
    'system.regulation': Filled<Of<typeof Regulation>, Exclude<keyof Of<typeof Regulation>, 'title' | 'kind'>> & Owned
    'system.clause': Filled<Of<typeof Clause>, 'id' | 'chapter' | 'version' | 'updatedAt'> & Owned
    'system.helpPage': Filled<Of<typeof HelpPage>, Exclude<keyof Of<typeof HelpPage>, 'title' | 'titleEn' | 'authorName'>> & {
      createdAt: Generated<Instant>
    }
    'system.helpFile': Omit<FileRow, 'id' | 'enterpriseId'>
    'system.updateNote': Filled<Of<typeof UpdateNote>, 'id' | 'contentEn' | 'publishAt' | 'state' | 'version' | 'updatedAt'> & {
      createdAt: Generated<Instant>
    }
    'system.updateNoteSeen': { enterpriseId: Generated<number>; personId: string; noteId: string; seenAt: Generated<Instant> }
    'system.loginLog': Of<typeof LoginLine> & { enterpriseId: number; personId: string | null }
    'system.operationLog': Of<typeof Operation> & { enterpriseId: number }
    'system.pdaLog': Of<typeof PdaLine> & { enterpriseId: number }
    'system.operation': Of<typeof Change> & { enterpriseId: number; parkCode: string | null }
    'system.folder': Filled<Of<typeof Folder>, Kept> & Scoped & Binnable
    'system.document': Filled<Of<typeof Document>, Kept> & Scoped & Binnable
    'system.annexe': AnnexeRow
    'system.server': Filled<Of<typeof Server>, 'id' | 'firstSeenAt'>
    'system.serverSample': Of<typeof Sample> & { serverId: string }
    'system.serverMetric': { serverId: string; at: Instant; metric: number; value: number }
    'system.serverFigure': { serverId: string; metric: number; at: Instant; mean: number; most: number; samples: number }
    'system.alarmRule': Filled<Of<typeof AlarmRule>, RuleDefaults> & Scoped
    'system.alarmRecord': Filled<Of<typeof AlarmRecord>, 'id' | 'state' | 'version'> & Scoped
  }
}
