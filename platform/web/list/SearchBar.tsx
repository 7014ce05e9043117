import { DownOutlined, UpOutlined } from '@ant-design/icons'
import { Button, Form, type FormRule as Rule } from 'antd'
import { type ReactElement, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { Search } from '../../contract/call.ts'
import { SearchInput } from '../form/inputs.tsx'
import { isTelephone, useTelephone } from '../page/small.ts'
import { notePlate } from '../plate/recentPlates.ts'
import { type Say, type Text, useText } from '../text.ts'
import { labelOf, type Shape } from '../value.tsx'
import './search.css'

const OPEN_FIELDS = 3
/** There the rows come first: one field is searched by at once, the others with one press. */
const OPEN_ON_TELEPHONE = 1

/**
 * A searchable field by name, or with a control or a label of its own; the control gets `id`, `value` and `onChange`. Where it is said that it acts, a choice made of our `Select` names what was
 * chosen by itself; `shown` draws what has another look there, or a control that is no choice.
 */
export type Find<K extends string> = K | { name: K; control?: ReactElement; label?: Text; shown?: (value: any) => ReactNode }

interface Props<C> {
  search: Search<C>
  shapes: Record<string, Shape>
  find: readonly Find<string>[]
  criteria: C
  onSearch: (criteria: C) => void
  /** Besides filters: sort and ticks go too. */
  onReset: () => void
}

/** Answers on Enter and on the button. What can be asked, and how, says the contract's `searchOf`. The first three fields stand open, on a telephone the first. */
export function SearchBar<C extends object>({ search, shapes, find, criteria, onSearch, onReset }: Props<C>) {
  const say = useText()
  const [form] = Form.useForm()
  const fields = find.map((one) => (typeof one === 'string' ? { name: one } : one))
  const open = useTelephone() ? OPEN_ON_TELEPHONE : OPEN_FIELDS
  const given = (name: string) => [name, `${name}From`, `${name}To`].some((key) => key in criteria)
  const [more, setMore] = useState(() => !isTelephone() && fields.slice(OPEN_FIELDS).some(({ name }) => given(name)))
  const written = (from: Record<string, unknown>) => Object.fromEntries(fields.map(({ name }) => [name, fromCriteria(search, name, from)]))
  // An effect runs again whenever its tab is shown again; what is half typed must survive that, so only a new address writes into the form.
  const shown = useRef(criteria)
  const asked = useRef('')
  useEffect(() => {
    if (shown.current === criteria) return
    shown.current = criteria
    // What was asked for here stands here already; who types on meanwhile keeps it. It is said once: the same criteria later come from elsewhere.
    const isOwn = asked.current === JSON.stringify(criteria)
    asked.current = ''
    if (isOwn) return
    form.setFieldsValue(written(criteria as Record<string, unknown>))
  }, [criteria])
  const forgive = (names: readonly string[]) => form.setFields(names.map((name) => ({ name, errors: [] })))
  // A field folded away is not mounted, yet what it holds is asked for.
  const submit = () => {
    const wanted = Object.fromEntries(Object.entries(form.getFieldsValue(true)).flatMap(([name, value]) => toCriteria(search, name, value)))
    const given = Object.keys(search.schema).filter((key) => wanted[key] !== undefined)
    asked.current = JSON.stringify(Object.fromEntries(given.map((key) => [key, wanted[key]])))
    for (const key of given) if (search.operators[key] === 'plate') notePlate(wanted[key])
    onSearch(wanted as C)
  }
  return (
    <Form
      form={form}
      name={useId()}
      layout="inline"
      colon={false}
      className="search"
      initialValues={written(criteria as Record<string, unknown>)}
      onFinish={submit}
      onValuesChange={(changed: object) => forgive(Object.keys(changed))}
    >
      {fields.slice(0, more ? undefined : open).map((field) => (
        <Sought key={field.name} field={field} search={search} shape={shapes[field.name]!} />
      ))}
      <div className="search-buttons">
        <Button type="primary" htmlType="submit">
          {say(['查询', 'Search'])}
        </Button>
        <Button
          onClick={() => {
            form.setFieldsValue(written({}))
            forgive(fields.map(({ name }) => name))
            asked.current = ''
            onReset()
          }}
        >
          {say(['重置', 'Reset'])}
        </Button>
        {fields.length > open && (
          <Button type="text" aria-expanded={more} onClick={() => setMore(!more)}>
            {more ? say(['收起', 'Less']) : say(['更多', 'More'])} {more ? <UpOutlined /> : <DownOutlined />}
          </Button>
        )}
      </div>
    </Form>
  )
}

/** One field, by its own control or by the one that its type and its operator ask for. */
function Sought({ field: { name, control, label }, search, shape }: { field: Exclude<Find<string>, string>; search: Search<any>; shape: Shape }) {
  const say = useText()
  return (
    <Form.Item name={name} label={say(label ?? labelOf(shape))} rules={rangeRules(search, shape, name, say)} validateTrigger="onSubmit">
      {control ?? <SearchInput shape={shape} operator={search.operators[name] ?? 'equals'} />}
    </Form.Item>
  )
}

/** Of a range of days both ends are chosen; the end of any range does not lie before its start. What is wrong is said, and nothing is asked. */
function rangeRules({ operators }: Search<any>, shape: Shape | undefined, name: string, say: Say): Rule[] {
  if (operators[name] !== 'between') return []
  const ofDays = shape?.format === 'date-time' || shape?.format === 'date'
  const validator = async (_: unknown, value: unknown) => {
    const [from, to] = (value ?? []) as [string | number | null, string | number | null]
    const isHalf = (from ?? null) === null || (to ?? null) === null
    if (value && ofDays && isHalf) throw new Error(say(HALF))
    if (value && !isHalf && from! > to!) throw new Error(say(ofDays ? ENDS_FIRST : TURNED))
  }
  return [{ validator }]
}
const HALF: Text = ['请选择完整的时间范围', 'Choose both the start and the end']
const ENDS_FIRST: Text = ['结束时间应在开始时间之后', 'The end must be after the start']
const TURNED: Text = ['后一个数不能小于前一个', 'The second number cannot be less than the first']

function fromCriteria({ operators }: Search<any>, name: string, from: Record<string, unknown>): unknown {
  if (operators[name] !== 'between') return from[name]
  const ends = [from[`${name}From`], from[`${name}To`]]
  // One end alone (a link from a figure) is shown as a day's range that begins or ends there.
  if (ends.every((end) => end === undefined)) return null
  return typeof (ends[0] ?? ends[1]) === 'string' ? [ends[0] ?? ends[1], ends[1] ?? ends[0]] : [ends[0] ?? null, ends[1] ?? null]
}
/** Empty strings and empty lists ask for nothing and are not sent. */
function toCriteria({ operators }: Search<any>, name: string, value: unknown): [string, unknown][] {
  if (operators[name] === 'between') {
    const [from, to] = (value ?? []) as [unknown, unknown]
    return [
      [`${name}From`, from ?? undefined],
      [`${name}To`, to ?? undefined],
    ]
  }
  const plain = typeof value === 'string' ? value.trim() : value
  return [[name, plain === '' || plain === null || (Array.isArray(plain) && plain.length === 0) ? undefined : plain]]
}
