import type { Instant } from '../../../platform/contract/field.ts'
import { MINUTE_MS } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { inGbk } from '../../../platform/server/text/gbk.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { signal } from '../../../platform/server/realtime.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { lockRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { terminal, TerminalAct, TerminalCommand, terminalCommandSearch } from '../contract/terminal.ts'
import { VehicleStatus } from '../contract/vehicle.ts'
import { after, type Command, endLate, TERMINAL_SIGNAL } from './orders.ts'
import { vehicleRows } from './vehicle.ts'
import './tables.ts'

const commands = listOver(TerminalCommand, 'fleet.terminalCommandLine', terminalCommandSearch)
const NoTerminal = refusal(
  'fleet.no-terminal',
  42349,
  '{vehicleNo} 没有终端或已报废，不能下发；请先登记终端',
  '{vehicleNo} has no terminal or is scrapped: nothing can be sent: add its terminal first',
)
const Unwritable = refusal(
  'fleet.text-signs',
  42350,
  '终端显示不了「{sign}」，请删去表情和生僻字符',
  'Terminals cannot show “{sign}”: leave out emoji and rare characters',
  422,
)
const StillOpen = refusal('fleet.command-open', 42351, '上一条{zh}还没有结束，请稍候', 'The last “{en}” command is still under way: wait a moment')

/** The time that a command waits for a terminal that is away. */
const WAITS_MS: Record<number, number> = { [TerminalAct.text]: 10 * MINUTE_MS, [TerminalAct.shoot]: MINUTE_MS, [TerminalAct.track]: 2 * MINUTE_MS }
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
})

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
  const values = [
    vehicleId,
    act,
    of.text ?? null,
    of.channel ?? null,
    of.everyS ?? null,
    of.forS ?? null,
    of.urgent ?? false,
    of.spoken ?? false,
    byName,
    at,
    after(at, WAITS_MS[act]!),
  ]
  const [made] = await run<{ id: string }>(tx, QUEUE, values)
  const [zh, en] = TerminalAct.entries[act]
  if (!made) throw StillOpen({ zh, en })
  await signal(tx, TERMINAL_SIGNAL, vehicleId)
  return (await find(tx, commands, made.id))!
}
const QUEUE = {
  sql: `insert into fleet.terminal_command (vehicle_id, act, text, channel, every_s, for_s, urgent, spoken, by_name, created_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing returning id`,
}
