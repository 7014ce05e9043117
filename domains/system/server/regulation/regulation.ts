import type { Day, Instant, Of } from '../../../../platform/contract/field.ts'
import { dayOf } from '../../../../platform/contract/time.ts'
import { because } from '../../../../platform/server/record/audit.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { task } from '../../../../platform/server/job/jobs.ts'
import { find, listOver, page } from '../../../../platform/server/page.ts'
import { IllegalMove, NotFound, refusal } from '../../../../platform/server/refusal.ts'
import { json, lockRow, removeRow, setRow } from '../../../../platform/server/row.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { Clause, clauseName, clauseSearch, regulation, regulationCan, State } from '../../contract/regulation.ts'
import { importClause } from './clauseImport.ts'
import { FIELDS, lockDraft, lockRegulation, regulations, refuseTooMany, type RegulationRow as Row, Settled } from './regulationRows.ts'
import '../tables.ts'

type ClauseRow = Of<typeof Clause>
type RegulationId = Row['id']

const NoDay = refusal('system.regulation-no-day', 40135, '请先填写施行日期', 'Enter the effective date first', 422)
const NoClauses = refusal(
  'system.regulation-no-clauses',
  40136,
  '还没有任何条款，不能发布',
  'It has no clauses yet: add clauses before publishing',
  422,
)
const DraftThere = refusal(
  'system.regulation-draft-there',
  40137,
  '该法规已有修订草稿，请直接编辑该草稿',
  'A draft of the next edition already exists: edit that one',
)
const Dates = refusal('system.regulation-dates', 40138, '废止日期不能早于施行日期', 'The repeal date cannot be before the effective date', 422)
const NoTaken = refusal('system.clause-no-taken', 40139, '{zh}已存在，请换一个条号', '{en} already exists: choose another number')

const clauses = listOver(Clause, 'system.clause', clauseSearch)
const CLAUSE = Object.keys(Clause.properties) as (keyof ClauseRow)[]

export const calls = serve(regulation, {
  async getInfoList({ tx, input }) {
    const found = await page(tx, regulations, input)
    return { ...found, records: await withClauses(tx, found.records) }
  },
  async detail({ tx, input: { id } }) {
    const found = await tx.selectFrom('system.regulation').select(FIELDS).where('id', '=', id).executeTakeFirst()
    if (!found) throw NotFound()
    const [[whole], editions] = await Promise.all([
      withClauses(tx, [found as Row]),
      tx
        .selectFrom('system.regulation')
        .select(['id', 'edition', 'state', 'effectiveOn'])
        .where('lawId', '=', found.lawId)
        .orderBy('edition', 'desc')
        .execute(),
    ])
    return { ...whole!, editions }
  },
  getClauseList: ({ tx, input }) => page(tx, clauses, input),

  async add({ tx, input }) {
    refuseDates(input)
    return (await tx.insertInto('system.regulation').values(rowOf(input)).returning(FIELDS).executeTakeFirstOrThrow()) as Row
  },
  async update({ tx, input: { id, version, ...changes }, at }) {
    const found = await lockRegulation(tx, id, version)
    const settled = Object.keys(changes).some((name) => !['remark', 'attachments', 'summary'].includes(name))
    if (found.state !== State.draft && settled) throw Settled()
    refuseDates({ ...found, ...changes })
    return setRegulation(tx, found, changes, at)
  },
  async delete({ tx, input: { id }, at }) {
    const found = await lockRegulation(tx, id)
    if (found.state !== State.draft) throw Settled()
    await removeRow(tx, regulations, found, at)
  },
  async move({ tx, input: { id, version, to, on, reason }, at }) {
    if (reason) await because(tx, reason)
    const found = await lockRegulation(tx, id, version)
    const today = dayOf(at)
    if (to === State.waiting && regulationCan.publish(found.state) === to) return publish(tx, found, at)
    if (to === State.draft && regulationCan.withdraw(found.state) === to) return setRegulation(tx, found, { state: State.draft }, at)
    if (to === State.repealed && regulationCan.repeal(found.state) === to) return repeal(tx, found, on ?? today, at)
    throw IllegalMove({ state: found.state })
  },
  async revise({ tx, input: { id } }) {
    const { lawId, edition, version: _, updatedAt: __, id: ___, ...said } = await lockRegulation(tx, id)
    const editions = await tx.selectFrom('system.regulation').select(['edition', 'state']).where('lawId', '=', lawId).execute()
    if (editions.some(({ state }) => state === State.draft)) throw DraftThere()
    const next = Math.max(edition, ...editions.map((one) => one.edition)) + 1
    const fresh = { ...said, lawId, edition: next, state: State.draft, docNo: null, issuedOn: null, effectiveOn: null, repealedOn: null }
    const made = (await tx.insertInto('system.regulation').values(rowOf(fresh)).returning(FIELDS).executeTakeFirstOrThrow()) as Row
    await run(
      tx,
      {
        sql: `insert into system.clause (regulation_id, no, sub_no, chapter, content) select $2, no, sub_no, chapter, content from system.clause
          where enterprise_id = scope_enterprise() and regulation_id = $1 order by no, sub_no`,
      },
      [id, made.id],
    )
    return made
  },

  async addClause({ tx, input }) {
    await lockDraft(tx, input.regulationId)
    await refuseTooMany(tx, input.regulationId, 1)
    return insertClause(tx, input)
  },
  async updateClause({ tx, input: { id, version, ...changes }, at }) {
    const found = await lockClause(tx, id, version)
    const { no = found.no, subNo = found.subNo } = changes
    if ((no !== found.no || subNo !== found.subNo) && (await clauseOf(tx, found.regulationId, no, subNo))) throw taken(no, subNo)
    return setRow(tx, clauses, found, changes, at)
  },
  async deleteClause({ tx, input: { id }, at }) {
    await removeRow(tx, clauses, await lockClause(tx, id), at)
  },
  importClause,
})

/** Every morning what is due comes into force, its earlier edition is superseded, and what ends today ends. */
export const turnOfDay = task(
  'system.regulation-days',
  async ({ tx, at }) => {
    const today = dayOf(at)
    const due = await tx
      .selectFrom('system.regulation')
      .select(FIELDS)
      .where('state', '=', State.waiting)
      .where('effectiveOn', '<=', today)
      .orderBy('edition')
      .forUpdate()
      .execute()
    for (const one of due) await takeEffect(tx, one as Row, at)
    const over = await tx
      .selectFrom('system.regulation')
      .select(FIELDS)
      .where('state', '=', State.inForce)
      .where('repealedOn', '<=', today)
      .forUpdate()
      .execute()
    for (const one of over) await setRegulation(tx, one as Row, { state: State.repealed }, at)
  },
  { every: '5 16 * * *' },
)

async function publish(tx: Tx, found: Row, at: Instant): Promise<Row> {
  if (found.effectiveOn === null) throw NoDay()
  const some = await tx.selectFrom('system.clause').select('id').where('regulationId', '=', found.id).limit(1).executeTakeFirst()
  if (!some) throw NoClauses()
  const waiting = await setRegulation(tx, found, { state: State.waiting }, at)
  return found.effectiveOn <= dayOf(at) ? takeEffect(tx, waiting, at) : waiting
}
async function takeEffect(tx: Tx, found: Row, at: Instant): Promise<Row> {
  const before = await tx
    .selectFrom('system.regulation')
    .select(FIELDS)
    .where('lawId', '=', found.lawId)
    .where('state', '=', State.inForce)
    .forUpdate()
    .executeTakeFirst()
  if (before) await setRegulation(tx, before as Row, { state: regulationCan.supersede(before.state as Row['state'])! }, at)
  return setRegulation(tx, found, { state: regulationCan.takeEffect(found.state)! }, at)
}
/** From a day to come it only gets its last day; the morning of that day ends it. */
async function repeal(tx: Tx, found: Row, on: Day, at: Instant): Promise<Row> {
  refuseDates({ ...found, repealedOn: on })
  return setRegulation(tx, found, { repealedOn: on, ...(on <= dayOf(at) && { state: State.repealed }) }, at)
}

function refuseDates({ effectiveOn, repealedOn }: { effectiveOn?: Day | null; repealedOn?: Day | null }) {
  if (effectiveOn && repealedOn && repealedOn < effectiveOn) throw Dates()
}
const rowOf = <T extends { attachments?: unknown }>(row: T): T =>
  row.attachments === undefined ? row : { ...row, attachments: json(row.attachments) }

const setRegulation = (tx: Tx, found: Row, changes: Partial<Row>, at: Instant): Promise<Row> => setRow(tx, regulations, found, rowOf(changes), at)

async function withClauses(tx: Tx, rows: readonly Row[]) {
  const counts = await run<{ id: string; n: number }>(
    tx,
    {
      sql: 'select regulation_id as id, count(*)::int as n from system.clause where enterprise_id = scope_enterprise() and regulation_id = any($1) group by 1',
    },
    [rows.map(({ id }) => id)],
  )
  return rows.map((row) => ({ ...row, clauses: counts.find(({ id }) => id === row.id)?.n ?? 0 }))
}

const taken = (no: number, subNo: number) => NoTaken({ zh: clauseName(no, subNo)[0], en: clauseName(no, subNo)[1] })
const clauseOf = (tx: Tx, regulationId: RegulationId, no: number, subNo: number) =>
  tx
    .selectFrom('system.clause')
    .select('id')
    .where('regulationId', '=', regulationId)
    .where('no', '=', no)
    .where('subNo', '=', subNo)
    .executeTakeFirst()
/** @throws NoTaken */
export async function insertClause(
  tx: Tx,
  input: Pick<ClauseRow, 'regulationId' | 'no' | 'content'> & Partial<Pick<ClauseRow, 'subNo' | 'chapter'>>,
): Promise<ClauseRow> {
  if (await clauseOf(tx, input.regulationId, input.no, input.subNo ?? 0)) throw taken(input.no, input.subNo ?? 0)
  return (await tx
    .insertInto('system.clause')
    .values({ ...input, subNo: input.subNo ?? 0 })
    .returning(CLAUSE)
    .executeTakeFirstOrThrow()) as ClauseRow
}
/** A clause comes back only into a draft. @throws Settled */
export const clauseMayComeBack = async (tx: Tx, id: string) => void (await lockClause(tx, id as ClauseRow['id']))
/** Locks the regulation first, as importing its clauses does. @throws NotFound, Settled, Stale */
async function lockClause(tx: Tx, id: ClauseRow['id'], version?: number): Promise<ClauseRow> {
  const found = await find(tx, clauses, id)
  if (!found) throw NotFound()
  await lockDraft(tx, found.regulationId)
  return lockRow(tx, clauses, { id, version })
}
