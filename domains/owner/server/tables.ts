import type { Generated } from 'kysely'
import type { Of } from '../../../platform/contract/field.ts'
import type { Account, Owner } from '../contract/account.ts'
import type { Agreement } from '../contract/agreement.ts'
import type { Activity, RechargeActivity } from '../contract/activity.ts'
import type { Movement } from '../contract/asset.ts'
import type { BoundCar, Car, Verification } from '../contract/car.ts'
import type { Card, ParkCard } from '../contract/card.ts'
import type { KeptRefund, StoredRefund } from '../contract/refund.ts'

type Scoped = { enterpriseId: Generated<number> }
/** Columns that have a default in the database. */
type Filled<T, K extends keyof T> = Omit<T, K> & { [P in K]: Generated<T[P]> }
type Row = 'id' | 'version' | 'createdAt' | 'updatedAt'
/** The nullable fields, which an insert may leave out. */
type Loose<T> = { [P in keyof T as null extends T[P] ? P : never]: T[P] } extends infer N ? keyof N & keyof T : never

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'owner.account': Filled<Of<typeof Account>, Row | 'status' | Loose<Of<typeof Account>>> & Scoped
    'owner.profile': Of<typeof Owner> & { enterpriseId: number }
    'owner.car': Filled<Of<typeof Car>, Row | 'verifyState' | 'autoDebit' | 'isDefault' | Loose<Of<typeof Car>>> & Scoped
    'owner.agreement': Filled<Of<typeof Agreement>, Row | 'contractNo' | 'state' | Loose<Of<typeof Agreement>>> & Scoped
    'owner.boundCar': Of<typeof BoundCar> & Of<typeof Verification> & { enterpriseId: number }
    'owner.asset': Of<typeof Movement> & { enterpriseId: number }
    'owner.activity': Filled<Of<typeof RechargeActivity>, Row | 'stopped' | Loose<Of<typeof RechargeActivity>>> & Scoped
    'owner.offer': Of<typeof Activity> & { enterpriseId: number }
    'owner.card': Filled<Of<typeof Card>, Row | 'cardNo' | 'status' | Loose<Of<typeof Card>>> & Scoped
    'owner.parkCard': Of<typeof ParkCard> & { enterpriseId: number }
    'owner.refund': Filled<Of<typeof KeptRefund>, Row | 'payFen' | 'doneFen' | 'state' | Loose<Of<typeof KeptRefund>>> & Scoped
    'owner.askedRefund': Of<typeof StoredRefund> & { enterpriseId: number }
  }
}
