import { AdditionState, CheckResult, CheckState, Closing, DiffState, TradeKind } from '../../contract/liquidation.ts'
import { PaymentState } from '../../contract/payment.ts'
import { RefundState } from '../../contract/refund.ts'

/*
 * A day's trades, ours beside theirs: by the channel's number, else by ours. One that stands in a neighbour day's file is across days, on both days; with another amount it differs on ours.
 * All of it is worked out where the trades lie: a day has a hundred thousand of them. $1 the channel, $2 the day, $3 and $4 the first moments of the day before and of the second day after it.
 */

/** Trades that another day has ended for good, because that day is closed or a person has settled them: they are not compared again. */
const STANDS = `select d.check_date, d.kind, d.match_key, d.trade_no, d.in_file, d.result, d.closing from settlement.check_detail d
    join settlement.check_total t on t.enterprise_id = d.enterprise_id and t.check_date = d.check_date and t.channel = d.channel
  where d.enterprise_id = scope_enterprise() and d.channel = $1 and d.check_date between $2::date - 2 and $2::date + 2 and d.check_date <> $2 and d.result <> ${CheckResult.same}
    and (t.state = ${CheckState.closed} or d.settled_id is not null)`
const PAID_DAY = `(p.paid_at at time zone 'Asia/Shanghai')::date`
const REFUNDED_DAY = `(f.finished_at at time zone 'Asia/Shanghai')::date`
const OUR_DAY = `(o.at at time zone 'Asia/Shanghai')::date`
const HEARD_DAY = `(p.heard_at at time zone 'Asia/Shanghai')::date`
/**
 * Our payments received, whatever they were for, and refunds sent, of the day and the days beside it. A trade heard of too late for its own day belongs to the day that it
 * counts on.
 */
const RECEIVED = `select ${TradeKind.payment}::smallint as kind, p.order_id, p.trade_no, p.pay_no as number, p.park_code, p.received_fen as fen, p.paid_at as at, coalesce(p.cleared_on, ${PAID_DAY}) as day
  from settlement.payment p where p.enterprise_id = scope_enterprise() and p.channel = $1 and p.trade_no is not null
    and ((p.cleared_on is null and p.paid_at >= $3 and p.paid_at < $4) or p.cleared_on between $2::date - 1 and $2::date + 1)
    and not exists (select from settlement.addition a where a.enterprise_id = p.enterprise_id and a.channel = p.channel and a.trade_no = p.trade_no and a.state = ${AdditionState.added})
  union all
  select ${TradeKind.refund}::smallint, f.order_id, coalesce(f.channel_refund_no, f.refund_no), f.refund_no, f.park_code, f.amount_fen, f.finished_at, ${REFUNDED_DAY}
  from settlement.refund f where f.enterprise_id = scope_enterprise() and f.state = ${RefundState.done} and f.finished_at >= $3 and f.finished_at < $4
    and (select p.channel from settlement.payment p where p.enterprise_id = f.enterprise_id and p.id = f.payment_id) = $1`
/** Ours that was short on its day and is written off has nothing to wait for. */
const OURS = `select r.* from (${RECEIVED}) r
    left join stands s on not s.in_file and s.result = ${CheckResult.short} and s.kind = r.kind and s.match_key = ' ' || r.number and s.check_date = r.day
  where s.kind is null`
/**
 * Trades that the channel tells of for these days and two days around: if it tells of one of ours more than once, one of them is ours. A trade that another day has booked as
 * over matches nothing; one that it has cleared goes before all.
 */
const THEIRS = `select t.check_date, t.kind, t.trade_no, t.number, t.amount_fen as fen, t.fee_fen, t.at, s.kind is null as free from settlement.channel_trade t
    left join stands s on s.in_file and s.check_date = t.check_date and s.kind = t.kind and s.trade_no = t.trade_no
  where t.enterprise_id = scope_enterprise() and t.channel = $1 and t.check_date between $2::date - 2 and $2::date + 2
    and not coalesce(s.result = ${CheckResult.over} and s.closing in (${Closing.overShort}, ${Closing.added}), false)`
const NEAR = 't.check_date between o.day - 1 and o.day + 1'
/** A trade that is cleared already goes before all; then the file of our own day, of the day before, of the day after. */
const NEARNESS = 'case when t.free then 3 else 0 end + case t.check_date - o.day when 0 then 0 when -1 then 1 else 2 end'
const AT_NEAREST = '(array[0, -1, 1])[n.nearest % 3 + 1]'
const LIKE_ITS_OWN = 'w.kind = o.kind and w.number = o.number'
/**
 * By the channel's number; then, for trades without one, by ours: a second payment of one attempt has the first one's number. Two refunds that a channel has under one number
 * are not both in its file.
 */
const PAIRED = `own as materialized (
    select n.kind, n.one[1] as number, n.one[2]::date as day, n.check_date, n.told from (
      select n.kind, min(array[n.number, n.day::text]) as one, n.day + ${AT_NEAREST} as check_date, n.told from (
        select o.kind, o.number, o.day, o.trade_no as told, min(${NEARNESS}) as nearest from ours o join theirs t on t.kind = o.kind and t.trade_no = o.trade_no and ${NEAR} group by 1, 2, 3, 4) n
      group by 1, 3, 4) n
  ), loose as materialized (select o.* from ours o left join own w on ${LIKE_ITS_OWN} where w.kind is null
  ), named as (
    select distinct on (o.kind, o.number) o.kind, o.number, o.day, t.check_date, t.trade_no as told from loose o join theirs t on t.kind = o.kind and t.number = o.number and ${NEAR}
    order by o.kind, o.number, ${NEARNESS}
  ), paired as materialized (
    select * from own union all (
    select distinct on (n.kind, n.check_date, n.told) n.* from named n left join own w on w.kind = n.kind and w.check_date = n.check_date and w.told = n.told where w.kind is null
    order by n.kind, n.check_date, n.told, n.number)
  )`
const OF_OURS = `select o.kind, case when t.check_date = $2 then t.trade_no else ' ' || o.number end as match_key, o.order_id, o.number as pay_no, o.trade_no, o.park_code, o.fen as plat_fen, t.fen as chan_fen,
    coalesce(t.fee_fen, 0) as fee_fen, coalesce(t.check_date = $2, false) as in_file, o.at as plat_time, t.at as chan_time,
    case when t.fen is null then ${CheckResult.short} when t.fen <> o.fen then ${CheckResult.amount} when t.check_date <> ${OUR_DAY} then ${CheckResult.crossDay} else ${CheckResult.same} end as result
  from ours o left join paired w on ${LIKE_ITS_OWN} left join theirs t on t.kind = w.kind and t.check_date = w.check_date and t.trade_no = w.told where o.day = $2`
const OF_THEIRS = `select t.*, o.order_id, o.park_code, o.at as plat_time from theirs t left join paired w on w.kind = t.kind and w.check_date = t.check_date and w.told = t.trade_no
    left join ours o on ${LIKE_ITS_OWN}
  where t.check_date = $2 and w.day is distinct from $2`
/** An attempt of ours that the file names and that has no money here. */
const ATTEMPT = `(select p.id from settlement.payment p where p.enterprise_id = scope_enterprise() and p.pay_no = t.number and p.channel = $1 and t.kind = ${TradeKind.payment} and t.plat_time is null
    and p.trade_no is null and p.state <> ${PaymentState.received})`
/** A payment of ours that the channel takes back under the payment's own number. */
const TAKEN_BACK = `(select p.id from settlement.payment p where p.enterprise_id = scope_enterprise() and p.channel = $1 and p.trade_no = t.trade_no and t.kind = ${TradeKind.refund} and t.plat_time is null)`
const OF_ATTEMPT = (column: string) =>
  `(select p.${column} from settlement.payment p where p.enterprise_id = scope_enterprise() and p.id = coalesce(t.attempt, t.taken_back))`
/** A trade in the file is keyed by the channel's number, any other by ours with a prefix that no channel number has. */
const FOUND = `${OF_OURS} union all
  select t.kind, t.trade_no, coalesce(t.order_id, ${OF_ATTEMPT('order_id')}), t.number, t.trade_no, coalesce(t.park_code, ${OF_ATTEMPT('park_code')}, ''), null, t.fen, t.fee_fen, true, t.plat_time, t.at,
    case when t.plat_time is not null then ${CheckResult.crossDay} when t.attempt is not null then ${CheckResult.state} else ${CheckResult.over} end
  from (select t.*, ${ATTEMPT} as attempt, ${TAKEN_BACK} as taken_back from (${OF_THEIRS}) t) t`

const EVEN = `result in (${CheckResult.same}, ${CheckResult.crossDay})`
const CLOSING = `case when result = ${CheckResult.crossDay} then ${Closing.crossDay} end`
const ORDER_NO = '(select r.order_no from settlement.order r where r.enterprise_id = scope_enterprise() and r.id = f.order_id)'
const SAID = ['result', 'order_id', 'pay_no', 'trade_no', 'park_code', 'plat_fen', 'chan_fen', 'fee_fen', 'plat_time', 'chan_time']
const NOW = SAID.map((column) => `f.${column}`).join(', ')
const BEFORE = SAID.map((column) => `k.${column}`).join(', ')
/**
 * Brings what is kept of a day in line with what the two sides say now, at the moment $5. A difference that a person has settled stays as it is; one that has not changed is
 * not touched, so that a person who looks at it, or
 * has claimed it, finds it again. Its day need not be held: a difference that somebody claims or settles meanwhile is read as it is when its turn comes.
 */
export const COMPARE = `with stands as materialized (${STANDS}), ours as materialized (${OURS}), theirs as materialized (${THEIRS}), ${PAIRED}, found as materialized (${FOUND}),
  kept as materialized (select * from settlement.check_detail where enterprise_id = scope_enterprise() and check_date = $2 and channel = $1),
  gone as (
    delete from settlement.check_detail d using (select k.id from kept k left join found f on f.kind = k.kind and f.match_key = k.match_key
      where f.kind is null and k.settled_id is null and k.diff_state in (${DiffState.unclaimed}, ${DiffState.even})) k
    where d.enterprise_id = scope_enterprise() and d.id = k.id and d.settled_id is null and d.diff_state in (${DiffState.unclaimed}, ${DiffState.even})
  ), changed as (
    update settlement.check_detail d set (${SAID.join(', ')}) = row(${NOW}), order_no = ${ORDER_NO}, closing = f.closing, version = d.version + 1, updated_at = $5,
      diff_state = case when f.even then ${DiffState.even} when d.owner_id is null then ${DiffState.unclaimed} else ${DiffState.claimed} end
    from (select k.id, f.*, ${CLOSING.replaceAll('result', 'f.result')} as closing, f.${EVEN} as even from kept k join found f on f.kind = k.kind and f.match_key = k.match_key
      where k.settled_id is null and (${BEFORE}) is distinct from (${NOW})) f
    where d.enterprise_id = scope_enterprise() and d.id = f.id and d.settled_id is null
  )
  insert into settlement.check_detail (check_date, channel, kind, match_key, in_file, ${SAID.join(', ')}, order_no, diff_state, closing, created_at, updated_at)
  select $2, $1, f.kind, f.match_key, f.in_file, ${NOW}, ${ORDER_NO}, case when f.${EVEN} then ${DiffState.even} else ${DiffState.unclaimed} end, ${CLOSING.replaceAll('result', 'f.result')}, $5, $5
  from found f left join kept k on k.kind = f.kind and k.match_key = f.match_key where k.id is null`

/**
 * The open days beside one whose file shares a trade with theirs, or with what we have of them, by either number. A day that shares nothing with the file is not compared, and
 * nobody waits for it.
 */
export const BESIDE = `with told as materialized (select kind, trade_no, number from settlement.channel_trade where enterprise_id = scope_enterprise() and channel = $1 and check_date = $2),
  around as materialized (
    select check_date as day, kind, trade_no, number from settlement.channel_trade
    where enterprise_id = scope_enterprise() and channel = $1 and check_date between $2::date - 2 and $2::date + 2 and check_date <> $2
    union all select r.day, r.kind, r.trade_no, r.number from (${RECEIVED}) r where r.day <> $2
  ), shared as (select a.day from around a join told t using (kind, trade_no) union select a.day from around a join told t using (kind, number))
  select t.check_date from settlement.check_total t join shared s on s.day = t.check_date
  where t.enterprise_id = scope_enterprise() and t.channel = $1 and t.digest is not null and t.state <> ${CheckState.closed} order by t.check_date`
/** Trades of this day's file that an adjoining day has settled something by: a file that replaces this one has to tell of them too. */
export const COUNTED_ON = `select t.kind, t.trade_no, t.amount_fen from settlement.check_detail d
    join settlement.check_total c on c.enterprise_id = d.enterprise_id and c.check_date = d.check_date and c.channel = d.channel
    join settlement.channel_trade t on t.enterprise_id = d.enterprise_id and t.channel = d.channel and t.check_date = $2 and t.kind = d.kind and t.at = d.chan_time and t.amount_fen = d.chan_fen
      and (t.trade_no = d.trade_no or t.number = d.pay_no)
  where d.enterprise_id = scope_enterprise() and d.channel = $1 and d.check_date in ($2::date - 1, $2::date + 1) and not d.in_file and d.chan_fen is not null
    and (c.state = ${CheckState.closed} or d.settled_id is not null)`
/** A digest of the differences that somebody has ended on days beside: $1 the channel, $2 the days. */
export const ENDED = `select md5(string_agg(id::text || version, ' ' order by id)) as ended from settlement.check_detail where enterprise_id = scope_enterprise() and channel = $1 and check_date = any ($2::date[]) and settled_id is not null`

const LATE = `p.cleared_on is null and ${HEARD_DAY} > ${PAID_DAY}`
/** The closed day has it; a surplus that it booked while nobody knew of the payment does not count. */
const BY_ITS_DAY = `d.enterprise_id = p.enterprise_id and d.check_date = c.check_date and d.channel = p.channel and d.kind = ${TradeKind.payment}
  and (d.result, coalesce(d.closing, 0)) is distinct from (${CheckResult.over}, ${Closing.overShort})`
/**
 * Payments up to the last closed day that were heard of late, each looked at once: one that its day has stays there, and so does one that was known when its channel's clearing
 * began after it; any other counts on the
 * first open day. Comparing an open day is left to that day. Somebody may be at one of them: it is looked at the next time. $1 the channel.
 */
export const COUNT_LATE = `with total as (select check_date, state, closed_at from settlement.check_total where enterprise_id = scope_enterprise() and channel = $1),
  closed as (select check_date, closed_at from total where state = ${CheckState.closed}),
  begun as (select check_date, closed_at from closed order by check_date limit 1), last as (select max(check_date) as day from closed),
  seen as (
    select p.id, case when exists (select from settlement.check_detail d where ${BY_ITS_DAY} and d.match_key in (p.trade_no, ' ' || p.pay_no))
        or exists (select from settlement.check_detail d where ${BY_ITS_DAY} and d.pay_no = p.pay_no and d.plat_fen is not null) then c.check_date
        when exists (select from settlement.check_detail d join closed on closed.check_date = d.check_date
          where d.enterprise_id = p.enterprise_id and d.channel = p.channel and d.kind = ${TradeKind.payment} and d.match_key = p.trade_no and d.plat_time is not null) then ${PAID_DAY}
        when ${PAID_DAY} < b.check_date and p.heard_at <= b.closed_at then ${PAID_DAY} end as own_day
      from begun b cross join settlement.payment p left join closed c on c.check_date = ${PAID_DAY}
    where p.enterprise_id = scope_enterprise() and p.channel = $1 and ${LATE} and ${PAID_DAY} <= (select day from last)
      and ${PAID_DAY} not in (select check_date from total where state <> ${CheckState.closed}) order by p.id for no key update of p skip locked
  ), counted as (
    update settlement.payment p set cleared_on = coalesce(s.own_day, (select day + 1 from last)) from seen s where p.enterprise_id = scope_enterprise() and p.id = s.id
    returning case when s.own_day is null then p.cleared_on end as day
  )
  select distinct day from counted where day is not null`
