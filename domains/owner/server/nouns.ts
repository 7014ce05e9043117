import type { Noun } from '../../../platform/server/record/nouns.ts'
import { Account } from '../contract/account.ts'
import { Agreement } from '../contract/agreement.ts'
import { RechargeActivity } from '../contract/activity.ts'
import { Car } from '../contract/car.ts'
import { Card } from '../contract/card.ts'
import { KeptRefund } from '../contract/refund.ts'

export const nouns: Noun[] = [
  { table: 'owner.account', entity: Account },
  { table: 'owner.car', entity: Car },
  { table: 'owner.agreement', entity: Agreement },
  { table: 'owner.activity', entity: RechargeActivity },
  { table: 'owner.card', entity: Card },
  { table: 'owner.refund', entity: KeptRefund },
]
