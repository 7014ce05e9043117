import type { Instant, Of } from '../../../platform/contract/field.ts'
import { because } from '../../../platform/server/record/audit.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { BadInput, IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { addRow, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { type Actor, serve } from '../../../platform/server/serve.ts'
import { CommandState } from '../../device/contract/command.ts'
import { TimerTarget } from '../contract/timer.ts'
import { Wiring, wiring, WiringLine, WiringMode, wiringSearch, Relay } from '../contract/wiring.ts'
import { endAlarms } from './alarm.ts'
import { cancelWaiting, holdBoxes, lampTopic } from './command.ts'
import { askForPlans, planAnew } from './plan.ts'
import { knownOf, statusOf } from './status.ts'
import { summary } from './summary.ts'
import { switchByHand, wiringsOf } from './switching.ts'
import './tables.ts'

type Row = Of<typeof Wiring>
export const wirings = listOver(Wiring, 'lamp.wiring', wiringSearch)
const lines = listOver(WiringLine, 'lamp.wiringLine', wiringSearch)

const CodeTaken = refusal(
  'lamp.wiring-code',
  42206,
  '回路编号 {wiringCode} 已存在，请换一个编号',
  'Circuit {wiringCode} already exists: choose another code',
)
const NumberTaken = refusal(
  'lamp.circuit-number',
  42207,
  '配电箱 {boxCode} 的第 {circuitNo} 路已是回路 {wiringCode}；请换一路',
  'Position {circuitNo} of box {boxCode} is already circuit {wiringCode}: choose another position',
)
const NoBox = refusal('lamp.no-box', 42208, '没有配电箱 {boxCode}，请核对编号', 'Box {boxCode} does not exist: check its code', 422)
const NotYourTag = refusal(
  'lamp.not-your-tag',
  42209,
  '该回路由 {taggedName} 挂牌，须由其本人或主管摘牌',
  'This circuit was tagged out by {taggedName}: only they or a supervisor can remove the tag',
  403,
)
const NoTagReason = refusal('lamp.no-tag-reason', 42210, '挂牌请填写原因', 'Enter a reason for tagging out', 422)
const WiringInUse = refusal('lamp.wiring-in-use', 42211, '回路 {wiringCode} {what}，不能删除', 'Circuit {wiringCode} cannot be deleted: {whatEn}')

export const calls = serve(wiring, {
  add: ({ tx, input, at }) => addWiring(tx, input, at),
  update: ({ tx, input, actor, at }) => changeWiring(tx, input, actor, at),
  async untag({ tx, input: { id, version, reason }, at }) {
    const found = await lockRow(tx, wirings, { id, version })
    if (found.mode !== WiringMode.tagged) throw IllegalMove({ mode: found.mode })
    await because(tx, reason)
    await setRow(tx, wirings, found, { mode: WiringMode.automatic, ...NO_TAG }, at)
    await run(tx, { sql: TAG_OFF }, [id, at])
    await modeChanged(tx, found, at)
  },
  delete: ({ tx, input, at }) => deleteWiring(tx, input, at),
  async query({ tx, input, at }) {
    const { records, ...rest } = await page(tx, lines, input)
    const known = await knownOf(
      tx,
      records.map(({ id }) => id),
    )
    const status = new Map((await statusOf(tx, known, at)).map((one) => [one.id, one]))
    return { ...rest, records: records.flatMap(({ id }) => status.get(id) ?? []) }
  },
  async status({ tx, input, at }) {
    return statusOf(tx, await knownOf(tx, await wiringsOf(tx, input)), at)
  },
  batchUpdate: ({ tx, input, actor, at }) => switchByHand(tx, input, actor, at),
  summary: ({ tx, input, at }) => summary(tx, input.regionCode ?? '', at),
})
const NO_TAG = { taggedBy: null, taggedName: null, tagReason: null }

async function addWiring(tx: Tx, input: Of<typeof wiring.add.input>, at: Instant): Promise<Row> {
  const [known] = await run(tx, { sql: 'select 1 from lamp.wiring where enterprise_id = scope_enterprise() and wiring_code = $1' }, [
    input.wiringCode,
  ])
  if (known) throw CodeTaken({ wiringCode: input.wiringCode })
  const [box] = await run(tx, { sql: 'select 1 from lamp.box where enterprise_id = scope_enterprise() and box_code = $1 for share' }, [input.boxCode])
  if (!box) throw NoBox({ boxCode: input.boxCode })
  await numberFree(tx, input)
  const made = await addRow(tx, wirings, { ...input, createdAt: at, updatedAt: at })
  await run(tx, { sql: 'insert into lamp.wiring_now (wiring_id) values ($1)' }, [made.id])
  await planAnew(tx, [made.boxCode])
  await askForPlans(tx)
  return made
}
async function numberFree(tx: Tx, { boxCode, circuitNo, id = null }: { boxCode: string; circuitNo: number; id?: string | null }): Promise<void> {
  const sql =
    'select wiring_code from lamp.wiring where enterprise_id = scope_enterprise() and box_code = $1 and circuit_no = $2 and id is distinct from $3'
  const [other] = await run<{ wiringCode: string }>(tx, { sql }, [boxCode, circuitNo, id])
  if (other) throw NumberTaken({ boxCode, circuitNo, wiringCode: other.wiringCode })
}

/** Data and mode. A tag is taken off by the person who has hung it. */
async function changeWiring(tx: Tx, { id, version, ...changes }: Of<typeof wiring.update.input>, actor: Actor, at: Instant): Promise<void> {
  const found = await lockRow(tx, wirings, { id, version })
  if (changes.circuitNo !== undefined && changes.circuitNo !== found.circuitNo)
    await numberFree(tx, { boxCode: found.boxCode, circuitNo: changes.circuitNo, id })
  const mode = changes.mode ?? found.mode
  const isTagged = found.mode === WiringMode.tagged
  if (isTagged && mode !== WiringMode.tagged && found.taggedBy !== actor.userId) throw NotYourTag({ taggedName: found.taggedName })
  if (mode === WiringMode.tagged && !isTagged && !changes.tagReason) throw NoTagReason()
  if (changes.tagReason !== undefined && mode !== WiringMode.tagged)
    throw BadInput({ zh: '只有挂牌才填写挂牌原因', en: 'a tag reason is only for tagging out' })
  const tag =
    mode === WiringMode.tagged ? (isTagged ? {} : { taggedBy: actor.userId, taggedName: actor.userName, tagReason: changes.tagReason! }) : NO_TAG
  await setRow(tx, wirings, found, { ...changes, ...tag }, at)
  const isNow = mode === WiringMode.tagged
  if (isNow !== isTagged) await run(tx, { sql: isNow ? TAG_ON : TAG_OFF }, [id, at])
  if (mode !== found.mode || changes.circuitNo !== undefined) await modeChanged(tx, found, at)
}
const TAG_ON = 'insert into lamp.tagging (wiring_id, from_at) values ($1, $2)'
const TAG_OFF =
  'update lamp.tagging set to_at = greatest(from_at, $2::timestamptz) where enterprise_id = scope_enterprise() and wiring_id = $1 and to_at is null'
/** Ends earlier holds and commands of the circuit, and gives the box a plan that leaves the circuit alone or takes it up again. */
async function modeChanged(tx: Tx, { id, boxCode }: Row, at: Instant): Promise<void> {
  await cancelWaiting(tx, { wiringIds: [id] }, at)
  await run(tx, { sql: NO_OVERRIDE }, [id])
  await planAnew(tx, [boxCode])
  await askForPlans(tx)
  await tell(tx, lampTopic, { ids: [boxCode] })
}
const NO_OVERRIDE =
  'update lamp.wiring_now set override_relay = null, override_dim = null, override_until = null, override_by = null, override_name = null, override_reason = null where enterprise_id = scope_enterprise() and wiring_id = $1'

async function deleteWiring(tx: Tx, { id, version }: { id: string; version: number }, at: Instant): Promise<void> {
  const found = await lockRow(tx, wirings, { id, version })
  const { wiringCode } = found
  const [still] = await run<{ relay: number | null; timer: string | null; open: boolean; lamps: number }>(tx, { sql: STILL }, [id, wiringCode])
  if (!still) throw NotFound()
  if (still.relay === Relay.on) throw WiringInUse({ wiringCode, what: '正在合闸', whatEn: 'its relay is on' })
  if (still.timer !== null) throw WiringInUse({ wiringCode, what: `在定时“${still.timer}”中`, whatEn: `it is in program “${still.timer}”` })
  if (still.lamps > 0) throw WiringInUse({ wiringCode, what: `还有 ${still.lamps} 盏单灯`, whatEn: `it still has ${still.lamps} lamps` })
  if (still.open) throw WiringInUse({ wiringCode, what: '有未完成的指令', whatEn: 'a command is in progress' })
  await holdBoxes(tx, [found.boxCode])
  await removeRow(tx, wirings, found, at)
  await endAlarms(tx, { boxCode: found.boxCode, wiringId: id }, at)
  await planAnew(tx, [found.boxCode])
  await askForPlans(tx)
}
const STILL = `select n.relay, (select t.name from lamp.timer t where t.enterprise_id = n.enterprise_id and t.target = ${TimerTarget.wirings} and t.targets @> array[$2::text] and not t.deleted limit 1) as timer,
  (select count(*)::int from lamp.lamp l where l.enterprise_id = n.enterprise_id and l.wiring_code = $2) as lamps,
  exists (select from lamp.command c where c.enterprise_id = n.enterprise_id and c.wiring_id = n.wiring_id and c.cmd_state in (${CommandState.queued}, ${CommandState.sent}, ${CommandState.delivered})) as open
  from lamp.wiring_now n where n.enterprise_id = scope_enterprise() and n.wiring_id = $1`
