import { plural } from '../../../../platform/contract/plural.ts'
import { Table } from 'antd'
import type { ReactNode } from 'react'
import type { Of } from '../../../../platform/contract/field.ts'
import { NONE, time } from '../../../../platform/web/format.ts'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { isOf, labelOf, type Shape, Value } from '../../../../platform/web/value.tsx'
import type { Change } from '../../contract/log.ts'
import { useNouns } from '../nouns.ts'

type Row = Of<typeof Change>
export const EVENTS: Record<string, Text> = { insert: ['新增', 'Added'], update: ['修改', 'Changed'], delete: ['删除', 'Deleted'] }
/** Columns that every change touches tell nothing. */
const NOISE = new Set(['updated_at', 'created_at', 'version', 'enterprise_id'])
type Fields = Record<string, unknown>
const both = ({ before, after }: Row) => [before, after].map((one) => (one ?? {}) as Fields) as [Fields, Fields]
const namesIn = (was: Fields, is: Fields) => [...new Set([...Object.keys(was), ...Object.keys(is)])]

/** Every field of a changed record, as it was and as it became. */
export function WholeChange({ of }: { of: Row }) {
  const say = useText()
  const { shapeOf } = useNouns()
  const [was, is] = both(of)
  const names = namesIn(was, is).filter((name) => of.event !== 'update' || !NOISE.has(name))
  const told = (fields: Fields) => (_: unknown, name: string) => <Told shape={shapeOf(of.entity, name)} value={fields[name]} most={Infinity} />
  const columns = [
    { key: 'name', title: say(['字段', 'Field']), render: (_: unknown, name: string) => <Name shape={shapeOf(of.entity, name)} name={name} /> },
    ...(of.event === 'insert' ? [] : [{ key: 'before', title: say(['变更前', 'Before']), render: told(was) }]),
    ...(of.event === 'delete' ? [] : [{ key: 'after', title: say(['变更后', 'After']), render: told(is) }]),
  ]
  return <Table size="small" rowKey={(name) => name} pagination={false} dataSource={names} columns={columns} />
}

/** The gist of a change in a line or four. */
export function ShortChange({ of }: { of: Row }) {
  const say = useText()
  const { shapeOf } = useNouns()
  const [was, is] = both(of)
  const names = namesIn(was, is).filter((name) => !NOISE.has(name))
  if (of.event !== 'update')
    return <span className="faint">{say([`${names.length} 个字段`, `${names.length} ${plural(names.length, 'field')}`])}</span>
  return (
    <ul className="changes">
      {names.slice(0, SHOWN).map((name) => {
        const shape = shapeOf(of.entity, name)
        return (
          <li key={name}>
            <Name shape={shape} name={name} /> <Told shape={shape} value={was[name]} /> →{' '}
            <b>
              <Told shape={shape} value={is[name]} />
            </b>
          </li>
        )
      })}
      {names.length > SHOWN && <li className="faint">{say([`另有 ${names.length - SHOWN} 项`, `${names.length - SHOWN} more`])}</li>}
    </ul>
  )
}
const SHOWN = 4

/** A column by its field's name; the column's own stands in the tooltip, for a reader who writes to its maker. */
function Name({ shape, name }: { shape: Shape | undefined; name: string }) {
  const say = useText()
  return (
    <span className="soft" title={name}>
      {shape ? say(labelOf(shape)) : name}
    </span>
  )
}

const TEXT_MAX = 60
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/
/** A value as its field is drawn everywhere; text and what has a shape of its own is cut. */
function Told({ shape, value, most = TEXT_MAX }: { shape: Shape | undefined; value: unknown; most?: number }): ReactNode {
  if (value === null || value === undefined || value === '') return <span className="faint">{NONE}</span>
  if (typeof value === 'string' && MOMENT.test(value)) return time(value)
  if (shape && (typeof value === 'number' || typeof value === 'boolean' || DRAWN.some((one) => shape[one]) || isOf(shape, 'array')))
    return <Value shape={shape} value={value} />
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.length > most ? `${text.slice(0, most)}…` : text
}
const DRAWN = ['x-plate', 'x-image', 'x-rich', 'x-attachments'] as const
