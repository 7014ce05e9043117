import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { task } from '../../../platform/server/job/jobs.ts'

export interface FrameLine {
  equipmentId: string
  parkCode: string
  at: Instant
  direction: number
  kind: number
  action: string | null
  messageId: string
  body: string
}
const KEPT = '7 days'
const BODY_MAX = 8_192

/** Keeps frames, all of a moment by one statement. */
export const keepFrames = (tx: Tx, lines: readonly FrameLine[]) =>
  run(
    tx,
    {
      sql: `insert into charging.frame (equipment_id, park_code, at, direction, kind, action, message_id, body)
        select * from unnest($1::text[], $2::text[], $3::timestamptz[], $4::smallint[], $5::smallint[], $6::text[], $7::text[], $8::text[])`,
    },
    (['equipmentId', 'parkCode', 'at', 'direction', 'kind', 'action', 'messageId', 'body'] as const).map((name) =>
      lines.map((line) => (name === 'body' ? covered(line.body).slice(0, BODY_MAX) : line[name])),
    ),
  )

/** Secrets are covered altogether, whose card it was all but its end. */
export const covered = (text: string): string =>
  text
    .replace(/("(?:key|name)"\s*:\s*"(?:AuthorizationKey|BasicAuthPassword)"[^}]*?"(?:value|attributeValue)"\s*:\s*")[^"]*/g, '$1***')
    .replace(/("(?:value|attributeValue)"\s*:\s*")[^"]*("[^}]*?"(?:key|name)"\s*:\s*"(?:AuthorizationKey|BasicAuthPassword)")/g, '$1***$2')
    .replace(/("attributeValue"\s*:\s*")[^"]*("[^\]]*?BasicAuthPassword)/g, '$1***$2')
    .replace(
      /("(?:idTag|idToken|parentIdTag)"\s*:\s*")([^"]*)/g,
      (_, before: string, tag: string) => `${before}${tag.length > 4 ? `***${tag.slice(-4)}` : '***'}`,
    )
    .replace(/("(?:vin|password)"\s*:\s*")[^"]*/gi, '$1***')

export const tasks = [
  task(
    'charging.forget-frames',
    async ({ tx }) => {
      await run(tx, { sql: `delete from charging.frame where enterprise_id = scope_enterprise() and at < now() - interval '${KEPT}'` }, [])
      await run(
        tx,
        { sql: `delete from charging.transaction_event where enterprise_id = scope_enterprise() and received_at < now() - interval '400 days'` },
        [],
      )
      await run(
        tx,
        { sql: `delete from charging.start_refused where enterprise_id = scope_enterprise() and received_at < now() - interval '400 days'` },
        [],
      )
    },
    { every: '23 19 * * *' },
  ),
]
