import type { Generated } from 'kysely'
import type { Id, Instant, Of } from '../../../platform/contract/field.ts'
import type { PlateColorCode } from '../../../platform/contract/plate.ts'
import type { PassStatus, PassWindowCode } from '../contract/pass.ts'
import type { ListEntry } from '../contract/whiteBlack.ts'

type Kept = {
  id: Generated<string>
  enterpriseId: Generated<number>
  version: Generated<number>
  createdAt: Generated<Instant>
  updatedAt: Generated<Instant>
}
type Entry = Of<typeof ListEntry>

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'member.list': Omit<Entry, 'status' | 'id' | 'version' | 'createdAt' | 'updatedAt' | 'releasedAt'> & { id: Generated<Entry['id']>; releasedAt: Generated<Instant | null> } & Omit<Kept, 'id'> // prettier-ignore
    'member.listed': Entry & { enterpriseId: number }
    'member.pass': Kept & {
      parkCode: string
      holder: string
      phone: Generated<string | null>
      seats: Generated<number>
      timeWindow: Generated<PassWindowCode>
      startAt: Instant
      endAt: Instant
      state: Generated<keyof typeof PassStatus.entries>
      remark: Generated<string | null>
    }
    'member.passCar': {
      id: Generated<Id<'PassCarId'>>
      enterpriseId: Generated<number>
      passId: string
      parkCode: string
      plateNo: string
      plateColor: PlateColorCode | null
      hours: string
      startAt: Instant
      endAt: Instant
    }
  }
}
