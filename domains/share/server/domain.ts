import type { Domain } from '../../../platform/server/domain.ts'
import { on } from '../../../platform/server/events.ts'
import { admission, alsoDue, alsoLetOff, cover, entered, held, left, parkHeld } from '../../parking/server/api.ts'
import { keptOfOwner, ownerErased, ownersMerged } from '../../owner/server/api.ts'
import { driverAsks, orderPaid } from '../../settlement/server/api.ts'
import { menu } from '../contract/menu.ts'
import { calls as bookings } from './booking.ts'
import { hasBooking, hearEntered, hearLeft, hearPaid, tasks } from './life.ts'
import { calls as mine } from './mine.ts'
import { calls as mineBays } from './mineBays.ts'
import { nouns } from './nouns.ts'
import { forgetOwner, mergeOwners, ofOwner } from './owners.ts'
import { calls as payouts } from './payout.ts'
import { calls as reservations } from './reservation.ts'
import { calls as sharings } from './sharing.ts'
import { letOverOff, overBill, overDue } from './over.ts'
import { coverOf, heldBy, heldIn, standingOf } from './standing.ts'
import { known } from './known.ts'

export const share: Domain = {
  name: 'share',
  known,
  calls: [...sharings, ...bookings, ...reservations, ...payouts, ...mine, ...mineBays],
  menu,
  nouns,
  tasks,
  start() {
    admission.answer('share', standingOf)
    cover.answer('share', coverOf)
    alsoDue.answer('share', overDue)
    alsoLetOff.answer('share', letOverOff)
    driverAsks.answer('share', overBill)
    held.answer('share', heldIn)
    parkHeld.answer('share', heldBy)
    orderPaid.answer('share', hearPaid)
    ownersMerged.answer('share', mergeOwners)
    keptOfOwner.answer('share', ofOwner)
    ownerErased.answer('share', forgetOwner)
    on(entered, 'share.booking', ({ tx, data, at }) => hearEntered(tx, data, at), { when: hasBooking })
    on(left, 'share.booking', ({ tx, data, at }) => hearLeft(tx, data, at), { when: hasBooking })
  },
}
