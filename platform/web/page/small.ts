import { useSyncExternalStore } from 'react'

/** Where the menu would take a fifth of the room and more: what is not needed at once starts put away. Who wants it has it with one press, and keeps it. */
export const isSmall = () => matchMedia('(max-width: 1100px)').matches
const TELEPHONE = '(max-width: 600px)'
/** One column, for the thumb. */
export const isTelephone = () => matchMedia(TELEPHONE).matches
const whenTurned = (hear: () => void) => {
  const asked = matchMedia(TELEPHONE)
  asked.addEventListener('change', hear)
  return () => asked.removeEventListener('change', hear)
}
/** The same, heard of again when the window changes. */
export const useTelephone = () => useSyncExternalStore(whenTurned, isTelephone)
