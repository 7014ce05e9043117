import { CAME, TRAFFIC, WENT } from '../../parking/contract/figures.ts'
import { listAt } from '../../../platform/web/listAt.ts'

/** The lists that parts of the first page open, each with its filter in the address; those of its figures are declared with them. */
export const ABNORMAL = TRAFFIC.abnormal.opens.path

const hourOf = (day: string, hour: number, field: string, more: Record<string, string>) => {
  const of = String(hour).padStart(2, '0')
  return listAt(TRAFFIC.entered.opens.path, { [`${field}From`]: `${day} ${of}:00:00`, [`${field}To`]: `${day} ${of}:59:59`, ...more })
}
export const cameInHour = (day: string, hour: number) => hourOf(day, hour, 'entryTime', CAME)
export const wentOutHour = (day: string, hour: number) => hourOf(day, hour, 'exitTime', WENT)
