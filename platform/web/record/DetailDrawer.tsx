import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import type { Call } from '../../contract/call.ts'
import type { Schema } from '../../contract/field.ts'
import { type Text, useText } from '../text.ts'
import { labelOf, shapesOf, Value, WholeValue } from '../value.tsx'

/** The content of the drawer for one record. `R` is the detail call's reply, `I` its input, made from the key in the address. */
export interface Detail<R, I = any> {
  call: Call<I, R>
  /** The call's input for a key; `{ id }` when left out. */
  input?: (id: string) => I
  head: (row: R) => ReactNode
  /** The next sensible thing to do. */
  act?: (row: R) => ReactNode
  body: (row: R) => ReactNode
}

export interface DrawerProps<R> extends Detail<R> {
  id: string | undefined
  /** The list's topic: an open record is asked again when it changes. */
  live: string | undefined
  /** By the browser's address, which is ahead of what is drawn. */
  isOpen: () => boolean
  onStep: (by: 1 | -1) => void
  onClose: () => void
  onHistory?: (() => void) | undefined
}
// It comes when the first record is opened; then it stays, so that closing is seen.
const Body = lazy(() => import('./Drawer.tsx')) as unknown as ComponentType<DrawerProps<any>>

/** One record's story beside the list, at its own address. It has no mask: the list stays in reach, j and k go on from row to row. */
export function DetailDrawer<R>(props: DrawerProps<R>) {
  useEscape(props.isOpen, props.onClose)
  const [wanted, setWanted] = useState(props.id !== undefined)
  if (props.id !== undefined && !wanted) setWanted(true)
  return wanted ? (
    <Suspense>
      <Body {...props} />
    </Suspense>
  ) : null
}

/** Layers over the drawer close first. */
const OVER = [
  '.history-drawer .ant-drawer-section',
  '.ant-modal-wrap',
  '.ant-dropdown',
  '.ant-select-dropdown',
  '.ant-picker-dropdown',
  '.ant-image-preview',
  '.ant-popover',
  '.ant-popconfirm',
]
const isOver = () =>
  OVER.some((one) => [...document.querySelectorAll<HTMLElement>(one)].some((node) => node.checkVisibility({ visibilityProperty: true })))

/** Esc goes one step back wherever the focus is: without a mask it may well be in the list. */
function useEscape(isOpen: () => boolean, close: () => void) {
  useEffect(() => {
    // Before anything else hears it: what is over the drawer is still there then.
    const hear = (event: KeyboardEvent) => event.key === 'Escape' && isOpen() && !isOver() && close()
    addEventListener('keydown', hear, { capture: true })
    return () => removeEventListener('keydown', hear, { capture: true })
  })
}

/** A fact by name, or a line of its own. */
export type Fact<T> = (keyof T & string) | { label: Text; value: ReactNode }

/** Facts in two columns: fields picked by name, labelled and drawn as their entity says; a line of its own says its label itself. */
export function Facts<T extends object>({ entity, of, show }: { entity: Schema<T>; of: T; show: readonly Fact<NoInfer<T>>[] }) {
  const say = useText()
  const shapes = shapesOf(entity)
  return (
    <dl className="facts">
      {show.map((fact) => {
        const own = typeof fact === 'object' ? fact : undefined
        const name = typeof fact === 'object' ? fact.label[1] : fact
        const shape = shapes[name]
        return (
          <div key={name} {...(shape?.['x-rich'] && { className: 'whole' })}>
            <dt>{say(own ? own.label : labelOf(shape!))}</dt>
            <dd>{own ? own.value : <WholeValue shape={shape!} value={of[name as keyof T]} of={of} />}</dd>
          </div>
        )
      })}
    </dl>
  )
}

/** One event of a record's story. */
export interface Event {
  at: string
  title: ReactNode
  /** The person or thing that did it. */
  by?: ReactNode
  body?: ReactNode
  tone?: 'success' | 'warning' | 'error' | 'default'
}
/** A record's events, the newest or the oldest first as given. Time at the left, the mark's shape tells the tone. */
export function Timeline({ events }: { events: readonly (Event & { key?: string })[] }) {
  return (
    <ol className="timeline">
      {events.map(({ key, at, title, by, body, tone = 'default' }, place) => (
        <li key={key ?? `${at}${place}`}>
          <Value shape={{ 'x-zh': '', 'x-en': '', type: 'string', format: 'date-time' }} value={at} />
          <span className={`state ${tone}`} />
          <div>
            <span>{title}</span> {by && <span className="faint">{by}</span>}
            {body && <div className="soft">{body}</div>}
          </div>
        </li>
      ))}
    </ol>
  )
}

/** A part of a detail: its heading and what stands at the heading's right. */
export function Section({ title, aside, children }: { title: Text; aside?: ReactNode; children: ReactNode }) {
  const say = useText()
  return (
    <section className="section">
      <header>
        <h2>{say(title)}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}
