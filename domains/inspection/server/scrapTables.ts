import type { Generated } from 'kysely'
import type { Of } from '../../../platform/contract/field.ts'
import type { KeptScrap } from '../contract/scrap.ts'

type Kept = Of<typeof KeptScrap>
type Filled<T, K extends keyof T> = Omit<T, K> & { [P in K]: Generated<T[P]> }
type Empty<T> = { [K in keyof T]: null extends T[K] ? K : never }[keyof T]

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'inspection.scrap': Filled<Kept, 'id' | 'version' | 'createdAt' | 'updatedAt' | 'scrapNo' | 'state' | Empty<Kept>> & {
      enterpriseId: Generated<number>
    }
  }
}
