import { whole } from '../../../platform/contract/field.ts'
import { figures, type Listed, NOW, type Within } from '../../../platform/contract/figure.ts'
import { SessionStatus, stay } from './stay.ts'

type Text = readonly [zh: string, en: string]

/** Counts of cars that pass and stand in parks, named alike on every board and wall. */
export const Traffic = {
  entered: whole('进场', 'Entries'),
  left: whole('出场', 'Exits'),
  abnormal: whole('异常', 'Abnormal'),
  present: whole('在场', 'Present'),
  occupancy: whole('占用率', 'Occupancy'),
  turnover: whole('周转率', 'Turnover'),
}

const STAYS = '/operation/record/parking/parkingRecord'
/** The whole days of a time, as a list of moments is asked. */
export const during =
  (field: string, more: Record<string, string> = {}) =>
  ({ from, to, parkCode }: Within) => ({ [`${field}From`]: `${from} 00:00:00`, [`${field}To`]: `${to} 23:59:59`, parkCode, ...more })
/** Void records are in no figure; a car that came in was seen doing it, and one that left did so through a lane. */
export const CAME = { status: [SessionStatus.present, SessionStatus.leaving, SessionStatus.left, SessionStatus.abnormal].join(','), entered: 'true' }
export const WENT = { status: String(SessionStatus.left) }
const LEFT: Text = ['按出场时间', 'by when the car left']
const wentOut = { path: STAYS, call: stay.queryPage, filter: during('exitTime', WENT) }
const here: Listed['opens'] = {
  path: '/operation/record/parking/present',
  call: stay.queryPresentPage,
  filter: ({ parkCode }) => ({ parkCode }),
}
export const TRAFFIC = figures(undefined, Traffic, {
  entered: {
    counts: [
      '看到驶入的停车记录，含补录的；作废的和第三方平台的不计',
      'stays that were seen coming in, those entered by hand too; void ones and those of other platforms are not counted',
    ],
    time: ['按进场时间', 'by when the car came in'],
    opens: { path: STAYS, call: stay.queryPage, filter: during('entryTime', CAME) },
  },
  left: {
    counts: [
      '已离场的停车记录，含清场的；作废的和第三方平台的不计',
      'stays that have left, those cleared too; void ones and those of other platforms are not counted',
    ],
    time: LEFT,
    opens: wentOut,
  },
  abnormal: {
    counts: ['有异常标记的停车记录，不论是否已处理；作废的不计', 'stays marked as abnormal, settled or not; void ones are not counted'],
    time: ['按首次看到车辆的时间', 'by when the car was first seen'],
    opens: { path: '/operation/record/parking/abnormal', call: stay.queryAbnormalPage, filter: during('seenAt') },
  },
  present: {
    counts: [
      '已进场、还没有离场的车；空余泊位 = 总泊位 − 在场 − 预约保留，含人工修正，不计空余的月卡车不减',
      'cars that came in and have not left. Free bays = bays − present − held for bookings, with corrections made by hand; passes that take no free bay are not subtracted',
    ],
    time: NOW,
    opens: here,
  },
  occupancy: { counts: ['在场车辆 ÷ 总泊位；没有泊位的车场为 --', 'cars present ÷ bays; -- for a park without bays'], time: NOW, opens: here },
  turnover: {
    counts: ['今日已离场的停车数 ÷ 总泊位；只算已结束的停车', 'stays that ended today ÷ bays; only stays that ended are counted'],
    time: LEFT,
    opens: wentOut,
  },
})
