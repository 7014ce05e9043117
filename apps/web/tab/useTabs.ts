import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type Location, parsePath, useLocation, useNavigate } from 'react-router'
import { askToDiscard } from '../../../platform/web/form/guard.ts'
import { kept, oneOf } from '../../../platform/web/kept.ts'
import { unsaved } from '../../../platform/web/form/unsaved.ts'
import { HOME, pathHere } from '../address.ts'
import { type Route, routeAt } from '../menu/menu.ts'
import { openedTabs } from './openedTabs.ts'
import { type Closed, open, type Tab, TABS_FEW, TABS_MOST } from './tabs.ts'

/** How many pages are open at most is a setting. */
export const tabsMost = kept<number>('tabs-most', TABS_MOST, oneOf(TABS_MOST, TABS_FEW), { everywhere: true })

export interface Tabs {
  all: readonly Tab[]
  front: string | undefined
  /** Pages that are mounted: those looked at since the console was opened. A remembered tab is loaded when it is first looked at. */
  shown: { route: Route; location: Location; turn: number }[]
  /** The address of the page last in front. */
  last: string
  go: (tab: Tab) => void
  /** Closes by one of the ways of `tabs.ts`; asks first when something half typed would go. */
  leave: (by: (tabs: readonly Tab[], front: string) => Closed) => Promise<void>
  move: (tabs: Tab[]) => void
  /** Asks first when something half typed would go. */
  refresh: () => Promise<void>
  /** Loads the page last in front anew. */
  reload: () => void
}

/** The address decides which page is in front; each tab remembers its own address. */
export function useTabs(routes: readonly Route[]): Tabs {
  const location = useLocation()
  const navigate = useNavigate()
  const most = tabsMost.use()
  const saved = openedTabs.use()
  const all = saved.filter((tab) => routes.some(({ path }) => path === tab.path))
  const front = routeAt(routes, location.pathname)
  const [turns, setTurns] = useState<Record<string, number>>({})
  const [seen, setSeen] = useState<Record<string, Location>>({})
  const last = useRef(HOME)
  const here = location.pathname + location.search

  if (front && seen[front.path] !== location) setSeen({ ...seen, [front.path]: location })
  useLayoutEffect(() => unsaved.shown(front?.path), [front?.path])
  useEffect(() => {
    if (!front) return
    last.current = here
    const before = openedTabs.get()
    const next = open(before, front.path, here, most, (tab) => unsaved.at(tab.path))
    const lost = before.find((tab) => unsaved.at(tab.path) && !next.some(({ path }) => path === tab.path))
    if (!lost) return openedTabs.set(next)
    // Every page holds something unsaved: the oldest gives way only when its person says so, else there is one page more.
    openedTabs.set(open(before, front.path, here, before.length + 1))
    void askToClose().then((sure) => {
      if (!sure) return
      unsaved.forget(lost.path)
      openedTabs.set(openedTabs.get().filter(({ path }) => path !== lost.path))
    })
  }, [here, front?.path, most])
  // Re-opening a tab that gave way begins afresh: what is no tab any more is not kept alive.
  const alive = (path: string) => path === front?.path || all.some((tab) => tab.path === path)
  const shown = routes.flatMap((route) => {
    const at = route === front ? location : seen[route.path]
    return at && alive(route.path) ? [{ route, location: at, turn: turns[route.path] ?? 0 }] : []
  })

  return {
    all,
    front: front?.path,
    shown,
    last: last.current,
    go: (tab) => void navigate(tab.address),
    move: (next) => openedTabs.set(next),
    refresh: async () => {
      if (front && unsaved.at(front.path)) {
        if (!(await askToClose())) return
        unsaved.forget(front.path)
      }
      void navigate('/refresh')
    },
    reload: () => {
      const path = routeAt(routes, parsePath(last.current).pathname ?? HOME)?.path ?? HOME
      setTurns((old) => ({ ...old, [path]: (old[path] ?? 0) + 1 }))
    },
    leave: async (by) => {
      // The address is ahead of what is drawn: whoever turns to a page and closes it at once closes the one in front.
      const now = routeAt(routes, pathHere())?.path
      const { tabs, front: next } = by(all, now ?? HOME)
      const gone = all.filter((tab) => !tabs.some(({ path }) => path === tab.path)).map((tab) => tab.path)
      if (gone.some((path) => unsaved.at(path)) && !(await askToClose())) return
      for (const path of gone) unsaved.forget(path)
      setSeen((old) => Object.fromEntries(Object.entries(old).filter(([path]) => !gone.includes(path) || path === next)))
      openedTabs.set(tabs)
      const target = tabs.find((tab) => tab.path === next)
      if (next !== now) void navigate(target?.address ?? HOME)
    },
  }
}

const askToClose = () => askToDiscard({ ok: ['关闭页面', 'Close the page'] })
