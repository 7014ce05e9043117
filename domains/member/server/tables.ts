import type { Generated } from 'kysely'
import type { Day, Id, Instant, Of } from '../../../platform/contract/field.ts'
import type { PlateColorCode } from '../../../platform/contract/plate.ts'
import type { AccessRule } from '../contract/accessRule.ts'
import type { Amount } from '../contract/amount.ts'
import type { Customer, MemberCar } from '../contract/customer.ts'
import type { MemberGroup } from '../contract/group.ts'
import type { Pass, PassStatus, PassWindowCode } from '../contract/pass.ts'
import type { CarFees, CarFeesTerms } from '../contract/plan.ts'
import type { ListEntry, UnitQuota } from '../contract/whiteBlack.ts'

/** Columns that have a default in the database. */
type Filled<T, K extends keyof T> = Omit<T, K> & { [P in K]: Generated<T[P]> }
type Scoped = { enterpriseId: Generated<number> }
type Row = 'id' | 'version' | 'createdAt' | 'updatedAt'
type Entry = Of<typeof ListEntry>
type Group = Of<typeof MemberGroup>
type Plan = Of<typeof CarFeesTerms>
type Held = Of<typeof Pass>
type Terms = Pick<Plan, 'periodUnit' | 'periodCount' | 'validType' | 'graceDays' | 'renewAheadDays' | 'refundRule'>

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'member.list': Omit<
      Filled<
        Entry,
        Row | 'plateColor' | 'parkCode' | 'endAt' | 'releasedAt' | 'whiteKind' | 'holder' | 'phone' | 'unit' | 'freeMinPerDay' | 'action' | 'remark'
      >,
      'status'
    > &
      Scoped & { decided: Generated<number>; byItself: Generated<boolean> }
    'member.listed': Entry & { enterpriseId: number }
    'member.unitQuota': Filled<Of<typeof UnitQuota>, 'id'> & Scoped & { version: Generated<number>; updatedAt: Generated<Instant> }
    'member.customer': Filled<Of<typeof Customer>, Row | 'phone' | 'kind' | 'certNo' | 'address' | 'status' | 'remark'> & Scoped
    'member.carFees': Filled<Plan, Row | 'parks' | 'quota' | 'renewAheadDays' | 'graceDays' | 'refundRule' | 'vehicleClasses' | 'status' | 'remark'> &
      Scoped
    'member.plan': Of<typeof CarFees> & { enterpriseId: number }
    'member.cardGroup': Filled<
      Group,
      | Row
      | 'parentId'
      | 'maxMembers'
      | 'maxCars'
      | 'seatPolicy'
      | 'review'
      | 'online'
      | 'carFeesIds'
      | 'defaultId'
      | 'accessRuleIds'
      | 'status'
      | 'suspended'
      | 'remark'
    > &
      Scoped
    'member.accessRule': Filled<
      Of<typeof AccessRule>,
      Row | 'gates' | 'memberGroups' | 'dayMask' | 'timeFrom' | 'timeTo' | 'dateFrom' | 'dateTo' | 'oddEven' | 'priority' | 'status' | 'remark'
    > &
      Scoped
    'member.pass': Filled<Terms, keyof Terms> &
      Filled<
        Pick<
          Held,
          | Row
          | 'passNo'
          | 'memberId'
          | 'groupId'
          | 'carFeesId'
          | 'parkCode'
          | 'parkCodes'
          | 'seatCode'
          | 'seats'
          | 'timeWindow'
          | 'startAt'
          | 'endAt'
          | 'priceFen'
          | 'frozenAt'
          | 'refunding'
          | 'rejectedFor'
          | 'remark'
        >,
        | Row
        | 'passNo'
        | 'groupId'
        | 'carFeesId'
        | 'seatCode'
        | 'seats'
        | 'timeWindow'
        | 'priceFen'
        | 'frozenAt'
        | 'refunding'
        | 'rejectedFor'
        | 'remark'
      > &
      Scoped & {
        anchorDay: number
        state: Generated<keyof typeof PassStatus.entries>
        periods: Generated<number>
        platesMonth: Generated<Day | null>
        plateChanges: Generated<number>
      }
    'member.held': Held &
      Terms & {
        enterpriseId: number
        anchorDay: number
        state: keyof typeof PassStatus.entries
        periods: number
        platesMonth: Day | null
        plateChanges: number
      }
    'member.car': Filled<Omit<Of<typeof MemberCar>, 'passIds'>, Row | 'plateColor' | 'closedAt' | 'remark'> &
      Scoped & { replacedBy: Generated<string | null>; addedIn: Generated<string[]> }
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
      held: Generated<boolean>
      orderId: Generated<string | null>
    }
    'member.payment': Of<typeof Amount> & { enterpriseId: number }
  }
}
export type { PassWindowCode }
