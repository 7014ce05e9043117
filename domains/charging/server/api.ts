/**
 * All of charging that gateways and other domains may call. A protocol says what it heard (`ConnectorSaid`, `MeterSaid`, `BeganSaid`, `EndedSaid`, `AuthoriseSaid`,
 * `PileSaid`) and listens to what is wanted of its piles (`startWanted`, `stopWanted`). Whoever keeps stored value answers `purse` and `purseMoved`, and tells when
 * owners are merged or erased.
 */
export {
  type AuthoriseSaid,
  type Authorised,
  type BeganAnswer,
  type BeganSaid,
  billed,
  type Charger,
  chargeMoved,
  chargeTopic,
  checkWanted,
  connectorChanged,
  type ConnectorSaid,
  type EndedSaid,
  gunsShown,
  gunTopic,
  letterAnew,
  letterTaken,
  type MeterSaid,
  type Moved,
  offersFor,
  offerTaken,
  type PileSaid,
  type Refused,
  repriced,
  type Sample,
  type StartAnswered,
  startBlocked,
  startWanted,
  stopWanted,
} from './said.ts'
export { groupsOf, ownerOf, type Purse, purse, type PurseMove, purseMoved, whoIs } from './questions.ts'
export { forgetOwner, mergeOwners, rowsOfOwner } from './owners.ts'
export { connectorAt, connectorSaid, pileSaid } from './gun.ts'
export { authorise, began, billWhenDue, ended, startAnswered } from './hear.ts'
export { meterSaid, metersSaid } from './meters.ts'
export { askStart, type Asked } from './start.ts'
export { askStop } from './hear.ts'
export { adjust } from './bill.ts'
export { maintainPile, scrapPile } from './upkeep.ts'
export { addPrices } from './strategy.ts'
export { type Charge, lockCharge, moveCharge, owedBy, tableAt } from './charge.ts'
// The line to piles: for the gateways that speak their protocols.
export { ConnectorStatus } from '../contract/connector.ts'
export { MeterKind, PileProtocol } from '../contract/pile.ts'
export { LogKind, PileFailure, PileMethod, ResetKind, TriggerMessage } from '../contract/pileCommand.ts'
export { Direction, FrameKind } from '../contract/pileLink.ts'
export { type FrameLine, keepFrames } from './frame.ts'
export {
  clockFound,
  giveSecret,
  openPileDoor,
  type BootSaid,
  pilesBooted,
  type PileEntry,
  pileRefused,
  type PileSession,
  pileSignedIn,
  pileSignedOut,
  pilesSeen,
  HEARTBEAT_S,
  RESTARTS_MAX,
  SILENT_MS,
} from './link.ts'
export {
  type Answer as CommandAnswer,
  askAfterTransaction,
  type Claimed,
  claimCommands,
  commandAnswered,
  effectFailed,
  effectSeen,
  effectsSeen,
  PILE_SIGNAL,
  sweepPileCommands,
} from './pileCommand.ts'
export {
  chargesNow,
  claimSequence,
  gunOfTransaction,
  gunTold,
  hasGap,
  keepReply,
  keepSettings,
  registerAt,
  reservationOver,
  stopReasonOf,
} from './pileFacts.ts'
export { reshare } from './loadShare.ts'
export { secretFrom } from './pileSecret.ts'
export { momentOf } from './pileTime.ts'
// Partner platforms: for the gateway that speaks to them.
export { ChargeStatus } from '../contract/session.ts'
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
export { type BillSaid, billTold } from './roaming/bill.ts'
export { startRoaming } from './roaming/drive.ts'
export { progressTold, startTold, stateTold, stopTold } from './roaming/told.ts'
// What walls show.
export { chargingMoneyOf, chargingWallOf } from './wall.ts'
