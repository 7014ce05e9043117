import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { signIn } from '../city/client.ts'
import { randomFrom } from '../city/random.ts'
import { besideServer, PASSWORD, reads } from './load.ts'
import { root } from './sources.ts'

export interface NeighbourFigures {
  aloneP99Ms: number
  floodedP99Ms: number
  ratio: number
  /** Of the neighbour: told to wait, or not served. */
  failed: number
  floodCalls: number
  floodRefused: number
  unheard: number
}
/** Alone and beside the flood in turn: whatever else changes on the machine changes for both. */
const TURNS = 4
const WARM_MS = 3_000
/** A flood has used up its burst long before. */
const BURST_MOST_MS = 120_000
const TOO_MANY = 429
/** Below what one person may ask for. */
const PACE_MS = 50

/** One company asks as fast as it can, from a process of its own, while somebody of another reads their lists. */
export const neighbours = (seconds: number, seed: number): Promise<NeighbourFigures> =>
  besideServer({ RATE_LIMIT: '1' }, async (url) => {
    const neighbour = await signIn(url, 'otheradmin', PASSWORD)
    const random = randomFrom(seed)
    const times = { alone: [] as number[], flooded: [] as number[] }
    const flood = { calls: 0, refused: 0 }
    let failed = 0
    const asks = async (into: number[], ms: number) => {
      for (const end = performance.now() + ms; performance.now() < end;) {
        const begun = performance.now()
        await neighbour.ask(random.oneOf(reads), {}).catch(({ status = 599 }: { status?: number }) => {
          if (status === TOO_MANY || status >= 500) failed++
        })
        into.push(performance.now() - begun)
        await pause(PACE_MS)
      }
    }
    await asks([], WARM_MS)
    for (let turn = 0; turn < TURNS; turn++) {
      const each = (seconds * 1000) / TURNS / 2
      await asks(times.alone, each)
      const child = fork(path.join(root, 'scripts/flood.ts'), [url, PASSWORD])
      let held = false
      child.on('message', (said: 'refused' | typeof flood) => {
        held = true
        if (said !== 'refused') Object.assign(flood, { calls: flood.calls + said.calls, refused: flood.refused + said.refused })
      })
      for (const until = performance.now() + BURST_MOST_MS; !held && performance.now() < until;) await asks([], WARM_MS)
      await asks(times.flooded, each)
      child.send('enough')
      await once(child, 'exit')
    }
    const [aloneP99Ms, floodedP99Ms] = [p99(times.alone), p99(times.flooded)]
    return {
      aloneP99Ms,
      floodedP99Ms,
      ratio: Math.round((floodedP99Ms / aloneP99Ms) * 100) / 100,
      failed,
      floodCalls: flood.calls,
      floodRefused: flood.refused,
    }
  })
const p99 = (times: number[]) => Math.round((times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0) * 10) / 10
