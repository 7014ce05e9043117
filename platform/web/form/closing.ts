import { useEffect, useRef } from 'react'
import type { Text } from '../text.ts'

/** Long enough to read one sentence. */
const CLOSES_AFTER_MS = 5_000
/** A dialog whose matter is over closes itself, once what became of it could be read. */
export function useClosing(gone: Text | undefined, close: () => void) {
  const latest = useRef(close)
  latest.current = close
  const over = gone !== undefined
  useEffect(() => {
    if (!over) return
    const timer = setTimeout(() => latest.current(), CLOSES_AFTER_MS)
    return () => clearTimeout(timer)
  }, [over])
}
