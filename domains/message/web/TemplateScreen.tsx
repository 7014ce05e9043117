import { MinusCircleOutlined, PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Form, Input } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { Facts, Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { type Column, ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { deleting, Label, useAct, useRemove } from '../../../platform/web/form/remove.tsx'
import { useRested } from '../../../platform/web/form/rested.ts'
import { type Text, useText } from '../../../platform/web/text.ts'
import { State } from '../../../platform/web/value.tsx'
import {
  NAME_VAR,
  type Preview,
  template,
  Template,
  templateCan,
  TemplateDetail,
  templateSearch,
  TemplateState,
  type TemplateVar,
  VARS_MAX,
  MessageKind,
} from '../contract/template.ts'
import { TEMPLATE_CHANGES } from './changes.ts'
import './message.css'
import { ChannelType } from '../contract/channel.ts'

type Row = Of<typeof Template>
type Var = Of<typeof TemplateVar>

/** Texts of messages, with places for variables. They are tried out before anybody gets them. */
export default function TemplateScreen() {
  const say = useText()
  const [editing, setEditing] = useState<{ of?: Row; copy?: boolean }>()
  const act = useAct(TEMPLATE_CHANGES)
  const remove = useRemove(TEMPLATE_CHANGES)
  const set = (row: Row) => {
    const on = templateCan.enable(row.state) !== undefined
    const done: Text = on ? ['已启用', 'Enabled'] : ['已停用', 'Disabled']
    return act(template.update, { id: row.id, version: row.version, state: on ? TemplateState.inUse : TemplateState.disabled }, { done })
  }
  return (
    <>
      <ListScreen
        purpose={['消息的文字内容：其中的 {{变量}} 在发送时填入', 'The texts of messages: {{variables}} are filled in on sending']}
        query={template.queryPage}
        search={templateSearch}
        find={['name', 'state', 'channelType', 'kind', 'code']}
        columns={COLUMNS}
        hidden={['signName', 'thirdTemplateId', 'remark']}
        roomy={['code', 'updatedAt']}
        toolbar={
          can(template.insert.needs) && (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setEditing({})}>
              {say(Label.add)}
            </Button>
          )
        }
        actions={(row) => [
          {
            text: templateCan.disable(row.state) === undefined ? Label.enable : Label.disable,
            needs: template.update.needs,
            run: () => void set(row),
          },
          {
            text: Label.edit,
            needs: template.update.needs,
            run: () => setEditing({ of: row }),
            not: templateCan.edit(row.state) === undefined && ['使用中的模板请先停用', 'In use: disable it first'],
          },
          { text: ['复制', 'Copy'], needs: template.insert.needs, run: () => setEditing({ of: row, copy: true }) },
          {
            ...deleting(remove, template.delete, { id: row.id }, row.name, { kind: 'message.template', key: row.id }),
            not: templateCan.delete(row.state) === undefined && ['使用中的模板请先停用', 'In use: disable it first'],
          },
        ]}
        detail={{
          call: template.detail,
          head: (row) => (
            <>
              <b>{row.name}</b> <State dictionary={TemplateState} value={row.state} />
            </>
          ),
          act: (row) =>
            can(template.update.needs) && (
              <Button type={row.state === TemplateState.inUse ? 'default' : 'primary'} onClick={() => void set(row)}>
                {say(row.state === TemplateState.inUse ? Label.disable : Label.enable)}
              </Button>
            ),
          body: (row) => <Story row={row} />,
        }}
      />
      {editing && <TemplateForm {...editing} onClose={() => setEditing(undefined)} />}
    </>
  )
}

const COLUMNS: Column<Row>[] = [
  { dataIndex: 'name', ellipsis: true, width: 200 },
  'code',
  'kind',
  'channelType',
  { dataIndex: 'content', ellipsis: true, width: 320 },
  'state',
  'updatedAt',
  'signName',
  'thirdTemplateId',
  'remark',
]

function TemplateForm({ of, copy, onClose }: { of?: Row; copy?: boolean; onClose: () => void }) {
  const text = { control: <TextWithVars /> }
  const fields = [
    'name' as const,
    'kind' as const,
    { name: 'title' as const, optional: true, help: ['站内、邮件、推送需要标题', 'Required for in-app messages, e-mail and push'] as const },
    { name: 'content' as const, ...text },
    {
      name: 'vars' as const,
      control: <VarsEditor />,
      optional: true,
      help: ['收件人姓名 name 自动填入，不用声明', 'The recipient’s name is filled in automatically; no need to declare it'] as const,
    },
    { name: 'titleEn' as const, optional: true },
    { name: 'contentEn' as const, ...text, optional: true, help: ['不填则发送中文', 'If empty, the Chinese text is sent'] as const },
    'signName' as const,
    'thirdTemplateId' as const,
    'remark' as const,
  ]
  const shared = { entity: Template, changes: TEMPLATE_CHANGES, below: <Tried />, onClose } as const
  if (of && !copy) return <FormDialog {...shared} mode="edit" value={of} save={template.update} done={['已保存', 'Saved']} fields={fields} />
  const value =
    copy && of ? { ...of, code: `${of.code}.copy` } : { kind: MessageKind.notice, channelType: ChannelType.inner, vars: [], title: '', content: '' }
  return (
    <FormDialog
      {...shared}
      mode="new"
      value={value}
      save={template.insert}
      done={['已保存为草稿，启用后可用', 'Saved as draft; enable it to use it']}
      fields={[
        {
          name: 'code',
          help: [
            '小写字母开头，如 park.closed；程序按编码使用',
            'Starts with a lower-case letter, such as park.closed; programs use the template by its code',
          ],
        },
        'channelType',
        ...fields,
      ]}
    />
  )
}

/** A text with a button for each declared variable. */
function TextWithVars({ id, value = '', onChange }: { id?: string; value?: string; onChange?: (value: string) => void }) {
  const vars = (Form.useWatch('vars') as Var[] | undefined) ?? []
  const names = [NAME_VAR, ...vars.map(({ name }) => name).filter(Boolean)]
  return (
    <>
      <Input.TextArea {...(id && { id })} rows={3} maxLength={1000} showCount value={value} onChange={({ target }) => onChange?.(target.value)} />
      {names.map((name) => (
        <Button key={name} type="link" size="small" onClick={() => onChange?.(`${value}{{${name}}}`)}>
          {`{{${name}}}`}
        </Button>
      ))}
    </>
  )
}

function VarsEditor({ value = [], onChange }: { value?: Var[]; onChange?: (value: Var[]) => void }) {
  const say = useText()
  const put = (at: number, change: Partial<Var>) => onChange?.(value.map((one, i) => (i === at ? { ...one, ...change } : one)))
  return (
    <div className="message-vars">
      {value.map((one, i) => (
        <div key={i}>
          <Input
            placeholder={say(['变量名，如 place', 'Name, e.g. place'])}
            maxLength={32}
            value={one.name}
            onChange={({ target }) => put(i, { name: target.value.trim() })}
          />
          <Input placeholder={say(['含义', 'Meaning'])} maxLength={40} value={one.label} onChange={({ target }) => put(i, { label: target.value })} />
          <Input
            placeholder={say(['示例值', 'Sample'])}
            maxLength={100}
            value={one.sample}
            onChange={({ target }) => put(i, { sample: target.value })}
          />
          <Button
            type="text"
            icon={<MinusCircleOutlined />}
            aria-label={say(['删除变量', 'Remove variable'])}
            onClick={() => onChange?.(value.filter((_, at) => at !== i))}
          />
        </div>
      ))}
      {value.length < VARS_MAX && (
        <Button type="dashed" size="small" icon={<PlusOutlined />} onClick={() => onChange?.([...value, { name: '', label: '', sample: '' }])}>
          {say(['加变量', 'Add variable'])}
        </Button>
      )}
    </div>
  )
}

/** How it reads with its samples, as it is typed. */
function Tried() {
  const say = useText()
  const form = Form.useFormInstance()
  const texts = Form.useWatch(
    (all) => ({ title: all.title, titleEn: all.titleEn, content: all.content, contentEn: all.contentEn, vars: all.vars }),
    form,
  ) as Partial<Row> | undefined
  const tried = JSON.parse(useRested(JSON.stringify(texts ?? {}))) as Partial<Row>
  const vars = (tried.vars ?? []).filter(({ name, label }) => name && label)
  const input = { title: tried.title ?? '', titleEn: tried.titleEn ?? '', content: tried.content ?? '', contentEn: tried.contentEn ?? '', vars }
  const { data } = useQuery({
    ...asks(template.preview, input, { quiet: true }),
    enabled: Boolean(tried.content),
    placeholderData: (before) => before,
  })
  return (
    <section className="message-tried" aria-label={say(['预览', 'Preview'])}>
      <h3>{say(['预览', 'Preview'])}</h3>
      {tried.content && data ? (
        <Result of={data} />
      ) : (
        <span className="faint">{say(['写下内容后在此预览', 'The preview appears here as you write'])}</span>
      )}
    </section>
  )
}

function Result({ of: data }: { of: Of<typeof Preview> }) {
  const say = useText()
  return (
    <div>
      {data.problem && <p className="state error">{data.problem}</p>}
      {!data.problem && data.unknown.length > 0 && <Undeclared names={data.unknown} />}
      {data.unused.length > 0 && (
        <p className="state warning">{say([`未使用的变量：${data.unused.join('、')}`, `Unused variables: ${data.unused.join(', ')}`])}</p>
      )}
      {!data.problem && <Both shown={data} />}
    </div>
  )
}

/** Used in the text and not declared: mistyped, or declared by one press. */
function Undeclared({ names }: { names: readonly string[] }) {
  const say = useText()
  const form = Form.useFormInstance()
  const declare = (name: string) =>
    form.setFieldValue('vars', [...((form.getFieldValue('vars') as Var[] | undefined) ?? []), { name, label: name, sample: '' }])
  return (
    <p>
      <span className="state error">{say(['未声明的变量，点一下即声明：', 'Undeclared variables; click to declare:'])}</span>
      {names.map((name) => (
        <Button key={name} type="link" size="small" icon={<PlusOutlined />} onClick={() => declare(name)}>
          {name}
        </Button>
      ))}
    </p>
  )
}

function Both({ shown }: { shown: { title: string; titleEn: string; content: string; contentEn: string } }) {
  const same = shown.content === shown.contentEn && shown.title === shown.titleEn
  return (
    <div className={same ? '' : 'message-two'}>
      <div className="message-text">
        <b>{shown.title}</b>
        {shown.content}
      </div>
      {!same && (
        <div className="message-text" lang="en">
          <b>{shown.titleEn}</b>
          {shown.contentEn}
        </div>
      )}
    </div>
  )
}

function Story({ row }: { row: Of<typeof TemplateDetail> }) {
  const say = useText()
  const { title, titleEn, content, contentEn, vars } = row
  const { data } = useQuery(asks(template.preview, { title, titleEn, content, contentEn, vars }, { quiet: true }))
  return (
    <>
      <Facts
        entity={TemplateDetail}
        of={row}
        show={['code', 'kind', 'channelType', 'openTasks', 'sentCount', 'signName', 'thirdTemplateId', 'updatedAt', 'remark']}
      />
      <Section title={['用示例值看', 'With sample values']}>{data && <Both shown={data} />}</Section>
      {vars.length > 0 && (
        <Section title={['变量', 'Variables']}>
          <table className="lines">
            <thead>
              <tr>
                <th>{say(['变量名', 'Name'])}</th>
                <th>{say(['含义', 'Meaning'])}</th>
                <th>{say(['示例值', 'Sample'])}</th>
              </tr>
            </thead>
            <tbody>
              {vars.map(({ name, label, sample }) => (
                <tr key={name}>
                  <td>
                    <code>{name}</code>
                  </td>
                  <td>{label}</td>
                  <td>{sample}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Section>
      )}
    </>
  )
}
