import { useEffect } from 'react'
import { choice } from '../kept.ts'

const screens = choice(0)
/** Whether a page is in front that people look at for hours without touching it. */
export const useIsWatched = () => screens.use() > 0
/** Said by a page that stands open at a post or on a wall: whoever watches it is at work, and is not signed out for keeping still. */
export function useWatched(): void {
  useEffect(() => {
    screens.set(screens.get() + 1)
    return () => screens.set(screens.get() - 1)
  }, [])
}
