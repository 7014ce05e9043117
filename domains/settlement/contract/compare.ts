import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  called,
  type Day,
  day,
  dictionary,
  entity,
  fen,
  instant,
  listOf,
  message,
  orNone,
  pick,
  shaped,
  text,
  yes,
} from '../../../platform/contract/field.ts'
import { exportOf, parkName } from '../../../platform/contract/sheet.ts'
import { DAY_MS, dayBy, msOf, startOf } from '../../../platform/contract/time.ts'
import type { accountNames } from '../../ledger/contract/account.ts'
import { Income } from './report.ts'

export const Against = dictionary('compared_with', ['对比', 'Compared with'], {
  previous: [1, '上一期', 'Previous period'],
  week: [2, '上周同期', 'Same days last week'],
  month: [3, '上月同期', 'Same days last month'],
  year: [4, '去年同期', 'Same days last year'],
})
export type AgainstCode = keyof typeof Against.entries
/** A quarter, by park and day: more is a statement, not a comparison. */
export const COMPARED_DAYS_MAX = 92

const lastOfMonth = (one: Day) => dayBy(one, 1).endsWith('-01')
const endOfMonth = (one: Day) => dayBy(monthsBack(`${one.slice(0, 8)}01` as Day, -1), -1)
export const daysIn = (from: Day, to: Day) => Math.round((msOf(startOf(to)) - msOf(startOf(from))) / DAY_MS) + 1
/** The same day so many months ago; a month that is shorter has its last day instead. */
function monthsBack(one: Day, months: number): Day {
  const [year, month, date] = one.split('-').map(Number) as [number, number, number]
  const first = new Date(Date.UTC(year, month - 1 - months, 1))
  const last = new Date(Date.UTC(year, month - months, 0)).getUTCDate()
  return `${first.toISOString().slice(0, 8)}${String(Math.min(date, last)).padStart(2, '0')}` as Day
}
/** The days that a period is held against. Whole months are held against whole months, however long they are. */
export function beforeOf(from: Day, to: Day, against: AgainstCode): { from: Day; to: Day } {
  const wholeMonths = from.endsWith('-01') && lastOfMonth(to)
  if (against === Against.week) return { from: dayBy(from, -7), to: dayBy(to, -7) }
  if (against === Against.previous) {
    if (!wholeMonths) return { from: dayBy(from, -daysIn(from, to)), to: dayBy(from, -1) }
    const [fromYear, fromMonth, toYear, toMonth] = [...from.split('-').slice(0, 2), ...to.split('-').slice(0, 2)].map(Number) as [
      number,
      number,
      number,
      number,
    ]
    return { from: monthsBack(from, (toYear - fromYear) * 12 + toMonth - fromMonth + 1), to: dayBy(from, -1) }
  }
  const months = against === Against.month ? 1 : 12
  const last = monthsBack(to, months)
  return { from: monthsBack(from, months), to: wholeMonths ? endOfMonth(last) : last }
}

const { orders, receivableFen, paidFen, refundFen, netFen } = Income.properties
const before = <F extends Parameters<typeof called>[0]>(of: F): F => called(of, `对比期${of['x-zh']}`, `${of['x-en']} before`)
/** One park on one day of a period, beside the day of the other period in its place. A day without the other stands alone: months differ in length. */
export const ComparedDay = entity({
  id: text('编号', 'Id', { max: 40 }),
  against: among('对比', 'Compared with', Against),
  day: orNone(day('日期', 'Day')),
  beforeDay: orNone(day('对比日期', 'Compared day')),
  parkCode: Income.properties.parkCode,
  ...{ orders, ordersBefore: before(orders), receivableFen, receivableBeforeFen: before(receivableFen), paidFen, paidBeforeFen: before(paidFen) },
  ...{ refundFen, refundBeforeFen: before(refundFen), netFen, netBeforeFen: before(netFen) },
  changeFen: fen('净收变化', 'Change in net'),
})
const compareSearch = searchOf(ComparedDay, { day: 'between', parkCode: 'equals', against: 'equals' }, { sort: ['day'] })

const Figures = pick(Income, 'orders', 'receivableFen', 'discountFen', 'paidFen', 'waivedFen', 'arrearsFen', 'refundFen', 'netFen')
const pair = { now: shaped('本期', 'This period', Figures), before: shaped('对比期', 'Compared period', Figures) }
/** The parts of the change of 净收, which add up to it. */
export const Why = entity({
  /** The change of the number of stays, times the earlier average fee per stay. */
  staysFen: fen('停车笔数变化', 'More or fewer stays'),
  /** The change of the average fee per stay, times the stays of the later period. */
  meanFen: fen('笔均费用变化', 'Higher or lower fee per stay'),
  discountFen: fen('优惠变化', 'Discounts'),
  waivedFen: fen('减免变化', 'Waivers'),
  arrearsFen: fen('欠费变化', 'Arrears'),
  refundFen: fen('退款变化', 'Refunds'),
})
export const KINDS = [
  'income.parking',
  'income.pass',
  'income.energy',
  'income.charge-service',
  'income.occupancy',
  'income.rent',
  'income.penalty',
] as const satisfies readonly (keyof typeof accountNames)[]
export const Comparison = entity({
  dayFrom: day('开始日期', 'From'),
  dayTo: day('结束日期', 'To'),
  beforeFrom: day('对比开始日期', 'Compared from'),
  beforeTo: day('对比结束日期', 'Compared to'),
  /** The period is running: the last day of the other one counts up to the same time of day. */
  beforeUntil: orNone(instant('对比截至', 'Compared until')),
  ...pair,
  why: shaped('差异原因', 'What explains it', Why),
  days: shaped('按日', 'By day', listOf(entity({ day: orNone(day('日期', 'Day')), beforeDay: orNone(day('对比日期', 'Compared day')), ...pair }))),
  parks: shaped('按车场', 'By park', listOf(entity({ parkCode: Income.properties.parkCode, ...pair }))),
  kinds: shaped(
    '按收入类型',
    'By type of income',
    listOf(
      entity({
        account: text('科目', 'Account', { max: 40 }),
        /** Parking that is the 停车应收 of all other figures; the bookings of other businesses on its account stand apart. */
        temporary: yes('临时停车', 'Temporary parking'),
        earnedFen: fen('入账收入', 'Earned'),
        earnedBeforeFen: fen('对比期入账收入', 'Earned before'),
      }),
    ),
  ),
})

const view = { service: 'fee', needs: 'settlement:report:view', own: true } as const
const rows = call('settlement.report.compare-rows', { ...view, get: '/report/compareRows', query: paged(compareSearch), reply: pageOf(ComparedDay) })
/** A period of temporary parking beside another one, and what explains the difference. */
export const compare = {
  whole: call('settlement.report.compare', {
    ...view,
    get: '/report/compare',
    query: message(
      { dayFrom: Comparison.properties.dayFrom, dayTo: Comparison.properties.dayTo },
      { parkCode: Income.properties.parkCode, against: ComparedDay.properties.against },
    ),
    reply: Comparison,
  }),
  rows,
  export: exportOf('settlement.report.compare-export', {
    service: 'fee',
    get: '/report/compareExport',
    needs: view.needs,
    own: true,
    title: ['收入对比', 'Income compared'],
    query: rows,
    columns: [
      'day',
      'beforeDay',
      'parkCode',
      parkName,
      'orders',
      'ordersBefore',
      'receivableFen',
      'receivableBeforeFen',
      'paidFen',
      'paidBeforeFen',
      'refundFen',
      'refundBeforeFen',
      'netFen',
      'netBeforeFen',
      'changeFen',
    ],
  }),
}
