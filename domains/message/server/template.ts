import type { Of } from '../../../platform/contract/field.ts'
import { DAY_MS, instantAt, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { IllegalMove, Refusal, refusal } from '../../../platform/server/refusal.ts'
import { addRow, json, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { type Preview, Template, template, templateCan, TemplateChoice, templateSearch, TemplateState } from '../contract/template.ts'
import { TaskState } from '../contract/task.ts'
import { checkTexts, filled, type Texts, usedIn } from './liquid.ts'
import { rowOf } from './rows.ts'
import './tables.ts'
import { paired } from '../../../platform/contract/said.ts'

export type TemplateRow = Of<typeof Template>

const InUse = refusal(
  'message.template-in-use',
  40319,
  '模板正被任务使用，不能删除；请先更换任务的模板',
  'A task uses this template, so it cannot be deleted: give the task another one first',
)
const CodeTaken = refusal(
  'message.template-code-taken',
  40320,
  '模板编码已存在，请换一个编码',
  'This template code already exists: choose another code',
)

const templates = listOver(Template, 'message.template', templateSearch, { marked: true })
const CHOICE = Object.keys(TemplateChoice.properties) as (keyof Of<typeof TemplateChoice>)[]
const CHOICES_MAX = 500

export const calls = serve(template, {
  queryPage: ({ tx, input }) => page(tx, templates, input),
  async insert({ tx, input }) {
    checkTexts(textsOf(input), input.vars ?? [])
    return addRow(tx, templates, { ...input, vars: json(input.vars ?? []) }).catch(taken)
  },
  async update({ tx, input: { id, version, state, ...changes }, at }) {
    const found = await lockRow(tx, templates, { id, version })
    const next = { ...found, ...changes }
    if (Object.keys(changes).length > 0 && templateCan.edit(found.state) === undefined) throw IllegalMove({ state: found.state })
    if (
      state !== undefined &&
      (state === TemplateState.draft || (state === TemplateState.inUse ? templateCan.enable : templateCan.disable)(found.state) !== state)
    )
      throw IllegalMove({ state: found.state })
    checkTexts(textsOf(next), next.vars)
    const { vars, ...plain } = changes
    return setRow(tx, templates, found, { ...plain, ...(vars && { vars: json(vars) }), ...(state !== undefined && { state }) }, at)
  },
  async delete({ tx, input, at }) {
    const found = await lockRow(tx, templates, { id: input.id })
    if (templateCan.delete(found.state) === undefined) throw IllegalMove({ state: found.state })
    const used = await tx
      .selectFrom('message.task')
      .select('id')
      .where('templateId', '=', input.id)
      .where('state', 'in', [TaskState.draft, TaskState.planned, TaskState.running])
      .limit(1)
      .executeTakeFirst()
    if (used) throw InUse()
    await removeRow(tx, templates, found, at)
  },
  list: async ({ tx, input }) => {
    let asked = tx.selectFrom('message.template').select(CHOICE).where('deleted', '=', false).orderBy('createdAt').limit(CHOICES_MAX)
    if (input.channelType !== undefined) asked = asked.where('channelType', '=', input.channelType)
    if (input.kind !== undefined) asked = asked.where('kind', '=', input.kind)
    if (input.state !== undefined) asked = asked.where('state', '=', input.state)
    return asked.execute()
  },
  async detail({ tx, input, at }) {
    const found = await templateOf(tx, input.id)
    const [uses] = await run<{ openTasks: number; sentCount: number }>(
      tx,
      {
        sql: `select (select count(*)::int from message.task where enterprise_id = scope_enterprise() and template_id = $1 and state in (${TaskState.draft}, ${TaskState.planned}, ${TaskState.running})) as open_tasks,
          (select count(*)::int from message.record where enterprise_id = scope_enterprise() and template_id = $1 and created_at >= $2) as sent_count`,
      },
      [input.id, instantAt(msOf(at) - 30 * DAY_MS)],
    )
    return { ...found, ...uses! }
  },
  preview: async ({ input }) => previewOf(textsOf(input), input.vars ?? [], input.values),
})

const textsOf = ({ title = '', titleEn = '', content, contentEn = '' }: Partial<Texts> & { content: string }): Texts => ({
  title,
  titleEn,
  content,
  contentEn,
})

function previewOf(texts: Texts, vars: TemplateRow['vars'], values: Record<string, string> | undefined): Of<typeof Preview> {
  const nothing = { title: '', titleEn: '', content: '', contentEn: '' }
  try {
    const used = usedIn(texts)
    const declared = new Set(vars.map(({ name }) => name))
    const samples = Object.fromEntries([
      ...used.map((name) => [name, `{{${name}}}`]),
      ['name', '张三'],
      ...vars.map(({ name, sample }) => [name, sample]),
    ])
    return {
      ...filled(texts, { ...samples, ...values }),
      unknown: used.filter((name) => name !== 'name' && !declared.has(name)),
      unused: [...declared].filter((name) => !used.includes(name)),
      problem: null,
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...nothing, unknown: [], unused: [], problem: paired(error.texts) }
  }
}

function taken(error: Error & { code?: string }): never {
  throw error.code === '23505' ? CodeTaken() : error
}
export const templateOf = (tx: Tx, id: string) => rowOf<TemplateRow>(tx, 'message.template', templates.columns, id)
/** The enabled template of that code, if there is one. */
export const templateNamed = (tx: Tx, code: string): Promise<TemplateRow | undefined> =>
  tx
    .selectFrom('message.template')
    .select(templates.columns)
    .where('code', '=', code)
    .where('state', '=', TemplateState.inUse)
    .where('deleted', '=', false)
    .executeTakeFirst()
