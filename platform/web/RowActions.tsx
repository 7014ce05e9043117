import { DownOutlined } from '@ant-design/icons'
import { Button, Dropdown, Tooltip } from 'antd'
import type { Permission } from '../contract/call.ts'
import { can } from './person.ts'
import { type Text, useText } from './text.ts'

/** Pressed on a row. Without the permission `needs` it is not there; `not` says why it cannot be done now: it stays, disabled. */
export interface RowAction {
  text: Text
  run: () => void
  needs?: Permission
  not?: Text | false | undefined
  danger?: boolean
}
const OPEN_ACTIONS = 2

/** At most two buttons stand open; the rest are under 更多, but never one alone. */
export function RowActions({ actions, open: most = OPEN_ACTIONS }: { actions: readonly RowAction[]; open?: 1 | 2 }) {
  const say = useText()
  const allowed = actions.filter(({ needs }) => can(needs))
  const shown = allowed.length <= OPEN_ACTIONS ? OPEN_ACTIONS : most
  const open = allowed.slice(0, shown)
  const rest = allowed.slice(shown)
  const items = rest.map(({ text, run, not, danger }) => ({
    key: text[1],
    label: say(text),
    disabled: Boolean(not),
    danger: Boolean(danger),
    title: not ? say(not) : '',
    onClick: run,
  }))
  return (
    <div className="row-actions" onClick={(event) => event.stopPropagation()}>
      {open.map(({ text, run, not }) => (
        <Tooltip key={text[1]} title={not && say(not)}>
          <Button type="link" size="small" disabled={Boolean(not)} onClick={run}>
            {say(text)}
          </Button>
        </Tooltip>
      ))}
      {rest.length > 0 && (
        <Dropdown menu={{ items }} trigger={['click']}>
          <Button type="link" size="small">
            {say(['更多', 'More'])} <DownOutlined />
          </Button>
        </Dropdown>
      )}
    </div>
  )
}
