import { listAt } from '../../../../platform/web/list/listAt.ts'
import { CAME, TRAFFIC, WENT } from '../../contract/figures.ts'

/** The stays of one hour of a day. */
const hourOf = (day: string, hour: number, field: string, more: Record<string, string>) => {
  const of = String(hour).padStart(2, '0')
  return listAt(TRAFFIC.entered.opens.path, { [`${field}From`]: `${day} ${of}:00:00`, [`${field}To`]: `${day} ${of}:59:59`, ...more })
}
export const cameInHour = (day: string, hour: number) => hourOf(day, hour, 'entryTime', CAME)
export const wentOutHour = (day: string, hour: number) => hourOf(day, hour, 'exitTime', WENT)
