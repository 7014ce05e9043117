import type { Domain } from '../../../platform/server/domain.ts'
import { readGuests } from '../../../platform/server/call/guests.ts'
import { subNames } from '../../ledger/server/api.ts'
import { ownerOf, purse, purseMoved, whoIs } from '../../charging/server/api.ts'
import { contactOf, paysFirst, paysLast } from '../../arrears/server/api.ts'
import { agreementTold, debitAgreed, orderPaid, purseReturned, refundAsked, refundEnded, refundFailed } from '../../settlement/server/api.ts'
import { menu } from '../contract/menu.ts'
import { calls as accounts, erase } from './account.ts'
import { agreedFor, bringAgreement, hearAgreement, lookAtAgreements, payByContract } from './agreement.ts'
import { calls as activities } from './activity.ts'
import { calls as assets } from './asset.ts'
import { calls as cars } from './car.ts'
import { calls as cards } from './card.ts'
import { moveForCharge, ownerBehind, ownerOfCar, storedFor } from './charging.ts'
import { calls as door, forget } from './door.ts'
import { driverBehind } from './driverSession.ts'
import { calls as mine } from './mine.ts'
import { contactOfCar, purseNames } from './naming.ts'
import { nouns } from './nouns.ts'
import { hearRefundEnd, payTask, refuseAgain } from './paying.ts'
import { hearPaid, unpaidOver } from './recharge.ts'
import { calls as refunds } from './refund.ts'
import { autoDebit, debitAt, hearReturned } from './spend.ts'
import { calls as verifications, claims } from './verification.ts'
import { known } from './known.ts'

export const owner: Domain = {
  name: 'owner',
  known,
  calls: [...accounts, ...cars, ...verifications, ...assets, ...activities, ...cards, ...refunds, ...door, ...mine],
  menu,
  nouns,
  tasks: [erase, claims, payTask, autoDebit, unpaidOver, forget, bringAgreement, lookAtAgreements],
  start() {
    readGuests('driver', driverBehind)
    orderPaid.answer('owner', hearPaid)
    purseReturned.answer('owner', hearReturned)
    refundEnded.answer('owner', hearRefundEnd)
    refundAsked.answer('owner', refuseAgain)
    refundFailed.answer('owner', (tx, failed) => hearRefundEnd(tx, { ...failed, paidOut: false }))
    paysFirst.answer('owner', debitAt)
    paysLast.answer('owner', payByContract)
    agreementTold.answer('owner', hearAgreement)
    debitAgreed.answer('owner', agreedFor)
    purse.answer('owner', storedFor)
    purseMoved.answer('owner', moveForCharge)
    ownerOf.answer('owner', ownerOfCar)
    whoIs.answer('owner', ownerBehind)
    contactOf.answer('owner', contactOfCar)
    subNames.answer('owner', purseNames)
  },
}
