import { alarm } from '../contract/alarm.ts'
import { box, electricity } from '../contract/box.ts'
import { lamp } from '../contract/lamp.ts'
import { timer } from '../contract/timer.ts'
import { lampCommand, wiring } from '../contract/wiring.ts'

/** Whatever a switch, a tag or a change of data makes old. */
export const WIRING_CHANGES = [wiring.query, wiring.status, wiring.summary, lampCommand.query, alarm.query, box.query, box.queryList]
export const LAMP_CHANGES = [lamp.query, wiring.query, wiring.status]
export const BOX_CHANGES = [box.query, box.queryList, wiring.query, wiring.status, electricity.trend]
export const TIMER_CHANGES = [timer.query, timer.calendar, wiring.query, wiring.status]
/** Topics that open pages hear. */
export const LAMP_TOPIC = 'lamp.wiring'
export const ALARM_TOPIC = 'lamp.alarm'
