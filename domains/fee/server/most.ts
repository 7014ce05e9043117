import { bandsOf, type Band, type Rate, type Tariff } from '../contract/tariff.ts'
import { fractionOf } from './rate.ts'

const DAY_MINUTES = 1440
/** Half a unit of the currency, by which `halfUpUnit` may go up. */
const ROUNDED_E4 = 5_000

/**
 * The most, in fen, that a tariff can ask for a stay of so many minutes, at any time and with any part of it covered (`stretches` that are charged). Worked out apart from the
 * engine and never too little: an amount above it was not made by this tariff.
 */
export function mostFen(tariff: Tariff, minutes: number, stretches = 1): number {
  const { stayCapE4, factor = [1, 1], round } = tariff
  const most = Math.min(
    tariff.table ? byTable(tariff.table, minutes) : byTime(tariff, minutes, stretches),
    stayCapE4 === undefined ? Infinity : e4(stayCapE4),
  )
  const e4s = (most * factor[0]) / factor[1] + (round === 'halfUpUnit' ? ROUNDED_E4 : 0)
  return Math.ceil(e4s / 100)
}

const e4 = (rate: Rate): number => {
  const [n, d] = fractionOf(rate)
  return n / d
}

/** Beyond the last row its step repeats. */
function byTable(table: NonNullable<Tariff['table']>, minutes: number): number {
  const last = table.at(-1)!
  const steps = Math.ceil(Math.max(0, minutes - last.toMin) / (last.toMin - (table.at(-2)?.toMin ?? 0)))
  return Math.max(...table.map(({ priceE4 }) => e4(priceE4))) * (1 + steps)
}

function byTime(tariff: Tariff, minutes: number, stretches: number): number {
  const { wholeDayE4 } = tariff
  if (wholeDayE4 === undefined) return capped(tariff, minutes, stretches)
  // Each stretch has a rest of less than a day, charged as a stay of its own.
  return Math.floor(minutes / DAY_MINUTES) * e4(wholeDayE4) + stretches * capped(tariff, DAY_MINUTES, 1)
}

/** Returns an upper bound: every band for the whole time, but no more than the caps of the cycles that the time can touch. */
function capped(tariff: Tariff, minutes: number, stretches: number): number {
  const { cycle } = tariff
  const days = Math.ceil(minutes / DAY_MINUTES) + 1
  const bands = bandsOf(tariff)
  // Once a day and once more where a cycle or another band cuts it, and in each stretch.
  const times = (2 + bands.length) * days + stretches
  const all = bands.reduce((sum, band) => sum + ofBand(band, minutes, times), 0)
  const caps = cycle && !cycle.once ? cycle.capsE4.map(e4) : []
  return caps.length === 0 ? all : Math.min(all, days * Math.max(...caps))
}

/** `times`: how often at most it begins anew. */
function ofBand({ price, capE4 }: Band, minutes: number, times: number): number {
  const asked =
    price.by === 'free'
      ? 0
      : price.by === 'visit'
        ? e4(price.priceE4) * times
        : price.by === 'unit'
          ? (price.first ? e4(price.first.priceE4) : 0) + e4(price.priceE4) * (minutes / price.unitMin + times)
          : price.tiers.reduce(
              (sum, { priceE4 }) => sum + e4(priceE4) * times,
              minutes * Math.max(...price.tiers.map(({ priceE4, unitMin }) => e4(priceE4) / unitMin)),
            )
  return capE4 === undefined ? asked : Math.min(asked, e4(capE4) * times)
}
