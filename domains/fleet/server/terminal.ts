import type { Instant, Of } from '../../../platform/contract/field.ts'
import { instantAt, MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { inGbk } from '../../../platform/server/gbk.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { signal } from '../../../platform/server/realtime.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { lockRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { CommandState } from '../../device/contract/command.ts'
import { type KeptPicture, recordPicture } from '../../system/server/api.ts'
import {
  PictureSource,
  terminal,
  TerminalAct,
  TerminalCommand,
  terminalCommandSearch,
  TerminalFailure,
  TerminalPicture,
  terminalPictureSearch,
} from '../contract/terminal.ts'
import { VehicleStatus } from '../contract/vehicle.ts'
import { vehicleRows } from './vehicle.ts'
import './tables.ts'

const commands = listOver(TerminalCommand, 'fleet.terminalCommandLine', terminalCommandSearch)
const taken = listOver(TerminalPicture, 'fleet.pictureLine', terminalPictureSearch)
const NoTerminal = refusal(
  'fleet.no-terminal',
  42349,
  '{vehicleNo} 没有终端或已报废，不能下发',
  '{vehicleNo} has no terminal or is scrapped: nothing can be sent',
)
const Unwritable = refusal('fleet.text-signs', 42350, '终端显示不了“{sign}”，请删去表情和生僻字符', 'Terminals cannot show “{sign}”: leave out emoji and rare characters', 422) // prettier-ignore
const StillOpen = refusal('fleet.command-open', 42351, '上一条{zh}还没有结束，请稍候', 'The last “{en}” command is still under way: wait a moment')

/** What waits for a terminal that is away, what a terminal may take to answer, and for its picture to come. */
const WAITS_MS: Record<number, number> = { [TerminalAct.text]: 10 * MINUTE_MS, [TerminalAct.shoot]: MINUTE_MS, [TerminalAct.track]: 2 * MINUTE_MS }
const ANSWER_MS = 30_000
const PICTURE_MS = 3 * MINUTE_MS
const CHANNEL = 1
const TRACK = { everyS: 5, forS: 600 }

export const calls = serve(terminal, {
  query: ({ tx, input }) => page(tx, commands, input),
  text: ({ tx, input: { vehicleId, text, urgent = false, spoken = true }, actor, at }) => {
    const sign = [...text].find((one) => !inGbk(one))
    if (sign) throw Unwritable({ sign })
    return order(tx, { vehicleId, act: TerminalAct.text, text, urgent, spoken, byName: actor.userName }, at)
  },
  track: ({ tx, input: { vehicleId, everyS = TRACK.everyS, forS = TRACK.forS }, actor, at }) =>
    order(tx, { vehicleId, act: TerminalAct.track, everyS, forS, byName: actor.userName }, at),
  shoot: ({ tx, input: { vehicleId, channel = CHANNEL }, actor, at }) =>
    order(tx, { vehicleId, act: TerminalAct.shoot, channel, byName: actor.userName }, at),
  pictures: ({ tx, input }) => page(tx, taken, input),
})

/** Said on commit to all gateways: something waits for the terminal of this vehicle. */
export const TERMINAL_SIGNAL = 'fleet.terminal'
type Command = Of<typeof TerminalCommand>
interface Order extends Partial<Pick<Command, 'text' | 'channel' | 'everyS' | 'forS'>> {
  vehicleId: string
  act: 1 | 2 | 3
  urgent?: boolean
  spoken?: boolean
  byName: string
}
async function order(tx: Tx, { vehicleId, act, byName, ...of }: Order, at: Instant): Promise<Command> {
  const vehicle = await lockRow(tx, vehicleRows, { id: vehicleId })
  if (!vehicle.deviceNo || vehicle.status === VehicleStatus.scrapped) throw NoTerminal({ vehicleNo: vehicle.vehicleNo })
  await endLate(tx, at, vehicleId)
  const values = [vehicleId, act, of.text ?? null, of.channel ?? null, of.everyS ?? null, of.forS ?? null, of.urgent ?? false, of.spoken ?? false, byName, at, after(at, WAITS_MS[act]!)] // prettier-ignore
  const [made] = await run<{ id: string }>(tx, QUEUE, values)
  const [zh, en] = TerminalAct.entries[act]
  if (!made) throw StillOpen({ zh, en })
  await signal(tx, TERMINAL_SIGNAL, vehicleId)
  return (await find(tx, commands, made.id))!
}
const after = (at: Instant, ms: number) => instantAt(msOf(at) + ms)
const QUEUE = {
  sql: `insert into fleet.terminal_command (vehicle_id, act, text, channel, every_s, for_s, urgent, spoken, by_name, created_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing returning id`,
}

/** As the gateway sends it. */
export interface TerminalOrder extends Pick<Command, 'id' | 'act' | 'text' | 'channel' | 'everyS' | 'forS'> {
  urgent: boolean
  spoken: boolean
}
const OPEN = `(${CommandState.queued}, ${CommandState.sent}, ${CommandState.delivered})`
const UNDER_WAY = `(${CommandState.sent}, ${CommandState.delivered})`
/** Whose number was taken off the car is its terminal no more. */
const SIGNED_IN = 'exists (select from fleet.terminal t where t.enterprise_id = scope_enterprise() and t.vehicle_id = $1 and t.code_hash is not null)'
/** What waits for a terminal; from now on it counts as sent, once. */
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
  at: Instant
  lng: number | null
  lat: number | null
}
const EVENTS = [PictureSource.platform, PictureSource.timed] as const
/** A picture is kept once, however often it comes, and only of the terminal that the car has; one that was ordered ends its order, wherever that is known still. */
export async function keepShot(tx: Tx, { vehicleId, deviceNo }: { vehicleId: string; deviceNo: string }, { mediaId, event, channel, at: said, lng, lat }: TerminalShot, kept: KeptPicture, at: Instant): Promise<void> {
  const taken = msOf(said) > msOf(at) ? at : said
  const source = EVENTS[event] ?? PictureSource.alarm
  const known = await run(tx, KNOWN, [vehicleId, mediaId, taken])
  if (known.length > 0) return
  const image = await recordPicture(tx, kept, { author: deviceNo })
  await run(tx, SHOT, [vehicleId, mediaId, source, channel, taken, lng, lat, image, at])
  if (source === PictureSource.platform) await run(tx, CAME, [vehicleId, channel, at])
} // prettier-ignore
const KNOWN = {
  sql: `select 1 from fleet.picture where enterprise_id = scope_enterprise() and vehicle_id = $1 and media_id = $2 and at = $3 union all select 2 where not ${SIGNED_IN}`,
}
const SHOT = {
  sql: 'insert into fleet.picture (vehicle_id, media_id, source, channel, at, lng, lat, image, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)',
}
const CAME = {
  sql: `update fleet.terminal_command set state = ${CommandState.done}, acked_at = coalesce(acked_at, $3), finished_at = $3 where enterprise_id = scope_enterprise() and vehicle_id = $1 and channel = $2 and act = ${TerminalAct.shoot} and state in ${UNDER_WAY}`,
}

/** What nobody took, answered or sent in time; of one vehicle or of all. */
export const endLate = async (tx: Tx, at: Instant, vehicleId: string | null = null): Promise<void> => void (await run(tx, LATE, [at, vehicleId]))
const LATE = {
  sql: `update fleet.terminal_command set finished_at = $1, failure = case state when ${CommandState.queued} then ${TerminalFailure.offline} when ${CommandState.sent} then ${TerminalFailure.noAnswer} else ${TerminalFailure.noPicture} end,
    state = ${CommandState.expired} where enterprise_id = scope_enterprise() and state in ${OPEN} and expires_at <= $1 and ($2::uuid is null or vehicle_id = $2)`,
}
