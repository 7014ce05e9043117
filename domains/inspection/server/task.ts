import type { Instant, Of } from '../../../platform/contract/field.ts'
import { isSaid } from '../../../platform/contract/said.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { because } from '../../../platform/server/record/audit.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, page } from '../../../platform/server/page.ts'
import { BadInput, IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, json, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { importing } from '../../../platform/server/sheets/importing.ts'
import { parkOf } from '../../parking/server/api.ts'
import { scheduling, taskCan, TaskSource, TaskState } from '../contract/task.ts'
import { refuseItems, rules } from './ruleRow.ts'
import { taskImport } from './taskImport.ts'
import { inspectorOf, kept, type KeptOf, moveTask, refuseBackwards, taskLines } from './taskRow.ts'
import { Said } from '../contract/said.ts'

const SayWhy = refusal(
  'inspection.say-why',
  42005,
  '取消任务或调整已开始的任务须填写原因',
  'Enter a reason to cancel a task or change one that has started',
  422,
)
const OfRule = refusal(
  'inspection.task-of-rule',
  42006,
  '规则生成的任务不能删除，请改为取消',
  'Tasks created by a rule cannot be deleted: cancel it instead',
)
const NothingWrong = refusal(
  'inspection.nothing-wrong',
  42007,
  '任务 {taskNo} 没有异常设备，无需复检',
  'Task {taskNo} has no faulty devices, so no re-inspection is needed',
  422,
)

export const calls = serve(scheduling, {
  query: ({ tx, input }) => page(tx, taskLines, input),
  async add({ tx, input, at }) {
    await addTask(tx, input, at)
  },
  async update({ tx, input: { id, version, tollNo, state, reason, ...moved }, at }) {
    const found = await lockRow(tx, kept, { id, version })
    if (reason) await because(tx, reason)
    if (!reason && (found.startedAt !== null || state !== undefined)) throw SayWhy()
    if (state !== undefined) return void (await moveTask(tx, found, 'cancel', { reason: reason! }, at))
    const state_ = taskCan.change(found.state)
    if (state_ === undefined) throw IllegalMove({ state: found.state, taskNo: found.taskNo })
    const { planFrom = found.planFrom, planTo = found.planTo } = moved
    refuseBackwards(planFrom, planTo)
    const collectorId = tollNo === undefined ? found.collectorId : tollNo === null ? null : (await inspectorOf(tx, tollNo)).id
    // Moved ahead again it is not overdue any more.
    const again =
      found.state === TaskState.overdue && msOf(planTo) > msOf(at) ? (found.startedAt === null ? TaskState.waiting : TaskState.begun) : state_
    await setRow(
      tx,
      kept,
      found,
      { ...moved, collectorId: collectorId, state: again, ...(reason && { reason }), periodTo: later(found.periodTo, planTo) },
      at,
    )
  },
  async delete({ tx, input, at }) {
    const found = await lockRow(tx, kept, input)
    if (found.source === TaskSource.rule) throw OfRule()
    if (found.startedAt !== null) throw IllegalMove({ state: found.state, taskNo: found.taskNo })
    await removeRow(tx, kept, found, at)
  },
  import: importing(scheduling.import, taskImport),
  export: exporting(scheduling.export, async ({ tx, input }) => ({ records: await withRules(tx, (await page(tx, taskLines, input)).records) })),
})
/** A task moved beyond its period is not missed before it is due. */
const later = (periodTo: Instant | null, planTo: Instant) => (periodTo !== null && msOf(planTo) > msOf(periodTo) ? planTo : periodTo)

type Wanted = Of<typeof scheduling.add.input>
/** A task by hand, with the items of a rule, of the task whose findings it looks at again, or its own. @throws BadInput, NothingWrong, NoInspector */
export async function addTask(tx: Tx, { tollNo, recheckOf, planFrom, planTo, remark, ...own }: Wanted, at: Instant): Promise<void> {
  refuseBackwards(planFrom, planTo)
  if (msOf(planTo) <= msOf(at)) throw BadInput({ zh: '计划完成时间已过', en: 'the planned end is in the past' })
  const about = recheckOf ? await wrongOf(tx, recheckOf) : await aboutOf(tx, own)
  await parkOf(tx, about.parkCode)
  refuseItems(about.items, about.deviceTypes)
  const collectorId = tollNo ? (await inspectorOf(tx, tollNo)).id : null
  await addRow(tx, kept, {
    ...about,
    items: json(about.items),
    planFrom,
    planTo,
    remark: remark ?? null,
    collectorId: collectorId,
    source: recheckOf ? TaskSource.again : TaskSource.hand,
    createdAt: at,
    updatedAt: at,
  })
}
type About = Pick<KeptOf, 'name' | 'parkCode' | 'deviceTypes' | 'deviceNos' | 'items' | 'ruleId'>
async function aboutOf(tx: Tx, { name, parkCode, ruleId, deviceTypes, items, deviceNos = [] }: Omit<Wanted, 'planFrom' | 'planTo'>): Promise<About> {
  if (!parkCode) throw BadInput({ zh: '请选择车场', en: 'choose a car park' })
  const only = deviceNos.length > 0 ? deviceNos : null
  if (!ruleId) {
    if (!name || !items || !deviceTypes)
      throw BadInput({ zh: '请选择规则，或填写名称、设备类型与检查项', en: 'choose a rule, or enter a name, device types and items' })
    return { name, parkCode, deviceTypes, deviceNos: only, items, ruleId: null }
  }
  const rule = await find(tx, rules, ruleId)
  if (!rule) throw NotFound()
  return { name: name ?? rule.name, parkCode, deviceTypes: deviceTypes ?? rule.deviceTypes, deviceNos: only, items: items ?? rule.items, ruleId }
}
/** The devices of a task that were found wrong, by its own items. */
async function wrongOf(tx: Tx, taskId: string): Promise<About> {
  const found = await find(tx, kept, taskId)
  if (!found) throw NotFound()
  const wrong = await run<{ deviceNo: string }>(tx, { sql: WRONG }, [taskId])
  if (wrong.length === 0) throw NothingWrong({ taskNo: found.taskNo })
  const { parkCode, deviceTypes, items, ruleId } = found
  return {
    name: isSaid(found.name) ? found.name : Said.again({ name: found.name }),
    parkCode,
    deviceTypes,
    deviceNos: wrong.map(({ deviceNo }) => deviceNo),
    items,
    ruleId,
  }
}
const WRONG =
  'select device_no from inspection.task_device where enterprise_id = scope_enterprise() and task_id = $1 and abnormal order by device_no limit 500'

/** Each with its rule's name, as the import reads it. */
async function withRules<T extends { ruleId: string | null }>(tx: Tx, tasks: readonly T[]) {
  const sql = 'select id, name from inspection.rule where enterprise_id = scope_enterprise() and id = any ($1)'
  const named = await run<{ id: string; name: string }>(tx, { sql }, [[...new Set(tasks.flatMap(({ ruleId }) => ruleId ?? []))]])
  const names = new Map(named.map(({ id, name }) => [id, name]))
  return tasks.map((task) => ({ ...task, ruleName: task.ruleId && (names.get(task.ruleId) ?? null) }))
}
