import type { Instant, Of } from '../../contract/field.ts'
import { bin, Deleted, deletedSearch } from '../../contract/records.ts'
import { run, type Tx } from '../database.ts'
import { allKinds, holds, type Kind, kindFor } from './kinds.ts'
import { labelOf } from './nouns.ts'
import { listOver, page } from '../page.ts'
import { NoPermission, NotFound, refusal } from '../refusal.ts'
import { type Actor, serve } from '../serve.ts'

const SameThere = refusal(
  'platform.bin.same-there',
  40001,
  '无法恢复：已有相同的数据，请先改名或删除它',
  'Cannot be restored: the same record exists again; rename or delete that one first',
)
export const ParentGone = refusal(
  'platform.bin.parent-gone',
  40002,
  '无法恢复：它所属的数据也已删除，请先恢复上级',
  'Cannot be restored: its parent record has been deleted too; restore that first',
)
/** Errors of PostgreSQL about a row that cannot be put back. */
const IN_THE_WAY: Record<string, () => Error> = { '23505': SameThere, '23P01': SameThere, '23503': ParentGone }

declare module '../database.ts' {
  interface Tables {
    'platform.bin': Of<typeof Deleted> & { enterpriseId: number; content: unknown; parts: unknown }
  }
}
const deleted = listOver(Deleted, 'platform.bin', deletedSearch)
const kindsOf = (actor: Actor) => allKinds().filter((one) => one.bin && holds(actor, one.bin.needs) && holds(actor, one.needs))

export const calls = serve(bin, {
  async query({ tx, input, actor }) {
    const own = kindsOf(actor).map(({ table }) => table)
    const kind = input.kind ? own.filter((one) => input.kind!.includes(one)) : own
    return kind.length === 0 ? { records: [], total: 0, totalExact: true } : page(tx, deleted, { ...input, kind })
  },
  kinds: async ({ actor }) =>
    kindsOf(actor).map((kind) => {
      const [zh, en] = labelOf(kind)
      return { kind: kind.table, zh, en }
    }),

  // Taken out first: of two who bring it back one finds it. What refuses it below puts it in again.
  async restore({ tx, input: { id }, actor, at }) {
    const [found] = await run<Row>(tx, { sql: `delete from platform.bin where id = $1 returning ${ROW}` }, [id])
    if (!found) throw NotFound()
    return { lost: await bringBack(tx, actor, kindOf(actor, found.kind), found, at) }
  },
  async undo({ tx, input: { kind: name, key }, actor, at }) {
    const kind = kindOf(actor, name)
    const [found] = await run<Row>(
      tx,
      {
        sql: `delete from platform.bin where id = (select id from platform.bin where kind = $1 and row_key = $2 order by at desc limit 1) returning ${ROW}`,
      },
      [name, key],
    )
    if (!found) throw NotFound()
    await bringBack(tx, actor, kind, found, at)
  },
})

interface Row {
  id: string
  kind: string
  rowKey: string
  content: object
  parts: object
}
const ROW = 'id, kind, row_key, content, parts'

function kindOf(actor: Actor, name: string): Kind {
  const kind = kindFor(actor, name)
  if (!kind.bin) throw NotFound()
  if (!holds(actor, kind.bin.needs)) throw NoPermission()
  return kind
}

/** The row, then what hung on it, then the noun's own rules over both: what they refuse takes everything back. */
async function bringBack(tx: Tx, actor: Actor, kind: Kind, { rowKey, content, parts }: Row, at: Instant): Promise<number> {
  if (kind.bin!.unmark) {
    await kind.bin!.unmark(tx, actor, rowKey, at)
    return 0
  }
  await run(tx, { sql: 'select platform.put_back($1, $2)' }, [kind.table, JSON.stringify(content)]).catch((error: { code?: string }) => {
    throw IN_THE_WAY[error.code ?? '']?.() ?? error
  })
  const [{ lost } = { lost: 0 }] = await run<{ lost: number }>(tx, { sql: 'select platform.put_back_parts($1) as lost' }, [JSON.stringify(parts)])
  await kind.bin!.restored?.(tx, actor, rowKey)
  return lost
}
