import { isCovered } from '../../contract/personal.ts'
import { normalizePlate } from '../../contract/plate.ts'
import { kept, listOfWords } from '../kept.ts'

const RECENT_MOST = 8
/** Less than this is a stage of typing and no plate. */
const SIGNS_LEAST = 3

/** The person's latest searches, newest first; in this browser only. */
export const recentPlates = kept<readonly string[]>('plates', [], (value) => listOfWords(value)?.slice(0, RECENT_MOST))
export function notePlate(typed: unknown) {
  if (typeof typed !== 'string' || isCovered(typed)) return
  const plate = normalizePlate(typed)
  if (plate.length < SIGNS_LEAST) return
  recentPlates.set([plate, ...recentPlates.get().filter((one) => one !== plate)].slice(0, RECENT_MOST))
}
