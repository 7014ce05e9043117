import type { Instant } from '../../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt, msOf, startOf } from '../../../platform/contract/time.ts'
import { serve } from '../../../platform/server/serve.ts'
import { hoursOf, parksSince, passedBetween, platesBetween } from '../../parking/server/api.ts'
import { escapesBetween, takingsBetween } from '../../settlement/server/api.ts'
import { home } from '../contract/home.ts'

/** Places of plates shown; the rest are few. */
const PLACES = 10

/** The business day so far, and the day before up to the same time. */
function spans(at: Instant) {
  const from = startOf(dayOf(at))
  const earlier = (one: Instant) => instantAt(msOf(one) - DAY_MS)
  return { from, to: at, beforeFrom: earlier(from), beforeTo: earlier(at) }
}

/** `{ entered: { today, before }, … }` of two readings of the same figures. */
function compared<F extends object>(today: F, before: F) {
  return Object.fromEntries(Object.keys(today).map((name) => [name, { today: today[name as keyof F], before: before[name as keyof F] }])) as {
    [K in keyof F]: { today: F[K]; before: F[K] }
  }
}

export const calls = serve(home, {
  async realPark({ tx, at }) {
    const { from, to, beforeFrom, beforeTo } = spans(at)
    const [passed, passedBefore, takings, takingsBefore, parks] = await Promise.all([
      passedBetween(tx, from, to),
      passedBetween(tx, beforeFrom, beforeTo),
      takingsBetween(tx, from, to),
      takingsBetween(tx, beforeFrom, beforeTo),
      parksSince(tx, from),
    ])
    const sum = (name: 'present' | 'totalBays' | 'freeBays' | 'heldBays') => parks.reduce((total, park) => total + park[name], 0)
    const { receivableFen, discountFen, paidFen, refundFen, netFen } = compared(takings, takingsBefore)
    return {
      at,
      dayFrom: from,
      ...compared(passed, passedBefore),
      ...{ receivableFen, discountFen, paidFen, refundFen, netFen },
      ...{ present: sum('present'), totalBays: sum('totalBays'), freeBays: sum('freeBays'), heldBays: sum('heldBays') },
    }
  },

  async plates({ tx, at }) {
    return { at, ...(await platesBetween(tx, startOf(dayOf(at)), at, PLACES)) }
  },

  flow: ({ tx, at }) => hoursOf(tx, at),

  async escapes({ tx, at }) {
    const { from, to, beforeFrom, beforeTo } = spans(at)
    const [today, before] = await Promise.all([escapesBetween(tx, from, to), escapesBetween(tx, beforeFrom, beforeTo)])
    return { at, ...compared(today, before) }
  },

  screen: async ({ tx, at }) => ({ at, parks: await parksSince(tx, startOf(dayOf(at))) }),
})
