import { useText } from '../../../platform/web/text.ts'
import type { MenuNode } from '../contract/menuTree.ts'
import './identity.css'

/** The menu as somebody is offered it, with what each screen's buttons are called where they are known. */
export function Opens({ of, buttons = [] }: { of: readonly MenuNode[]; buttons?: readonly { resourceId: string; name: string; nameEn: string }[] }) {
  const say = useText()
  if (of.length === 0) return <p className="faint">{say(['没有可用的菜单', 'No menus available'])}</p>
  return (
    <ul className="granted">
      {of.map((node) => (
        <Branch key={node.id} of={node} buttons={buttons} />
      ))}
    </ul>
  )
}

function Branch({ of, buttons }: { of: MenuNode; buttons: readonly { resourceId: string; name: string; nameEn: string }[] }) {
  const say = useText()
  const own = buttons.filter(({ resourceId }) => resourceId === of.id).map(({ name, nameEn }) => say([name, nameEn]))
  return (
    <li>
      {of.children.length > 0 ? <b>{say([of.name, of.nameEn])}</b> : say([of.name, of.nameEn])}
      {own.length > 0 && <span className="faint"> · {own.join(say(['、', ', ']))}</span>}
      {of.children.length > 0 && (
        <ul>
          {of.children.map((node) => (
            <Branch key={node.id} of={node} buttons={buttons} />
          ))}
        </ul>
      )}
    </li>
  )
}
