import { Button, InputNumber } from 'antd'
import type { PointerEvent, ReactNode } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { Select } from '../../../platform/web/form/Select.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { type Period, PeriodKind, PERIODS_MAX } from '../contract/strategy.ts'
import { samplesOf } from './samplePrices.ts'
import './charging.css'

type PeriodOf = Of<typeof Period>
const E4 = 10_000
const clock = (half: number) => (half === PERIODS_MAX ? '24:00' : `${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 ? '30' : '00'}`)
const HALVES = Array.from({ length: PERIODS_MAX + 1 }, (_, half) => clock(half))
const halfOf = (time: string) => HALVES.indexOf(time)
const yuan = (fen: number) => (fen / 100).toFixed(2)

/** A day in half hours: each bar is as high as electricity and service cost then, coloured by its kind; below, what a usual charge costs in each of its periods. `over` lies on the bars. */
export function Day({ periods, over }: { periods: readonly PeriodOf[]; over?: ReactNode }) {
  const say = useText()
  if (periods.length === 0) return null
  const at = (half: number) => periods.find(({ from, to }) => halfOf(from) <= half && half < halfOf(to))
  const most = Math.max(1, ...periods.map(({ elecPriceE4, servicePriceE4 }) => elecPriceE4 + servicePriceE4))
  const samples = samplesOf(periods)
  return (
    <>
      <div className={over ? 'price-bars wide' : 'price-bars'}>
        <div className="price-day" role="img" aria-label={say(['一天的价格', 'Prices over the day'])}>
          {HALVES.slice(0, -1).map((time, half) => {
            const period = at(half)
            if (!period) return <span key={time} />
            const price = period.elecPriceE4 + period.servicePriceE4
            const title = `${time} ${say(PeriodKind.entries[period.kind])} ${(period.elecPriceE4 / E4).toFixed(4)} + ${(period.servicePriceE4 / E4).toFixed(4)}`
            return <span key={time} className={`price-${period.kind}`} style={{ height: `${(price / most) * 100}%` }} title={title} />
          })}
        </div>
        {over}
      </div>
      <p className="faint">
        {say(['充 40 kWh 约：', '40 kWh, about: '])}
        {samples.length === 1
          ? say([`全天 ¥${yuan(samples[0]!.fen)}`, `¥${yuan(samples[0]!.fen)} all day`])
          : samples.map(({ kind, fen, from, to }, place) => (
              <span key={`${kind} ${fen}`} title={`${from} – ${to}`}>
                {place > 0 && ' · '}
                {say(PeriodKind.entries[kind])} ¥{yuan(fen)}
              </span>
            ))}
      </p>
    </>
  )
}

/** Where a period ends and the next begins: dragged along the day, or moved by the arrow keys, half an hour at a time. */
function Borders({ periods, move }: { periods: readonly PeriodOf[]; move: (place: number, to: string) => void }) {
  const say = useText()
  return periods.slice(0, -1).map(({ from, to }, place) => {
    const [least, at, most] = [halfOf(from) + 1, halfOf(to), halfOf(periods[place + 1]!.to) - 1]
    const go = (half: number) => {
      const bounded = Math.min(most, Math.max(least, half))
      if (bounded !== at) move(place, clock(bounded))
    }
    const drag = ({ buttons, clientX, currentTarget }: PointerEvent<HTMLElement>) => {
      if (buttons === 0) return
      const { left, width } = currentTarget.parentElement!.getBoundingClientRect()
      go(Math.round(((clientX - left) / width) * PERIODS_MAX))
    }
    return (
      <span
        // A border keeps its place among the others, whatever its time becomes: it must not be lost while it is held.
        key={place}
        className="price-border"
        style={{ left: `${(at / PERIODS_MAX) * 100}%` }}
        role="slider"
        tabIndex={0}
        aria-label={say(['时段分界', 'Period boundary'])}
        aria-valuemin={least}
        aria-valuemax={most}
        aria-valuenow={at}
        aria-valuetext={to}
        title={to}
        onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
        onPointerMove={drag}
        onKeyDown={(event) => {
          const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key]
          if (step === undefined) return
          event.preventDefault()
          go(at + step)
        }}
      />
    )
  })
}

/** The period at a place in two halves of the same price. */
const splitAt = (periods: readonly PeriodOf[], place: number): PeriodOf[] => {
  const { from, to } = periods[place]!
  const middle = clock(Math.floor((halfOf(from) + halfOf(to)) / 2))
  return periods.flatMap((one, at) =>
    at === place
      ? [
          { ...one, to: middle },
          { ...one, from: middle },
        ]
      : [one],
  )
}
/** The period at a place goes into the one before it. */
const joinedAt = (periods: readonly PeriodOf[], place: number): PeriodOf[] =>
  periods.flatMap((one, at) => (at === place - 1 ? [{ ...one, to: periods[place]!.to }] : at === place ? [] : [one]))

/** Periods of a day, one after the other; each ends where the next begins. */
export function PeriodsEditor({ value = WHOLE_DAY, onChange = () => {} }: { value?: PeriodOf[]; onChange?: (value: PeriodOf[]) => void }) {
  const say = useText()
  const set = (place: number, change: Partial<PeriodOf>) =>
    onChange(value.map((one, at) => (at === place ? { ...one, ...change } : at === place + 1 && change.to ? { ...one, from: change.to } : one)))
  return (
    <>
      <Day periods={value} over={<Borders periods={value} move={(place, to) => set(place, { to })} />} />
      <div className="charging-table">
        <table className="lines price-periods">
          <thead>
            <tr>
              {HEADS.map((head) => (
                <th key={head[1]}>{say(head)}</th>
              ))}
              <th aria-label={say(['操作', 'Actions'])} />
            </tr>
          </thead>
          <tbody>
            {value.map((one, place) => (
              <PeriodRow
                key={one.from}
                of={one}
                next={value[place + 1]}
                set={(change) => set(place, change)}
                split={() => onChange(splitAt(value, place))}
                {...(place > 0 && { join: () => onChange(joinedAt(value, place)) })}
              />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
interface RowProps {
  of: PeriodOf
  /** It ends before this one does; the last of the day ends with it. */
  next: PeriodOf | undefined
  set: (change: Partial<PeriodOf>) => void
  split: () => void
  join?: () => void
}
function PeriodRow({ of, next, set, split, join }: RowProps) {
  const say = useText()
  const kinds = Object.entries(PeriodKind.entries).map(([code, text]) => ({
    value: Number(code) as PeriodOf['kind'],
    label: say([text[0], text[1]]),
  }))
  const ends = HALVES.slice(halfOf(of.from) + 1, next && halfOf(next.to)).map((time) => ({ value: time, label: time }))
  const [begins, until, sort, elec, service] = HEADS
  return (
    <tr>
      <td data-head={say(begins)}>{of.from}</td>
      <td data-head={say(until)}>
        <Select aria-label={say(['结束', 'To'])} value={of.to} disabled={!next} options={ends} onChange={(to) => set({ to })} />
      </td>
      <td data-head={say(sort)}>
        <Select aria-label={say(['类型', 'Type'])} value={of.kind} options={kinds} onChange={(kind) => set({ kind })} />
      </td>
      <td data-head={say(elec)}>
        <Price name={say(elec)} value={of.elecPriceE4} onChange={(elecPriceE4) => set({ elecPriceE4 })} />
      </td>
      <td data-head={say(service)}>
        <Price name={say(service)} value={of.servicePriceE4} onChange={(servicePriceE4) => set({ servicePriceE4 })} />
      </td>
      <td className="whole">
        <Button size="small" disabled={halfOf(of.to) - halfOf(of.from) < 2} onClick={split}>
          {say(['拆分', 'Split'])}
        </Button>
        {join && (
          <Button size="small" onClick={join}>
            {say(['并入上段', 'Merge with previous'])}
          </Button>
        )}
      </td>
    </tr>
  )
}
const HEADS = [
  ['开始', 'From'],
  ['结束', 'To'],
  ['类型', 'Type'],
  ['电价（元/度）', 'Electricity, yuan per kWh'],
  ['服务费（元/度）', 'Service, yuan per kWh'],
] as const satisfies readonly Text[]
const PRICE_MOST_E4 = 10_000_000
const isPrice = (priceE4: number) => priceE4 >= 0 && priceE4 <= PRICE_MOST_E4
/** A price of the day that cannot be. */
export function priceFault({ periods }: Readonly<Record<string, unknown>>): Text | undefined {
  const wrong = ((periods ?? []) as PeriodOf[]).find(({ elecPriceE4, servicePriceE4 }) => !isPrice(elecPriceE4) || !isPrice(servicePriceE4))
  const most = PRICE_MOST_E4 / E4
  return wrong && [`${wrong.from} 起的价格应在 0 至 ${most} 元/度之间`, `Prices from ${wrong.from}: 0 to ${most} yuan per kWh`]
}
const Price = ({ name, value, onChange }: { name: string; value: number; onChange: (value: number) => void }) => (
  <InputNumber
    aria-label={name}
    placeholder={name}
    value={value / E4}
    status={isPrice(value) ? '' : 'error'}
    step={0.01}
    precision={4}
    onChange={(yuan) => onChange(Math.round((yuan ?? 0) * E4))}
  />
)
export const WHOLE_DAY: PeriodOf[] = [{ from: '00:00', to: '24:00', kind: PeriodKind.flat, elecPriceE4: 6_000, servicePriceE4: 4_000 }]
