import type { Instant } from '../../../platform/contract/field.ts'
import { question } from '../../../platform/server/question.ts'
import type { QuoteOf } from '../contract/quote.ts'

/** Where a rule has to be. */
export interface RuledPlace {
  parkCode: string
  sectionCode: string | null
  /** The usual name of the place. */
  name: string
}
/** Asked before a tie or a version is taken away: the places that are open to cars and may not be left without a rule. */
export const mayUntie = question<{ at: Instant }, RuledPlace[]>('fee.mayUntie')

/** The place or the kind of pass that a tie gives its rule to. */
export interface NamedPlace {
  parkCode?: string | null | undefined
  areaCode?: string | null | undefined
  sectionCode?: string | null | undefined
  memberGroup?: string | null | undefined
}
export type Nowhere = keyof NamedPlace
/** Asks, before a rule is tied, which of these places do not exist. Each domain answers for the ones that it keeps. */
export const nowhere = question<NamedPlace, Nowhere[]>('fee.nowhere')

/** Asked for a car that is parked now. The domain that keeps the stay answers with the facts that its fee depends on, or with a quote it has already. */
export const presentStay = question<
  { plateNo: string; plateColor?: number | undefined; parkCode?: string | undefined; at: Instant },
  { stayId: string; parkCode: string; plateNo: string; entryTime: Instant; quote: QuoteOf } | PresentStay
>('fee.presentStay')
export interface PresentStay {
  stayId: string
  parkCode: string
  plateNo: string
  entryTime: Instant
  ruleVersionId: string
  paidFen?: number
  covered?: readonly Covered[]
  freeUsed?: number
}
interface Covered {
  from: Instant
  to: Instant
}

/** Which stays of the past: that have ended, were charged by a rule, and came in the time. Where `ruleVersionIds` or `parkCodes` are left out, all. */
export interface PastStays {
  ruleVersionIds?: readonly string[] | undefined
  parkCodes?: readonly string[] | undefined
  /** Of these classes only; empty: of all. */
  vehicleClasses: readonly number[]
  from: Instant
  to: Instant
}
/** The charge of a stay, and the version behind it. */
export interface PastStay {
  stayId: string
  parkCode: string
  plateNo: string | null
  ruleVersionId: string
  entry: Instant
  at: Instant
  chargedFen: number
  /** As its free minutes are counted. */
  durationMin: number
  /** A pass, a reservation or a charging order covered some of it: its terms have to be asked for. */
  partly: boolean
}
/** Has any such stay ended? Asked by who would publish, so it may not look through them all. */
export const pastStaysAny = question<PastStays, boolean>('fee.pastStaysAny')
/** A batch of them in the order in which they came, behind `after`. */
export const pastStays = question<PastStays & { after: Pick<PastStay, 'entry' | 'stayId'> | null; limit: number }, PastStay[]>('fee.pastStays')
export const pastStaysCount = question<PastStays, number>('fee.pastStaysCount')

/** Facts that a fee depends on besides entry and exit. */
export interface StayTerms {
  /** Until then it was charged: it may have been paid before it left. */
  at: Instant
  covered: readonly Covered[]
  freeUsed: number
  freeGone: boolean
}
/** Of some stays, by their ids; those that no rule alone explains are missing. */
export const stayTerms = question<{ stayIds: readonly string[] }, Map<string, StayTerms>>('fee.stayTerms')
/**
 * Of a draft that gives free minutes only so often a day: how often the vehicle of each stay had had them on its day and in its park, on stays that are none of
 * `apartFrom`. Those are priced by the draft itself, one after the other. Stays that are missing: never.
 */
export const freeTimesApart = question<
  { stayIds: readonly string[]; free: { minutes: number; mode: 'grace' | 'deduct' }; apartFrom: PastStays },
  Map<string, number>
>('fee.freeTimesApart')
