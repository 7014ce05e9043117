import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
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
/** A process that floods has used up its burst by then. */
const WARM_MS = 3_000
const TOO_MANY = 429

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
      }
    }
    await asks([], WARM_MS)
    for (let turn = 0; turn < TURNS; turn++) {
      const each = (seconds * 1000) / TURNS / 2
      await asks(times.alone, each)
      const child = fork(path.join(root, 'scripts/flood.ts'), [url, PASSWORD])
      child.on('message', (count: typeof flood) => Object.assign(flood, { calls: flood.calls + count.calls, refused: flood.refused + count.refused }))
      await asks([], WARM_MS)
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
