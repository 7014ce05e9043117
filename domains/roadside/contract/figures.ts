import { whole } from '../../../platform/contract/field.ts'
import { figures, type Listed, NOW, Refunds, type Within } from '../../../platform/contract/figure.ts'
import { ParkType } from '../../parking/contract/park.ts'
import { PayState } from '../../parking/contract/stay.ts'
import { berth, Occupy } from './berth.ts'
import { illegalStop } from './illegalStop.ts'
import { roadStay } from './roadStay.ts'
import { RoadOverview } from './screen.ts'

type Text = readonly [zh: string, en: string]

const BERTHS = '/assetManage/roadParking/berth'
/** Bays of parks stand in the same list. */
const STREET = String(ParkType.roadside)
const berths = (counts: Text, occupy?: number): Listed => ({
  ...{ counts, time: NOW },
  opens: {
    path: BERTHS,
    call: berth.find,
    filter: ({ parkCode }) => ({ parkCode, pType: STREET, ...(occupy !== undefined && { occupy: String(occupy) }) }),
  },
})
/** Where stays of the street that ended stand. */
const STAYS = '/operation/record/roadParking/roadParkingRecord'
const LEFT: Text = ['按今日驶离时间', 'by when the car left, today']
const ended = (counts: Text, more: Record<string, string> = {}, sums?: string, refunds?: Text): Listed => ({
  ...{ counts, time: LEFT, ...(refunds && { refunds }) },
  opens: {
    path: STAYS,
    call: roadStay.roadOut,
    filter: ({ from, to, parkCode }: Within) => ({ parkCode, leftAtFrom: `${from} 00:00:00`, leftAtTo: `${to} 23:59:59`, ...more }),
    ...(sums && { sums }),
  },
})
const COST = [PayState.toPay, PayState.paid, PayState.owed].join(',')
/** Every berth of the street is one of the last four. */
export const ROAD_BERTHS = figures(
  undefined,
  {
    seatTotal: whole('路内泊位', 'Roadside berths'),
    free: whole('空闲泊位', 'Free berths'),
    occupied: whole('占用泊位', 'Occupied berths'),
    abnormal: whole('异常泊位', 'Abnormal berths'),
    disabled: whole('停用泊位', 'Disabled berths'),
  },
  {
    seatTotal: berths(['路段上的泊位，停用的也在内', 'berths of road sections, disabled ones included']),
    free: berths(['没有车、可以停的泊位', 'berths without a car where one may park'], Occupy.free),
    occupied: berths(['有车停着的泊位', 'berths where a car stands'], Occupy.occupied),
    abnormal: berths(['有停车记录等人处理的泊位', 'berths with a stay that somebody has to look at'], Occupy.abnormal),
    disabled: berths(['停用的泊位', 'berths that are disabled'], Occupy.disabled),
  },
)

/** The street's results of today: money and payment are of the stays that ended. */
export const ROAD = figures(['路内', 'Roadside:'], RoadOverview.properties, {
  arrivals: {
    ...{
      counts: [
        '今日驶入的停车，现在还在的和已驶离的；作废的不计',
        'stays that began today, those that are there and those that left; void ones are not counted',
      ],
      time: ['按今日驶入时间', 'by when the car arrived, today'],
    },
  },
  leaves: ended(['今日驶离的停车；作废的不计', 'stays that ended today; void ones are not counted']),
  receivableFen: ended(
    ['今日驶离的停车按收费规则应收的金额，未扣优惠', 'what stays that ended today cost by the tariff, before discounts'],
    {},
    'receivableFen',
  ),
  paidFen: ended(
    ['今日驶离的停车至今收到的金额，不论哪天付的', 'what stays that ended today got until now, whenever it was paid'],
    {},
    'paidFen',
    Refunds.before,
  ),
  arrearsFen: ended(['今日驶离、记为欠费的停车此刻还欠的金额', 'what stays that ended today and were booked as arrears owe now'], {
    payState: String(PayState.owed),
  }),
  illegal: {
    ...{
      counts: ['违停记录，不论是否已审核', 'records of illegal stops, reviewed or not'],
      time: ['按今日首次发现时间', 'by when it was first seen, today'],
    },
    opens: {
      path: '/operation/illegalStop',
      call: illegalStop.query,
      filter: ({ from, to, parkCode }) => ({ parkCode, firstAtFrom: `${from} 00:00:00`, firstAtTo: `${to} 23:59:59` }),
    },
  },
  orders: ended(['今日驶离且产生费用的停车，免费的不计', 'stays that ended today and cost something; free ones are not counted'], { payState: COST }),
  payRate: ended(
    [
      '今日驶离且产生费用的停车中，已缴清的笔数占比；免费的不计，欠费和待缴的算未缴',
      'of the stays that ended today and cost something, the share that is paid in full; free stays are not counted, and what is owed or still to be paid counts as unpaid',
    ],
    { payState: String(PayState.paid) },
  ),
})
