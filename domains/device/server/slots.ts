/** At most `n` at once, first come, first served. */
export function slotsOf(n: number) {
  const waiting: (() => void)[] = []
  let free = n
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
