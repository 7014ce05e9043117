import { run, type Tx } from '../../../platform/server/database.ts'
import { task } from '../../../platform/server/jobs.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { serve } from '../../../platform/server/serve.ts'
import { Message, message, messageSearch, Offline, offlineSearch, Warning, warningSearch } from '../contract/message.ts'
import { warnOfSilent } from './presence.ts'
import { BAD_MESSAGES, raise } from './warning.ts'
import './tables.ts'

export const offlines = listOver(Offline, 'device.offline', offlineSearch)
export const warnings = listOver(Warning, 'device.warning', warningSearch)

export const calls = serve(message, {
  query: ({ tx, input }) => page(tx, listOver(Message, 'device.message', messageSearch), input),
  offline: ({ tx, input }) => page(tx, offlines, input),
  warning: ({ tx, input }) => page(tx, warnings, input),
})

/** Why a message was refused, as it is counted. */
export type Reason = 'topic' | 'oversized' | 'encoding' | 'json' | 'form' | 'mid' | 'future' | 'retained' | 'unstorable' | 'command'
export interface Rejected {
  sn: string
  reason: Reason
  count: number
  topic: string
  bytes: number
  /** The beginning of what was sent, printable. */
  sample: string
}
/** From so many in one telling on, somebody should look at the device. */
const MANY = 20
/** Counts refusals, one row per device, reason and hour. */
export async function rejected(tx: Tx, rows: readonly Rejected[]): Promise<void> {
  for (const { sn, reason, count, topic, bytes, sample } of rows) {
    const [row] = await run<{ count: number }>(
      tx,
      {
        sql: `insert into device.reject as r (device_no, park_code, reason, count, last_topic, last_bytes, sample) select device_no, park_code, $2, $3::bigint, $4, $5::int, $6 from device.device where device_no = $1::text
          on conflict (enterprise_id, device_no, reason, hour) do update set count = r.count + excluded.count, last_at = now(), last_topic = excluded.last_topic, last_bytes = excluded.last_bytes, sample = excluded.sample
          returning r.count`,
      },
      [sn, reason, count, topic.slice(0, 200), bytes, sample],
    )
    if (row && row.count >= MANY && row.count - count < MANY) await raise(tx, sn, BAD_MESSAGES, reason)
  }
}

/** A device repeats within days at most; what it offered longer ago is history, which the messages keep. */
const SEEN_DAYS = 90
const forget = task('device.forget', async ({ tx }) => {
  await run(tx, { sql: `delete from device.seen where received_at < now() - interval '${SEEN_DAYS} days'` }, [])
}, { every: '40 19 * * *' }) // prettier-ignore
const watch = task('device.watch', ({ tx }) => warnOfSilent(tx), { every: '* * * * *' })
export const tasks = [forget, watch]
