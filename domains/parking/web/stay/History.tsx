import { camelOf } from '../../../../platform/contract/names.ts'
import type { Schema } from '../../../../platform/contract/field.ts'
import { useDeeds } from '../../../../platform/web/record/deeds.ts'
import { type Say, type Text, useText } from '../../../../platform/web/text.ts'
import { labelOf, type Shape, shapesOf, Time, Value } from '../../../../platform/web/value.tsx'

/** A row of the audit stream as the calls give it. `before` and `after` are the whole row. */
export interface Changed {
  id: string
  at: string
  authorName: string
  via: string
  entity?: string
  event: string
  before: unknown
  after: unknown
  reason: string | null
}
const events: Record<string, Text> = { insert: ['新建', 'Created'], update: ['修改', 'Changed'], delete: ['删除', 'Deleted'] }
/** Book-keeping of the row itself: nobody reads a story for it. */
const SILENT = new Set(['version', 'createdAt', 'updatedAt', 'enterpriseId', 'id', 'handledAt', 'orderId'])

/** The history of changes, newest first; of a change only the fields that became different. */
export function History({ of, changes }: { of: Schema<unknown>; changes: readonly Changed[] }) {
  const say = useText()
  const deedOf = useDeeds()
  const shapes = shapesOf(of)
  return (
    <ol className="history">
      {changes.map((change) => (
        <li key={change.id}>
          <Time at={change.at} />
          <div>
            <b>{change.authorName}</b> {say(events[change.event] ?? [change.event, change.event])}{' '}
            <span className="faint" title={change.via}>
              {say(deedOf(change.via))}
            </span>
            {change.reason && <span className="reason">{change.reason}</span>}
            <Differences change={change} shapes={shapes} say={say} />
          </div>
        </li>
      ))}
    </ol>
  )
}

function Differences({ change, shapes, say }: { change: Changed; shapes: Record<string, Shape>; say: Say }) {
  if (change.event !== 'update') return null
  const before = camel(change.before)
  const after = camel(change.after)
  const keys = Object.keys(after).filter(
    (key) => !SILENT.has(key) && shapes[key] && JSON.stringify(before[key] ?? null) !== JSON.stringify(after[key] ?? null),
  )
  if (keys.length === 0) return null
  return (
    <dl>
      {keys.map((key) => (
        <div key={key}>
          <dt>{say(labelOf(shapes[key]!))}</dt>
          <dd>
            <s>
              <Value shape={shapes[key]!} value={before[key]} of={before} />
            </s>{' '}
            → <Value shape={shapes[key]!} value={after[key]} of={after} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The stream keeps columns as the table names them. */
const camel = (row: unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries((row ?? {}) as object).map(([key, value]) => [camelOf(key), value]))
