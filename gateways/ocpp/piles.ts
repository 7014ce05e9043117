import { claimCommands, pileSignedIn, pileSignedOut, pilesSeen, SILENT_MS, sweepPileCommands } from '../../domains/charging/server/api.ts'
import type { Instant } from '../../platform/contract/field.ts'
import type { House } from '../../platform/server/domain.ts'
import * as counted from './counters.ts'
import type { Line } from './line.ts'

const SWEEP_MS = 1_000
/** Connected piles count as heard of, told together. */
const SEEN_MS = 20_000

export type Piles = ReturnType<typeof openPiles>
/** The piles connected here. The newer of two sockets with one id is the pile; it is known by the socket, not by the id, so that the older one's end takes nothing away. */
export function openPiles(house: House) {
  const lines = new Map<string, Line>()
  const { inOrder, idle } = openOrder(house)
  let stopping = false
  const now = () => new Date().toISOString() as Instant
  function came(line: Line, facts: { renewed: boolean; ip: string; subProtocol: string | null }): void {
    const { session } = line
    const { enterprise, equipmentId } = session
    const older = lines.get(equipmentId)
    lines.set(equipmentId, line)
    counted.connections.set(lines.size)
    if (older) {
      house.log.warn({ pile: session.chargePointId, ip: facts.ip }, 'A charging pile came a second time: the newer socket is the pile.')
      older.close(4409, 'a newer connection of this pile')
    }
    line.ready = inOrder(equipmentId, async () => {
      await house.writing(enterprise, 'ocpp.connect', (tx) => pileSignedIn(tx, session, { ...facts, at: now() }))
      await send(line)
    })
  }
  function left(line: Line): void {
    const { enterprise, equipmentId } = line.session
    if (lines.get(equipmentId) !== line) return
    lines.delete(equipmentId)
    counted.connections.set(lines.size)
    if (!stopping) void inOrder(equipmentId, () => house.writing(enterprise, 'ocpp.disconnect', (tx) => pileSignedOut(tx, equipmentId, now())))
  }
  async function send(line: Line): Promise<void> {
    const claimed = await house.writing(line.session.enterprise, 'ocpp.claim', (tx) => claimCommands(tx, line.session.equipmentId))
    line.tell(claimed)
  }
  function wanted(equipmentId: string): void {
    const line = lines.get(equipmentId)
    if (line) void inOrder(equipmentId, () => send(line))
  }
  const timers = [repeat(house, SWEEP_MS, sweep), repeat(house, SEEN_MS, tellSeen)]
  async function sweep(): Promise<void> {
    const { rows } = await house.pool.query<{ enterprise: number }>('select enterprise_id as enterprise from charging.commands_due()')
    for (const { enterprise } of rows) {
      const waiting = await house.writing(enterprise, 'ocpp.sweep', (tx) => sweepPileCommands(tx))
      for (const { equipmentId } of waiting) wanted(equipmentId)
    }
  }
  async function tellSeen(): Promise<void> {
    for (const line of lines.values()) if (performance.now() - line.peer.heardAt() > SILENT_MS) line.close(4408, 'not heard of')
    for (const [enterprise, its] of Map.groupBy(lines.values(), (line) => line.session.enterprise))
      await house.writing(enterprise, 'ocpp.seen', (tx) =>
        pilesSeen(
          tx,
          its.map(({ session }) => session.equipmentId),
          now(),
        ),
      )
  }
  return {
    came,
    left,
    wanted,
    async stop() {
      stopping = true
      for (const timer of timers) clearInterval(timer)
      await idle()
      await Promise.all([...lines.values()].map((line) => Promise.race([line.idle(), new Promise((done) => setTimeout(done, 2_000))])))
    },
  }
}

/** Writes the changes of each pile's presence in their order. */
function openOrder(house: House) {
  const presence = new Map<string, Promise<void>>()
  const inOrder = (equipmentId: string, work: () => Promise<unknown>): Promise<void> => {
    const next = (presence.get(equipmentId) ?? Promise.resolve()).then(work).then(
      () => {},
      (error: Error) => house.log.warn({ err: error, pile: equipmentId }, 'The presence of a charging pile could not be kept.'),
    )
    presence.set(equipmentId, next)
    void next.then(() => presence.get(equipmentId) === next && presence.delete(equipmentId))
    return next
  }
  return { inOrder, idle: () => Promise.all([...presence.values()]) }
}

/** Again and again, never twice at once; a database that is away is asked again. */
function repeat(house: House, ms: number, work: () => Promise<void>): NodeJS.Timeout {
  let busy = false
  return setInterval(() => {
    if (busy) return
    busy = true
    void work()
      .catch((error: Error) => house.log.warn({ err: error }, 'The round of the charging piles could not be made.'))
      .finally(() => (busy = false))
  }, ms)
}
