import type { Tx } from '../../../platform/server/database.ts'
import { run } from '../../../platform/server/database.ts'
import { announce } from '../../../platform/server/events.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { warned, warningTopic } from './events.ts'

/** The numbers of the dictionary device_warning_type. */
export const OFFLINE = 1
export const CLOCK_OFF = 2
export const PAID_BUT_SHUT = 3
export const BAD_MESSAGES = 4
export const HELP = 5
export const BLOCKED = 6
export const UNHANDLED = 7
const LEVEL: Record<number, number> = { [OFFLINE]: 3, [CLOCK_OFF]: 2, [PAID_BUT_SHUT]: 4, [BAD_MESSAGES]: 2, [HELP]: 3, [BLOCKED]: 3, [UNHANDLED]: 4 }

/** Raises a warning, or counts up the one that is open about the same thing. Told to open pages; announced only when it is new. */
export async function raise(tx: Tx, sn: string, type: number, subject = '', detail: object = {}): Promise<void> {
  const [row] = await run<{ id: string; parkCode: string | null; gateCode: string | null; count: number; level: number }>(tx, RAISE, [
    sn,
    type,
    LEVEL[type],
    subject,
    JSON.stringify(detail), // prettier-ignore
  ])
  if (!row) return
  await tell(tx, warningTopic, { ids: [row.id], ...(row.parkCode && { park: row.parkCode }) })
  if (row.count > 1) return
  await announce(tx, warned, {
    warningId: row.id,
    sn,
    parkCode: row.parkCode,
    gateCode: row.gateCode,
    type,
    level: row.level,
    subject,
    count: row.count,
  })
}
const RAISE = {
  sql: `insert into device.warning (device_no, park_code, gate_code, type, level, subject, detail)
    select device_no, park_code, gate_code, $2::int, $3::int, $4, $5::jsonb from device.device where device_no = $1::text
    on conflict (enterprise_id, device_no, type, subject) where state in (0, 1) do update set count = warning.count + 1, last_at = now(), detail = excluded.detail, version = warning.version + 1
    returning id, park_code, gate_code, count, level`,
}

/** The cause is gone: the open warning about it, if there is one, has recovered. */
export async function recover(tx: Tx, sn: string, type: number, subject = ''): Promise<void> {
  const [row] = await run<{ id: string; parkCode: string | null }>(
    tx,
    {
      sql: `update device.warning set state = 2, recovered_at = now(), version = version + 1
        where device_no = $1 and type = $2 and subject = $3 and state in (0, 1) returning id, park_code`,
    },
    [sn, type, subject],
  )
  if (row) await tell(tx, warningTopic, { ids: [row.id], ...(row.parkCode && { park: row.parkCode }) })
}
