import { run, type Tx } from '../../../platform/server/database.ts'
import { task } from '../../../platform/server/job/jobs.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { serve } from '../../../platform/server/serve.ts'
import { Message, message, messageSearch, Offline, offlineSearch, Warning, warningSearch } from '../contract/message.ts'
import { warnOfSilent } from './presence.ts'
import { WarningType } from '../contract/device.ts'
import { raise, raiseLasting, thresholdFor } from './warning.ts'
import './tables.ts'

const messages = listOver(Message, 'device.message', messageSearch)
export const offlines = listOver(Offline, 'device.offline', offlineSearch)
export const warnings = listOver(Warning, 'device.warning', warningSearch)

export const calls = serve(message, {
  query: ({ tx, input }) => page(tx, messages, input),
  offline: ({ tx, input }) => page(tx, offlines, input),
  warning: ({ tx, input }) => page(tx, warnings, input),
})

/** Why a message was refused, as it is counted. */
export type Reason = 'topic' | 'oversized' | 'encoding' | 'json' | 'form' | 'mid' | 'retained' | 'unstorable' | 'command'
export interface Rejected {
  sn: string
  reason: Reason
  count: number
  topic: string
  bytes: number
  /** The beginning of the message, printable. */
  sample: string
}
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
    const many = await thresholdFor(tx, sn, WarningType.badMessages)
    if (row && row.count >= many && row.count - count < many) await raise(tx, sn, WarningType.badMessages, reason)
  }
}

/** A device repeats within days at most; an older offer is history, which the messages keep. */
const SEEN_DAYS = 90
const forget = task(
  'device.forget',
  async ({ tx }) => {
    await run(tx, { sql: `delete from device.seen where received_at < now() - interval '${SEEN_DAYS} days'` }, [])
  },
  { every: '40 19 * * *' },
)
const watch = task(
  'device.watch',
  async ({ tx }) => {
    await warnOfSilent(tx)
    await raiseLasting(tx)
  },
  { every: '* * * * *' },
)
export const tasks = [forget, watch]
