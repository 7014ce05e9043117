import type { Generated } from 'kysely'
import type { Of } from '../../../platform/contract/field.ts'
import type { Associate, AssociateLine } from '../contract/associate.ts'
import type { Holiday } from '../contract/holiday.ts'
import type { Rehearsal, RehearsedStay } from '../contract/rehearsal.ts'
import type { Rule } from '../contract/rule.ts'
import type { Frequency, Hour, Segment, Step } from '../contract/segment.ts'

type Made =
  | 'id'
  | 'version'
  | 'createdAt'
  | 'updatedAt'
  | 'ruleId'
  | 'versionNo'
  | 'source'
  | 'vehicleClasses'
  | 'freeMin'
  | 'freeMode'
  | 'freeTimesPerDay'
  | 'dayUnit'
  | 'dayCutMin'
  | 'unitAnchor'
  | 'secondRule'
  | 'priority'
  | 'status'
  | 'dayType'
type Filled<T, K extends keyof T> = Omit<T, K> & { [P in K]: Generated<T[P]> }
/** Columns that the job fills in. */
type RehearsalMade = Exclude<keyof Of<typeof Rehearsal>, 'ruleVersionId' | 'days' | 'staysFrom' | 'staysTo' | 'startedBy'>
/** Columns that the database fills in when they are left out. */
type Row<T> = { [K in keyof T]: K extends Made ? Generated<T[K]> : T[K] } & { enterpriseId: Generated<number> }

declare module '../../../platform/server/database.ts' {
  interface Tables {
    /** `document`: the tariff that prices follow; `origin`: the imported document. Both JSON. */
    'fee.rule': Row<Of<typeof Rule> & { document: unknown; origin: unknown }>
    'fee.associate': Row<Of<typeof Associate>>
    'fee.associateLine': Row<Of<typeof AssociateLine>>
    'fee.segment': Row<Of<typeof Segment>>
    'fee.frequency': Row<Of<typeof Frequency>>
    'fee.hour': Row<Of<typeof Hour>>
    'fee.step': Row<Of<typeof Step>>
    'fee.holiday': Row<Of<typeof Holiday>>
    /** `tariff`: the draft as it was then, JSON; `mark`: its fingerprint. `scopeParks`: those of the person who asked. */
    'fee.rehearsal': Filled<Of<typeof Rehearsal>, RehearsalMade> & {
      tariff: unknown
      mark: string
      scopeParks: string[] | null
      begun: Generated<number>
      enterpriseId: Generated<number>
    }
    'fee.rehearsedStay': Filled<Of<typeof RehearsedStay>, 'id' | 'deltaFen'> & {
      ruleVersionId: string
      terms: unknown
      enterpriseId: Generated<number>
    }
  }
}
