import type { Free } from '../contract/tariff.ts'
import type { Turn } from './rehearsalPricing.ts'

/** How often each vehicle has had its free minutes by the draft. A day is over when a stay of another day comes: they come in the order of time. */
export function openTurns(free: Pick<Free, 'minutes' | 'mode'> | undefined) {
  let day = ''
  let times = new Map<string, number>()
  const of = (turn: Turn) => {
    if (turn.day !== day) {
      day = turn.day
      times = new Map()
    }
    return times.get(turn.vehicle) ?? 0
  }
  return {
    before: (turn: Turn) => turn.apart + of(turn),
    over(turn: Turn, { before, after }: { before: number | undefined; after: number | undefined }) {
      const followsFromRule = before !== undefined && before === turn.chargedFen && after !== undefined
      const had = !followsFromRule ? turn.had : free?.mode === 'deduct' || (after === 0 && turn.durationMin <= (free?.minutes ?? 0))
      if (had) times.set(turn.vehicle, of(turn) + 1)
    },
  }
}
