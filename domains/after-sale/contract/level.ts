import { dictionary } from '../../../platform/contract/field.ts'

export const Level = dictionary('wo_level', ['工单级别', 'Level'], {
  low: [1, '低', 'Low'],
  middle: [2, '中', 'Medium'],
  high: [3, '高', 'High', 'warning'],
  urgent: [4, '紧急', 'Urgent', 'error'],
})
export type LevelCode = 1 | 2 | 3 | 4
/** How soon somebody begins, and how soon it is solved: in minutes of work, or for what is urgent in minutes of the clock, day and night. */
export interface Target {
  respondMin: number
  solveMin: number
  dayAndNight: boolean
}
export const TARGETS: Readonly<Record<LevelCode, Target>> = {
  [Level.low]: { respondMin: 240, solveMin: 2_400, dayAndNight: false },
  [Level.middle]: { respondMin: 120, solveMin: 1_440, dayAndNight: false },
  [Level.high]: { respondMin: 30, solveMin: 480, dayAndNight: false },
  [Level.urgent]: { respondMin: 15, solveMin: 240, dayAndNight: true },
}
/** Hours of work on a working day, by the city's clock. */
export const WORK_FROM_HOUR = 9
export const WORK_TO_HOUR = 18
/** The part of the time after which the handler is warned. */
export const WARN_PERCENT = 80
/** A customer who says nothing for so long has nothing to say: the order is closed. */
export const CLOSES_AFTER_DAYS = 7
/** Until then what was closed is taken up again; later it is a new order. */
export const REOPEN_DAYS = 15
/** From one reminder to the next. */
export const REMIND_MIN = 30
