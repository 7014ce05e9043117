import type { Tx } from '../../../platform/server/database.ts'
import type { Settled } from '../../settlement/server/api.ts'
import { HoldState } from '../contract/money.ts'
import { ChargeStatus } from '../contract/session.ts'
import {
  type Charge,
  claimGun,
  lockCharge,
  mayStart,
  noteCharge,
  openCharge,
  owedBy,
  Owes,
  placeOf,
  refusalOf,
  wantStart,
  type Wish,
} from './charge.ts'
import { cancelCharge } from './hear.ts'
import { askPrepaid, freezeStored, holdPaidBy, lendCredit, releaseRest, takeHold, type HoldRow } from './hold.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { Said } from '../contract/said.ts'
import { Why } from '../contract/why.ts'
import { paired } from '../../../platform/contract/said.ts'

const TakenMeanwhile = refusal(
  'charging.gun-taken-meanwhile',
  41308,
  '充电枪刚被他人占用，请换一把',
  'Somebody else just took the connector: use another one',
)

export interface Asked extends Wish {
  /** Who pays: in advance, from stored value, a company, a partner platform, or nobody (staff). */
  pays: 'prepaid' | 'stored' | 'credit' | 'partner' | 'nobody'
  prepayFen?: number
}
/**
 * Somebody wants to charge at a gun. Where nothing has to be paid first the pile is asked at once; else `hold` names the order that is to be paid, and the gun is whose money
 * comes first. @throws what keeps it from starting
 */
export async function askStart(tx: Tx, asked: Asked): Promise<{ charge: Charge; hold: HoldRow | undefined }> {
  const place = await placeOf(tx, asked.connectorId)
  await mayStart(tx, place, asked.idTag ?? null, asked.at)
  const owed = await owedBy(tx, asked)
  if (owed > 0) throw Owes({ owed: (owed / 100).toFixed(2) })
  const opened = await openCharge(tx, place, asked)
  const amountFen = asked.prepayFen ?? place.prepayFen
  if (asked.pays === 'prepaid') return { charge: opened, hold: await askPrepaid(tx, opened, amountFen, asked.at) }
  const charge = await claimGun(tx, opened, asked.at)
  if (!charge) throw TakenMeanwhile()
  const hold =
    asked.pays === 'stored'
      ? await freezeStored(tx, charge, amountFen, asked.at)
      : asked.pays === 'credit'
        ? await lendCredit(tx, charge, amountFen, asked.at)
        : undefined
  return { charge: await wantStart(tx, charge, asked.at), hold }
}

/** Money came for an order of ours: the gun is claimed and the pile asked, or, where somebody was quicker or nothing may start there any more, all of it goes back. */
export async function hearPaid(tx: Tx, { orderId, type, at }: Settled): Promise<true | undefined> {
  if (type !== CHARGING) return undefined
  const waiting = await holdPaidBy(tx, orderId)
  if (!waiting || waiting.state !== HoldState.waiting) return undefined
  const hold = await takeHold(tx, waiting, at)
  const charge = await lockCharge(tx, hold.orderNo)
  if (charge.status !== ChargeStatus.waiting) {
    await releaseRest(tx, hold, Said.over, at)
    return true
  }
  const place = await placeOf(tx, charge.connectorId)
  const kept = await refusalOf(mayStart(tx, { ...place, orderNo: null }, charge.idTag, at))
  const claimed = kept ? undefined : await claimGun(tx, charge, at)
  if (!claimed) {
    await cancelCharge(tx, charge, kept ? paired(kept.texts) : Why.gunTaken, at)
    return true
  }
  await noteCharge(tx, claimed, 'paid', at)
  await wantStart(tx, claimed, at)
  return true
}
const CHARGING = 5
