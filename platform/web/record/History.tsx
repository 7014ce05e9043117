import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Drawer } from 'antd'
import type { ReactNode } from 'react'
import type { Call } from '../../contract/call.ts'
import type { Of } from '../../contract/field.ts'
import { isCovered } from '../../contract/personal.ts'
import { type FieldChange, type LinkChange, type RecordChange, records } from '../../contract/records.ts'
import { ask, asks, type Refusal } from '../ask.ts'
import { useDeeds } from './deeds.ts'
import { confirm, toast } from '../page/hosts.tsx'
import { can } from '../person.ts'
import { Failed, Nothing, RequestId, Waiting } from '../page/states.tsx'
import { type Say, type Text, useText } from '../text.ts'
import { labelOf, type Shape, shapesOf, Time, Value } from '../value.tsx'

/** A record's history, and by which call one of its fields is put back. */
export interface RecordHistory<T> {
  /** The kind's name on the server: its table, `identity.person`. */
  kind: string
  /** The noun's own update: its permission, its rules, its version. Without it nothing is put back. */
  restore?: Call<any, unknown>
  /** Calls whose answers a restored field makes old. */
  changes?: readonly Call<any, any>[]
  /** Fields that the update needs beside the row's own. */
  also?: (row: T) => object
}
export interface HistoryProps<T> {
  of: RecordHistory<T>
  id: string
  /** The row as it is now, where the list still has it: without it nothing can be put back. */
  row: T | undefined
  shapes: Record<string, Shape>
  title?: ReactNode
  onClose: () => void
}
type Change = Of<typeof RecordChange>
const EVENTS: Record<string, Text> = { insert: ['新增', 'Added'], update: ['修改', 'Changed'], delete: ['删除', 'Deleted'] }

/** The changes of one record with their authors, newest first, field by field. */
export default function HistoryDrawer<T extends object>({ of, id, row, shapes, title, onClose }: HistoryProps<T>) {
  const say = useText()
  const one = useQuery(asks(records.history, { kind: of.kind, key: id }))
  const restore = useRestore(of, row)
  const back = row && of.restore && can(of.restore.needs) ? restore : undefined
  const all = one.data
  return (
    <Drawer open mask={false} onClose={onClose} size={560} rootClassName="history-drawer" title={title ?? say(['变更历史', 'History'])}>
      {one.isError ? (
        <Failed error={one.error as Refusal} retry={() => void one.refetch()} />
      ) : all === undefined ? (
        <Waiting lines={6} />
      ) : all.changes.length === 0 ? (
        <Nothing>{say(['启用审计之前的变更没有记录。', 'Changes made before auditing began were not recorded.'])}</Nothing>
      ) : (
        <ol className="record-history">
          {all.changes.map((change) => (
            <OneChange key={change.id} change={change} names={all.names} shapes={shapes} row={row as Row | undefined} restore={back} />
          ))}
        </ol>
      )}
      {all?.more && <p className="faint">{say(['更早的变更见「操作日志」。', 'Earlier changes are in the “Operation log”.'])}</p>}
    </Drawer>
  )
}
type Row = Record<string, unknown>
type Restore = ReturnType<typeof useRestore<any>>

function OneChange({
  change,
  names,
  shapes,
  row,
  restore,
}: {
  change: Change
  names: Names
  shapes: Shapes
  row: Row | undefined
  restore: Restore | undefined
}) {
  const say = useText()
  const deedOf = useDeeds()
  const { at, authorName, via, event, reason, requestId, fields, links } = change
  const act = say(EVENTS[event] ?? [event, event])
  const done = say(deedOf(via))
  return (
    <li>
      <header>
        <b>{act}</b>
        <span>{authorName ?? say(['平台', 'The platform'])}</span>
        <Time at={at} />
      </header>
      {reason && <p className="reason">{reason}</p>}
      <dl>
        {fields
          .filter(({ name }) => shapes[name])
          .map((field) => (
            <OneField key={field.name} {...{ field, event, names, row, restore }} shape={shapes[field.name]!} />
          ))}
        {links.map((link) => (
          <OneLink key={link.label[1]} link={link} say={say} />
        ))}
      </dl>
      <footer className="faint">
        {done !== act && <span title={via}>{done}</span>} <RequestId id={requestId ?? ''} />
      </footer>
    </li>
  )
}
type Names = Readonly<Record<string, string>>
type Shapes = Record<string, Shape>

interface FieldProps {
  field: FieldChange
  event: string
  names: Names
  shape: Shape
  row: Row | undefined
  restore: Restore | undefined
}
function OneField({ field: { name, before, after }, event, names, shape, row, restore }: FieldProps) {
  const say = useText()
  const label = labelOf(shape)
  const drawn = (value: unknown) => (typeof value === 'string' && names[value] ? names[value] : <Value shape={shape} value={value} />)
  const isNow = JSON.stringify(row?.[name] ?? null) === JSON.stringify(before ?? null)
  return (
    <div>
      <dt>{say(label)}</dt>
      <dd>
        {event === 'insert' ? (
          drawn(after)
        ) : event === 'delete' ? (
          <s>{drawn(before)}</s>
        ) : (
          <>
            <s>{drawn(before)}</s> <i aria-label={say(['改为', 'changed to'])}>→</i> {drawn(after)}
          </>
        )}
        {event === 'update' &&
          restore?.takes(name) &&
          !isNow &&
          !(shape['x-personal'] && (isCovered(before) || shape['x-personal'] === 'picture')) && (
            <Button size="small" type="link" onClick={() => void restore.put(name, before, label, drawn(before))}>
              {say(['恢复此值', 'Restore value'])}
            </Button>
          )}
      </dd>
    </div>
  )
}

function OneLink({ link: { label, added, removed }, say }: { link: LinkChange; say: Say }) {
  const list = (names: readonly string[]) => names.join(say(['、', ', ']))
  return (
    <div>
      <dt>{say(label)}</dt>
      <dd>
        {added.length > 0 && <ins>+ {list(added)}</ins>} {removed.length > 0 && <s>− {list(removed)}</s>}
      </dd>
    </div>
  )
}

/** Puts one field back through the noun's own update: whatever refuses a person's edit refuses this too. */
function useRestore<T extends object>({ restore: call, changes = [], also }: RecordHistory<T>, row: T | undefined) {
  const say = useText()
  const cache = useQueryClient()
  const wanted = call && shapesOf(call.input)
  const needed = new Set((call?.input as { required?: string[] } | undefined)?.required)
  const put = useMutation({
    mutationFn: async ({ name, value }: { name: string; value: unknown }) => {
      const have = { ...row, ...(row && also?.(row)) } as Row
      const rest = Object.fromEntries(Object.keys(wanted!).flatMap((key) => (needed.has(key) && key in have ? [[key, have[key]]] : [])))
      await ask(call!, { ...rest, [name]: value })
      await Promise.all([...changes, records.history].map(({ id }) => cache.invalidateQueries({ queryKey: [id] })))
      toast('success', ['已恢复', 'Restored'])
    },
  })
  return {
    takes: (name: string) => Boolean(wanted?.[name]) && name !== 'id' && name !== 'version',
    put: (name: string, value: unknown, label: Text, drawn: ReactNode) =>
      confirm({
        title: say([`恢复「${label[0]}」？`, `Restore “${label[1]}”?`]),
        content: drawn,
        okText: say(['恢复', 'Restore']),
        cancelText: say(['取消', 'Cancel']),
        // `ask` has shown and noted a refusal already.
        onOk: () => put.mutateAsync({ name, value }).catch(() => {}),
      }),
  }
}
