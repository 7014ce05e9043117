import { TooMany } from './refusal.ts'

/** Work of which `atOnce` is done at a time. The rest waits its turn; who would stand behind `waitingMax` others is told to come again. @throws TooMany */
export function turns(atOnce: number, waitingMax: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= waitingMax) throw TooMany()
      await new Promise<void>((go) => waiting.push(go))
    } else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
