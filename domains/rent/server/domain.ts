import type { Domain } from '../../../platform/server/domain.ts'
import { keptOfOwner, ownerErased, ownersMerged } from '../../owner/server/api.ts'
import { parkHeld } from '../../parking/server/api.ts'
import { orderCancelled, orderPaid, orderRefunded, refundEnded, waiverAsked } from '../../settlement/server/api.ts'
import { menu } from '../contract/menu.ts'
import { calls as awards } from './award.ts'
import { calls as bidders, mergeBidders } from './bidder.ts'
import { hearBill, refuseWaiver } from './bills.ts'
import { dropLater, hearCancelled, hearEarnest, hearRefundEnded, hearRefunded } from './earnest.ts'
import { calls as periods } from './days.ts'
import { calls as enrolments } from './enrollment.ts'
import { calls as leases } from './lease.ts'
import { tick } from './clock.ts'
import { calls as mine } from './mine.ts'
import { calls as notices } from './notice.ts'
import { nouns } from './nouns.ts'
import { forgetOwner, ofOwner } from './owners.ts'
import { calls as projects, heldBy } from './project.ts'
import { hearDepositEnded } from './returning.ts'
import { calls as seals } from './sealed.ts'

export const rent: Domain = {
  name: 'rent',
  calls: [...bidders, ...periods, ...notices, ...projects, ...enrolments, ...seals, ...awards, ...leases, ...mine],
  menu,
  nouns,
  tasks: [tick, dropLater],
  start() {
    ownersMerged.answer('rent', mergeBidders)
    keptOfOwner.answer('rent', ofOwner)
    ownerErased.answer('rent', forgetOwner)
    parkHeld.answer('rent', heldBy)
    orderPaid.answer('rent', async (tx, settled) => (await hearEarnest(tx, settled)) ?? hearBill(tx, settled))
    orderRefunded.answer('rent', hearRefunded)
    refundEnded.answer('rent', async (tx, ended) => (await hearRefundEnded(tx, ended)) ?? hearDepositEnded(tx, ended))
    waiverAsked.answer('rent', refuseWaiver)
    orderCancelled.answer('rent', hearCancelled)
  },
}
