import type { Id, Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { tell, topic } from '../../../platform/server/realtime.ts'
import { IllegalMove, NoPermission, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { type Actor, serve } from '../../../platform/server/serve.ts'
import { COST, Sample, sample, sampleCan, sampleSearch } from '../contract/sample.ts'
import './tables.ts'

type Row = Of<typeof Sample>
const samples = listOver(Sample, 'dashboard.sample', sampleSearch, { sums: ['amountFen'] })
const changed = topic('dashboard.sample', 'dashboard:sample:view')
const CodeTaken = refusal(
  'dashboard.sample-code-taken',
  40940,
  '编号 {code} 已存在，请换一个编号',
  'Sample {code} already exists: choose another number',
)
const Locked = refusal(
  'dashboard.sample-locked',
  40941,
  '{code} 已锁定，不能修改或删除；请先解锁',
  '{code} is locked and cannot be changed or deleted: unlock it first',
)

export const calls = serve(sample, {
  async query({ tx, input, actor }) {
    if (asksForCost(input) && !actor.may.has(COST)) throw NoPermission()
    const found = await page(tx, samples, input)
    return { ...found, records: found.records.map((row) => shownTo(actor, row)) }
  },
  detail: async ({ tx, input, actor }) => shownTo(actor, await oneOf(tx, input.id)),
  async add({ tx, input }) {
    if (await tx.selectFrom('dashboard.sample').select('id').where('code', '=', input.code).executeTakeFirst()) throw CodeTaken({ code: input.code })
    const row = await addRow(tx, samples, { costFen: null, progress: null, keeper: null, remark: null, ...input })
    await tell(tx, changed, { ids: [row.id] })
    return row
  },
  update: async ({ tx, input: { id, version, ...changes }, at }) => changeTo(tx, await lockFree(tx, { id, version }), changes, at),
  async finish({ tx, input, at }) {
    const row = await lockFree(tx, input)
    await move(tx, row, sampleCan.finish(row.state), at)
  },
  async reopen({ tx, input, at }) {
    const row = await lockFree(tx, input)
    await move(tx, row, sampleCan.reopen(row.state), at)
  },
  async delete({ tx, input, at }) {
    const row = await lockFree(tx, input)
    await removeRow(tx, samples, row, at)
    await tell(tx, changed, { ids: [row.id] })
  },
  async fill({ tx, input, at }) {
    await run(tx, { sql: FILL }, [input.rows, at])
    await tell(tx, changed, {})
  },
  costs: async ({ tx, input }) => ({ costFen: (await oneOf(tx, input.id)).costFen }),
})

const asksForCost = (input: object) => 'costFenFrom' in input || 'costFenTo' in input
const shownTo = (actor: Actor, row: Row): Row => (actor.may.has(COST) ? row : { ...row, costFen: null })

async function oneOf(tx: Tx, id: Id<'SampleId'>): Promise<Row> {
  const row = await find(tx, samples, id)
  if (!row) throw NotFound()
  return row
}
/** @throws NotFound, Stale, Locked */
async function lockFree(tx: Tx, of: Pick<Row, 'id' | 'version'>): Promise<Row> {
  const row = await lockRow(tx, samples, of)
  if (row.state === LOCKED) throw Locked({ code: row.code })
  return row
}
const LOCKED = 3

async function move(tx: Tx, row: Row, to: Row['state'] | undefined, at: Instant) {
  if (to === undefined) throw IllegalMove()
  await changeTo(tx, row, { state: to }, at)
}
async function changeTo(tx: Tx, row: Row, changes: Partial<Row>, at: Instant): Promise<Row> {
  const made = await setRow(tx, samples, row, changes, at)
  await tell(tx, changed, { ids: [row.id] })
  return made
}

/** Codes go on where the last filling ended; the newest happened just now, one a minute before. */
const FILL = `insert into dashboard.sample (code, name, kind, state, amount_fen, cost_fen, happened_at, keeper)
  select 'S' || lpad((first.n + i)::text, 7, '0'), (array['一号机柜', '南门岗亭', '夜间巡检', '地磁检测器', '东区道闸'])[1 + i % 5] || ' ' || (first.n + i),
    1 + i % 3, case when (first.n + i) % 7 = 0 then 3 else 1 + i % 2 end, (i * 7919 % 500000), (i * 104729 % 300000), $2::timestamptz - make_interval(mins => i),
    (array['张伟', '王芳', '李娜', null])[1 + i % 4]
  from generate_series(1, $1::integer) i, (select coalesce(max(substr(code, 2)::integer), 0) as n from dashboard.sample where code ~ '^S[0-9]{7}$') first`
