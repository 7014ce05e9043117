import type { Generated } from 'kysely'
import type { Instant } from '../../../platform/contract/field.ts'

export interface DictionaryRowRow {
  id: Generated<string>
  categoryEn: string
  item: string
  categoryNameEn: string
  ival: number
  cval: string
  itemEn: string
  tone: string | null
  sort: Generated<number>
  version: Generated<number>
}
export interface RegionRow {
  code: string
  parentCode: string | null
  name: string
  nameEn: Generated<string>
  rank: number
  version: Generated<number>
}
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

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'system.dictionaryRow': DictionaryRowRow
    'system.region': RegionRow
    'system.file': FileRow
    'system.loginLog': { id: string; enterpriseId: number; at: Instant; personId: string | null; username: string; outcome: number }
    'system.operation': { id: string; enterpriseId: number; at: Instant; authorId: string | null; authorName: string; via: string; entity: string }
  }
}
