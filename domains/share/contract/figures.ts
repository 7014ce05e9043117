import { whole } from '../../../platform/contract/field.ts'
import { figures, type Meaning, NOW } from '../../../platform/contract/figure.ts'

type Text = readonly [zh: string, en: string]

const kept = (counts: Text): Meaning => ({ counts, time: NOW })
/** Places kept for reservations, of all parks that offer them. */
export const RESERVED = figures(
  undefined,
  {
    quota: whole('可约车位', 'Bookable places'),
    active: whole('有效预约（各日合计）', 'Active reservations, all days'),
    held: whole('占用余位（各日合计）', 'Free bays held, all days'),
    free: whole('预约车场余位', 'Free bays of bookable car parks'),
  },
  {
    quota: kept(['开放预约的车场每日可约的车位', 'places that may be reserved each day, of car parks that offer them']),
    active: kept(['待付款、已预约和使用中的预约，不论哪天的', 'reservations to be paid, booked or in use, whatever their day']),
    held: kept(['已预约、还没有进场的预约，不论哪天的', 'reservations that are booked and whose car has not come, whatever their day']),
    free: kept(['开放预约的车场的余位；没有开放预约的车场不计', 'free bays of car parks that offer places; other car parks are not counted']),
  },
)
