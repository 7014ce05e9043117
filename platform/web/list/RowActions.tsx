import { DownOutlined, MoreOutlined } from '@ant-design/icons'
import { Dropdown, Tooltip } from 'antd'
import type { ComponentProps } from 'react'
import type { Permission } from '../../contract/call.ts'
import { ButtonType } from '../../contract/menu.ts'
import { useCatalogued } from '../form/catalogued.tsx'
import { can } from '../person.ts'
import { type Text, useText } from '../text.ts'

/** Pressed on a row. Without the permission `needs` it is not there; `not` says why it cannot be done now: it stays, disabled, and tells the hand and the keyboard. */
export interface RowAction {
  text: Text
  run: () => void
  needs?: Permission
  not?: Text | false | undefined
  danger?: boolean
}
const OPEN_ACTIONS = 2
const LOOKS: Record<number, string> = { [ButtonType.primary]: 'primary', [ButtonType.danger]: 'danger' }

/** At most two buttons stand open; the rest are under 更多, but never one alone. With `folded` all of them are behind one button: a telephone has no room for more. */
export function RowActions({ actions, open: most = OPEN_ACTIONS, folded }: { actions: readonly RowAction[]; open?: 1 | 2; folded?: boolean }) {
  const say = useText()
  const rowOf = useCatalogued()
  const allowed = actions
    .filter(({ needs }) => can(needs))
    .map((action) => {
      const row = rowOf(action.text, action.needs)
      return {
        ...action,
        key: action.text[1],
        look: undefined as string | undefined,
        // Open ones are grey, what is dangerous too, unless the catalogue says otherwise.
        ...(row && { text: row.name }),
        ...(row && row.type !== ButtonType.asBuilt && { danger: row.type === ButtonType.danger, look: LOOKS[row.type] }),
      }
    })
  const shown = folded ? 0 : allowed.length <= OPEN_ACTIONS ? OPEN_ACTIONS : most
  const open = allowed.slice(0, shown)
  const rest = allowed.slice(shown)
  const items = rest.map(({ key, text, run, not, danger }) => ({
    key,
    // Where there is no hand to rest on it, why it cannot be done is read with it.
    label: not && folded ? <Refused text={say(text)} not={say(not)} /> : say(text),
    disabled: Boolean(not),
    danger: Boolean(danger),
    title: not && !folded ? say(not) : '',
    onClick: run,
  }))
  return (
    <div className="row-actions" onClick={(event) => event.stopPropagation()}>
      {open.map(({ key, text, run, not, look }) =>
        not ? (
          <Tooltip key={key} title={say(not)}>
            <Plain aria-disabled>{say(text)}</Plain>
          </Tooltip>
        ) : (
          <Plain key={key} className={look} onClick={run}>
            {say(text)}
          </Plain>
        ),
      )}
      {rest.length > 0 && (
        <Dropdown menu={{ items }} trigger={['click']}>
          {folded ? (
            <Plain className="folded" aria-label={say(['操作', 'Actions'])}>
              <MoreOutlined />
            </Plain>
          ) : (
            <Plain>
              {say(['更多', 'More'])} <DownOutlined />
            </Plain>
          )}
        </Dropdown>
      )}
    </div>
  )
}

/** Over the buttons. Over a single one it is for those who do not see. */
export function ActionsHead({ folded }: { folded: boolean }) {
  const say = useText()
  return <span className={folded ? 'unseen' : ''}>{say(['操作', 'Actions'])}</span>
}
/** The browser's own button: a page has a hundred of them, and antd's costs a list more than all its values do. */
const Plain = (props: ComponentProps<'button'>) => <button type="button" {...props} />
const Refused = ({ text, not }: { text: string; not: string }) => (
  <>
    {text}
    <small className="why-not">{not}</small>
  </>
)
