import { FilterOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Popover } from 'antd'
import { lazy, startTransition, Suspense, useEffect, useState } from 'react'
import { ask, asks, type Refusal } from '../ask.ts'
import { toast } from '../page/hosts.tsx'
import { type Text, useText } from '../text.ts'
import type { ListAddress } from './useListAddress.ts'
import { type Asked, defaultView, type View, type ViewCalls, viewCalls } from './views.ts'

const Panel = lazy(() => import('./ViewPanel.tsx'))

export interface ViewsProps {
  list: string
  address: ListAddress<any>
  /** How a part of the address is called on this page; nothing when the reader may not see it or it is gone. */
  named: (name: string) => Text | undefined
}
/** Named searches of a list: chosen, kept, shared. */
export function Views(props: ViewsProps) {
  const say = useText()
  const [open, setOpen] = useState(false)
  const view = useViewInForce(props)
  if (!viewCalls()) return null
  const panel = (
    <Suspense>
      <Panel {...props} onClose={() => setOpen(false)} />
    </Suspense>
  )
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      title={say(['视图', 'Views'])}
      content={panel}
      open={open}
      onOpenChange={setOpen}
      destroyOnHidden
    >
      <Button size="small" type="text" className="views-button" icon={<FilterOutlined />}>
        {view ? <b className="view-name">{view.name}</b> : say(['视图', 'Views'])}
        {view && !isSame(view.criteria, props.address.asked) && <span className="soft">{say(['已修改', 'modified'])}</span>}
      </Button>
    </Popover>
  )
}

/** The view that the list was last called by; a link to somebody else's own one names none. */
function useViewInForce({ list, address }: ViewsProps): View | undefined {
  const calls = viewCalls()
  const { data } = useQuery<View[], Refusal>({
    ...asks(calls?.query ?? NO_VIEWS, { list }, { quiet: true }),
    enabled: calls !== undefined && address.view !== undefined,
  })
  return data?.find(({ id }) => id === address.view)
}
const NO_VIEWS = { id: 'no-views' } as ViewCalls['query']
const isSame = (view: readonly Asked[], now: readonly Asked[]) => inOrder(view) === inOrder(now)
const inOrder = (asked: readonly Asked[]) =>
  asked
    .map(({ name, value }) => `${name}=${value}`)
    .toSorted()
    .join('&')

/** Asks for what the view asks for. What the reader may not see, or the list no longer has, is left out, and that is said. */
export function applyView({ id, criteria }: Pick<View, 'id' | 'criteria'>, { address, named }: Omit<ViewsProps, 'list'>) {
  const dropped = address.apply(criteria, id)
  if (dropped.length === 0) return
  const names = dropped.map((name) => named(name)?.[0] ?? name).join('、')
  const inEnglish = dropped.map((name) => named(name)?.[1] ?? name).join(', ')
  toast('warning', [`视图中的 ${names} 您不能查看或已不存在，已忽略`, `${inEnglish} in this view is hidden from you or gone, and was ignored`])
}

/** A list that is opened without any search opens in its reader's default view. True while that is being looked up: nothing is asked for twice. */
export function useDefaultView({ list, address, named }: ViewsProps): boolean {
  const [waiting, setWaiting] = useState(() => address.bare && defaultView(list).get() !== '' && viewCalls() !== undefined)
  useEffect(() => {
    if (!waiting) return
    const wanted = defaultView(list).get()
    const opened = (views: View[]) => {
      const view = views.find(({ id }) => id === wanted)
      if (view) applyView(view, { address, named })
      else defaultView(list).reset()
    }
    void ask(viewCalls()!.query, { list }, { quiet: true })
      .then(opened, () => {})
      .finally(() => startTransition(() => setWaiting(false))) // with the new address, not before it
  }, [])
  return waiting
}
