import { ColumnHeightOutlined, SettingOutlined } from '@ant-design/icons'
import { Button, Popover, Tooltip } from 'antd'
import type { ColumnType } from 'antd/es/table'
import { type CSSProperties, type HTMLAttributes, lazy, type ReactNode, Suspense, useMemo } from 'react'
import { kept, listOfWords } from '../kept.ts'
import { isSmall } from '../page/small.ts'
import { HEAD } from './tableRoles.ts'
import { useText } from '../text.ts'
import { chosen } from '../theme.ts'

/** How a person sees the columns of a list. Widths are a list, not an object with column names for keys. */
interface Layout {
  hidden: readonly string[]
  order: readonly string[]
  widths: readonly { name: string; px: number }[]
  left: readonly string[]
  right: readonly string[]
  /** Those that a small window would put away, and that this person wants there all the same. */
  wanted: readonly string[]
}
export const WIDTH_STEP_PX = 10
export const WIDTH_LEAST_PX = 60
export const WIDTH_MOST_PX = 800
const isWidth = (one: unknown) => {
  const { name, px } = (one ?? {}) as { name?: unknown; px?: unknown }
  return typeof name === 'string' && typeof px === 'number' && px >= WIDTH_LEAST_PX && px <= WIDTH_MOST_PX
}
const checkLayout = (value: unknown): Layout | undefined => {
  const { hidden, order, widths = [], left = [], right = [], wanted = [] } = (value ?? {}) as Partial<Layout>
  const lists = [hidden, order, left, right, wanted].map(listOfWords)
  if (lists.includes(undefined) || !Array.isArray(widths) || !widths.every(isWidth)) return undefined
  const [some, sorted, atLeft, atRight, all] = lists as [string[], string[], string[], string[], string[]]
  return { hidden: some, order: sorted, widths, left: atLeft, right: atRight, wanted: all }
}

export type Side = 'left' | 'right' | undefined
/** A column as the panel lists it. */
export interface Listed {
  name: string
  title: ReactNode
  label: string
  shown: boolean
  /** Only this window has no room for it. */
  away: boolean
  side: Side
}
export interface Arrangement<T> {
  shown: readonly ColumnType<T>[]
  listed: readonly Listed[]
  show: (name: string, shown: boolean) => void
  /** Puts a column before or behind another; a pinned one stays among those pinned to its side. */
  place: (name: string, beside: string) => void
  pin: (name: string, side: Side) => void
  resize: (name: string, px: number) => void
  reset: () => void
}

interface AtFirst {
  hidden?: readonly string[]
  /** What gives way where there is no room for it, the rightmost first, and all of it in a small window: it is no choice of the person's and is not kept as one. */
  roomy?: readonly string[]
  /** How many of them there is no room for. */
  giving?: number
}
/** Which columns a person sees in a list, in which order, how wide, pinned to which side; kept for that person on the server. What was added since stands at its own place. */
export function useColumns<T>(listId: string, columns: readonly ColumnType<T>[], { hidden = [], roomy = [], giving = 0 }: AtFirst): Arrangement<T> {
  const layout = useMemo(() => {
    const first: Layout = { hidden, order: [], widths: [], left: [], right: [], wanted: [] }
    return kept<Layout>(`columns/${listId}`, first, checkLayout, { everywhere: true })
  }, [listId])
  const now = layout.use()
  const names = columns.map((column) => String(column.key))
  const sideOf = (name: string): Side => (now.left.includes(name) ? 'left' : now.right.includes(name) ? 'right' : undefined)
  const rank = (name: string) => ({ left: 0, right: 2, none: 1 })[sideOf(name) ?? 'none']
  const place = (name: string) => (now.order.includes(name) ? now.order.indexOf(name) : names.indexOf(name))
  const all = columns.toSorted((a, b) => rank(String(a.key)) - rank(String(b.key)) || place(String(a.key)) - place(String(b.key)))
  const yielding = all
    .map(({ key }) => String(key))
    .filter((name) => roomy.includes(name) && !now.wanted.includes(name) && !now.hidden.includes(name))
  const roomless = isSmall() ? roomy : yielding.toReversed().slice(0, giving)
  const isAway = (name: string) => roomless.includes(name) && !now.wanted.includes(name) && !now.hidden.includes(name)
  const isShown = (name: string) => !now.hidden.includes(name) && !isAway(name)
  const visible = all.filter(({ key }) => isShown(String(key)))
  const order = all.map(({ key }) => String(key))
  const change = (next: Partial<Layout>) => layout.set({ ...layout.get(), ...next })
  const without = (list: readonly string[], name: string) => list.filter((one) => one !== name)
  const resize = (name: string, px: number) => {
    const width = Math.round(Math.min(WIDTH_MOST_PX, Math.max(WIDTH_LEAST_PX, px)))
    change({ widths: [...layout.get().widths.filter((one) => one.name !== name), { name, px: width }] })
  }
  const move = (name: string, beside: string) => {
    if (name === beside || rank(name) !== rank(beside)) return
    const next = without(order, name)
    next.splice(next.indexOf(beside) + (order.indexOf(name) < order.indexOf(beside) ? 1 : 0), 0, name)
    change({ order: next })
  }
  return {
    shown: (visible.length > 0 ? visible : all).map((column) => sized(column, now, sideOf(String(column.key)), { resize, move })),
    listed: all.map(({ key, title }) => {
      const name = String(key)
      return { name, title: title as ReactNode, label: labelOf(title, name), shown: isShown(name), away: isAway(name), side: sideOf(name) }
    }),
    show: (name, shown) =>
      change({
        order,
        hidden: shown ? without(now.hidden, name) : [...without(now.hidden, name), name],
        wanted: shown && roomy.includes(name) ? [...without(now.wanted, name), name] : shown ? now.wanted : without(now.wanted, name),
      }),
    place: move,
    pin: (name, side) =>
      change({
        left: side === 'left' ? [...without(now.left, name), name] : without(now.left, name),
        right: side === 'right' ? [...without(now.right, name), name] : without(now.right, name),
      }),
    resize,
    reset: layout.reset,
  }
}
/** A long text is read whole in the detail; in the list it leaves room for what stands beside it. A fifth of a telephone would be two characters. */
const cutAt = (px: number) => ({ style: { maxWidth: `min(${px}px, max(20vw, 150px))` }, className: 'cut' })
const labelOf = (title: unknown, name: string) => (typeof title === 'string' ? title : name)

interface Hands {
  resize: (name: string, px: number) => void
  move: (name: string, beside: string) => void
}
/** The column with its width and its side, and a head that takes the hand and the arrow keys. */
function sized<T>(column: ColumnType<T>, { widths }: Layout, side: Side, hands: Hands): ColumnType<T> {
  const name = String(column.key)
  const px = widths.find((one) => one.name === name)?.px
  const cut = px === undefined && column.ellipsis && typeof column.width === 'number' ? cutAt(column.width) : undefined
  // A table that is as wide as its content takes a cell's own bounds, not its column's width.
  const bounds: { style?: CSSProperties } = px === undefined ? {} : { style: { width: px, minWidth: px, maxWidth: px } }
  const { width, ...free } = column
  // What a telephone writes before the value, where the heads have no room above it.
  const named = { 'data-name': labelOf(column.title, name) }
  return {
    ...free,
    // A column of a width of its own is never narrower: one that is cut has a bound instead.
    ...(width !== undefined && !cut && { width }),
    ...(px !== undefined && { width: px }),
    onCell: (...of) => ({ ...column.onCell?.(...of), ...named, ...(px === undefined ? cut : { ...bounds, className: 'cut' }) }) as object,
    ...(side && { fixed: side }),
    onHeaderCell: (...of) => {
      const own = column.onHeaderCell?.(...of)
      return { ...own, style: { ...own?.style, ...bounds.style }, head: { name, label: labelOf(column.title, name), px, ...hands } } as object
    },
  }
}

interface HeadProps extends HTMLAttributes<HTMLTableCellElement> {
  head?: { name: string; label: string; px: number | undefined } & Hands
}
/** A head of the table: dragged to another's place it moves there; its right edge is a handle for the width, by hand or by ← and →. */
export function HeadCell({ head, children, ...rest }: HeadProps) {
  if (!head)
    return (
      <th {...HEAD} {...rest}>
        {children}
      </th>
    )
  const { name, move } = head
  return (
    <th
      {...HEAD}
      {...rest}
      data-column={name}
      draggable
      onDragStart={(event) => event.dataTransfer.setData(DRAGGED, name)}
      onDragOver={(event) => event.dataTransfer.types.includes(DRAGGED) && event.preventDefault()}
      onDrop={(event) => move(event.dataTransfer.getData(DRAGGED), name)}
    >
      {children}
      <Handle {...head} />
    </th>
  )
}
export const DRAGGED = 'application/x-column'

function Handle({ name, label, px, resize }: NonNullable<HeadProps['head']>) {
  const say = useText()
  const widthOf = (node: Element) => (node.parentElement as HTMLElement).offsetWidth
  return (
    <span
      role="slider"
      tabIndex={0}
      className="handle"
      aria-orientation="horizontal"
      aria-label={say(['列宽，左右方向键调整', 'Column width, adjust with the arrow keys'])}
      // Inside its head, whose name it need not repeat: a field of the same name would no longer be found by it.
      aria-valuetext={`${label} ${px ?? ''}`}
      aria-valuemin={WIDTH_LEAST_PX}
      aria-valuemax={WIDTH_MOST_PX}
      aria-valuenow={px ?? WIDTH_LEAST_PX}
      // Told when one comes to it: to ask every head at every render would lay the page out each time.
      onFocus={({ currentTarget }) => currentTarget.setAttribute('aria-valuenow', String(widthOf(currentTarget)))}
      draggable
      onDragStart={(event) => {
        event.preventDefault()
        event.stopPropagation()
      }}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        const by = { ArrowLeft: -WIDTH_STEP_PX, ArrowRight: WIDTH_STEP_PX }[event.key]
        if (by === undefined) return event.stopPropagation()
        event.preventDefault()
        event.stopPropagation()
        resize(name, widthOf(event.currentTarget) + by)
      }}
      onPointerDown={(event) => {
        const from = widthOf(event.currentTarget)
        const start = event.clientX
        const handle = event.currentTarget
        // A quick hand is over the head before the drag begins: the head must not be what is dragged.
        const head = handle.parentElement as HTMLElement
        head.draggable = false
        handle.setPointerCapture(event.pointerId)
        handle.onpointermove = ({ clientX }) => resize(name, from + clientX - start)
        handle.onlostpointercapture = () => {
          handle.onpointermove = null
          head.draggable = true
        }
      }}
    />
  )
}

const Panel = lazy(() => import('./ColumnPanel.tsx'))
/** Shows, hides, orders and pins the columns; the other button changes the density of the whole console. */
export function ColumnChooser<T>({ columns }: { columns: Arrangement<T> }) {
  const say = useText()
  const size = chosen.size.use()
  const away = columns.listed.filter((one) => one.away)
  const fewer = say([`${away.length} 列未显示`, `${away.length} not shown`])
  const label = say(['列设置', 'Columns'])
  const density = say(size === 'small' ? ['宽松显示', 'Comfortable rows'] : ['紧凑显示', 'Compact rows'])
  const panel = (
    <Suspense>
      <Panel columns={columns} />
    </Suspense>
  )
  return (
    <>
      <Tooltip title={density}>
        <Button
          size="small"
          type="text"
          aria-label={density}
          icon={<ColumnHeightOutlined />}
          onClick={() => chosen.size.set(size === 'small' ? 'default' : 'small')}
        />
      </Tooltip>
      <Popover trigger="click" placement="bottomRight" content={panel} title={label}>
        {away.length === 0 ? (
          <Button size="small" type="text" className="columns-button" aria-label={label} icon={<SettingOutlined />} />
        ) : (
          // A smaller window puts columns away: that is said, and one press has them back.
          <Button
            size="small"
            type="text"
            className="columns-button fewer"
            aria-label={`${label} · ${fewer}`}
            title={say(['窗口较窄，未显示：', 'Narrow window, not shown: ']) + away.map((one) => one.label).join(say(['、', ', ']))}
            icon={<SettingOutlined />}
          >
            {fewer}
          </Button>
        )}
      </Popover>
    </>
  )
}
