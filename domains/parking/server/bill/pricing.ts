import type { Fen, Instant, Of } from '../../../../platform/contract/field.ts'
import { vehicleClassOf, type Vehicle, type VehicleClassCode } from '../../../../platform/contract/plate.ts'
import { dayOf, instantAt, MINUTE_MS, msOf, startOf } from '../../../../platform/contract/time.ts'
import { begunAt, run, type Tx } from '../../../../platform/server/database.ts'
import { LineKind, type QuoteLineOf, type QuoteOf } from '../../../fee/contract/quote.ts'
import { countedFreeOf, mostOfVersion, NoRule, quoteStay, resolveRule, type RuleWanted, type StayTerms } from '../../../fee/server/api.ts'
import { Refusal } from '../../../../platform/server/refusal.ts'
import { onlyFields } from '../../../../platform/server/row.ts'
import type { ParkRow } from '../lane/lane.ts'
import { type Bounds, checked, type Priced } from './checking.ts'
import { cover, type Covered, type Discount, discounts, type DiscountWanted, standingOf } from '../questions.ts'
import type { AnyStay } from '../stay/stayMoves.ts'
import { NoEntry, RuleBind } from '../../contract/park.ts'
import { CarKind, PayState, SessionStatus, type StayFee, TakenOff } from '../../contract/stay.ts'

/** The version of the fee rule that is in force at an entrance, kept with the stay; `null` when none covers it, which the exit will tell a person. */
export const frozenRule = (
  tx: Tx,
  { parkCode }: Pick<ParkRow, 'parkCode'>,
  areaCode: string | null,
  { memberGroup, ...car }: Vehicle & { at: Instant; memberGroup?: string | undefined },
): Promise<string | null> =>
  ruleOf(tx, { parkCode, memberGroup, ...(areaCode && { areaCode }), vehicleClass: vehicleClassOf(car.plateNo, car.plateColor), at: car.at })
/** The same on the street. Nobody may know the plate yet: then it is a rule for all classes, and another once the plate has come. */
export const frozenOfBerth = (
  tx: Tx,
  of: Pick<RuleWanted, 'memberGroup' | 'at'> & { parkCode: string; sectionCode: string; vehicleClass?: VehicleClassCode | undefined },
): Promise<string | null> => ruleOf(tx, of)

/** The version for a stay whose car turns out to be another vehicle. Where that one has the same rule, the version kept at the entry stays, though it was withdrawn since. */
export async function frozenOfOther(tx: Tx, stay: AnyStay, car: Vehicle): Promise<string | null> {
  const { entryTime, ruleVersionId } = stay
  if (entryTime === null || ruleVersionId === null) return ruleVersionId
  const [{ areaCode }] = await piecesOf(tx, stay, begunAt(tx))
  const of = async ({ plateNo, plateColor }: Vehicle) => {
    const other = { ...stay, plateNo, plateColor, vehicleClass: vehicleClassOf(plateNo, plateColor) }
    return ruleFor(tx, other, { areaCode, memberGroup: await groupOf(tx, other, entryTime), at: entryTime })
  }
  const [was, is] = [stay.plateNo === null ? null : await of(stay as Vehicle), await of(car)]
  return was === is ? ruleVersionId : is
}

/** The version that is in force for a stay then, whatever was when it came. @throws NoRule */
export async function ruleInForce(tx: Tx, stay: AnyStay, at: Instant): Promise<string> {
  const [{ areaCode }] = await piecesOf(tx, stay, at)
  const found = await ruleFor(tx, stay, { areaCode, memberGroup: await groupOf(tx, stay, at), carKind: stay.carKindIn, at })
  if (found === null) throw NoRule()
  return found
}

async function ruleOf(tx: Tx, wanted: RuleWanted): Promise<string | null> {
  try {
    return await resolveRule(tx, wanted)
  } catch (error) {
    if (error instanceof Refusal && error.id === NO_RULE) return null
    throw error
  }
}
const NO_RULE = NoRule().id

/** Prices a stay from its entry until `at`, before payments and with its discounts. `undefined`: no rule covers it. */
export async function priceOf(tx: Tx, park: Terms, stay: AnyStay, at: Instant): Promise<Priced | undefined> {
  const priced = await feeOf(tx, park, stay, at)
  return priced && checked(tx, park, stay, await reduced(tx, park, stay, priced, at), at)
}
async function reduced(tx: Tx, park: Terms, stay: AnyStay, priced: Priced, at: Instant): Promise<Priced> {
  const wanted = wantedOf(tx, park, stay, priced, at)
  if (!wanted) return priced
  const offered = (await discounts.ask(tx, wanted)).flatMap(({ answer }) => answer)
  const taken = within(wanted.amountFen, offered)
  const away = offered.filter(({ amountFen }) => amountFen === 0)
  return { ...priced, bill: { ...priced.bill, ...(taken.length > 0 && { taken }), ...(away.length > 0 && { away }) } }
}

/** Returns the question to the domains that give discounts; undefined when there is nothing to pay or the plate is not known. */
export function wantedOf(tx: Tx, park: Terms, stay: AnyStay, priced: Priced, at: Instant): DiscountWanted | undefined {
  const { id: stayId, parkCode, plateNo, plateColor, vehicleClass } = stay
  const amountFen = restOf(stay, priced)
  if (amountFen === 0 || plateNo === null) return undefined
  const orderId = stay.payState === PayState.toPay ? stay.orderId : null
  const amountIf = async (minutesLess: number) => {
    const shorter = await feeOf(tx, park, stay, instantAt(msOf(at) - minutesLess * MINUTE_MS))
    return shorter ? restOf(stay, shorter) : amountFen
  }
  return { stayId, orderId, parkCode, plateNo, plateColor, vehicleClass, at, amountFen, quote: priced.quote, amountIf }
}
/** The fee with what was taken off it, as it is kept and shown. */
export const explained = (priced: Priced | undefined): Of<typeof StayFee> | null =>
  priced?.quote ? { ...priced.quote, ...(priced.bill.taken && { discounts: priced.bill.taken.map(onlyFields(TakenOff)) }) } : null
const restOf = ({ settledFen }: AnyStay, { bill }: Priced) => Math.max(0, bill.receivableFen - settledFen)

/** Several may take something off the same fee; nobody is paid for parking. */
function within(amountFen: number, offered: readonly Discount[]): Discount[] {
  let left = amountFen
  return offered.flatMap((one) => {
    const taken = Math.min(one.amountFen, left)
    left -= taken
    return taken > 0 ? [{ ...one, amountFen: taken }] : []
  })
}

type Terms = Pick<ParkRow, 'ruleBind' | 'noEntry' | 'noEntryFeeFen'> & Bounds
/** Prices a stay by the tariff alone. */
export async function feeOf(tx: Tx, park: Terms, stay: AnyStay, at: Instant): Promise<Priced | undefined> {
  const unruled = (receivableFen: number): Priced => ({ bill: { receivableFen, discountFen: 0 }, quote: null, mostFen: receivableFen })
  if (!stay.entryTime) return unruled(park.noEntry === NoEntry.minimumFee && !(await goesCovered(tx, stay, at)) ? park.noEntryFeeFen : 0)
  if (Date.parse(at) < Date.parse(stay.entryTime)) return unruled(0)
  const [covered, pieces] = await Promise.all([coveredOf(tx, stay, at), piecesOf(tx, stay, at)])
  const versions = await versionsOf(tx, park, stay, pieces, at)
  const walks: { quote: QuoteOf; own: Piece[] }[] = []
  let mostFen = 0
  for (const ruleVersionId of new Set(versions)) {
    if (ruleVersionId === null) return undefined
    const own = pieces.filter((_, i) => versions[i] === ruleVersionId)
    const others = pieces.filter((_, i) => versions[i] !== ruleVersionId)
    const free = { freeUsed: await freeUsedOf(tx, stay, ruleVersionId), freeGone: walks.length > 0 || beganCovered(stay, covered) }
    const paidFen = others.length ? 0 : stay.paidFen
    const quote = await quoteStay(tx, { ruleVersionId, entry: stay.entryTime, at, covered: [...covered, ...others], paidFen, ...free })
    const minutes = Math.ceil((msOf(at) - msOf(stay.entryTime)) / MINUTE_MS) + 1
    mostFen += await mostOfVersion(tx, ruleVersionId, minutes, covered.length + others.length + 1)
    walks.push({ quote, own })
  }
  const quote = walks.length === 1 ? walks[0]!.quote : joined(walks, versions.at(-1)!, stay.paidFen)
  return { bill: { receivableFen: quote.totalFen, discountFen: 0 }, quote, mostFen }
}

/**
 * Which version is for each piece of a stay, `null` for none. That of the entry is kept with the stay, and holds in every area that has the same rule, though it was
 * withdrawn since.
 */
async function versionsOf(tx: Tx, park: Terms, stay: AnyStay, pieces: readonly Piece[], at: Instant): Promise<(string | null)[]> {
  const atEntry = park.ruleBind === RuleBind.entry
  const kept = atEntry ? stay.ruleVersionId : null
  if (kept !== null && pieces.length === 1) return [kept]
  const bound = atEntry ? stay.entryTime! : at
  const of = { memberGroup: await groupOf(tx, stay, bound), carKind: stay.carKindIn, at: bound }
  const found = new Map<string | null, string | null>()
  for (const { areaCode } of pieces) if (!found.has(areaCode)) found.set(areaCode, await ruleFor(tx, stay, { areaCode, ...of }))
  const ofEntry = found.get(pieces[0]!.areaCode)
  return pieces.map(({ areaCode }) => {
    const own = found.get(areaCode)!
    return own === ofEntry && kept !== null ? kept : own
  })
}

type Wanted = Pick<RuleWanted, 'memberGroup' | 'carKind' | 'at'> & { areaCode: string | null }
const ruleFor = (tx: Tx, { parkCode, sectionCode, vehicleClass }: AnyStay, { areaCode, ...of }: Wanted) =>
  ruleOf(tx, { parkCode, ...(areaCode && { areaCode }), ...(sectionCode && { sectionCode }), vehicleClass, ...of })
/** The kind of pass that its car belonged to then: it may have a tariff of its own. */
const groupOf = async (tx: Tx, { parkCode, plateNo, plateColor }: AnyStay, at: Instant): Promise<string | undefined> =>
  plateNo === null ? undefined : (await standingOf(tx, { parkCode, plateNo, plateColor, at })).memberGroup

/** Time that a pass, a reservation or a charging order has paid for already. */
const coveredOf = async (tx: Tx, { parkCode, seatCode, plateNo, plateColor, entryTime, passId }: AnyStay, to: Instant): Promise<Covered[]> =>
  (await cover.ask(tx, { parkCode, seatCode, plateNo, plateColor, passId, from: entryTime!, to })).flatMap(({ answer }) => answer)

/** For a car that nobody saw come in: whether its pass or reservation covers the moment in which it leaves. */
async function goesCovered(tx: Tx, stay: AnyStay, at: Instant): Promise<boolean> {
  if (stay.passId === null && stay.reserveId === null) return false
  const entryTime = instantAt(msOf(at) - MINUTE_MS)
  return (await coveredOf(tx, { ...stay, entryTime }, at)).some(({ from, to }) => msOf(from) <= msOf(entryTime) && msOf(to) >= msOf(at))
}
/** A pass that ends during the stay gives no free minutes after it. */
const beganCovered = ({ entryTime }: AnyStay, covered: Covered[]) => covered.some(({ from, to }) => from <= entryTime! && to > entryTime!)

/** Returns the terms that the stay's fee follows by the version kept with it; undefined where it was priced area by area. */
export async function termsOf(tx: Tx, stay: AnyStay, at: Instant): Promise<StayTerms | undefined> {
  if (!stay.entryTime || !stay.ruleVersionId || (await piecesOf(tx, stay, at)).length > 1) return undefined
  const [covered, freeUsed] = await Promise.all([coveredOf(tx, stay, at), freeUsedOf(tx, stay, stay.ruleVersionId)])
  return { at, covered, freeUsed, freeGone: beganCovered(stay, covered) }
}

/** How often this car has had its free minutes in this park on the day on which it came, where the rule counts that. */
async function freeUsedOf(tx: Tx, { id, parkCode, plateNo, entryTime }: AnyStay, ruleVersionId: string): Promise<number> {
  const free = plateNo === null ? undefined : await countedFreeOf(tx, ruleVersionId)
  if (!free) return 0
  const [used] = await run<{ times: number }>(tx, FREE_USED, [
    plateNo,
    parkCode,
    startOf(dayOf(entryTime!)),
    entryTime,
    id,
    free.mode === 'deduct',
    free.minutes,
  ])
  return used!.times
}
/** Where the free minutes are taken off every stay, each one has had them; else those that ended within them. A stay on a pass or a list had no need of them. */
export const hadFree = (stay: string, deducted: string, minutes: string) =>
  `${stay}.third_platform is null and ${stay}.status = ${SessionStatus.left} and coalesce(${stay}.car_kind_out, ${stay}.car_kind_in) in (${CarKind.noPlate}, ${CarKind.temporary})
    and (${deducted}::boolean or (${stay}.receivable_fen = 0 and ${stay}.duration_min <= ${minutes}::int))`
const FREE_USED = {
  sql: `select count(*)::int as times from parking.stay s where s.enterprise_id = scope_enterprise() and s.plate_no = $1 and s.park_code = $2
    and s.seen_at >= $3 and s.seen_at < $4 and s.id <> $5 and ${hadFree('s', '$6', '$7')}`,
}

/** In a park with inner gates an area may have a rule of its own: the stretches of a stay, one after the other. */
interface Piece {
  areaCode: string | null
  from: Instant
  to: Instant
}
async function piecesOf(tx: Tx, { id, areaCode, entryTime }: AnyStay, at: Instant): Promise<[Piece, ...Piece[]]> {
  const whole: [Piece] = [{ areaCode, from: entryTime!, to: at }]
  if (areaCode === null) return whole
  const sql =
    'select area_code, from_time as "from", least(coalesce(to_time, $2), $2) as "to" from parking.segment where enterprise_id = scope_enterprise() and stay_id = $1 order by from_time'
  const all = await run<Piece>(tx, { sql }, [id, at])
  // The entry may have been put right since.
  const [first, ...rest] = all.map((one, i) => (i === 0 ? { ...one, from: entryTime! } : one)).filter(({ from, to }) => msOf(from) < msOf(to))
  return first ? [first, ...rest] : whole
}

/**
 * A stay by several versions: each walks the whole of it and leaves out the time that another prices, so that its caps, its first unit and its days go on from piece
 * to piece. Free minutes are of the first one alone. The lines stand in the order of time.
 */
function joined(walks: readonly { quote: QuoteOf; own: Piece[] }[], last: string, paidFen: Fen): QuoteOf {
  const totalFen = walks.reduce((sum, { quote }) => sum + quote.totalFen, 0)
  const now = walks.find(({ quote }) => quote.ruleVersionId === last)!.quote
  const lines = walks.flatMap(({ quote, own }) =>
    quote.lines.flatMap((line) => (line.kind === LineKind.covered ? own.flatMap((piece) => coveredIn(line, piece)) : [line])),
  )
  const isAfter = ({ kind }: QuoteLineOf) => kind === LineKind.factor || kind === LineKind.rounding
  return {
    ...now,
    totalFen: totalFen as Fen,
    paidFen,
    payableFen: Math.max(0, totalFen - paidFen) as Fen,
    lines: lines.toSorted((a, b) => Number(isAfter(a)) - Number(isAfter(b)) || msOf(a.from) - msOf(b.from)),
    freeReason: totalFen === 0 ? now.freeReason : null,
  }
}
/** Cuts a covered line to the piece: the rest of the line is time that another version prices. */
function coveredIn(line: QuoteLineOf, piece: Piece): QuoteLineOf[] {
  const [from, to] = [Math.max(msOf(line.from), msOf(piece.from)), Math.min(msOf(line.to), msOf(piece.to))]
  return from < to ? [{ ...line, from: instantAt(from), to: instantAt(to) }] : []
}
