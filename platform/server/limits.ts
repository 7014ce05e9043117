import { TooMany } from './refusal.ts'

/** A bucket holds `burst` calls and fills again at `perSecond`. */
interface Rate {
  burst: number
  perSecond: number
}
/** A page opens with some twenty calls; nobody at a console, and no partner's program that waits for its answers, comes near these. */
export const PERSON: Rate = { burst: 20_000, perSecond: 1_000 }
/** Calls without a session: a whole office, or a payment channel's notices, may stand behind one address. Tries with a wrong token count here too. */
export const ADDRESS: Rate = { burst: 10_000, perSecond: 500 }
/** Calls that cost a hundred others: fees worked out anew, a record's whole story, exports. Per person, besides PERSON. */
export const HEAVY: Rate = { burst: 2_000, perSecond: 50 }
/** Codes that strangers scan: a carrier's whole town may stand behind one address, and nobody guesses a signature at this rate. */
export const SCAN: Rate = { burst: 600, perSecond: 20 }
/** A partner platform with thousands of guns to look at; beyond that it is told to wait, in its own protocol. */
export const PARTNER: Rate = { burst: 1_000, perSecond: 50 }
/** As many are remembered; whoever was not heard of for longest is forgotten, and begins with a full bucket. */
const BUCKETS_MAX = 20_000

export interface Limits {
  person(userId: string, heavy: boolean): void
  address(ip: string): void
  scan(ip: string): void
  partner(platformId: string): void
}
/**
 * How often one person, or one address without a session, may call. `factor` multiplies what is allowed; 0 takes the limits away (a bench that measures the server itself).
 * Per process: with several, each allows as much. @throws TooMany
 */
export function limitsOf(factor: number, now: () => number = ticks): Limits {
  const persons = buckets(PERSON, factor, now)
  const heavies = buckets(HEAVY, factor, now)
  const addresses = buckets(ADDRESS, factor, now)
  return {
    person(userId, heavy) {
      persons(userId)
      if (heavy) heavies(userId)
    },
    address: addresses,
    scan: buckets(SCAN, factor, now),
    partner: buckets(PARTNER, factor, now),
  }
}

/** No hand on the machine's clock turns it back: an hour that was put back would empty every bucket for an hour. */
const ticks = () => performance.now()

function buckets({ burst, perSecond }: Rate, factor: number, now: () => number): (who: string) => void {
  const known = new Map<string, { left: number; at: number }>()
  return (who) => {
    if (factor === 0) return
    const at = now()
    const found = known.get(who)
    const left = found ? Math.min(burst * factor, found.left + ((at - found.at) / 1000) * perSecond * factor) : burst * factor
    if (found) known.delete(who)
    else if (known.size >= BUCKETS_MAX) known.delete(known.keys().next().value!)
    known.set(who, { left: left < 1 ? left : left - 1, at })
    if (left < 1) throw TooMany()
  }
}
