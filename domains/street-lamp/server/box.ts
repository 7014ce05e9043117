import type { Instant, Of } from '../../../platform/contract/field.ts'
import { begunAt, run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { CommandState } from '../../device/contract/command.ts'
import { DeviceType, DeviceUse } from '../../device/contract/device.ts'
import { holdRegion } from '../../system/server/api.ts'
import { AlarmCode } from '../contract/alarm.ts'
import { Box, box, BoxLine, boxSearch, BoxUse, electricity } from '../contract/box.ts'
import { TimerKind, TimerTarget } from '../contract/timer.ts'
import { endAlarms } from './alarm.ts'
import { cancelWaiting } from './command.ts'
import { byBox, trend } from './energy.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'

type Row = Of<typeof Box>
export const boxes = listOver(Box, 'lamp.box', boxSearch)
const lines = listOver(BoxLine, 'lamp.boxLine', boxSearch)

const CodeTaken = refusal('lamp.box-code', 42201, '配电箱编号 {boxCode} 已存在，请换一个编号', 'Box {boxCode} already exists: choose another code')
const NoController = refusal(
  'lamp.no-controller',
  42202,
  '集控器 {gatewayNo} 不存在、不是集控器或已报废，请先在设备管理中登记',
  '{gatewayNo} does not exist, is not a lamp controller or is scrapped: register it under Devices first',
  422,
)
const ControllerTaken = refusal(
  'lamp.controller-taken',
  42203,
  '集控器 {gatewayNo} 已装在配电箱 {boxCode}，请先在该箱解绑',
  'Controller {gatewayNo} is already in box {boxCode}: unbind it there first',
)
const PhaseCount = refusal('lamp.phase-count', 42228, '相数只能是 1 或 3', 'A box has 1 or 3 phases: enter one of them', 422)
const BoxInUse = refusal(
  'lamp.box-in-use',
  42204,
  '配电箱 {boxCode} 还有 {what}，不能删除；请先移走',
  'Box {boxCode} cannot be deleted: it still has {whatEn}. Move them first',
)

export const calls = [
  ...serve(box, {
    add: ({ tx, input, at }) => addBox(tx, input, at),
    update: ({ tx, input, at }) => changeBox(tx, input, at),
    delete: ({ tx, input, at }) => deleteBox(tx, input, at),
    query: ({ tx, input }) => page(tx, lines, input),
    queryList: ({ tx, input }) => run(tx, { sql: PICK }, [input.regionCode ?? '', input.name ?? '']),
  }),
  ...serve(electricity, {
    trend: ({ tx, input, at }) => trend(tx, input, at),
    byBox: ({ tx, input, at }) => byBox(tx, input, at),
    byBoxExport: exporting(electricity.byBoxExport, ({ tx, input }) => byBox(tx, input as Of<typeof electricity.byBox.input>, begunAt(tx))),
  }),
]
/** The most boxes that a map or a picker loads at once. */
const PICK = `select id, box_code, name, lng, lat, region_code, status, circuits from lamp.box_line where enterprise_id = scope_enterprise()
  and coalesce(region_code, '') ^@ platform.region_prefix($1) and (strpos(name, $2) > 0 or box_code ^@ $2) order by box_code limit 5000`

/** With the program that it falls back to: from sunset to sunrise. Nobody deletes that, so nothing that is deleted leaves a street dark. */
async function addBox(tx: Tx, input: Of<typeof box.add.input>, at: Instant): Promise<Row> {
  const [known] = await run(tx, { sql: 'select 1 from lamp.box where enterprise_id = scope_enterprise() and box_code = $1' }, [input.boxCode])
  if (known) throw CodeTaken({ boxCode: input.boxCode })
  refusePhases(input.phaseCount)
  if (input.regionCode) await holdRegion(tx, input.regionCode)
  if (input.gatewayNo) await controllerFree(tx, input.gatewayNo, input.boxCode)
  const made = await addRow(tx, boxes, { ...input, createdAt: at, updatedAt: at })
  await run(tx, { sql: 'insert into lamp.box_now (box_code) values ($1)' }, [made.boxCode])
  await run(tx, { sql: BY_DEFAULT }, [made.boxCode, at])
  return made
}
function refusePhases(count: number | undefined): void {
  if (count !== undefined && count !== 1 && count !== 3) throw PhaseCount()
}
const BY_DEFAULT = `insert into lamp.timer (name, target, targets, kind, date_from, date_to, day_mask, priority, actions, created_at, updated_at)
  values ('${Said.byDefault({ boxCode: `' || $1 || '` })}', ${TimerTarget.byDefault}, array[$1], ${TimerKind.sun}, '2000-01-01', '2999-12-31', 127, 0, '[{"at":"sunset","relay":1,"dim":100},{"at":"sunrise","relay":0,"dim":0}]', $2, $2)`

async function changeBox(tx: Tx, { id, version, ...changes }: Of<typeof box.update.input>, at: Instant): Promise<void> {
  const found = await lockRow(tx, boxes, { id, version })
  refusePhases(changes.phaseCount)
  if (changes.gatewayNo && changes.gatewayNo !== found.gatewayNo) await controllerFree(tx, changes.gatewayNo, found.boxCode)
  if (changes.regionCode && changes.regionCode !== found.regionCode) await holdRegion(tx, changes.regionCode)
  const made = await setRow(tx, boxes, found, changes, at)
  if (made.useState === BoxUse.disabled && found.useState !== BoxUse.disabled) await cancelWaiting(tx, { boxCode: made.boxCode }, at)
  const another = made.gatewayNo !== found.gatewayNo
  // Another controller knows no plan, and acknowledges its own.
  await run(tx, { sql: PLAN_ANEW }, [made.boxCode, another])
  if (another) await endAlarms(tx, { boxCode: made.boxCode }, at)
  else if (made.useState === BoxUse.disabled) await endAlarms(tx, { boxCode: made.boxCode, code: AlarmCode.communicationFailure }, at)
}
const PLAN_ANEW = `update lamp.box_now set plan_due = true, plan_acked = case when $2 then 0 else plan_acked end, plan_sent = case when $2 then 0 else plan_sent end, plan_command = case when $2 then null else plan_command end,
  register = case when $2 then null else register end, register_at = case when $2 then null else register_at end where enterprise_id = scope_enterprise() and box_code = $1`

/** A lamp controller of ours that no other box has. */
async function controllerFree(tx: Tx, gatewayNo: string, boxCode: string): Promise<void> {
  const [device] = await run(tx, { sql: CONTROLLER }, [gatewayNo])
  if (!device) throw NoController({ gatewayNo })
  const [other] = await run<{ boxCode: string }>(
    tx,
    { sql: 'select box_code from lamp.box where enterprise_id = scope_enterprise() and gateway_no = $1 and box_code <> $2' },
    [gatewayNo, boxCode],
  )
  if (other) throw ControllerTaken({ gatewayNo, boxCode: other.boxCode })
}
const CONTROLLER = `select 1 from device.device where enterprise_id = scope_enterprise() and device_no = $1 and type = ${DeviceType.lampController} and use_status <> ${DeviceUse.scrapped} for update`

async function deleteBox(tx: Tx, { id, version }: { id: string; version: number }, at: Instant): Promise<void> {
  const found = await lockRow(tx, boxes, { id, version })
  const { boxCode } = found
  const [still] = await run<{ circuits: number; commands: number }>(tx, { sql: STILL }, [boxCode])
  if (still!.circuits > 0) throw BoxInUse({ boxCode, what: `${still!.circuits} 个回路`, whatEn: `${still!.circuits} circuits` })
  if (found.gatewayNo) throw BoxInUse({ boxCode, what: `集控器 ${found.gatewayNo}`, whatEn: `controller ${found.gatewayNo}` })
  if (still!.commands > 0) throw BoxInUse({ boxCode, what: `${still!.commands} 条未完成指令`, whatEn: `${still!.commands} commands in progress` })
  await run(
    tx,
    { sql: `delete from lamp.timer where enterprise_id = scope_enterprise() and target = ${TimerTarget.byDefault} and targets[1] = $1` },
    [boxCode],
  )
  await removeRow(tx, boxes, found, at)
}
const STILL = `select (select count(*) from lamp.wiring where enterprise_id = scope_enterprise() and box_code = $1)::int as circuits,
  (select count(*) from lamp.command where enterprise_id = scope_enterprise() and box_code = $1 and cmd_state in (${CommandState.queued}, ${CommandState.sent}, ${CommandState.delivered}))::int as commands`

/** A scrapped controller is in no box any more: the answer to `device.scrapping`. */
export async function letGoOf(tx: Tx, { deviceNo, at }: { deviceNo: string; at: Instant }): Promise<void> {
  const [box] = await run<{ boxCode: string }>(tx, { sql: LET_GO }, [deviceNo, at])
  if (box) await endAlarms(tx, box, at)
}
const LET_GO = `update lamp.box set gateway_no = null, version = version + 1, updated_at = $2 where enterprise_id = scope_enterprise() and gateway_no = $1 returning box_code`

/** A region with boxes or programs of any enterprise stays: the answer to `system.regionHeld`. */
export async function lampsHold(tx: Tx, { code }: { code: string }): Promise<{ zh: string; en: string } | undefined> {
  const [found] = await run<{ used: boolean }>(tx, { sql: 'select lamp.region_is_used($1) as used' }, [code])
  return found?.used ? { zh: '有路灯配电箱或定时用到该区划', en: 'a lamp box or a lamp program uses this region' } : undefined
}
