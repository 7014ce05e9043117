import { isPassing } from '../../domains/device/server/api.ts'
import { isData, type Tx } from '../../platform/server/database.ts'
import {
  type Claimed,
  commandAnswered,
  type CommandAnswer,
  keepSettings,
  type PileSession,
  PileFailure,
  MeterKind,
  RESTARTS_MAX,
  secretFrom,
  startAnswered,
  PileMethod,
} from '../../domains/charging/server/api.ts'
import type { Instant } from '../../platform/contract/field.ts'
import type { House } from '../../platform/server/domain.ts'
import { slotsOf } from '../../platform/server/job/slots.ts'
import type { WebSocket } from 'ws'
import type { Version } from './frames.ts'
import { hear, measuredIn, type Reply } from './hear.ts'
import type { FrameKeeper } from './keeper.ts'
import { openPeer, type Peer } from './peer.ts'
import { payloadOf } from './replies.ts'
import type { Place, Said } from './said.ts'
import { settle } from './settle.ts'
import { Misshapen, readWith } from './shapes.ts'
import { tell16 } from './tell16.ts'
import { tell201 } from './tell201.ts'
import type { Shared } from './together.ts'
import { no } from './telling.ts'
import { heard16 } from './v16.ts'
import { heard201 } from './v201.ts'
import { paired } from '../../platform/contract/said.ts'

const HEARD: Record<Version, Record<string, (payload: unknown) => Said>> = { '1.6': heard16, '2.0.1': heard201 }
const TELL = { '1.6': tell16, '2.0.1': tell201 }
/** Transactions at once of all piles: they must not take all connections from the people at the console. */
const AT_ONCE = 6
const slots = slotsOf(AT_ONCE)
/** The database may be away this long before a pile is told to come again. */
const PATIENCE_MS = 20_000
/** A pile breaks when it is asked something before it has read the answer to its start. */
const SETTLE_MS = 1_000
/** A pile that has not reported its guns by then is asked, in milliseconds. */
const STATUS_MS = 5_000
const PING_MS = 40_000

export interface Line {
  session: PileSession
  version: Version
  peer: Peer
  /** Its sign-in is written down and its guns are known; nothing that it says is told before. */
  ready: Promise<void>
  /** Sends what was claimed for it, one after the other, and writes down what it said. */
  tell(claimed: readonly Claimed[]): void
  close(code: number, why: string): void
  idle(): Promise<void>
}

/** One pile's line: what it says is told to the domain, in its order; what is wanted of it is said to it, one thing at a time. */
export function openLine({
  house,
  shared,
  keeper,
  session,
  version,
  socket,
  gone,
}: {
  house: House
  shared: Shared
  keeper: FrameKeeper
  session: PileSession
  version: Version
  socket: WebSocket
  gone(line: Line): void
}): Line {
  let saidStatus = false
  let settling: NodeJS.Timeout | undefined

  const peer = openPeer(socket, version, keeper.of(session), async (action, payload, leaves) => {
    const read = Object.hasOwn(HEARD[version], action) ? HEARD[version][action] : undefined
    if (!read) throw new Misshapen('unknownAction', `${action} is not known here`)
    const { read: said, leftOut } = readWith(() => read(payload))
    if (leftOut.length > 0) leaves(leftOut)
    if (said.kind === 'connector') saidStatus = true
    const receivedMs = Date.now()
    await line.ready
    const reply = said.kind === 'beat' ? ({ kind: 'beat' } as const) : await committed(house, session, action, work(action, said, receivedMs))
    if (reply.kind === 'boot') {
      clearTimeout(settling)
      if ((reply.boots ?? 1) <= RESTARTS_MAX) settling = setTimeout(() => void settled(house, session, version, peer).catch(() => {}), SETTLE_MS)
    }
    return payloadOf(reply, version, Date.now())
  })
  /** Each message of a pile is a transaction; starts and measurements of many piles share one. */
  function work(action: string, said: Said, receivedMs: number): () => Promise<Reply> {
    if (said.kind === 'boot') return () => shared.boot(session.enterprise, { session, said, receivedMs })
    // Readings of a pile that tells differences depend on what was known, and the gun that a message means depends on the
    // transaction that it names.
    if (said.kind === 'meter' && said.place !== null && session.meterKind !== MeterKind.interval) {
      const measured = measuredIn(session, said, receivedMs)
      return () => shared.measured(session.enterprise, measured)
    }
    return () => slots(() => house.writing(session.enterprise, `ocpp.${action}`, (tx) => hear(tx, session, said, receivedMs)))
  }
  const teller = openTeller(house, session, version, peer)
  const pings = setInterval(() => socket.ping(), PING_MS)
  const asking = setTimeout(() => {
    if (!saidStatus) void peer.call('TriggerMessage', { requestedMessage: 'StatusNotification' })
  }, STATUS_MS)
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    clearInterval(pings)
    clearTimeout(settling)
    clearTimeout(asking)
    gone(line)
  })

  const line: Line = {
    session,
    version,
    peer,
    ready: Promise.resolve(),
    tell: teller.tell,
    close: (code, why) => peer.close(code, why),
    idle: async () => void (await Promise.all([peer.idle(), teller.idle()])),
  }
  return line
}

/** Reads and mends how a pile is set, after it has started. */
async function settled(house: House, session: PileSession, version: Version, peer: Peer): Promise<void> {
  const known = await settle((action, payload) => peer.call(action, payload), version)
  if (known.length === 0) return
  await house.writing(session.enterprise, 'ocpp.settle', (tx) => keepSettings(tx, session.equipmentId, known, new Date().toISOString() as Instant))
}

/** Says what was claimed, one after the other, and writes down what came of it. */
function openTeller(house: House, session: PileSession, version: Version, peer: Peer) {
  let work: Promise<unknown> = Promise.resolve()
  async function tellOne(claimed: Claimed): Promise<void> {
    const answer = await told(claimed).catch((error: Error) => {
      house.log.error({ err: error, pile: session.chargePointId, method: claimed.method }, 'A command to a charging pile broke.')
      return no(PileFailure.error, { error: error.message })
    })
    const at = new Date().toISOString() as Instant
    const { orderNo } = claimed
    const both = async (tx: Tx) => {
      // The order before its command: whatever the pile says of its charge comes in this order too.
      if (claimed.method === PileMethod.start && orderNo !== null)
        await startAnswered(tx, { orderNo, accepted: answer.agreed, ...(!answer.agreed && { why: paired(PileFailure.entries[answer.failure]) }), at })
      await commandAnswered(tx, claimed.id, answer)
    }
    await patiently(() => house.writing(session.enterprise, 'ocpp.answer', both))
  }
  async function told(claimed: Claimed): Promise<CommandAnswer> {
    const tell = TELL[version][claimed.method]
    const place = placeOf(session, claimed.connectorId)
    if (!tell || !place) return no(PileFailure.unsupported, null)
    return tell({
      say: (action, payload) => peer.call(action, payload),
      place,
      params: claimed.params,
      secret: (salt) => secretFrom(session.equipmentId, salt),
      settings: (variables) =>
        house
          .writing(session.enterprise, 'ocpp.settings', (tx) =>
            keepSettings(
              tx,
              session.equipmentId,
              variables.map(({ component, variable, value, readonly }) => ({
                key: component ? `${component}.${variable}` : variable,
                value,
                readonly,
              })),
              new Date().toISOString() as Instant,
            ),
          )
          .then(() => {}),
    })
  }
  return {
    tell(claimed: readonly Claimed[]): void {
      const lost = (error: Error) => house.log.warn({ err: error }, 'What a charging pile answered could not be kept.')
      for (const one of claimed) work = work.then(() => tellOne(one)).catch(lost)
    },
    idle: () => work,
  }
}

/** Until it is committed: a pile that is answered believes that it was heard. What only the message itself breaks is answered at once. */
async function committed(house: House, session: PileSession, action: string, work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await patiently(work)
  } catch (error) {
    if (isData(error)) throw new Misshapen('form', 'it holds what cannot be kept')
    house.log.error({ err: error, pile: session.chargePointId, action }, 'A message of a charging pile could not be handled.')
    throw error
  }
}
/** Again while it is trouble that passes: the database is away, two transactions stood in each other's way. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const since = performance.now()
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error) || performance.now() - since >= PATIENCE_MS) throw error
      await new Promise<void>((resolve) => setTimeout(resolve, Math.min(50 * 2 ** attempt, 2_000)))
    }
  }
}

function placeOf({ guns }: PileSession, connectorId: string | null): Place | undefined {
  if (connectorId === null) return { connector: 0, evse: null }
  const gun = guns.find((one) => one.connectorId === connectorId)
  return gun && { connector: gun.ocppConnectorNo, evse: gun.evseId }
}
