import { TooMany } from '../refusal.ts'
import { slotsOf } from '../job/slots.ts'

/** A bucket holds `burst` calls and fills again at `perSecond`. */
interface Rate {
  burst: number
  perSecond: number
}
/** A page opens with some twenty calls: nobody at a console comes near these. A program is told to wait. */
export const PERSON: Rate = { burst: 1_000, perSecond: 20 }
/** All who work for an enterprise together, less than one process serves: whatever they do, their neighbours are served. */
export const ENTERPRISE: Rate = { burst: 5_000, perSecond: 200 }
/** Calls without a session: a whole office, or a payment channel's notices, may stand behind one address. Tries with a wrong token count here too. */
export const ADDRESS: Rate = { burst: 10_000, perSecond: 500 }
/** Calls that cost a hundred others: fees worked out anew, a record's whole story, exports. Per person, besides PERSON. */
export const HEAVY: Rate = { burst: 300, perSecond: 10 }
/** Codes that strangers scan: a carrier's whole town may stand behind one address, and nobody guesses a signature at this rate. */
export const SCAN: Rate = { burst: 600, perSecond: 20 }
/** A partner platform with thousands of guns to look at; beyond that it is told to wait, in its own protocol. */
export const PARTNER: Rate = { burst: 1_000, perSecond: 50 }
/** Requests at the partners' door that nobody vouches for: unsigned, old, repeated, without a token. */
export const STRANGER: Rate = { burst: 300, perSecond: 10 }
/** The screens of one wall together: each asks every ten seconds. */
export const WALL: Rate = { burst: 1_000, perSecond: 50 }
/**
 * The number of reads, and of writes, that one person may have running at once: both together are fewer than the connections to
 * the database. Further calls wait their turn.
 */
export const AT_ONCE = 5
const WAITING_MAX = 200
/** As many are remembered; whoever was not heard of for longest is forgotten, and begins with a full bucket. */
const BUCKETS_MAX = 20_000

export interface Limits {
  /** Writes count apart from reads: a page that reads all the time does not delay a hand on a barrier. */
  person(caller: string, call: { heavy: boolean; writes: boolean }): void
  enterprise(number: number): void
  /** Counts requests by the link of a wall, apart from the limits of people at work. */
  wall(linkId: string): void
  address(ip: string): void
  scan(ip: string): void
  partner(platformId: string): void
  /** Counts a caller who was refused at the partners' door. */
  stranger(ip: string): void
  /** Runs it when fewer than `AT_ONCE` of this caller's are running, writes and looks apart; at once for nobody in particular. */
  inTurn<T>(caller: string, writes: boolean, work: () => Promise<T>): Promise<T>
}
/**
 * How often one person, or one address without a session, may call. `factor` multiplies what is allowed; 0 takes the limits away (a bench that measures the server itself).
 * Per process: with several, each allows as much. @throws TooMany
 */
export function limitsOf(factor: number, now: () => number = ticks): Limits {
  const persons = buckets(PERSON, factor, now)
  const enterprises = buckets(ENTERPRISE, factor, now)
  const heavies = buckets(HEAVY, factor, now)
  const addresses = buckets(ADDRESS, factor, now)
  return {
    person(caller, { heavy, writes }) {
      persons(sideOf(caller, writes))
      if (heavy) heavies(caller)
    },
    enterprise: (number) => enterprises(String(number)),
    wall: buckets(WALL, factor, now),
    address: addresses,
    scan: buckets(SCAN, factor, now),
    partner: buckets(PARTNER, factor, now),
    stranger: buckets(STRANGER, factor, now),
    inTurn: factor === 0 ? (_, __, work) => work() : turns(),
  }
}

const sideOf = (caller: string, writes: boolean) => (writes ? `${caller} writes` : caller)
function turns(): Limits['inTurn'] {
  const known = new Map<string, { slot: ReturnType<typeof slotsOf>; calls: number }>()
  return async (caller, writes, work) => {
    if (!caller) return work()
    const side = sideOf(caller, writes)
    const mine = known.get(side) ?? { slot: slotsOf(AT_ONCE, WAITING_MAX), calls: 0 }
    known.set(side, mine)
    mine.calls++
    try {
      return await mine.slot(work)
    } finally {
      if (--mine.calls === 0) known.delete(side)
    }
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
