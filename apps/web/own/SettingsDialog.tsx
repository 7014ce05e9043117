import { Form, Radio, Select } from 'antd'
import { useId } from 'react'
import { Dialog } from '../../../platform/web/form/Dialog.tsx'
import { language, type Text, useText } from '../../../platform/web/text.ts'
import { chosen, colours, type Mode, type Size, themeNamed, themes } from '../../../platform/web/theme.ts'
import { MessageSettings } from './MessageSettings.tsx'
import { TABS_FEW, TABS_MOST } from '../tab/tabs.ts'
import { tabsMost } from '../tab/useTabs.ts'

/** How the console looks to this person. Every choice takes effect at once and is kept for the person. */
export default function SettingsDialog({ onClose }: { onClose: () => void }) {
  const say = useText()
  const options = <V extends string | number>(...all: readonly (readonly [value: V, text: Text])[]) =>
    all.map(([value, text]) => ({ value, label: say(text) }))
  const theme = themeNamed(chosen.theme.use())
  return (
    <Dialog changed={false} width={520} footer={null} title={say(['我的设置', 'My settings'])} onClose={onClose}>
      <Form name={useId()} className="dialog" labelCol={{ flex: '125px' }} labelWrap colon={false}>
        <Form.Item label={say(['语言', 'Language'])}>
          <Radio.Group
            optionType="button"
            value={language.use()}
            options={[
              { value: 'zh-chs', label: '中文' },
              { value: 'en', label: 'English' },
            ]}
            onChange={({ target }) => language.set(target.value)}
          />
        </Form.Item>
        <Form.Item label={say(['明暗', 'Appearance'])}>
          <Radio.Group
            optionType="button"
            value={chosen.mode.use()}
            options={options<Mode>(['light', ['浅色', 'Light']], ['dark', ['深色', 'Dark']], ['system', ['跟随系统', 'Follow system']])}
            onChange={({ target }) => chosen.mode.set(target.value)}
          />
        </Form.Item>
        <Form.Item label={say(['主题', 'Theme'])}>
          <Select value={theme} options={themes.map(({ name, text }) => ({ value: name, label: say(text) }))} onChange={chosen.theme.set} />
        </Form.Item>
        <Form.Item label={say(['主题色', 'Accent colour'])}>
          <div className="swatches" role="radiogroup">
            {colours.map((colour) => (
              <Swatch key={colour} colour={colour} />
            ))}
          </div>
        </Form.Item>
        <Form.Item label={say(['界面大小', 'UI size'])}>
          <Radio.Group
            optionType="button"
            value={chosen.size.use()}
            options={options<Size>(['default', ['默认', 'Default']], ['small', ['紧凑', 'Compact']])}
            onChange={({ target }) => chosen.size.set(target.value)}
          />
        </Form.Item>
        <Form.Item label={say(['标签页上限', 'Tab limit'])}>
          <Radio.Group
            optionType="button"
            value={tabsMost.use()}
            options={options<number>([TABS_MOST, [`${TABS_MOST} 个`, `Up to ${TABS_MOST}`]], [TABS_FEW, [`${TABS_FEW} 个`, `Up to ${TABS_FEW}`]])}
            onChange={({ target }) => tabsMost.set(target.value)}
          />
        </Form.Item>
        <MessageSettings />
      </Form>
    </Dialog>
  )
}

function Swatch({ colour }: { colour: string }) {
  const now = chosen.colour.use()
  return (
    <button
      type="button"
      role="radio"
      aria-checked={now === colour}
      aria-label={colour}
      style={{ background: colour }}
      onClick={() => chosen.colour.set(colour)}
    />
  )
}
