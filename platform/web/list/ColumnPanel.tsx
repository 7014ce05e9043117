import { HolderOutlined, VerticalLeftOutlined, VerticalRightOutlined } from '@ant-design/icons'
import { Button, Checkbox, Tooltip } from 'antd'
import { type Arrangement, DRAGGED, type Listed, type Side } from './Columns.tsx'
import { useText } from '../text.ts'

/** Every column of the list: shown or not, its place (by hand or by ↑ and ↓), its side. */
export default function ColumnPanel({ columns }: { columns: Arrangement<any> }) {
  const say = useText()
  return (
    <div className="column-list">
      <div>
        {columns.listed.map((one, at) => (
          <Line key={one.name} one={one} columns={columns} above={columns.listed[at - 1]} below={columns.listed[at + 1]} />
        ))}
      </div>
      <Button size="small" onClick={columns.reset}>
        {say(['恢复默认', 'Reset'])}
      </Button>
    </div>
  )
}

interface Props {
  one: Listed
  columns: Arrangement<any>
  above: Listed | undefined
  below: Listed | undefined
}
function Line({ one: { name, title, label, shown, side }, columns, above, below }: Props) {
  const say = useText()
  const move = (beside: Listed | undefined) => beside && columns.place(name, beside.name)
  return (
    <div
      draggable
      onDragStart={(event) => event.dataTransfer.setData(DRAGGED, name)}
      onDragOver={(event) => event.dataTransfer.types.includes(DRAGGED) && event.preventDefault()}
      onDrop={(event) => columns.place(event.dataTransfer.getData(DRAGGED), name)}
    >
      <Button
        type="text"
        size="small"
        className="grip"
        icon={<HolderOutlined />}
        aria-label={say([`移动「${label}」，上下方向键`, `Move “${label}” with the arrow keys`])}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
          event.preventDefault()
          move(event.key === 'ArrowUp' ? above : below)
        }}
      />
      <Checkbox checked={shown} onChange={({ target }) => columns.show(name, target.checked)}>
        {title}
      </Checkbox>
      <Pin side="left" now={side} {...{ label, name, columns }} />
      <Pin side="right" now={side} {...{ label, name, columns }} />
    </div>
  )
}

function Pin({ side, now, label, name, columns }: { side: 'left' | 'right'; now: Side; label: string; name: string; columns: Arrangement<any> }) {
  const say = useText()
  const text = say(side === 'left' ? [`「${label}」固定在左侧`, `Pin “${label}” left`] : [`「${label}」固定在右侧`, `Pin “${label}” right`])
  const Icon = side === 'left' ? VerticalRightOutlined : VerticalLeftOutlined
  return (
    <Tooltip title={text} mouseEnterDelay={0.6}>
      <Button
        type="text"
        size="small"
        className={now === side ? 'on' : ''}
        aria-pressed={now === side}
        aria-label={text}
        icon={<Icon />}
        onClick={() => columns.pin(name, now === side ? undefined : side)}
      />
    </Tooltip>
  )
}
