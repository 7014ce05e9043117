import { FilterOutlined } from '@ant-design/icons'
import { Button, Popover } from 'antd'
import { lazy, startTransition, Suspense, useEffect, useState } from 'react'
import { ask } from './ask.ts'
import { toast } from './hosts.tsx'
import { type Text, useText } from './text.ts'
import type { ListAddress } from './useListAddress.ts'
import { type Asked, defaultView, viewCalls, type View } from './views.ts'

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
      <Button size="small" type="text" icon={<FilterOutlined />}>
        {say(['视图', 'Views'])}
      </Button>
    </Popover>
  )
}

/** Asks for what the view asks for. What the reader may not see, or the list no longer has, is left out, and that is said. */
export function applyView({ criteria }: { criteria: readonly Asked[] }, { address, named }: Omit<ViewsProps, 'list'>) {
  const dropped = address.apply(criteria)
  if (dropped.length === 0) return
  const names = dropped.map((name) => named(name)?.[0] ?? name).join('、')
  const inEnglish = dropped.map((name) => named(name)?.[1] ?? name).join(', ')
  toast('warning', [`视图中的 ${names} 您不能查看或已不存在，已忽略`, `${inEnglish} of this view is not for you to see, or gone: left out`])
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
