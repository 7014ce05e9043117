import { type Answer, answered } from '../../domains/device/server/api.ts'
import type { House } from '../../platform/server/domain.ts'

/** More answers in one transaction would only make the first ones wait. */
const TOGETHER = 100

export type Became = Awaited<ReturnType<typeof answered>>
interface Waiting {
  enterprise: number
  answer: Answer
  done: (became: Became) => void
  failed: (error: unknown) => void
}

/**
 * Devices' answers to commands. Nobody waits for them, and there are more of them than of anything else: those that come while the last ones are being committed
 * are committed together. One that cannot be kept fails alone.
 */
export function openAnswers(house: House) {
  let waiting: Waiting[] = []
  let busy = false

  const take = (enterprise: number, answer: Answer): Promise<Became> =>
    new Promise((done, failed) => {
      waiting.push({ enterprise, answer, done, failed })
      if (!busy) void commitAll()
    })

  async function commitAll(): Promise<void> {
    busy = true
    while (waiting.length > 0) {
      const taken = waiting.slice(0, TOGETHER)
      waiting = waiting.slice(TOGETHER)
      await Promise.all([...Map.groupBy(taken, ({ enterprise }) => enterprise)].map(([enterprise, its]) => commit(enterprise, its)))
    }
    busy = false
  }

  async function commit(enterprise: number, its: readonly Waiting[]): Promise<void> {
    try {
      const became = await house.writing(enterprise, 'mqtt.response', (tx) => Promise.all(its.map(({ answer }) => answered(tx, answer))))
      its.forEach(({ done }, i) => done(became[i]!))
    } catch (error) {
      if (its.length === 1) return its[0]!.failed(error)
      for (const one of its) await commit(enterprise, [one])
    }
  }

  return { take }
}
