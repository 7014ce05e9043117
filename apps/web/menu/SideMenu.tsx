import { Menu } from 'antd'
import { useMemo, useState } from 'react'
import { type Say, useText } from '../../../platform/web/text.ts'
import { Icon } from './icons.tsx'
import { type Entry, PLACEHOLDER, trailTo } from './menu.ts'
import { useMenuChoice } from './useMenuChoice.ts'

/** 220 px wide, 65 px folded. Folders open in place; folded, beside it. */
export function SideMenu({ menu, front, folded }: { menu: Entry[]; front: string | undefined; folded: boolean }) {
  const say = useText()
  const choose = useMenuChoice()
  const trail = useMemo(() => (front ? trailTo(menu, front) : []), [menu, front])
  const [open, setOpen] = useState<string[]>([])
  // The way to the page in front is open, whatever else was opened by hand.
  const [shownFor, setShownFor] = useState<string>()
  if (shownFor !== front) {
    setShownFor(front)
    setOpen([...new Set([...open, ...trail.slice(0, -1).map((entry) => entry.id)])])
  }
  const byKey = useMemo(() => new Map(everyEntry(menu).map((entry) => [entry.id, entry])), [menu])
  const items = useMemo(() => itemsOf(menu, say), [menu, say])
  const selected = trail.at(-1)?.id
  return (
    <nav className="side" style={{ width: folded ? 65 : 220 }} aria-label={say(['主菜单', 'Main menu'])}>
      <Menu
        mode="inline"
        inlineCollapsed={folded}
        inlineIndent={14}
        {...(!folded && { openKeys: open, onOpenChange: setOpen })}
        selectedKeys={selected ? [selected] : []}
        onClick={({ key }) => choose(byKey.get(key) ?? key)}
        items={items}
      />
    </nav>
  )
}

const everyEntry = (menu: readonly Entry[]): Entry[] => menu.flatMap((entry) => [entry, ...everyEntry(entry.children)])

type Item = NonNullable<NonNullable<Parameters<typeof Menu>[0]['items']>[number]>
function itemsOf(menu: readonly Entry[], say: Say, top = true): Item[] {
  return menu.map((entry) => {
    const { id, url, name, icon, children, component } = entry
    const shown = { key: id, label: say(name), title: say(name), ...(top && { icon: <Icon name={icon} url={url} /> }) }
    if (children.length > 0) return { ...shown, children: itemsOf(children, say, false) }
    // A folder that the person may see, with nothing in it for them.
    if (component === 'layoutHeaderAside') return { ...shown, children: [{ key: PLACEHOLDER + id, label: say(['空菜单', 'Empty']) }] }
    return shown
  })
}
