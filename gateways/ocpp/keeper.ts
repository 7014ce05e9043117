import { Direction, FrameKind, type FrameLine, keepFrames } from '../../domains/charging/server/api.ts'
import type { Instant } from '../../platform/contract/field.ts'
import type { House } from '../../platform/server/domain.ts'
import type { Crossed } from './peer.ts'

/** Frames are kept together, this often. */
const FLUSH_MS = 500
/** With the database away frames are let go rather than the memory filled. */
const WAITING_MAX = 20_000
const KINDS = { call: FrameKind.call, result: FrameKind.result, error: FrameKind.error, leftOut: FrameKind.leftOut, broken: FrameKind.broken }
const BODY_MAX = 16_384

type Waiting = FrameLine & { enterprise: number }
export interface FrameKeeper {
  of(pile: { enterprise: number; equipmentId: string; parkCode: string }): Crossed
  stop(): Promise<void>
}
/** Keeps what crossed the lines, for whoever has to find out what a pile really said. No message waits for it. */
export function openFrameKeeper(house: House): FrameKeeper {
  let waiting: Waiting[] = []
  const timer = setInterval(() => void flush(), FLUSH_MS)
  async function flush(): Promise<void> {
    const lines = waiting
    waiting = []
    for (const [enterprise, its] of Map.groupBy(lines, (line) => line.enterprise))
      await house
        .writing(enterprise, 'ocpp.frames', (tx) => keepFrames(tx, its))
        .catch((error: Error) => house.log.warn({ err: error, count: its.length }, 'Frames of charging piles could not be kept.'))
  }
  return {
    of:
      ({ enterprise, equipmentId, parkCode }) =>
      ({ incoming, id, action, kind, text }) => {
        if (waiting.length >= WAITING_MAX) return
        const body = text.slice(0, BODY_MAX).replaceAll('\0', '')
        waiting.push({
          enterprise,
          equipmentId,
          parkCode,
          at: new Date().toISOString() as Instant,
          direction: incoming ? Direction.received : Direction.sent,
          kind: KINDS[kind],
          action: action === '' ? null : action,
          messageId: id,
          body: body.isWellFormed() ? body : body.toWellFormed(),
        })
      },
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}
