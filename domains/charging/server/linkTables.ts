import type { Generated } from 'kysely'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import type { Load, LoadChange } from '../contract/load.ts'
import type { PileCommand, PileSetting } from '../contract/pileCommand.ts'
import type { Frame } from '../contract/pileLink.ts'

type LoadMade = 'id' | 'version' | 'createdAt' | 'updatedAt' | 'zeroModels'
type Scoped = { enterpriseId: Generated<number> }

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'charging.frame': Of<typeof Frame> & Scoped
    'charging.pileCommand': Of<typeof PileCommand> & Scoped & { effect: string | null; ttlSec: number }
    'charging.pileSetting': Of<typeof PileSetting> & Scoped
    'charging.load': Omit<Of<typeof Load>, LoadMade> & { [P in LoadMade]: Generated<Of<typeof Load>[P]> } & Scoped
    'charging.loadChange': Of<typeof LoadChange> & Scoped
    'charging.reservation': Scoped & {
      id: Generated<string>
      reservationNo: number
      connectorId: string
      equipmentId: string
      parkCode: string
      cardNo: string
      until: Instant
      endedAt: Instant | null
      createdAt: Generated<Instant>
    }
  }
}
