import { useQuery } from '@tanstack/react-query'
import { Tooltip } from 'antd'
import { useSyncExternalStore } from 'react'
import { isCovered } from '../../../../platform/contract/personal.ts'
import { asks, Refusal } from '../../../../platform/web/ask.ts'
import { duration, minutesOf, nearTime } from '../../../../platform/web/format.ts'
import { can } from '../../../../platform/web/person.ts'
import { useText } from '../../../../platform/web/text.ts'
import { Money } from '../../../../platform/web/value.tsx'
import { carFee } from '../../../fee/contract/carFee.ts'
import { SessionAbnormal, SessionStatus, type StayRow } from '../../contract/stay.ts'
import './names.css'

const MINUTE_MS = 60_000
/** A quote is asked for again when its amount changes, and not sooner than this. */
const FRESH_MS = MINUTE_MS
/** A list asks for many at once: some may find the server busy. */
const RETRIES = 2
const BUSY = 429

type Car = Pick<StayRow, 'plateNo' | 'plateColor' | 'parkCode' | 'entryTime' | 'status'>
/** Whether its time and its fee still run: the row does not have the final amount yet. */
const isRunning = ({ status }: Pick<Car, 'status'>) => status === SessionStatus.present

/** Asks what a car that is inside would cost if it left now, by the same calculation as at the exit and on every screen. */
function useFeeNow(stay: Car) {
  return useQuery({
    ...asks(
      carFee.query,
      { plateNo: stay.plateNo ?? '', parkCode: stay.parkCode, ...(stay.plateColor !== null && { plateColor: stay.plateColor }) },
      { quiet: true },
    ),
    staleTime: FRESH_MS,
    refetchInterval: ({ state: { data } }) =>
      data?.quote.validUntil ? Math.max(FRESH_MS, Date.parse(data.quote.validUntil) + 1000 - Date.now()) : false,
    retry: (times, error) => times < RETRIES && error instanceof Refusal && (error.status === 0 || error.status >= BUSY),
    enabled: isRunning(stay) && can(carFee.query.needs) && stay.entryTime !== null && stay.plateNo !== null && !isCovered(stay.plateNo),
  })
}

/** The fee of a stay; of a car that is inside, the fee so far. */
export function FeeSoFar({ stay }: { stay: Car & Pick<StayRow, 'receivableFen' | 'abnormalType'> }) {
  const { data, isError } = useFeeNow(stay)
  // Nothing said what it costs: that is no price of nothing.
  if (!isRunning(stay) && stay.abnormalType === SessionAbnormal.unpriced && stay.receivableFen === 0) return <Unknown failed />
  if (!isRunning(stay)) return <Money fen={stay.receivableFen} />
  return data ? <Until at={data.quote.validUntil} fen={data.totalFen} soFar /> : <Unknown failed={isError} />
}

/** Shows what a car would have to pay if it left now, less its payments; for one at an exit, the amount of its order. */
export function OwesNow({ stay }: { stay: Car & Pick<StayRow, 'payableFen' | 'paidFen'> }) {
  const { data, isError } = useFeeNow(stay)
  if (!isRunning(stay)) return <Money fen={Math.max(0, stay.payableFen - stay.paidFen)} />
  return data ? <Until at={data.quote.validUntil} fen={data.payableFen} /> : <Unknown failed={isError} />
}

/** How long a car was parked, or has been so far. */
export function ParkedFor({ stay }: { stay: Pick<StayRow, 'status' | 'entryTime' | 'durationMin'> }) {
  const say = useText()
  const now = useMinute()
  const running = isRunning(stay) && stay.entryTime !== null
  const minutes = running ? Math.max(0, minutesOf(now - Date.parse(stay.entryTime!))) : stay.durationMin
  if (minutes === null) return <span className="faint">--</span>
  return (
    <>
      {minutes > 0 ? duration(minutes, say) : say(['不足 1 分钟', 'under a minute'])}
      {running && minutes > 0 && <SoFar />}
    </>
  )
}

const SoFar = () => <span className="soft so-far">{useText()(['至今', 'so far'])}</span>

function Until({ at, fen, soFar = false }: { at: string | null; fen: number; soFar?: boolean }) {
  const say = useText()
  return (
    <Tooltip title={at && say([`${nearTime(at)} 前不变`, `Unchanged until ${nearTime(at)}`])}>
      <span>
        <Money fen={fen} />
        {soFar && <SoFar />}
      </span>
    </Tooltip>
  )
}
function Unknown({ failed }: { failed: boolean }) {
  const say = useText()
  return (
    <span className="faint" {...(failed && { title: say(['没有适用的收费规则，或算不出', 'No fee rule applies, or the fee cannot be calculated']) })}>
      --
    </span>
  )
}

/** The moment, a minute at a time; one clock for all rows that show it. */
const clock = { now: Date.now(), timer: undefined as ReturnType<typeof setInterval> | undefined, listeners: new Set<() => void>() }
const useMinute = () => useSyncExternalStore(follow, () => clock.now)
function follow(listener: () => void) {
  if (clock.listeners.size === 0) {
    clock.now = Date.now()
    clock.timer = setInterval(tick, MINUTE_MS)
  }
  clock.listeners.add(listener)
  return () => {
    clock.listeners.delete(listener)
    if (clock.listeners.size === 0) clearInterval(clock.timer)
  }
}
function tick() {
  clock.now = Date.now()
  for (const listener of clock.listeners) listener()
}
