/** All that other domains and the gateways may call. `sn` is a device's serial number, `deviceNo` in its record. */
export { cancel, command, GATE_MS, type Method, type Order, type Queued, TooSoon, TTL_MS } from './command.ts'
export { deviceOf, devicesOf, enrol, type Enrolment, type Placed, scrap, SHUT_SIGNAL, statusOf, store } from './device.ts'
export { maintain } from './upkeep.ts'
export { etcAt, type EtcLane } from './etc.ts'
export { raise, recover, recoverOf } from './warning.ts'
export {
  commandOver,
  commandTopic,
  etcDisabled,
  lampCommandOver,
  scrapping,
  shelving,
  type LaneEvent,
  laneEvent,
  placeName,
  type Report,
  reported,
  standsAt,
  statusTopic,
  stillWaiting,
  warned,
  warningTopic,
} from './events.ts'
export { hear, type Heard, type Hearing, isPassing, type Kind, LATE_MS, replay, sweepBacklog } from './hear.ts'
export {
  type Answer,
  answered,
  claim,
  COMMAND_SIGNAL,
  delivered,
  type Publisher,
  publishingBy,
  sweepCommands,
  unsent,
  waitingFor,
} from './command.ts'
export { type Credential, connected, credentialOf, disconnected, hashOf, secretIs, seen, sweepSilent } from './presence.ts'
export { type Reason, type Rejected, rejected } from './message.ts'
export { type CommandLine, commandsFor, commandsOf, lastCommands, notHeard } from './lookup.ts'
export { type Entry, openDoor, type Session } from './door.ts'
