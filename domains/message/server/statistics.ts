import type { Day, Instant, Of } from '../../../platform/contract/field.ts'
import { permilleOf } from '../../../platform/contract/rate.ts'
import { CITY_OFFSET_MS, DAY_MS, dayOf, instantAt, msOf, startOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { type ChannelShare, type KindDay, PERIOD_DAYS_MAX, statistics, type TimePoint } from '../contract/statistics.ts'
import { SendState, ReadState } from '../contract/record.ts'
import { ChannelType } from '../contract/channel.ts'

const WrongPeriod = refusal('message.wrong-period', 40314, '统计区间应为 1 至 {days} 天', 'The period must be 1 to {days:day}', 422)
const LAST_DAYS = 7
const HOURS_UP_TO_DAYS = 2
const HOUR_MS = 3_600_000

export const calls = serve(statistics, {
  async summary({ tx, input, at }) {
    const period = periodOf(input, at)
    const [now, before] = await Promise.all([
      totals(tx, period.start, period.end),
      totals(tx, instantAt(msOf(period.start) - period.days * DAY_MS), period.start),
    ])
    const tried = now.succeeded + now.failed + now.limited
    return {
      from: period.from,
      to: period.to,
      total: now.total,
      succeeded: now.succeeded,
      failed: now.failed,
      waiting: now.waiting,
      limited: now.limited,
      unsubscribed: now.unsubscribed,
      withdrawn: now.withdrawn,
      sentRate: permilleOf(now.succeeded, tried),
      readRate: permilleOf(now.read, now.inner),
      before: before.total,
      failedBefore: before.failed,
    }
  },
  async channelPieChart({ tx, input, at }) {
    const { start, end } = periodOf(input, at)
    return run<Of<typeof ChannelShare>>(
      tx,
      {
        sql: `select r.channel_id, c.name, c.type as channel_type, ${COUNTS} from message.record r join message.channel c on c.enterprise_id = r.enterprise_id and c.id = r.channel_id
          where r.enterprise_id = scope_enterprise() and not r.deleted and r.created_at >= $1 and r.created_at < $2 group by r.channel_id, c.name, c.type order by total desc, c.name`,
      },
      [start, end],
    )
  },
  async messageTypeCurve({ tx, input, at }) {
    const { start, end } = periodOf(input, at)
    return run<Of<typeof KindDay>>(
      tx,
      {
        sql: `select (created_at at time zone 'Asia/Shanghai')::date as day, kind, count(*)::int as total from message.record
          where enterprise_id = scope_enterprise() and not deleted and created_at >= $1 and created_at < $2 group by 1, 2 order by 1, 2`,
      },
      [start, end],
    )
  },
  async timeCurve({ tx, input, at }) {
    const { start, end, days } = periodOf(input, at)
    const step = days <= HOURS_UP_TO_DAYS ? HOUR_MS : DAY_MS
    const rows = await run<{ slot: number } & Omit<Of<typeof TimePoint>, 'at'>>(
      tx,
      {
        sql: `select floor(extract(epoch from r.created_at - $1::timestamptz) * 1000 / $3)::int as slot, ${COUNTS} from message.record r
          where r.enterprise_id = scope_enterprise() and not r.deleted and r.created_at >= $1 and r.created_at < $2 group by 1`,
      },
      [start, end, step],
    )
    return Array.from({ length: Math.ceil((msOf(end) - msOf(start)) / step) }, (_, i) => {
      const { slot: _slot, ...counts } = rows.find(({ slot }) => slot === i) ?? { slot: i, total: 0, succeeded: 0, failed: 0 }
      return { at: instantAt(msOf(start) + i * step), ...counts }
    })
  },
})

const COUNTS = `count(*)::int as total, count(*) filter (where r.send_state = ${SendState.sent})::int as succeeded, count(*) filter (where r.send_state in (${SendState.failed}, ${SendState.overCap}))::int as failed`

interface Totals {
  total: number
  succeeded: number
  failed: number
  waiting: number
  limited: number
  unsubscribed: number
  withdrawn: number
  inner: number
  read: number
}
const totals = async (tx: Tx, from: Instant, until: Instant): Promise<Totals> =>
  (
    await run<Totals>(
      tx,
      {
        sql: `select count(*)::int as total, count(*) filter (where send_state = ${SendState.sent})::int as succeeded, count(*) filter (where send_state = ${SendState.failed})::int as failed,
          count(*) filter (where send_state in (${SendState.waiting}, ${SendState.sending}))::int as waiting, count(*) filter (where send_state = ${SendState.overCap})::int as limited, count(*) filter (where send_state = ${SendState.unsubscribed})::int as unsubscribed,
          count(*) filter (where send_state = ${SendState.withdrawn})::int as withdrawn, count(*) filter (where send_state = ${SendState.sent} and channel_type = ${ChannelType.inner})::int as inner,
          count(*) filter (where send_state = ${SendState.sent} and channel_type = ${ChannelType.inner} and read_state = ${ReadState.read})::int as read
          from message.record where enterprise_id = scope_enterprise() and not deleted and created_at >= $1 and created_at < $2`,
      },
      [from, until],
    )
  )[0]!

/** Days of the city, both included. @throws WrongPeriod */
function periodOf({ from, to }: { from?: Day; to?: Day }, at: Instant): { from: Day; to: Day; start: Instant; end: Instant; days: number } {
  const last = to ?? dayOf(at)
  const first = from ?? dayOf(instantAt(msOf(startOf(last)) + CITY_OFFSET_MS - (LAST_DAYS - 1) * DAY_MS))
  const start = startOf(first)
  const end = instantAt(msOf(startOf(last)) + DAY_MS)
  const days = Math.round((msOf(end) - msOf(start)) / DAY_MS)
  if (days < 1 || days > PERIOD_DAYS_MAX) throw WrongPeriod({ days: PERIOD_DAYS_MAX })
  return { from: first, to: last, start, end, days }
}
