/**
 * All of roaming that gateways and other domains may call: partner platforms whose drivers charge at our stations, and partners' stations at which our drivers charge. The gateway that speaks to
 * partners puts what they say into these words; whoever keeps owners tells when they are merged or erased.
 */
export { checkWanted, letterAnew, letterTaken } from './said.ts'
export type { Partner } from './partner.ts'
export { type Caller, callersAs, giveToken, isToken, TOKEN_S } from './partnerDoor.ts'
export {
  chargeOfPartner,
  mayCharge,
  partnersCharge,
  type PartnerWish,
  type Progress,
  progressOf,
  startForPartner,
  stopForPartner,
} from './partnerCharges.ts'
export { type Check, checkAnswered, checkOf, compared, disputed, type TheirCharge } from './partnerCheck.ts'
export { makeStatements } from './statement.ts'
export { heard, type Letter, post, postLatest } from './partnerPush.ts'
export {
  openEnergy,
  type OpenGun,
  openGuns,
  openPlace,
  openPrices,
  type OpenStation,
  openStations,
  hasPartners,
  partnersAt,
} from './partnerStations.ts'
export {
  operatorsBy,
  type OperatorLine,
  speak,
  speakBy,
  type Spoken,
  type TheirPrice,
  type TheirProgress,
  type TheirState,
  type TheirStation,
  type Told,
} from './partnerWire.ts'
export { type BillSaid, billTold } from './bill.ts'
export { startRoaming } from './drive.ts'
export { progressTold, startTold, stateTold, stopTold } from './told.ts'
export { forgetOwner, mergeOwners, rowsOfOwner } from './owners.ts'
