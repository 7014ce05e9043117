import { useEffect } from 'react'
import { choice, kept } from '../kept.ts'
import type { Text } from '../language.ts'

/** A part of a page and what it is good for. `at` is where it stands, as a style sheet would name it; what is not in sight is left out. */
export interface Step {
  at: string
  title: Text
  text: Text
}
/** A walk along the parts of a page or of a block, from the help and never by itself. */
export interface Tour {
  key: string
  name: Text
  steps: readonly Step[]
}

/** The latest first: a page comes after the frame around it. */
const declared: Tour[] = []
/** Declares the tour of a page or block beside what it explains: a constant. A hidden tab has no effects, so its tours are not there. */
export function useTour(tour: Tour) {
  useEffect(() => {
    declared.unshift(tour)
    return () => void declared.splice(declared.indexOf(tour), 1)
  }, [tour])
}

/** Where a step stands now; of several the first in sight. */
export const placeOf = ({ at }: Step) => [...document.querySelectorAll<HTMLElement>(at)].find((one) => one.getClientRects().length > 0)
export const stepsInSight = ({ steps }: Tour) => steps.filter((step) => placeOf(step))
/** Of which there is something to show. */
export const toursNow = (): Tour[] => [...new Set(declared)].filter((tour) => stepsInSight(tour).length > 0)

/** The tour that is being shown. */
export const tourShown = choice<Tour | undefined>(undefined)
/** Tours that this person has taken or left: they are not put forward any more, in no browser. The server keeps a word: their keys, by commas. */
const left = kept('tours-left', '', (value) => (typeof value === 'string' ? value : undefined), { everywhere: true })
const keysIn = (word: string) => word.split(',').filter(Boolean)
export const useToursLeft = () => keysIn(left.use())
export const leaveTour = ({ key }: Tour) => left.set([...new Set([...keysIn(left.get()), key])].join(','))
