import { useEffect, useState } from 'react'

const PAUSE_MS = 400
/** A word or a number as it was when the typing last rested: what asks the server with it does not ask at every key. */
export function useRested<T extends string | number | null>(value: T): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
