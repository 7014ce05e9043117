import { CloseOutlined, DownOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { type ComponentType, type HTMLAttributes, type KeyboardEvent, type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useText } from '../../../platform/web/text.ts'
import { HOME } from '../address.ts'
import type { Route } from '../menu/menu.ts'
import { close, closeAll, closeLeft, closeOthers, closeRight, moved, type Tab } from './tabs.ts'
import type { Tabs } from './useTabs.ts'

/** One tab's box; the draggable kind comes a moment later. */
export type TabBox = ComponentType<{ id: string; ref?: Ref<HTMLDivElement> } & HTMLAttributes<HTMLDivElement>>
export interface Sorting {
  Box: TabBox
  Strip: ComponentType<{ tabs: readonly Tab[]; onMove: (tabs: Tab[]) => void; children: ReactNode }>
}
const still: Sorting = {
  Box: ({ id: _, ...rest }) => <div {...rest} />,
  Strip: ({ children }) => children,
}

/** The opened pages. Home has no tab: the mark and the house lead there. Dragging changes the order, the right button closes several. */
export function TabStrip({ routes, tabs }: { routes: readonly Route[]; tabs: Tabs }) {
  const [{ Box, Strip }, setSorting] = useState(still)
  useEffect(() => {
    const load = async () => {
      const { sorting } = await import('./sorting.tsx')
      const focused = document.activeElement?.closest<HTMLElement>('.tabs [role=tab]')?.dataset['path']
      // Other boxes are drawn in the place of these: the focus goes along.
      flushSync(() => setSorting(sorting))
      if (focused) tabOf(focused)?.focus()
    }
    const timer = setTimeout(() => void load(), SORTING_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  const drawn = tabs.all.filter((tab) => tab.path !== HOME)
  const strip = useRef<HTMLDivElement>(null)
  const [hides, setHides] = useState(false)
  const say = useText()
  // More tabs than there is room for: the one in front is always in sight, also when the window is made smaller.
  useEffect(() => {
    const box = strip.current!
    let frame = 0
    const look = () => {
      cancelAnimationFrame(frame)
      // With the next picture, which lays the page out anyway.
      frame = requestAnimationFrame(() => {
        setHides(box.scrollWidth > box.clientWidth)
        box.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      })
    }
    look()
    const watch = new ResizeObserver(look)
    watch.observe(box)
    return () => {
      watch.disconnect()
      cancelAnimationFrame(frame)
    }
  }, [tabs.front, drawn.length, say, Box])
  const routeOf = (tab: Tab) => routes.find(({ path }) => path === tab.path)!
  const all = drawn.map((tab) => ({ key: tab.path, label: say(routeOf(tab).name), onClick: () => tabs.go(tab) }))
  return (
    <div className="tab-row">
      <div className="tabs" role="tablist" ref={strip}>
        <Strip tabs={tabs.all} onMove={tabs.move}>
          {drawn.map((tab) => (
            <OneTab key={tab.path} tab={tab} tabs={tabs} route={routeOf(tab)} Box={Box} />
          ))}
        </Strip>
      </div>
      {hides && (
        <Dropdown menu={{ items: all, selectedKeys: tabs.front ? [tabs.front] : [] }} trigger={['click']}>
          <Button type="text" icon={<DownOutlined />} aria-label={say(['全部已打开的页面', 'All open pages'])} />
        </Dropdown>
      )}
    </div>
  )
}
const SORTING_AFTER_MS = 500
const tabOf = (path: string | undefined) =>
  [...document.querySelectorAll<HTMLElement>('.tabs [role=tab]')].find(({ dataset }) => dataset['path'] === path)

function OneTab({ tab, tabs, route, Box }: { tab: Tab; tabs: Tabs; route: Route; Box: TabBox }) {
  const say = useText()
  const front = tabs.front ?? HOME
  const isFront = tab.path === front
  const shut = (by: typeof close) => void tabs.leave((all, front) => by(all, front, tab.path))
  const drawn = tabs.all.filter((one) => one.path !== HOME)
  const place = drawn.findIndex((one) => one.path === tab.path)
  const move = (by: -1 | 1) => {
    const to = drawn[place + by]
    if (!to) return
    tabs.move(moved(tabs.all, tab.path, to.path))
    // An element that is moved within the page loses the focus: the focus follows it.
    requestAnimationFrame(() => tabOf(tab.path)?.focus())
  }
  const press = ({ key, shiftKey }: KeyboardEvent) => {
    const by = ({ ArrowLeft: -1, ArrowRight: 1 } as const)[key]
    if (by && shiftKey) move(by)
    else if (by) tabOf(drawn[place + by]?.path)?.focus()
    else if (key === 'Enter') tabs.go(tab)
    else if (key === 'Delete') shut(close)
  }
  const items = [
    { key: 'refresh', label: say(['刷新页面', 'Refresh page']), disabled: !isFront, onClick: () => void tabs.refresh() },
    { type: 'divider' as const },
    { key: 'before', label: say(['左移（Shift+←）', 'Move left (Shift+←)']), disabled: place === 0, onClick: () => move(-1) },
    { key: 'behind', label: say(['右移（Shift+→）', 'Move right (Shift+→)']), disabled: place === drawn.length - 1, onClick: () => move(1) },
    { type: 'divider' as const },
    { key: 'current', label: say(['关闭当前', 'Close']), onClick: () => shut(close) },
    { key: 'left', label: say(['关闭左侧', 'Close to the left']), onClick: () => shut(closeLeft) },
    { key: 'right', label: say(['关闭右侧', 'Close to the right']), onClick: () => shut(closeRight) },
    { key: 'others', label: say(['关闭其他', 'Close others']), onClick: () => shut(closeOthers) },
    { key: 'all', label: say(['全部关闭', 'Close all']), onClick: () => shut(closeAll) },
  ]
  return (
    <Dropdown menu={{ items }} trigger={['contextMenu']}>
      <Box
        id={tab.path}
        role="tab"
        aria-selected={isFront}
        tabIndex={0}
        data-path={tab.path}
        onClick={() => tabs.go(tab)}
        onAuxClick={({ button }) => button === 1 && shut(close)}
        onKeyDown={press}
        aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight Delete"
      >
        {say(route.name)}
        {/* For the hand; by keyboard it is Delete: a control inside a tab would not be reached. */}
        <span
          aria-hidden
          title={say(['关闭', 'Close'])}
          onClick={(event) => {
            event.stopPropagation()
            shut(close)
          }}
        >
          <CloseOutlined />
        </span>
      </Box>
    </Dropdown>
  )
}
