import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { peopleWanted } from '../../identity/server/api.ts'
import type { ChannelTypeCode } from '../contract/channel.ts'
import { SendState } from '../contract/record.ts'
import { addressOf, maskOf } from './enqueue.ts'

/**
 * Sends failed messages again, through their first channel, as a new round with a new key, to the receiver's present number. Only failures are sent.
 * @returns how many
 */
export async function resendFailed(tx: Tx, of: { taskId: string } | { id: string }, at: Instant): Promise<number> {
  const failed = await run<{ id: string; custId: string | null; address: string | null; type: ChannelTypeCode }>(
    tx,
    {
      sql: `select r.id, r.cust_id, r.address, c.type from message.record r join message.channel c on c.enterprise_id = r.enterprise_id and c.id = r.first_channel_id
        where r.enterprise_id = scope_enterprise() and r.send_state = ${SendState.failed} and not r.deleted and ($1::uuid is null or r.task_id = $1) and ($2::uuid is null or r.id = $2) for update of r`,
    },
    ['taskId' in of ? of.taskId : null, 'id' in of ? of.id : null],
  )
  const people = await peopleWanted(tx, { ids: failed.flatMap(({ custId }) => custId ?? []) })
  for (const { id, custId, address, type } of failed) {
    const person = people.find((one) => one.id === custId)
    const now = custId && person ? addressOf(type, person) : address
    await run(
      tx,
      {
        sql: `update message.record set send_state = ${SendState.waiting}, next_at = $2, retries = 0, round = round + 1, backup = false, waits = null, error = null, finished_at = null, channel_id = first_channel_id,
          channel_type = $3, address = $4, to_shown = $5, version = version + 1, updated_at = $2 where enterprise_id = scope_enterprise() and id = $1 and send_state = ${SendState.failed}`,
      },
      [id, at, type, now, maskOf(type, now)],
    )
  }
  return failed.length
}
