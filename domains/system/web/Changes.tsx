import { Table } from 'antd'
import type { Of } from '../../../platform/contract/field.ts'
import { NONE, time } from '../../../platform/web/format.ts'
import { type Text, useText } from '../../../platform/web/text.ts'
import type { Change } from '../contract/log.ts'

type Row = Of<typeof Change>
export const EVENTS: Record<string, Text> = { insert: ['新增', 'Added'], update: ['修改', 'Changed'], delete: ['删除', 'Deleted'] }
/** What changes with every change says nothing. */
const NOISE = new Set(['updated_at', 'created_at', 'version', 'enterprise_id'])
type Fields = Record<string, unknown>
const both = ({ before, after }: Row) => [before, after].map((one) => (one ?? {}) as Fields) as [Fields, Fields]
const namesIn = (was: Fields, is: Fields) => [...new Set([...Object.keys(was), ...Object.keys(is)])]

/** Every field of a changed record, as it was and as it became. */
export function WholeChange({ of }: { of: Row }) {
  const say = useText()
  const [was, is] = both(of)
  const names = namesIn(was, is).filter((name) => of.event !== 'update' || !NOISE.has(name))
  const columns = [
    { key: 'name', title: say(['字段', 'Field']), render: (_: unknown, name: string) => <code>{name}</code> },
    ...(of.event === 'insert'
      ? []
      : [{ key: 'before', title: say(['变更前', 'Before']), render: (_: unknown, name: string) => told(was[name], Infinity) }]),
    ...(of.event === 'delete'
      ? []
      : [{ key: 'after', title: say(['变更后', 'After']), render: (_: unknown, name: string) => told(is[name], Infinity) }]),
  ]
  return <Table size="small" rowKey={(name) => name} pagination={false} dataSource={names} columns={columns} />
}

/** The gist of a change in a line or four. */
export function ShortChange({ of }: { of: Row }) {
  const say = useText()
  const [was, is] = both(of)
  const names = namesIn(was, is).filter((name) => !NOISE.has(name))
  if (of.event !== 'update') return <span className="faint">{say([`${names.length} 个字段`, `${names.length} fields`])}</span>
  return (
    <ul className="changes">
      {names.slice(0, SHOWN).map((name) => (
        <li key={name}>
          <span className="faint">{name}</span> {told(was[name])} → <b>{told(is[name])}</b>
        </li>
      ))}
      {names.length > SHOWN && <li className="faint">{say([`另有 ${names.length - SHOWN} 项`, `${names.length - SHOWN} more`])}</li>}
    </ul>
  )
}
const SHOWN = 4
const TEXT_MAX = 60
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/
function told(value: unknown, most = TEXT_MAX): string {
  if (value === null || value === undefined || value === '') return NONE
  if (typeof value === 'string' && MOMENT.test(value)) return time(value)
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.length > most ? `${text.slice(0, most)}…` : text
}
