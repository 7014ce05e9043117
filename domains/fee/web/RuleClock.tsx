import { lasting } from '../../../platform/contract/duration.ts'
import type { Say } from '../../../platform/web/text.ts'
import { useText } from '../../../platform/web/text.ts'
import { WEEKDAYS } from '../../../platform/web/time/weekdays.tsx'
import { type Band, bandsOf, type Days, HOLIDAY, keyOf, type Rate, type Tariff, WEEKEND, WORKDAY } from '../contract/tariff.ts'
import { type Hue, isDayBand, nextHue } from './bands.ts'
import './fee.css'

const DAY_MINUTES = 1440
const AXIS = [0, 180, 360, 540, 720, 900, 1080, 1260, 1440]
/** Below this share of the day a price does not fit into its band. */
const LABEL_SHARE = 0.07

interface Piece {
  from: number
  to: number
  band: number
}

/** A rule as the clock of one day: a bar for each kind of day that differs, its prices in words below. */
export function RuleClock({ tariff }: { tariff: Tariff }) {
  const say = useText()
  if (tariff.table) return <Table tariff={tariff} />
  const hues = huesOf(tariff)
  return (
    <figure className="fee-clock" aria-label={say(['一天的收费', 'Prices over the day'])}>
      {kindsOf(tariff, say).map(({ name, pieces }) => (
        <div key={name}>
          <span className="kind">{name}</span>
          <div className="hours">
            {pieces.map((piece) => (
              <Hours key={piece.from} piece={piece} tariff={tariff} hue={hues.get(piece.band)} />
            ))}
          </div>
        </div>
      ))}
      <div>
        <span />
        <div className="axis">
          {AXIS.map((minute) => (
            <span key={minute} style={{ left: `${(minute / DAY_MINUTES) * 100}%` }}>
              {clockText(minute)}
            </span>
          ))}
        </div>
      </div>
      <ul className="fee-prices">
        {bandsOf(tariff).map((band, i) => (
          <li key={`${band.fromMin} ${band.toMin} ${i}`}>
            <i className={hues.get(i) ?? 'free'} />
            <span className="soft">
              {clockText(band.fromMin)}–{clockText(band.toMin)}
            </span>
            <span>
              {band.name && `${band.name} · `}
              {priceWords(band, tariff, say).join(say(['；', '; ']))}
            </span>
          </li>
        ))}
      </ul>
      <p className="soft">{wholeWords(tariff, say).join(say(['；', '; ']))}</p>
    </figure>
  )
}

function Hours({ piece: { from, to, band }, tariff, hue }: { piece: Piece; tariff: Tariff; hue: Hue | undefined }) {
  const say = useText()
  const share = (to - from) / DAY_MINUTES
  const place = { left: `${(from / DAY_MINUTES) * 100}%`, width: `calc(${share * 100}% - 1px)` }
  const words = band < 0 ? [say(['未覆盖', 'Not covered'])] : priceWords(bandsOf(tariff)[band]!, tariff, say)
  const look = band < 0 ? 'gap' : (hue ?? 'free')
  return (
    <>
      <i className={look} style={place} title={`${clockText(from)}–${clockText(to)}  ${words.join(', ')}`} />
      {share > LABEL_SHARE && (
        <b className={look} style={place}>
          {words[0]}
        </b>
      )}
    </>
  )
}

function Table({ tariff }: { tariff: Tariff }) {
  const say = useText()
  return (
    <table className="lines">
      <thead>
        <tr>
          <th>{say(['停车时长不超过', 'Parked for up to'])}</th>
          <th>{say(['共计', 'Total'])}</th>
        </tr>
      </thead>
      <tbody>
        {tariff.table!.map(({ toMin, priceE4 }) => (
          <tr key={toMin}>
            <td>
              {toMin} {say(['分钟', 'minutes'])}
            </td>
            <td>{moneyText(priceE4, tariff.currency)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const SIGNS: Record<string, string> = { CNY: '¥', JPY: 'JP¥', GBP: '£', EUR: '€', USD: '$', SGD: 'S$', KRW: '₩' }
/** A rate in the currency's unit: two decimals, four below a cent. */
export function moneyText(rate: Rate, currency: string) {
  const value = (typeof rate === 'number' ? rate : rate[0] / rate[1]) / 10_000
  return `${SIGNS[currency] ?? `${currency} `}${Number.isInteger(value * 100) ? value.toFixed(2) : value.toFixed(4)}`
}
export const clockText = (minutes: number) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** Describes the prices of a band, the ordinary one first. */
export function priceWords({ price, capE4 }: Band, { currency }: Tariff, say: Say): string[] {
  const money = (rate: Rate) => moneyText(rate, currency)
  const each = (rate: Rate, minutes: number) => say([`${money(rate)}/${minutes}分钟`, `${money(rate)} per ${minutes} min`])
  const cap = capE4 === undefined ? [] : [say([`最多 ${money(capE4)}`, `at most ${money(capE4)}`])]
  if (price.by === 'free') return [say(['免费', 'Free'])]
  if (price.by === 'visit') return [say([`${money(price.priceE4)}/次`, `${money(price.priceE4)} per visit`]), ...cap]
  if (price.by === 'unit') {
    const first = price.first
    return [
      each(price.priceE4, price.unitMin),
      ...(first ? [say([`首 ${lasting(first.min)[0]} ${money(first.priceE4)}`, `the first ${lasting(first.min)[1]} ${money(first.priceE4)}`])] : []),
      ...cap,
    ]
  }
  const rounding = { ceil: [], floor: [say(['不足一单元不计', 'incomplete units are free'])], exact: [say(['按比例', 'in proportion'])] }[
    price.rounding
  ]
  const tiers = price.tiers.map(({ toMin, unitMin, priceE4 }) =>
    toMin === null
      ? each(priceE4, unitMin)
      : say([`至 ${lasting(toMin)[0]} ${each(priceE4, unitMin)}`, `up to ${lasting(toMin)[1]} ${each(priceE4, unitMin)}`]),
  )
  return [...tiers, ...rounding, ...cap]
}

/** Describes the terms of the whole stay. */
function wholeWords({ free, cycle, days, wholeDayE4, stayCapE4, factor, round, currency }: Tariff, say: Say): string[] {
  const words: string[] = []
  const money = (rate: Rate) => moneyText(rate, currency)
  if (free) {
    const [zhFree, enFree] = lasting(free.minutes)
    words.push(
      free.mode === 'grace'
        ? say([
            `${zhFree}${free.inclusive ? '（含）' : '以'}内免费，超出从入场起计`,
            `free ${free.inclusive ? 'up to' : 'below'} ${enFree}, beyond it billed from entry`,
          ])
        : say([`前 ${zhFree}不计费`, `the first ${enFree} are never billed`]),
    )
  }
  const day =
    cycle &&
    {
      natural: say(['每自然日', 'per calendar day']),
      rolling: say(['每 24 小时', 'every 24 hours from entry']),
      cut: say([`每日（${clockText(cycle.cutMin ?? 0)}起）`, `per day from ${clockText(cycle.cutMin ?? 0)}`]),
    }[cycle.kind]
  if (cycle?.capsE4.length)
    words.push(
      say([`${day}最多 ${cycle.capsE4.map(money).join('、')}`, `at most ${cycle.capsE4.map(money).join(', ')} ${day}`]) +
        (cycle.once ? say(['（仅首个周期）', ' (the first only)']) : ''),
    )
  for (const rule of days ?? [])
    if (rule.capE4 !== undefined)
      words.push(
        say([`${daysName(rule.days, say)}每日最多 ${money(rule.capE4)}`, `at most ${money(rule.capE4)} per day on ${daysName(rule.days, say)}`]),
      )
  if (wholeDayE4 !== undefined)
    words.push(say([`每满 24 小时 ${money(wholeDayE4)}，其余按时段计`, `${money(wholeDayE4)} for every full 24 hours, the rest by the bands`]))
  if (stayCapE4 !== undefined) words.push(say([`单次最多 ${money(stayCapE4)}`, `at most ${money(stayCapE4)} per stay`]))
  if (factor && factor[0] !== factor[1]) words.push(say([`总额乘以 ${factor[0] / factor[1]}`, `the total times ${factor[0] / factor[1]}`]))
  if (round)
    words.push(round === 'halfUpUnit' ? say(['四舍五入到元', 'rounded to the nearest yuan']) : say(['分以下舍去', 'rounded down to the fen']))
  return words
}

function huesOf(tariff: Tariff): Map<number, Hue> {
  const used = { day: 0, night: 0 }
  const hues = new Map<number, Hue>()
  bandsOf(tariff).forEach(({ fromMin, toMin, price }, i) => {
    if (price.by !== 'free') hues.set(i, nextHue(isDayBand(fromMin, toMin), used))
  })
  return hues
}

/** One bar for kinds of day that look alike. */
function kindsOf(tariff: Tariff, say: Say) {
  const kinds = [
    { kind: WORKDAY, name: say(['工作日', 'Workdays']) },
    { kind: WEEKEND, name: say(['周末', 'Weekends']) },
    { kind: HOLIDAY, name: say(['节假日', 'Holidays']) },
  ].map(({ kind, name }) => ({ name, pieces: painted(tariff, kind) }))
  const same = (a: Piece[], b: Piece[]) => JSON.stringify(a) === JSON.stringify(b)
  const [workday, weekend, holiday] = kinds as [(typeof kinds)[0], (typeof kinds)[0], (typeof kinds)[0]]
  const dates = datedOf(tariff, say)
  if (same(workday.pieces, weekend.pieces) && same(weekend.pieces, holiday.pieces))
    return [{ ...workday, name: say(['每天', 'Every day']) }, ...dates]
  if (same(weekend.pieces, holiday.pieces)) return [workday, { ...weekend, name: say(['周末与节假日', 'Weekends, holidays']) }, ...dates]
  return [...kinds, ...dates]
}
/** Rules of weekdays or dates have bars of their own. */
function datedOf(tariff: Tariff, say: Say) {
  return (tariff.days ?? [])
    .filter((rule) => !('mask' in rule.days))
    .map((rule) => ({ name: rule.name ?? daysName(rule.days, say), pieces: pieces(tariff, rule.bands) }))
}
/** The bar of a kind of day: of the bands that are for it, or of the first rule that is. */
function painted(tariff: Tariff, kind: number): Piece[] {
  const isFor = ({ days }: { days: Days }) => 'mask' in days && (days.mask & kind) > 0
  if (!tariff.days) return pieces(tariff, tariff.bands.filter(isFor))
  return pieces(tariff, tariff.days.find(isFor)?.bands ?? [])
}
type ClockBand = Omit<Band, 'days'>
function pieces(tariff: Pick<Tariff, 'bands' | 'days'>, bands: readonly ClockBand[]): Piece[] {
  const all = bandsOf(tariff)
  const edges = [...new Set([0, ...all.flatMap(({ fromMin, toMin }) => [fromMin % DAY_MINUTES, toMin % DAY_MINUTES])])].sort((a, b) => a - b)
  const place = (band: ClockBand | undefined) => (band ? all.findIndex((one) => keyOf(one) === keyOf(band)) : -1)
  return edges.map((from, i) => ({ from, to: edges[i + 1] ?? DAY_MINUTES, band: place(bands.find((band) => covers(band, from))) }))
}
function covers({ fromMin, toMin }: ClockBand, minute: number) {
  if (fromMin === toMin || (fromMin === 0 && toMin === DAY_MINUTES)) return true
  return fromMin < toMin ? minute >= fromMin && minute < toMin : minute >= fromMin || minute < toMin
}

function daysName(days: Days, say: Say): string {
  const comma = say(['、', ', '])
  if ('dates' in days) return days.dates.length > 2 ? `${days.dates[0]} … ${days.dates.at(-1)}` : days.dates.join(comma)
  if ('weekdays' in days) return days.weekdays.map((day) => say(WEEKDAYS[day - 1]!)).join(comma)
  const kinds = [
    [WORKDAY, '工作日', 'workdays'],
    [WEEKEND, '周末', 'weekends'],
    [HOLIDAY, '节假日', 'holidays'],
  ] as const
  return kinds
    .filter(([kind]) => days.mask & kind)
    .map(([, zh, en]) => say([zh, en]))
    .join(comma)
}
