import type { Instant, Of } from '../../../platform/contract/field.ts'
import { type Command, CommandState } from '../contract/command.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import type { Method } from './command.ts'

/** A command as boards and stories show it. */
export interface CommandLine {
  id: string
  method: string
  state: number
  createdAt: Instant
  /** The device's answer to a command that failed. */
  said: string | null
}
/** Commands by their ids; those that the caller may not see are missing. */
export const commandsOf = async (tx: Tx, ids: readonly string[]): Promise<CommandLine[]> =>
  ids.length
    ? run<CommandLine>(
        tx,
        {
          sql: `select id, method, state, created_at, case when state = ${CommandState.failed} then result ->> 'msg' end as said from device.command where enterprise_id = scope_enterprise() and id = any($1::uuid[])`,
        },
        [ids],
      )
    : []
/** Commands given under these names (a payment order's number, a lane's decision), oldest first. */
export const commandsFor = async (tx: Tx, orderIds: readonly string[]): Promise<(CommandLine & { orderId: string; gateCode: string | null })[]> =>
  orderIds.length
    ? run(
        tx,
        {
          sql: `select id, method, state, created_at, order_id, gate_code, case when state = ${CommandState.failed} then result ->> 'msg' end as said from device.command where enterprise_id = scope_enterprise() and order_id = any($1) order by created_at limit 50`,
        },
        [orderIds],
      )
    : []

/** Of these barriers those that were told this last, and did not hear it or could not. */
export async function notHeard(tx: Tx, sns: readonly string[], method: Method): Promise<string[]> {
  const rows = await run<{ sn: string }>(tx, { sql: NOT_HEARD }, [sns, method])
  return rows.map(({ sn }) => sn)
}
const NOT_HEARD = `select sn from unnest($1::text[]) sn cross join lateral (select method, state from device.command where enterprise_id = scope_enterprise() and device_no = sn and method like 'gate.%'
    order by created_at desc, id desc limit 1) last where last.method = $2 and last.state in (${CommandState.failed}, ${CommandState.expired})`

/** Returns the last command of these methods to each device, and its outcome. */
export async function lastCommands(tx: Tx, sns: readonly string[], methods: readonly Method[]): Promise<Map<string, LastCommand>> {
  const rows = await run<LastCommand & { sn: string }>(tx, { sql: LAST }, [sns, methods])
  return new Map(rows.map(({ sn, ...told }) => [sn, told]))
}
type LastCommand = Pick<Of<typeof Command>, 'id' | 'method' | 'state' | 'failure'> & { at: Instant }
const LAST = `select sn, last.* from unnest($1::text[]) sn cross join lateral (select id, method, state, failure, created_at as at from device.command
    where enterprise_id = scope_enterprise() and device_no = sn and method = any($2) order by created_at desc, id desc limit 1) last`
