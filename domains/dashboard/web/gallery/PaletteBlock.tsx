import { Button } from 'antd'
import { useText } from '../../../../platform/web/text.ts'

/** The palette is the shell's: this presses its key. */
const open = () => dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true, cancelable: true }))

export default function PaletteBlock() {
  const say = useText()
  return (
    <div className="show panel">
      <div className="show-row">
        <Button onClick={open}>{say(['打开命令面板', 'Open command palette'])}</Button>
        <kbd>Ctrl K</kbd> <kbd>s</kbd>
      </div>
      <p className="soft">
        {say([
          '试试：拼音首字母 “yggl”、车牌 “鄂F1”、设备号 “PG-0001”、“深色”。',
          'Try pinyin initials “yggl”, a plate “鄂F1”, a device “PG-0001”, or “dark”.',
        ])}
      </p>
    </div>
  )
}
