import { randomUUID, randomUUIDv7 } from 'node:crypto'
import type { CodeOf, Id, Instant, Of } from '../../../platform/contract/field.ts'
import { instantAt } from '../../../platform/contract/time.ts'
import { vehicleClassOf } from '../../../platform/contract/plate.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { enrol, hear } from '../../device/server/api.ts'
import type { Tariff } from '../../fee/contract/tariff.ts'
import { publishTariff, tieRule } from '../../fee/server/api.ts'
import type { Direction, Gate } from '../contract/gate.ts'
import type { Park } from '../contract/park.ts'
import type { StayId } from '../contract/stay.ts'
import { insertStay, type NewStay } from './lane/entrance.ts'
import { lockStay, type StayRecord } from './stay/stayMoves.ts'
import './tables.ts'

/** Rows for tests, demo data and benches. Each caller gives only the values that matter to it. */
export const aPark = (tx: Tx, park: Partial<Of<typeof Park>> & { parkCode: string }) =>
  tx
    .insertInto('parking.park')
    .values({ name: `车场 ${park.parkCode}`, pType: 1, regionCode: '420607', totalBays: 100, ...park })
    .returningAll()
    .executeTakeFirstOrThrow()

/** A gate and the one device that is its camera, barrier and sign. `secretHash` only where a real device signs in. */
export async function aGate(
  tx: Tx,
  {
    sn,
    secretHash = 'none',
    ...gate
  }: Partial<Of<typeof Gate>> & { parkCode: string; gateCode: string; direction: CodeOf<typeof Direction>; sn: string; secretHash?: string },
) {
  const made = await tx
    .insertInto('parking.gate')
    .values({ name: `${gate.gateCode} 通道`, barrierId: sn, cameraId: sn, ledId: sn, ...gate })
    .returningAll()
    .executeTakeFirstOrThrow()
  await enrol(tx, { sn, name: made.name, type: 1, parkCode: gate.parkCode, gateCode: gate.gateCode, secretHash })
  return made
}

/** 5 yuan for every started hour, the first 15 minutes free, 25 yuan in 24 hours (semantics 6, rule B). */
export const FIVE_AN_HOUR: Tariff = {
  schema: 1,
  currency: 'CNY',
  seconds: 'drop',
  free: { minutes: 15, inclusive: true, mode: 'grace' },
  bands: [{ fromMin: 0, toMin: 1440, days: { mask: 7 }, price: { by: 'unit', unitMin: 60, priceE4: 50_000, edge: 'carry' } }],
  clock: 'stay',
  cycle: { kind: 'rolling', capsE4: [250_000], edge: 'goOn' },
}
/** A published rule, tied to a park or, with an `areaCode` or a `memberGroup`, to an area of it or to a kind of pass there. */
export async function aRule(
  tx: Tx,
  {
    parkCode,
    areaCode,
    memberGroup,
    vehicleClasses = [],
    tariff = FIVE_AN_HOUR,
    from = '2020-01-01T00:00:00.000Z' as Instant,
  }: { parkCode: string; areaCode?: string; memberGroup?: string; vehicleClasses?: number[]; tariff?: Tariff; from?: Instant },
) {
  const made = await publishTariff(tx, { name: `规则 ${randomUUID().slice(0, 8)}`, tariff, vehicleClasses, from, at: from })
  await tieRule(tx, { ruleId: made.ruleId, parkCode, ...(areaCode && { areaCode }), ...(memberGroup && { memberGroup }) })
  return made
}

export async function aStay(
  tx: Tx,
  { plateNo, plateColor = 0, ...stay }: Partial<NewStay> & { parkCode: string; plateNo: string },
): Promise<StayRecord> {
  const id = stay.id ?? (randomUUIDv7() as Id<StayId>)
  await insertStay(tx, {
    id,
    plateNo,
    plateColor,
    vehicleClass: vehicleClassOf(plateNo, plateColor),
    carKindIn: 9,
    entryTime: instantAt(Date.now() - 3600_000),
    entryMode: 1,
    ...stay,
  })
  return lockStay(tx, id)
}

export interface Told {
  sn: string
  /** When it happened, by the device's clock. */
  at: Instant
  /** When we hear of it; the same moment when nothing is said. */
  received?: Instant
  offline?: boolean
  seq?: number
  mid?: string
}
const told = (tx: Tx, { sn, at, received = at, offline = false, seq, mid = randomUUID() }: Told, type: string, body: Record<string, unknown>) =>
  hear(tx, { sn, kind: 'event', mid, ts: Date.parse(at), receivedMs: Date.parse(received), offline, seq: seq ?? null, type, body })

/** The camera of a lane reads a plate; through the same door as over MQTT. */
export const reads = (
  tx: Tx,
  {
    plate,
    color = 'blue',
    confidence = 0.97,
    image,
    direction,
    ...of
  }: Told & { plate: string; color?: string; confidence?: number; image?: string; direction?: 'in' | 'out' },
) => told(tx, of, 'plate', { plate, color, confidence, ...(image && { image }), ...(direction && { direction }) })
/** The barrier says how it moved. */
export const barrier = (
  tx: Tx,
  { state, cause = 'command', ...of }: Told & { state: 'opened' | 'closed' | 'blocked'; cause?: string; passed?: boolean },
) => {
  const { passed, ...rest } = of
  return told(tx, rest, 'gate', { state, cause, ...(passed !== undefined && { passed }) })
}
export const presses = (tx: Tx, of: Told) => told(tx, of, 'button', { name: 'help' })
