import { serve } from '../../../platform/server/serve.ts'
import { mine } from '../contract/mine.ts'
import { sign, unsign } from './agreement.ts'
import { bills, billOf, charges, parked } from './mineBills.ts'
import { appeal, appealPicture, bind, contest, home, licencePicture, setCar, unbindMine } from './mineCars.ts'
import { movementsOf, offersNow, pay, recharge, refund, refundsOf, repay } from './mineMoney.ts'

/** A driver's own calls: `actor.userId` is the owner, and every id that is named is looked for among theirs. */
export const calls = serve(mine, {
  home: ({ tx, actor, at }) => home(tx, actor.userId, at),
  bind: ({ tx, input, actor, at }) => bind(tx, actor.userId, input, at),
  licencePicture,
  setCar: ({ tx, input, actor, at }) => setCar(tx, actor.userId, input, at),
  sign,
  unsign: ({ tx, input, actor, at }) => unsign(tx, actor.userId, input, at),
  unbind: ({ tx, input, actor, at }) => unbindMine(tx, actor.userId, input, at),
  appeal: ({ tx, input, actor, at }) => appeal(tx, actor.userId, input, at),
  appealPicture,
  contest,
  parked: ({ tx, actor, at }) => parked(tx, actor.userId, at),
  bills: ({ tx, actor }) => bills(tx, actor.userId),
  bill: ({ tx, input, actor }) => billOf(tx, actor.userId, input.orderNo),
  charges: ({ tx, actor }) => charges(tx, actor.userId),
  pay,
  repay,
  offers: ({ tx, actor, at }) => offersNow(tx, actor.userId, at),
  recharge,
  movements: ({ tx, input, actor }) => movementsOf(tx, actor.userId, input),
  refunds: ({ tx, actor }) => refundsOf(tx, actor.userId),
  refund: ({ tx, input, actor, at }) => refund(tx, actor, input, at),
})
