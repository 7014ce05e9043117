import type { Of } from '../../contract/field.ts'
import type { Permission } from '../../contract/call.ts'
import { type Fact, FACTS_MOST, known, SoughtKind } from '../../contract/known.ts'
import { type Sought, soughtBy } from '../../contract/sought.ts'
import { run, type Tx } from '../database.ts'
import { holds } from './kinds.ts'
import { serve } from '../serve.ts'

type FactOf = Of<typeof Fact>
/** The description of a row; parts that are left out do not exist for it. */
export type Told = Pick<FactOf, 'key' | 'title' | 'zh' | 'en'> & Partial<FactOf>
/**
 * A kind of record that has to do with plates, telephones or numbers. Its statements take what was typed as `$1` and how many rows at most as `$2`, newest first, each by an
 * index: they are asked while somebody waits.
 */
export interface Source {
  name: string
  label: readonly [zh: string, en: string]
  /** The permission to see such a record at all: that of its list. */
  needs: Permission
  by: Partial<Record<Sought['kind'], { sql: string }>>
  tell: (row: never) => Told
}
/** Says of which rows a source is made: `sourceOf<Row>()({ … })`. */
export const sourceOf =
  <Row>() =>
  (source: Omit<Source, 'tell'> & { tell: (row: Row) => Told }): Source =>
    source as Source

let sources: readonly Source[] = []
/** Registers the sources of all domains; called once, at start. */
export const openKnown = (all: readonly Source[]): void => void (sources = all)

export const calls = serve(known, {
  async show({ tx, input, actor }) {
    const sought = soughtBy(input.words)
    const asked = sources.filter(({ by, needs }) => by[sought.kind] && holds(actor, needs))
    const groups = await Promise.all(asked.map((one) => groupOf(tx, one, sought)))
    return { kind: SoughtKind[sought.kind], groups: groups.filter(({ facts }) => facts.length > 0) }
  },
})

async function groupOf(tx: Tx, { name, label, by, tell }: Source, { kind, value }: Sought) {
  const rows = await run<never>(tx, by[kind]!, [value, FACTS_MOST + 1])
  const [sourceZh, sourceEn] = label
  return { source: name, sourceZh, sourceEn, facts: rows.slice(0, FACTS_MOST).map((row) => factOf(tell(row))), more: rows.length > FACTS_MOST }
}
const factOf = (told: Told): FactOf => ({ phone: null, at: null, amountFen: null, path: null, ...told })
