import { sql } from 'kysely'
import { anyTable, begunAt, run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { NotFound, refusal, Stale } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import {
  frequency,
  Frequency,
  frequencySearch,
  hour,
  Hour,
  hourSearch,
  segment,
  Segment,
  segmentSearch,
  step,
  Step,
  stepSearch,
} from '../contract/segment.ts'
import { RuleSource } from '../contract/rule.ts'
import { draftOf } from './version.ts'
import './tables.ts'

const NotOfTables = refusal(
  'fee.rule.not-of-tables',
  40609,
  '该规则来自规则文档，没有时段表；请在规则文档中修改',
  'This rule comes from a rule document and has no band tables: change the rule document',
)
const HalfFirst = refusal('fee.hour.half-first', 40610, '首段时长与首段金额须同时填写', 'Enter both the length and the price of the first unit', 422)
const StepShape = refusal(
  'fee.step.shape',
  40611,
  '阶梯须填「至与累计金额」，或「超出单元与超出单价」，且只填其一',
  'A step needs either “Up to” with “Total price”, or “Unit beyond” with “Price beyond”, not both',
  422,
)
const StepTwice = refusal(
  'fee.step.twice',
  40626,
  '该时段已有「至 {upToMin} 分钟」的阶梯，请改填其他时长，或修改原来的阶梯',
  'This band already has a step up to {upToMin:minute}: enter another length, or change that step',
)
const BeyondTwice = refusal(
  'fee.step.beyond-twice',
  40627,
  '该时段已有超出阶梯后的单价，每个时段只有一条，请修改原来的',
  'This band already has a price beyond its last step; there is one for each band, so change that one',
)

const lists = {
  segment: listOver(Segment, 'fee.segment', segmentSearch),
  frequency: listOver(Frequency, 'fee.frequency', frequencySearch),
  hour: listOver(Hour, 'fee.hour', hourSearch),
  step: listOver(Step, 'fee.step', stepSearch),
}

export const segmentCalls = serve(segment, {
  queryPage: ({ tx, input }) => page(tx, lists.segment, input),
  async insert({ tx, input }) {
    await draftOfTables(tx, input.ruleVersionId)
    return add(tx, 'fee.segment', input)
  },
  async update({ tx, input }) {
    await draftOfTables(tx, (await rowOf(tx, 'fee.segment', input.id)).ruleVersionId!)
    await change(tx, 'fee.segment', input)
  },
  async delete({ tx, input }) {
    await draftOfTables(tx, (await rowOf(tx, 'fee.segment', input.id)).ruleVersionId!)
    await remove(tx, 'fee.segment', input.id)
  },
})

export const frequencyCalls = serve(frequency, {
  queryPage: ({ tx, input }) => page(tx, lists.frequency, input),
  insert: ({ tx, input }) => addPrice(tx, 'fee.frequency', input),
  update: ({ tx, input }) => changePrice(tx, 'fee.frequency', input),
  delete: ({ tx, input }) => removePrice(tx, 'fee.frequency', input.id),
})

export const hourCalls = serve(hour, {
  queryPage: ({ tx, input }) => page(tx, lists.hour, input),
  insert({ tx, input }) {
    refuseHalfFirst(input)
    return addPrice(tx, 'fee.hour', input)
  },
  async update({ tx, input }) {
    refuseHalfFirst({ ...(await rowOf(tx, 'fee.hour', input.id)), ...input })
    await changePrice(tx, 'fee.hour', input)
  },
  delete: ({ tx, input }) => removePrice(tx, 'fee.hour', input.id),
})
function refuseHalfFirst({ firstMin, firstFen }: { firstMin?: number | null; firstFen?: number | null }) {
  if ((firstMin ?? null) === null ? (firstFen ?? null) !== null : (firstFen ?? null) === null) throw HalfFirst()
}

export const stepCalls = serve(step, {
  queryPage: ({ tx, input }) => page(tx, lists.step, input),
  async insert({ tx, input }) {
    refuseShape(input)
    await draftOfSegment(tx, input.segmentId)
    await refuseTwice(tx, input)
    return addPrice(tx, 'fee.step', input)
  },
  async update({ tx, input }) {
    const next = { ...(await rowOf(tx, 'fee.step', input.id)), ...input }
    refuseShape(next)
    await refuseTwice(tx, next)
    await changePrice(tx, 'fee.step', input)
  },
  delete: ({ tx, input }) => removePrice(tx, 'fee.step', input.id),
})
interface StepValues {
  upToMin?: number | null
  totalFen?: number | null
  overUnitMin?: number | null
  overUnitFen?: number | null
}
function refuseShape({ upToMin = null, totalFen = null, overUnitMin = null, overUnitFen = null }: StepValues) {
  const isStep = upToMin !== null && totalFen !== null && overUnitMin === null && overUnitFen === null
  const isBeyond = upToMin === null && totalFen === null && overUnitMin !== null && overUnitFen !== null
  if (!isStep && !isBeyond) throw StepShape()
}
/** A band has one price up to a length, and one beyond its last step. */
async function refuseTwice(tx: Tx, { id, segmentId, upToMin = null }: StepValues & { id?: string; segmentId?: string }): Promise<void> {
  const [other] = await run(tx, { sql: SAME_STEP }, [segmentId, upToMin, id ?? null])
  if (other) throw upToMin === null ? BeyondTwice() : StepTwice({ upToMin })
}
const SAME_STEP = `select 1 from fee.step where enterprise_id = scope_enterprise() and segment_id = $1 and up_to_min is not distinct from $2::integer and id is distinct from $3::uuid limit 1`

type PriceTable = 'fee.frequency' | 'fee.hour' | 'fee.step'
type Table = PriceTable | 'fee.segment'

async function draftOfTables(tx: Tx, ruleVersionId: string) {
  const rule = await draftOf(tx, ruleVersionId)
  if (rule.source !== RuleSource.tables) throw NotOfTables()
}
async function draftOfSegment(tx: Tx, segmentId: string) {
  const { ruleVersionId } = await rowOf(tx, 'fee.segment', segmentId)
  await draftOfTables(tx, ruleVersionId!)
}

interface AnyRow extends StepValues {
  id: string
  version: number
  ruleVersionId?: string
  segmentId?: string
  firstMin?: number | null
  firstFen?: number | null
}
async function rowOf(tx: Tx, table: Table, id: string): Promise<AnyRow> {
  const found = await tx
    .selectFrom(table as 'fee.step')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw NotFound()
  return found as AnyRow
}
const add = (tx: Tx, table: Table, values: object) => anyTable(tx).insertInto(table).values(values).returning('id').executeTakeFirstOrThrow()
async function change(tx: Tx, table: Table, { id, version, ...values }: { id: string; version: number }) {
  const { numUpdatedRows } = await tx
    .updateTable(table as 'fee.step')
    .set({ ...values, version: sql`version + 1`, updatedAt: begunAt(tx) })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw Stale({ version: (await rowOf(tx, table, id)).version, sent: version })
}
async function remove(tx: Tx, table: Table, id: string) {
  await tx
    .deleteFrom(table as 'fee.step')
    .where('id', '=', id)
    .execute()
}

/** A band or a price that was deleted has a place only in a draft that is still written as tables. */
export const segmentMayComeBack = async (tx: Tx, id: string) => draftOfTables(tx, (await rowOf(tx, 'fee.segment', id)).ruleVersionId!)
export const priceMayComeBack = async (tx: Tx, table: PriceTable, id: string) => draftOfSegment(tx, (await rowOf(tx, table, id)).segmentId!)

async function addPrice(tx: Tx, table: PriceTable, values: { segmentId: string }) {
  await draftOfSegment(tx, values.segmentId)
  return add(tx, table, values)
}
async function changePrice(tx: Tx, table: PriceTable, values: { id: string; version: number }) {
  await draftOfSegment(tx, (await rowOf(tx, table, values.id)).segmentId!)
  await change(tx, table, values)
}
async function removePrice(tx: Tx, table: PriceTable, id: string) {
  await draftOfSegment(tx, (await rowOf(tx, table, id)).segmentId!)
  await remove(tx, table, id)
}
