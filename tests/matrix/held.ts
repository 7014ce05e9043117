import { readFileSync } from 'node:fs'

/** Lanes share the thread: no call may hold it for longer, on a machine that does `aPieceOfWork` in REFERENCE_MS. */
export const HELD_MS = 50
const REFERENCE_MS = 3.5
/** A machine slower than that is not one to judge by. */
const SLOWER_MOST = 4

const rows = Array.from({ length: 4_000 }, (_, i) => ({
  id: i,
  plate: `鄂F${i}A`,
  at: '2026-01-01T08:00:00.000Z',
  fen: i * 7,
  note: 'x'.repeat(i % 40),
}))
/** Work as calls do it: objects to text, text to objects, lines, an order. */
function aPieceOfWork(): number {
  const begun = performance.now()
  const read = JSON.parse(JSON.stringify(rows)) as typeof rows
  read.map((row) => Object.values(row).join(',')).sort()
  return performance.now() - begun
}
/** How long HELD_MS of the reference are here and now: a slower machine, or one that others use too, is given as much more as it takes longer over the same work. */
export function heldMost(): number {
  const times = Array.from({ length: 7 }, aPieceOfWork).sort((a, b) => a - b)
  return HELD_MS * Math.min(SLOWER_MOST, Math.max(1, times[3]! / REFERENCE_MS))
}

/** Of the processor, by this process's first thread, in ms; Linux counts it per thread. */
export const spentMs = () => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6
const LOOK_MS = 1

/** The longest stretch in which nothing else had its turn while `work` was done: of the clock, and of that what the thread itself spent, since a thread that waits for a processor holds nobody up by its own doing. */
export async function longestHold<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  let ms = 0
  let last = { clock: performance.now(), spent: spentMs() }
  const look = () => {
    const now = { clock: performance.now(), spent: spentMs() }
    ms = Math.max(ms, Math.min(now.clock - last.clock, now.spent - last.spent))
    last = now
  }
  const timer = setInterval(look, LOOK_MS)
  try {
    const result = await work()
    look()
    return { ms, result }
  } finally {
    clearInterval(timer)
  }
}
