import type { Fen, Instant } from '../../../../platform/contract/field.ts'
import { normalizePlate, type PlateColorCode } from '../../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { FreeReason, type FreeReasonCode, type QuoteOf } from '../../../fee/contract/quote.ts'
import { askedAt } from './asked.ts'
import { inGrace } from '../lane/leaving.ts'
import { parkOf } from '../place/park.ts'
import { feeOf, wantedOf } from './pricing.ts'
import type { DiscountWanted } from '../questions.ts'
import type { StayRecord } from '../stay/stayMoves.ts'

interface Asked {
  plateNo: string
  plateColor?: number | undefined
  parkCode?: string | undefined
  at: Instant
}
/** Returns the stay of a car that is inside and the quote of it, for `fee.presentStay`. If it is in several parks, the one that it entered last. */
export async function presentStayOf(tx: Tx, { at, ...car }: Asked) {
  const stay = await insideNow(tx, car)
  if (!stay?.entryTime) return undefined
  const { priced, free } = await askedAt(tx, await parkOf(tx, stay.parkCode), stay, at)
  const nothing = free?.code ?? (inGrace({ stay, at }) ? FreeReason.paid : undefined)
  const quote = nothing ? asksNothing(stay, stay.entryTime, at, nothing) : (priced?.quote ?? undefined)
  return quote && { stayId: stay.id, parkCode: stay.parkCode, plateNo: stay.plateNo, entryTime: stay.entryTime, quote }
}
/** Whatever the tariff says: no line of it counts. */
const asksNothing = ({ paidFen }: StayRecord, entry: Instant, at: Instant, freeReason: FreeReasonCode): QuoteOf => ({
  ...{ totalFen: 0 as Fen, paidFen, payableFen: 0 as Fen, entry, at, lines: [], freeReason },
  ...{ ruleVersionId: null, ruleName: '', ruleVersionNo: 0, validUntil: null, holidaysUnknown: false },
})

/** Returns the amount that a car inside is asked now, before any discount: for domains that explain their discount. */
export async function askedNow(tx: Tx, { at, ...car }: Asked): Promise<DiscountWanted | undefined> {
  const stay = await insideNow(tx, car)
  if (!stay) return undefined
  const park = await parkOf(tx, stay.parkCode)
  const priced = await feeOf(tx, park, stay, at)
  return priced && wantedOf(tx, park, stay, priced, at)
}

export interface CarInside {
  plateNo: string
  plateColor: PlateColorCode | null
  parkCode: string
  parkName: string
  entryTime: Instant
  /** The amount that it would pay now; null where no rule covers it. */
  dueFen: Fen | null
}
/** Cars inside these parks whose plate ends so, the last to come first, with what each owes now. */
export async function carsInside(
  tx: Tx,
  { ending, parkCodes, most, at }: { ending: string; parkCodes: readonly string[]; most: number; at: Instant },
): Promise<CarInside[]> {
  const found = await run<Omit<CarInside, 'dueFen'>>(tx, ENDING, [parkCodes, normalizePlate(ending), most])
  const one = async (car: Omit<CarInside, 'dueFen'>): Promise<CarInside> => {
    const { plateNo, plateColor, parkCode } = car
    const stay = await presentStayOf(tx, { plateNo, plateColor: plateColor ?? undefined, parkCode, at })
    return { ...car, dueFen: stay?.quote.payableFen ?? null }
  }
  const all: CarInside[] = []
  for (const car of found) all.push(await one(car))
  return all
}
const ENDING = {
  sql: `select p.plate_no, p.plate_color, p.park_code, k.name as park_name, s.entry_time from parking.present p join parking.stay s on s.id = p.stay_id
      join parking.park k on k.enterprise_id = p.enterprise_id and k.park_code = p.park_code
    where p.enterprise_id = scope_enterprise() and p.park_code = any($1) and right(p.plate_no, length($2)) = $2 and s.entry_time is not null order by s.entry_time desc limit $3`,
}

async function insideNow(tx: Tx, { plateNo, plateColor, parkCode }: Omit<Asked, 'at'>): Promise<StayRecord | undefined> {
  const [stay] = await run<StayRecord>(
    tx,
    {
      sql: `select s.* from parking.present p join parking.stay s on s.id = p.stay_id where p.enterprise_id = scope_enterprise() and p.plate_no = $1
        and ($2::text is null or p.park_code = $2) and ($3::smallint is null or p.plate_color is null or p.plate_color = $3) and s.entry_time is not null
        order by s.entry_time desc limit 1`,
    },
    [normalizePlate(plateNo), parkCode ?? null, (plateColor as PlateColorCode | undefined) ?? null],
  )
  return stay
}
