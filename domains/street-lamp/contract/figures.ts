import { whole } from '../../../platform/contract/field.ts'
import { figures, type Meaning, NOW } from '../../../platform/contract/figure.ts'
import { box, BoxUse } from './box.ts'
import { wiringSummary } from './wiring.ts'

type Text = readonly [zh: string, en: string]

const MEASURED: Text = ['按电表读数的时间', 'by when the meter was read']
const measured = (counts: Text): Meaning => ({ counts, time: MEASURED })
/** How the lamps are and what they use. */
export const LAMPS = figures(undefined, wiringSummary, {
  litPermille: {
    counts: [
      '应亮的灯中已亮的比例；离线、无读数和挂牌的回路不计，白天没有应亮的灯，为 --',
      'of the lamps due to be lit, how many are; circuits that are offline, unread or tagged out do not count. By day none are due: --',
    ],
    time: NOW,
  },
  onlinePermille: {
    counts: [
      '在用配电箱中在线的比例，按箱计，不按回路；一个箱离线，它的回路全部离线',
      'of the boxes in use, how many are online. Boxes are counted, not circuits: an offline box takes all of its circuits offline',
    ],
    time: NOW,
    opens: { path: '/streetLamp/electricBox', call: box.query, filter: () => ({ useState: String(BoxUse.inUse) }) },
  },
  openAlarms: {
    counts: ['没有恢复、也没有人确认的告警', 'alarms that have not recovered and that nobody has acknowledged'],
    time: NOW,
  },
  lastNightWh: measured([
    '昨天中午到今天中午的用电；没有读数的小时不计，全无读数时为 --',
    'energy from noon yesterday to noon today; hours without a reading are not counted; -- without any',
  ]),
  savedRate: measured([
    '（基准 − 用电）÷ 基准，基准是有读数的小时里日落至日出全亮的用电，挂牌期间的回路不计；没有时为 --',
    '(baseline − used) ÷ baseline; the baseline is full output from sunset to sunrise in the hours that were measured, without circuits while they are tagged out; -- without any',
  ]),
})
/** The consumption of circuits over time. */
export const LAMP_ENERGY = figures(
  undefined,
  { wh: whole('路灯用电', 'Lamp energy', { unit: 'watt-hour' }) },
  {
    wh: measured([
      '电表读数之差；没有读数的小时为空，不当作 0',
      'what the meters moved on by; an hour without a reading is left open and not taken as 0',
    ]),
  },
)
