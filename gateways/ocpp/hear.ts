import {
  askAfterTransaction,
  type Authorised,
  authorise,
  began,
  chargesNow,
  claimSequence,
  clockFound,
  connectorSaid,
  ConnectorStatus,
  effectFailed,
  effectSeen,
  ended,
  gunOfTransaction,
  gunTold,
  hasGap,
  keepReply,
  keepSettings,
  meterSaid,
  MeterKind,
  momentOf,
  type PileSession,
  pileSaid,
  registerAt,
  reservationOver,
  type Sample,
  stopReasonOf,
} from '../../domains/charging/server/api.ts'
import { DAY_MS, msOf } from '../../platform/contract/time.ts'
import { mostWh } from '../../domains/charging/contract/price.ts'
import type { Instant } from '../../platform/contract/field.ts'
import type { Tx } from '../../platform/server/database.ts'
import type { Reading } from './readings.ts'
import type { Place, Said, TransactionSaid } from './said.ts'
import { bootsHeard, type Measured, metersHeard } from './together.ts'

/** The answer to a message, whatever the version. */
export interface Reply {
  kind: 'boot' | 'beat' | 'authorised' | 'began' | 'ended' | 'transaction' | 'data' | 'noted'
  authorised?: Authorised
  transaction?: string
  boots?: number
}
interface Hearing {
  tx: Tx
  session: PileSession
  receivedMs: number
  receivedAt: Instant
}
type Of<K extends Said['kind']> = Extract<Said, { kind: K }>

/** A transaction that began this long before it was told of began off line. */
const OFFLINE_MS = 60_000

/** Tells the domain what a pile said, in the transaction of its message. */
export async function hear(tx: Tx, session: PileSession, said: Said, receivedMs: number): Promise<Reply> {
  const hearing: Hearing = { tx, session, receivedMs, receivedAt: new Date(receivedMs).toISOString() as Instant }
  const wasCity = session.clock.zIsCity
  const wasMode = session.clock.timeMode
  const reply = await heardBy[said.kind](hearing, said as never)
  if (session.clock.zIsCity !== wasCity || session.clock.timeMode !== wasMode) await clockFound(tx, session)
  return reply
}

const heardBy: { [K in Said['kind']]: (hearing: Hearing, said: Of<K>) => Promise<Reply> } = {
  boot: async ({ tx, session, receivedMs }, said) => (await bootsHeard(tx, [{ session, said, receivedMs }]))[0]!,
  beat: async () => ({ kind: 'beat' }),
  async authorise({ tx, session: { equipmentId }, receivedAt: at }, { tag }) {
    return { kind: 'authorised', authorised: await authorise(tx, { equipmentId, idTag: tag, at }) }
  },
  connector: hearConnector,
  async meter({ tx, session, receivedMs }, said) {
    const connectorId =
      gunAt(session, said.place) ??
      (said.transaction === null ? undefined : (await gunOfTransaction(tx, session.equipmentId, said.transaction))?.connectorId)
    const known = session.meterKind === MeterKind.interval && connectorId ? await registerAt(tx, connectorId) : undefined
    return (await metersHeard(tx, [measuredIn(session, said, receivedMs, { known, connectorId })]))[0]!
  },
  async began(hearing, { place, tag, stamp, wh, reservation }) {
    const { tx, session, receivedMs, receivedAt } = hearing
    const connectorId = gunAt(session, place)
    // No gun of that number: refused, and answered all the same, because it would be repeated for ever.
    if (!connectorId) return { kind: 'began', authorised: { accepted: false, why: 'Invalid' }, transaction: '0' }
    const { at, told } = momentOf(stamp, receivedMs, session.clock, false)
    const offline = receivedMs - Date.parse(at) > OFFLINE_MS
    const meterWh = wh ?? (await registerBefore(tx, connectorId, at))
    const answer = await began(tx, {
      connectorId,
      transactionId: null,
      idTag: tag,
      meterWh,
      unread: wh === null,
      at,
      untimed: !told,
      receivedAt,
      offline,
    })
    if (answer.authorised.accepted) await effectSeen(tx, session.equipmentId, 'began', { connectorId })
    if (reservation !== null) await reservationOver(tx, session.equipmentId, Number(reservation), receivedAt)
    return { kind: 'began', authorised: answer.authorised, transaction: answer.transactionId }
  },
  async ended(hearing, { transaction, tag, stamp, wh, reason, readings }) {
    const { tx, session, receivedMs, receivedAt } = hearing
    const { equipmentId } = session
    const { at } = momentOf(stamp, receivedMs, session.clock, false)
    const gun = await gunOfTransaction(tx, equipmentId, transaction)
    const samples = await samplesOf(hearing, gun?.connectorId ?? null, readings)
    const soc = samples.findLast((one) => one.soc !== undefined)?.soc ?? null
    const reasonCode = await stopReasonOf(tx, { equipmentId, transactionId: transaction, word: reason, soc, at })
    const offline = receivedMs - Date.parse(at) > OFFLINE_MS
    await ended(tx, {
      equipmentId,
      connectorId: gun?.connectorId ?? gunAt(session, null) ?? null,
      transactionId: transaction,
      idTag: tag,
      meterWh: wh,
      reason: reasonCode,
      at,
      receivedAt,
      offline,
      gap: wh === null,
      samples,
    })
    await effectSeen(tx, equipmentId, 'ended', { connectorId: gun?.connectorId ?? null })
    // The status that it reported meanwhile, and that was not believed, counts from now on.
    if (gun?.statusRaw && IDLE.has(gun.statusRaw)) await tellStatus(hearing, gun.connectorId, gun.statusRaw, receivedAt)
    return { kind: 'ended' }
  },
  transaction: hearTransaction,
  async firmware({ tx, session: { equipmentId } }, { status }) {
    await effectSeen(tx, equipmentId, 'message')
    if (status === 'Installed') await effectSeen(tx, equipmentId, 'installed', { result: { status } })
    else if (/Fail|Invalid/i.test(status)) await effectFailed(tx, equipmentId, 'installed', { status })
    return { kind: 'noted' }
  },
  async log({ tx, session: { equipmentId } }, { status }) {
    await effectSeen(tx, equipmentId, 'message')
    if (status === 'Uploaded') await effectSeen(tx, equipmentId, 'uploaded', { result: { status } })
    else if (/Fail|BadMessage|NotSupported|PermissionDenied/i.test(status)) await effectFailed(tx, equipmentId, 'uploaded', { status })
    return { kind: 'noted' }
  },
  security: async () => ({ kind: 'noted' }),
  async report({ tx, session: { equipmentId }, receivedAt }, { variables }) {
    const settings = variables.map(({ component, variable, value, readonly }) => ({ key: `${component}.${variable}`, value, readonly }))
    if (settings.length > 0) await keepSettings(tx, equipmentId, settings, receivedAt)
    return { kind: 'noted' }
  },
  async reservation({ tx, session: { equipmentId }, receivedAt }, { reservation }) {
    await reservationOver(tx, equipmentId, reservation, receivedAt)
    return { kind: 'noted' }
  },
  data: async () => ({ kind: 'data' }),
  noted: async () => ({ kind: 'noted' }),
}

const STATUS: Record<
  string,
  (typeof ConnectorStatus)[keyof typeof ConnectorStatus & ('offline' | 'free' | 'plugged' | 'charging' | 'reserved' | 'faulty')]
> = {
  Available: ConnectorStatus.free,
  Preparing: ConnectorStatus.plugged,
  Occupied: ConnectorStatus.plugged,
  Finishing: ConnectorStatus.plugged,
  EVConnected: ConnectorStatus.plugged,
  Idle: ConnectorStatus.plugged,
  Charging: ConnectorStatus.charging,
  SuspendedEV: ConnectorStatus.charging,
  SuspendedEVSE: ConnectorStatus.charging,
  Reserved: ConnectorStatus.reserved,
  Unavailable: ConnectorStatus.offline,
  Faulted: ConnectorStatus.faulty,
}
async function hearConnector(hearing: Hearing, { place, raw, error, stamp }: Of<'connector'>): Promise<Reply> {
  const { tx, session, receivedMs, receivedAt } = hearing
  const { at, skewSec } = momentOf(stamp, receivedMs, session.clock, true)
  if (skewSec !== null && stamp !== null) await pileSaid(tx, { equipmentId: session.equipmentId, skewSec, at: receivedAt })
  // The status of a pile as a whole holds for each of its guns.
  const connectorIds = isWhole(place)
    ? raw === 'Available'
      ? []
      : session.guns.map((gun) => gun.connectorId)
    : [gunAt(session, place)].filter((one) => one !== undefined)
  for (const connectorId of connectorIds) await tellStatus(hearing, connectorId, raw, at, error)
  await effectSeen(tx, session.equipmentId, 'message')
  await effectSeen(tx, session.equipmentId, 'availability', {
    connectorId: connectorIds[0] ?? null,
    where: ['operative', String(raw !== 'Unavailable')],
  })
  return { kind: 'noted' }
}
const IDLE: ReadonlySet<string> = new Set(['Available', 'Preparing', 'Occupied'])
/** Free, while a charge is under way, is a pile's mistake. */
async function tellStatus(
  { tx, receivedAt }: Hearing,
  connectorId: string,
  raw: string,
  at: Instant,
  errorCode: string | null = null,
): Promise<void> {
  const said = STATUS[raw] ?? ConnectorStatus.offline
  const status = IDLE.has(raw) && (await chargesNow(tx, connectorId)) ? ConnectorStatus.charging : said
  await connectorSaid(tx, { connectorId, status, raw, errorCode, at, receivedAt })
}

async function hearTransaction(hearing: Hearing, said: TransactionSaid): Promise<Reply> {
  const { tx, session, receivedMs, receivedAt } = hearing
  const { equipmentId } = session
  const { transaction: transactionId, seqNo } = said
  const connectorId = said.place ? gunAt(session, said.place) : ((await gunTold(tx, equipmentId, transactionId)) ?? gunAt(session, null))
  const of = { equipmentId, transactionId, connectorId: connectorId ?? null }
  const claim = seqNo === null ? undefined : await claimSequence(tx, { ...of, seqNo, content: said, receivedAt })
  if (claim?.repeated) return claim.reply as Reply
  const { at } = momentOf(said.stamp, receivedMs, session.clock, !said.offline)
  const samples = await samplesOf(hearing, connectorId ?? null, said.readings)
  const reply: Reply = { kind: 'transaction' }
  const authorised = said.event === 'Ended' ? undefined : await hearBegin(hearing, said, { at, connectorId, samples })
  // A refusal is told also where nobody was named: the pile would charge on, for nothing.
  if (authorised && (said.nameless || said.tag !== null || !authorised.accepted)) reply.authorised = authorised
  if (said.event !== 'Ended' && connectorId) {
    if (samples.length > 0) await meterSaid(tx, { connectorId, transactionId, samples, receivedAt })
    if (said.chargingState) await tellStatus(hearing, connectorId, said.chargingState, at)
  }
  if (said.event === 'Ended') await hearEnd(hearing, said, { at, connectorId: connectorId ?? null, samples })
  if (said.reservation !== null) await reservationOver(tx, equipmentId, Number(said.reservation), receivedAt)
  if (seqNo !== null) await keepReply({ tx, equipmentId, transactionId, seqNo, reply })
  return reply
}
/** A transaction is somebody's by its first message that says whose; by the plug alone it is nobody's yet, and nobody is let in or refused. */
async function hearBegin(
  { tx, session: { equipmentId }, receivedAt }: Hearing,
  { event, transaction: transactionId, tag, nameless, remoteStartId, readings, offline }: TransactionSaid,
  { at, connectorId, samples }: { at: Instant; connectorId: string | undefined; samples: Sample[] },
): Promise<Authorised | undefined> {
  if (tag === null && remoteStartId === null) {
    const refuses = nameless && event === 'Started' && !(await gunOfTransaction(tx, equipmentId, transactionId))
    return refuses ? { accepted: false, why: 'Invalid' } : undefined
  }
  if (!connectorId) return { accepted: false, why: 'Invalid' }
  const begins = event === 'Started' || !(await gunOfTransaction(tx, equipmentId, transactionId))
  if (!begins) return tag === null ? undefined : authorise(tx, { equipmentId, connectorId, idTag: tag, at })
  const told = readings.find((one) => one.context === 'begin')?.wh ?? samples[0]?.meterWh
  const meterWh = told ?? (event === 'Updated' ? await registerBefore(tx, connectorId, at) : null)
  const soc = samples[0]?.soc ?? null
  const answer = await began(tx, { connectorId, transactionId, startNo: remoteStartId, idTag: tag, meterWh, soc, at, receivedAt, offline })
  if (answer.authorised.accepted) await effectSeen(tx, equipmentId, 'began', { connectorId })
  return answer.authorised
}
/**
 * The gun's register as it was read when it was plugged in: no energy flows before somebody may charge. An older reading may be of
 * another transaction.
 */
async function registerBefore(tx: Tx, connectorId: string, at: Instant): Promise<number | null> {
  const known = await registerAt(tx, connectorId)
  return known.at !== null && Date.parse(at) - Date.parse(known.at) <= REGISTER_MS ? known.wh : null
}
const REGISTER_MS = 30 * 60_000
async function hearEnd(
  { tx, session: { equipmentId }, receivedAt }: Hearing,
  said: TransactionSaid,
  { at, connectorId, samples }: { at: Instant; connectorId: string | null; samples: Sample[] },
): Promise<void> {
  const { transaction: transactionId } = said
  const soc = samples.findLast((one) => one.soc !== undefined)?.soc ?? null
  const reason = await stopReasonOf(tx, { equipmentId, transactionId, word: said.reason ?? 'Local', soc, at })
  const meterWh = said.readings.findLast((one) => one.context === 'end')?.wh ?? samples.findLast((one) => one.meterWh !== undefined)?.meterWh ?? null
  const gap = meterWh === null || said.seqNo === null || (await hasGap(tx, equipmentId, transactionId, said.seqNo))
  await ended(tx, { equipmentId, connectorId, transactionId, idTag: said.tag, meterWh, reason, at, receivedAt, offline: said.offline, gap, samples })
  // A pile that is asked tells what it still holds back.
  if (gap) await askAfterTransaction(tx, { equipmentId, connectorId, transactionId })
  await effectSeen(tx, equipmentId, 'ended', { connectorId })
}

const isWhole = ({ connector, evse }: Place) => connector === 0 || evse === 0
/** The gun that a pile means: the only one, where it does not say; by outlet and connector, by outlet alone, or by its number. */
export function gunAt({ guns }: PileSession, place: Place | null): string | undefined {
  if (place === null) return guns.length === 1 ? guns[0]!.connectorId : undefined
  const { connector, evse } = place
  const found =
    evse === null
      ? guns.find((gun) => gun.ocppConnectorNo === connector)
      : (guns.find((gun) => gun.evseId === evse && gun.ocppConnectorNo === connector) ??
        guns.find((gun) => gun.evseId === evse) ??
        guns.find((gun) => gun.evseId === null && gun.ocppConnectorNo === evse))
  return found?.connectorId
}

type Register = Awaited<ReturnType<typeof registerAt>>
/** Turns a message of measurements into samples: none, where we know no such gun. */
export function measuredIn(
  session: PileSession,
  { place, transaction, readings }: Of<'meter'>,
  receivedMs: number,
  of: { known?: Register | undefined; connectorId?: string | undefined } = {},
): Measured {
  const { equipmentId, clock } = session
  const { zIsCity, timeMode } = clock
  const connectorId = of.connectorId ?? gunAt(session, place)
  const samples = connectorId ? samplesIn(session, readings, { receivedMs, known: of.known }) : []
  const about = {
    equipmentId,
    connectorId: connectorId ?? null,
    clockOf: clock.zIsCity !== zIsCity || clock.timeMode !== timeMode ? session : undefined,
  }
  if (!connectorId || samples.length === 0) return { ...about, meter: undefined }
  const receivedAt = new Date(receivedMs).toISOString() as Instant
  return { ...about, meter: { connectorId, transactionId: transaction, samples, receivedAt } }
}
async function samplesOf({ tx, session, receivedMs }: Hearing, connectorId: string | null, readings: readonly Reading[]): Promise<Sample[]> {
  const known = session.meterKind === MeterKind.interval && connectorId ? await registerAt(tx, connectorId) : undefined
  return samplesIn(session, readings, { receivedMs, known })
}
/**
 * Energy beyond the gun's power since its register was known is left out alone: added to the register, it would put all later
 * readings in doubt.
 */
const canHaveFlowed = (wh: number, { at: from, ratedW }: Register, to: Instant) =>
  wh <= mostWh(ratedW, from === null ? DAY_MS : msOf(to) - msOf(from))
/** Readings in the order of their moments, as the domain counts them: the register, whichever way the pile tells it. `known` is the register of one that tells what went through. */
function samplesIn(
  session: PileSession,
  readings: readonly Reading[],
  { receivedMs, known }: { receivedMs: number; known: Register | undefined },
): Sample[] {
  const timed = readings
    .map((one) => ({ ...one, at: momentOf(one.stamp, receivedMs, session.clock, one.context === 'sample').at }))
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  let register = known?.wh ?? 0
  const samples = timed.map(({ at, wh, intervalWh, powerW, currentMa, voltageDv, soc, celsius }) => {
    const isNew = known && intervalWh !== undefined && (known.at === null || at > known.at)
    const isOdd = isNew && !canHaveFlowed(register + intervalWh - known.wh, known, at)
    if (isNew && !isOdd) register += intervalWh
    const meterWh = known ? (isNew && !isOdd ? register : undefined) : wh
    return {
      at,
      ...(meterWh !== undefined && meterWh >= 0 && { meterWh }),
      ...(powerW !== undefined && { powerW }),
      ...(currentMa !== undefined && { currentMa }),
      ...(voltageDv !== undefined && { voltageDv }),
      ...(soc !== undefined && { soc }),
      ...(celsius !== undefined && { temperatureC: celsius }),
    }
  })
  // Parts of a message about one moment form one sample.
  return [...Map.groupBy(samples, ({ at }) => at).values()].map((parts): Sample => Object.assign({}, ...parts))
}
