import { plural } from '../../../platform/contract/plural.ts'
import { useQuery } from '@tanstack/react-query'
import { Input, Radio } from 'antd'
import { Form } from 'antd'
import { useEffect, useState } from 'react'
import { asks } from '../../../platform/web/ask.ts'
import { Select } from '../../../platform/web/form/Select.tsx'
import { TreeSelect } from '../../../platform/web/form/TreeSelect.tsx'
import { useText } from '../../../platform/web/text.ts'
import { channel, ChannelType, type ChannelTypeCode, ChannelStatus } from '../contract/channel.ts'
import { type Audience, AudienceKind, task } from '../contract/task.ts'
import { NAME_VAR, template, TemplateState } from '../contract/template.ts'
import './message.css'

interface Picked<V> {
  id?: string
  value?: V
  onChange?: (value: V) => void
}
/** Names change seldom: read once and shared by all dialogs of the page. */
const STALE_MS = 30_000

export const useChannels = () => useQuery({ ...asks(channel.list, {}, { quiet: true }), staleTime: STALE_MS })
export const useTemplates = () => useQuery({ ...asks(template.list, {}, { quiet: true }), staleTime: STALE_MS })

export function ChannelSelect({
  type,
  usable,
  not,
  ...props
}: Picked<string | null> & { type?: ChannelTypeCode | undefined; usable?: boolean; not?: string | undefined }) {
  const say = useText()
  const { data = [] } = useChannels()
  const fit = data.filter((one) => (type === undefined || one.type === type) && (!usable || one.status === ChannelStatus.inUse) && one.id !== not)
  return (
    <Select
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={say(['选择渠道', 'Choose a channel'])}
      options={fit.map(({ id, name, type: of }) => ({ value: id as string, label: `${name} · ${say(ChannelType.entries[of])}` }))}
      {...(props as object)}
    />
  )
}
export function ChannelName({ id }: { id: string }) {
  const { data = [] } = useChannels()
  return <>{data.find((one) => one.id === id)?.name ?? <span className="faint">--</span>}</>
}

export function TemplateSelect({ type, ...props }: Picked<string | null> & { type?: ChannelTypeCode }) {
  const say = useText()
  const { data = [] } = useTemplates()
  const usable = data.filter(({ state, channelType }) => state === TemplateState.inUse && (type === undefined || channelType === type))
  return (
    <Select
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={say(['选择已启用的模板', 'Choose a template in use'])}
      options={usable.map(({ id, name, channelType }) => ({ value: id as string, label: `${name} · ${say(ChannelType.entries[channelType])}` }))}
      {...(props as object)}
    />
  )
}

/** Of the template that the form has chosen: the channels that can send it. Where there is one only, it is chosen. */
export function ChannelOfTemplate(props: Picked<string | null>) {
  const { value, onChange } = props
  const chosen = Form.useWatch('templateId') as string | undefined
  const { data = [] } = useTemplates()
  const type = data.find(({ id }) => id === chosen)?.channelType
  const { data: channels } = useChannels()
  useEffect(() => {
    if (type === undefined || !channels) return
    const fit = channels.filter((one) => one.type === type && one.status === ChannelStatus.inUse).map(({ id }) => id as string)
    if (value && fit.includes(value)) return
    const only = fit.length === 1 ? fit[0]! : null
    if (only || value) onChange?.(only)
  }, [type, channels])
  return <ChannelSelect usable type={type} {...props} />
}

/** Shows the meaning of a template's variable; its name where the template no longer has it. */
export function VarName({ of, name }: { of: string; name: string }) {
  const { data = [] } = useTemplates()
  const label = data.find(({ id }) => id === of)?.vars.find((one) => one.name === name)?.label
  return <span title={name}>{label ?? name}</span>
}

/** A value for each variable of the template that the form has chosen; the recipient's name fills itself in. */
export function VarsField({ value = {}, onChange }: Picked<Record<string, string>>) {
  const say = useText()
  const chosen = Form.useWatch('templateId') as string | undefined
  const { data = [] } = useTemplates()
  const vars = (data.find(({ id }) => id === chosen)?.vars ?? []).filter(({ name }) => name !== NAME_VAR)
  if (vars.length === 0) return <span className="faint">{say(['没有要填的变量', 'No variables to fill in'])}</span>
  return (
    <div className="message-vars">
      {vars.map(({ name, label, sample }) => (
        <Input
          key={name}
          prefix={<span className="faint">{label}</span>}
          placeholder={sample}
          maxLength={200}
          value={value[name] ?? ''}
          onChange={({ target }) => onChange?.({ ...value, [name]: target.value })}
        />
      ))}
    </div>
  )
}

const SEARCH_AFTER = 300
/** People by a part of their name; the answer says who can be reached. */
export function PeopleSelect({ value = [], onChange, id }: Picked<string[]>) {
  const say = useText()
  const [typed, setTyped] = useState('')
  const [timer, setTimer] = useState<ReturnType<typeof setTimeout>>()
  const { data, isFetching } = useQuery({
    ...asks(task.audience, { audience: { kind: AudienceKind.query, keyword: typed } }, { quiet: true }),
    staleTime: STALE_MS,
  })
  const known = useQuery({
    ...asks(task.audience, { audience: { kind: AudienceKind.people, custIds: value } }, { quiet: true }),
    staleTime: STALE_MS,
    enabled: value.length > 0,
  })
  const people = [...(data?.some ?? []), ...(known.data?.some ?? [])]
  const options = [...new Map(people.map(({ custId, name }) => [custId as string, { value: custId as string, label: name }])).values()]
  return (
    <Select
      {...(id && { id })}
      mode="multiple"
      loading={isFetching}
      showSearch={{
        filterOption: false,
        onSearch: (text) => {
          clearTimeout(timer)
          setTimer(setTimeout(() => setTyped(text.trim()), SEARCH_AFTER))
        },
      }}
      placeholder={say(['输入姓名查找', 'Type a name to search'])}
      value={value}
      options={options}
      onChange={(ids: string[]) => onChange?.(ids)}
    />
  )
}

interface Branch {
  value: string
  title: string
  children: Branch[]
}
/** To whom, in one of four ways, with the number of people it means now. */
export function AudienceField({ value = { kind: AudienceKind.people }, onChange }: Picked<Audience>) {
  const say = useText()
  const { data: groups, isLoading } = useQuery({ ...asks(task.groups, {}, { quiet: true }), staleTime: STALE_MS })
  const put = (change: Partial<Audience>) => onChange?.({ ...value, ...change })
  const tree = (parent: string | null): Branch[] =>
    (groups?.departments ?? []).filter(({ parentId }) => parentId === parent).map(({ id, name }) => ({ value: id, title: name, children: tree(id) }))
  const departments = (
    <TreeSelect
      waits={isLoading}
      multiple
      allowClear
      treeDefaultExpandAll
      placeholder={say(['选择部门（含下级）', 'Choose departments (with sub-departments)'])}
      treeData={tree(null)}
      value={value.departmentIds ?? []}
      onChange={(ids: string[]) => put({ departmentIds: ids })}
    />
  )
  return (
    <div className="message-audience">
      <Radio.Group
        optionType="button"
        value={value.kind}
        options={Object.entries(AudienceKind.entries).map(([kind, text]) => ({ value: Number(kind), label: say(text) }))}
        onChange={({ target }) => onChange?.({ kind: target.value })}
      />
      {value.kind === AudienceKind.people && <PeopleSelect value={value.custIds ?? []} onChange={(custIds) => put({ custIds })} />}
      {value.kind === AudienceKind.roles && (
        <Select
          mode="multiple"
          showSearch={{ optionFilterProp: 'label' }}
          placeholder={say(['选择角色', 'Choose roles'])}
          options={(groups?.roles ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={value.roleIds ?? []}
          onChange={(roleIds: string[]) => put({ roleIds })}
        />
      )}
      {value.kind === AudienceKind.departments && departments}
      {value.kind === AudienceKind.query && (
        <>
          {departments}
          <Input
            allowClear
            maxLength={64}
            placeholder={say(['姓名包含', 'Name contains'])}
            value={value.keyword ?? ''}
            onChange={({ target }) => put({ keyword: target.value })}
          />
        </>
      )}
      <Reach audience={value} />
    </div>
  )
}

function Reach({ audience }: { audience: Audience }) {
  const say = useText()
  const channelId = Form.useWatch('channelId') as string | undefined
  const { data } = useQuery({
    ...asks(task.audience, { audience, ...(channelId && { channelId: channelId as never }) }, { quiet: true }),
    staleTime: STALE_MS,
  })
  if (!data) return null
  const lost = data.total - data.reachable
  return (
    <span className={lost > 0 ? 'state warning' : 'faint'}>
      {say([`现在共 ${data.total} 人`, `Currently ${data.total} ${plural(data.total, 'person', 'people')}`])}
      {lost > 0 && say([`，其中 ${lost} 人没有该渠道的接收地址`, `, ${lost} of them without an address for this channel`])}
    </span>
  )
}
