/**
 * All of charging that gateways and other domains may call. A protocol says what it heard (`ConnectorSaid`, `MeterSaid`, `BeganSaid`, `EndedSaid`, `AuthoriseSaid`,
 * `PileSaid`) and listens to what is wanted of its piles (`startWanted`, `stopWanted`). Whoever keeps stored value answers `purse` and `purseMoved`.
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
  connectorChanged,
  type ConnectorSaid,
  type EndedSaid,
  gunTopic,
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
export { groupsOf, ownerOf, type Purse, purse, purseMoved } from './questions.ts'
export { connectorAt, connectorSaid, pileSaid } from './gun.ts'
export { authorise, began, ended, meterSaid, startAnswered } from './hear.ts'
export { askStart, type Asked } from './start.ts'
export { askStop } from './hear.ts'
export { adjust } from './bill.ts'
export { type Charge, lockCharge, moveCharge, owedBy, tableAt } from './charge.ts'
