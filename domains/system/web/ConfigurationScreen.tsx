import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Input, InputNumber, Switch, Tag } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { useFrames } from '../../../platform/web/live.ts'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { Label, useAct } from '../../../platform/web/form/remove.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { Failed, Waiting } from '../../../platform/web/page/states.tsx'
import { type Say, useText } from '../../../platform/web/text.ts'
import { Time } from '../../../platform/web/value.tsx'
import { configuration, GROUPS, type Setting, type SettingName, SettingNow, SETTINGS, valueFault } from '../contract/configuration.ts'
import { CONFIGURATION_TOPIC } from '../contract/topics.ts'
import './system.css'

type Now = Omit<Of<typeof SettingNow>, 'name' | 'value'> & { name: SettingName; value: string | number | boolean }
const CHANGES = [configuration.select, configuration.console]

/** Settings of this installation that differ from the product's defaults; each says what it does and when a change takes effect. */
export default function ConfigurationScreen() {
  const say = useText()
  const cache = useQueryClient()
  const { data, error, refetch } = useQuery<{ settings: Now[] }, Refusal>(asks(configuration.select, {}) as never)
  const [edited, setEdited] = useState<Now>()
  useFrames(CONFIGURATION_TOPIC, () => void cache.invalidateQueries({ queryKey: [configuration.select.id] }))
  return (
    <div className="page settings">
      <PageHead
        purpose={[
          '整个平台的设置，保存后立即生效；每次修改都有记录',
          'Settings for the whole platform; they take effect when saved, and every change is logged',
        ]}
      />
      {error && <Failed error={error} retry={() => void refetch()} />}
      {!data && !error && <Waiting />}
      {data &&
        Object.entries(GROUPS).map(([group, name]) => (
          <Section key={group} title={name}>
            {data.settings
              .filter((one) => SETTINGS[one.name].group === group)
              .map((one) => (
                <Line key={one.name} of={one} onEdit={() => setEdited(one)} />
              ))}
          </Section>
        ))}
      {edited && <Edit of={edited} onClose={() => setEdited(undefined)} />}
      {data && !can(configuration.update.needs) && (
        <p className="faint">{say(['您可以查看，不能修改。', 'You can view but not change these settings.'])}</p>
      )}
    </div>
  )
}

function Line({ of, onEdit }: { of: Now; onEdit: () => void }) {
  const say = useText()
  const act = useAct(CHANGES)
  const one: Setting = SETTINGS[of.name]
  const back = () =>
    act(
      configuration.reset,
      { name: of.name, version: of.version },
      {
        question: [
          `「${one.label[0]}」恢复为 ${shown(one, one.default, (text) => text[0])}？`,
          `Reset “${one.label[1]}” to ${shown(one, one.default, (text) => text[1])}?`,
        ],
        act: ['恢复默认', 'Reset to default'],
        done: ['已恢复默认', 'Reset to default'],
      },
    )
  return (
    <div className="setting">
      <div>
        <b>{say(one.label)}</b>
        <p className="soft">{say(one.help)}</p>
      </div>
      <div className="setting-value">
        <span>{shown(one, of.value, say)}</span>
        {of.version === 0 ? (
          <Tag variant="filled">{say(['默认', 'Default'])}</Tag>
        ) : (
          <small className="faint">
            {of.updatedBy} <Time at={of.updatedAt} />
          </small>
        )}
      </div>
      {can(configuration.update.needs) && (
        <div className="setting-acts">
          <Button size="small" onClick={onEdit} aria-label={`${say(Label.edit)} ${say(one.label)}`}>
            {say(Label.edit)}
          </Button>
          {of.version > 0 && (
            <Button size="small" type="text" onClick={back}>
              {say(['恢复默认', 'Reset to default'])}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

function shown(one: Setting, value: string | number | boolean, say: Say): string {
  if (one.kind === 'yes') return say(value ? ['是', 'Yes'] : ['否', 'No'])
  if (one.kind === 'choice') return say(one.choices[value as number] ?? [String(value), String(value)])
  if (one.kind === 'whole') return `${value} ${say(one.unit)}`
  return String(value) || say(['未设置', 'Not set'])
}

function Edit({ of, onClose }: { of: Now; onClose: () => void }) {
  const one: Setting = SETTINGS[of.name]
  const common = {
    entity: SettingNow,
    mode: 'edit',
    title: one.label,
    changes: CHANGES,
    done: ['已保存，立即生效', 'Saved and in effect'],
    onClose,
    fields: [
      {
        name: 'value',
        control: <Control one={one} />,
        label: one.label,
        help: one.help,
        optional: one.kind === 'text',
        check: ({ value }: Readonly<Record<string, unknown>>) => (value === null || value === undefined ? undefined : valueFault(of.name, value)),
      },
    ],
  } as const
  const value = { name: of.name, value: of.value, version: of.version } as never
  if (of.version === 0)
    return <FormDialog {...(common as object as Parameters<typeof FormDialog>[0])} value={value} save={configuration.add as never} />
  return <FormDialog {...(common as object as Parameters<typeof FormDialog>[0])} value={value} save={configuration.update as never} />
}

function Control({
  one,
  value: now,
  onChange,
  id,
}: {
  one: Setting
  id?: string
  value?: string | number | boolean
  onChange?: (value: unknown) => void
}) {
  const say = useText()
  const given = { ...(id && { id }), ...(onChange && { onChange }) }
  if (one.kind === 'yes') return <Switch checked={now === true} {...given} />
  if (one.kind === 'choice')
    return (
      <Select
        value={Number(now)}
        options={Object.entries(one.choices).map(([code, text]) => ({ value: Number(code), label: say(text) }))}
        {...given}
      />
    )
  if (one.kind === 'whole') return <InputNumber value={typeof now === 'number' ? now : null} precision={0} suffix={say(one.unit)} {...given} />
  return <Input value={String(now ?? '')} maxLength={one.max} showCount allowClear {...given} onChange={({ target }) => onChange?.(target.value)} />
}
