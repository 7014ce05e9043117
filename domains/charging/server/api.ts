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
  type EndedSaid,
  type MeterSaid,
  type Moved,
  offersFor,
  offerTaken,
  type Refused,
  repriced,
  type Sample,
  type StartAnswered,
  startBlocked,
  startWanted,
  stopWanted,
} from './said.ts'
export { connectorChanged, type ConnectorSaid, gunsShown, gunTopic, type PileSaid } from './saidPile.ts'
export { groupsOf, noticesOf, ownerOf, type Purse, purse, type PurseMove, purseMoved, whoIs } from './questions.ts'
export { forgetOwner, mergeOwners, rowsOfOwner } from './owners.ts'
export { connectorAt, connectorSaid, pileSaid } from './gun.ts'
export { authorise, began, billWhenDue, ended, startAnswered } from './hear.ts'
export { meterSaid, metersSaid } from './meters.ts'
export { askStart, type Asked } from './start.ts'
export { askStop, askStopAgain, cancelCharge } from './hear.ts'
export { adjust, costBy, FROM_CHARGING, WAIVED_FEN } from './bill.ts'
export { maintainPile, scrapPile } from './upkeep.ts'
export { addPrices } from './strategy.ts'
export {
  type Charge,
  chargeBySeq,
  chargeOfPlatform,
  lockCharge,
  mayStart,
  moveCharge,
  noteCharge,
  owedBy,
  Owes,
  type Place,
  placeOf,
  refusalOf,
  tableAt,
} from './charge.ts'
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
export { chargesNow, gunOfTransaction, stopReasonOf } from './transaction.ts'
export { claimSequence, gunTold, hasGap, keepReply, keepSettings, registerAt, reservationOver } from './pileFacts.ts'
export { reshare } from './load/loadShare.ts'
export { secretFrom } from './pileSecret.ts'
export { momentOf } from './pileTime.ts'
// For whoever speaks to partner platforms.
export { refuseUnknownStations } from './activity.ts'
export { stop as stopByDriver } from './door.ts'
export { mustBeHeard } from './doorShown.ts'
export { energyOfGuns } from './figures/usage.ts'
export { LEAST_FEN, lockWithMoney, partsOf, PurseRefused, TooLittle } from './hold.ts'
export { placed } from './place.ts'
export { ChargeStatus } from '../contract/session.ts'
// What walls show.
export { chargingMoneyOf, chargingWallOf } from './figures/wall.ts'
