import type { Instant, Of } from '../../../platform/contract/field.ts'
import { instantAt, MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { CommandState } from '../../device/contract/command.ts'
import { type KeptPicture, recordPicture } from '../../system/server/api.ts'
import { PictureSource } from '../contract/picture.ts'
import { TerminalAct, type TerminalCommand, TerminalFailure } from '../contract/terminal.ts'

export type Command = Of<typeof TerminalCommand>
export const after = (at: Instant, ms: number) => instantAt(msOf(at) + ms)
/** The time in which a terminal answers, and in which its picture comes. */
const ANSWER_MS = 30_000
const PICTURE_MS = 3 * MINUTE_MS
/** Said on commit to all gateways: something waits for the terminal of this vehicle. */
export const TERMINAL_SIGNAL = 'fleet.terminal'

/** As the gateway sends it. */
export interface TerminalOrder extends Pick<Command, 'id' | 'act' | 'text' | 'channel' | 'everyS' | 'forS'> {
  urgent: boolean
  spoken: boolean
}
const OPEN = `(${CommandState.queued}, ${CommandState.sent}, ${CommandState.delivered})`
const UNDER_WAY = `(${CommandState.sent}, ${CommandState.delivered})`
/** Whose number was taken off the car is its terminal no more. */
const SIGNED_IN = 'exists (select from fleet.terminal t where t.enterprise_id = scope_enterprise() and t.vehicle_id = $1 and t.code_hash is not null)'
/** Takes the commands that wait for a terminal, which count as sent from now on, once. */
export const claimOrders = (tx: Tx, vehicleId: string, at: Instant): Promise<TerminalOrder[]> => run(tx, CLAIM, [vehicleId, at, after(at, ANSWER_MS)])
const CLAIM = {
  sql: `update fleet.terminal_command set state = ${CommandState.sent}, sent_at = $2, expires_at = $3 where enterprise_id = scope_enterprise() and vehicle_id = $1 and state = ${CommandState.queued} and expires_at > $2 and ${SIGNED_IN}
    returning id, act, text, channel, every_s, for_s, urgent, spoken`,
}
const FAILURES = [undefined, TerminalFailure.refused, TerminalFailure.wrong, TerminalFailure.unsupported] as const
/** A terminal's word for one order: done, or of a picture that it comes; otherwise why not. Who answers too late answers nobody. */
export async function orderAnswered(tx: Tx, id: string, result: number, at: Instant): Promise<void> {
  if (result === 0) await run(tx, AGREED, [id, at, after(at, PICTURE_MS)])
  else await run(tx, REFUSED, [id, at, FAILURES[result] ?? TerminalFailure.refused])
}
const AGREED = {
  sql: `update fleet.terminal_command set acked_at = $2, state = case act when ${TerminalAct.shoot} then ${CommandState.delivered} else ${CommandState.done} end, finished_at = case when act <> ${TerminalAct.shoot} then $2::timestamptz end,
    expires_at = case act when ${TerminalAct.shoot} then $3 else expires_at end where enterprise_id = scope_enterprise() and id = $1 and state = ${CommandState.sent}`,
}
const REFUSED = {
  sql: `update fleet.terminal_command set acked_at = coalesce(acked_at, $2), state = ${CommandState.failed}, finished_at = $2, failure = $3 where enterprise_id = scope_enterprise() and id = $1 and state in ${UNDER_WAY}`,
}

/** A picture as a terminal sends it. */
export interface TerminalShot {
  mediaId: number
  event: number
  channel: number
  /** Null where its clock gives no date. */
  at: Instant | null
  lng: number | null
  lat: number | null
}
const EVENTS = [PictureSource.platform, PictureSource.timed] as const
/** A picture is kept once, however often it comes, and only of the terminal that the car has; one that was ordered ends its order, wherever that is known still. */
export async function keepShot(
  tx: Tx,
  { vehicleId, deviceNo }: { vehicleId: string; deviceNo: string },
  { mediaId, event, channel, at: said, lng, lat }: TerminalShot,
  kept: KeptPicture,
  at: Instant,
): Promise<void> {
  const taken = said === null || msOf(said) > msOf(at) ? at : said
  const source = EVENTS[event] ?? PictureSource.alarm
  const known = await run(tx, KNOWN, [vehicleId, mediaId, taken])
  if (known.length > 0) return
  const image = await recordPicture(tx, kept, { author: deviceNo })
  await run(tx, SHOT, [vehicleId, mediaId, source, channel, taken, lng, lat, image, at])
  if (source === PictureSource.platform) await run(tx, CAME, [vehicleId, channel, at])
}
const KNOWN = {
  sql: `select 1 from fleet.picture where enterprise_id = scope_enterprise() and vehicle_id = $1 and media_id = $2 and at = $3 union all select 2 where not ${SIGNED_IN}`,
}
const SHOT = {
  sql: 'insert into fleet.picture (vehicle_id, media_id, source, channel, at, lng, lat, image, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)',
}
const CAME = {
  sql: `update fleet.terminal_command set state = ${CommandState.done}, acked_at = coalesce(acked_at, $3), finished_at = $3 where enterprise_id = scope_enterprise() and vehicle_id = $1 and channel = $2 and act = ${TerminalAct.shoot} and state in ${UNDER_WAY}`,
}

/** Ends commands that were not taken, answered or followed by a picture in time; of one vehicle or of all. A command dated before the clock was put back holds up nothing else. */
export const endLate = async (tx: Tx, at: Instant, vehicleId: string | null = null): Promise<void> => void (await run(tx, LATE, [at, vehicleId]))
const LATE = {
  sql: `update fleet.terminal_command set finished_at = $1, failure = case state when ${CommandState.queued} then ${TerminalFailure.offline} when ${CommandState.sent} then ${TerminalFailure.noAnswer} else ${TerminalFailure.noPicture} end,
    state = ${CommandState.expired} where enterprise_id = scope_enterprise() and state in ${OPEN} and (expires_at <= $1 or created_at > $1::timestamptz + interval '1 minute') and ($2::uuid is null or vehicle_id = $2)`,
}
