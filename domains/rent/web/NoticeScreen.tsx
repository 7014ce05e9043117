import { Table } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { Facts } from '../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { person } from '../../../platform/web/person.ts'
import { deleting, Label, useAct, useRemove } from '../../../platform/web/form/remove.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { labelOf, shapesOf, State, Value } from '../../../platform/web/value.tsx'
import { notice, NoticeLine, noticeSearch, NoticeState, NoticeType } from '../contract/notice.ts'
import { project, Terms } from '../contract/project.ts'
import { NOT_NOW, OWN, ProjectSelect } from './parts.tsx'

type Row = Of<typeof NoticeLine>
type Doing = { what: 'new' } | { what: 'edit' | 'withdraw'; row: Row }
const CHANGES = [notice.query, notice.one, project.query]

const TOLD: Text = [
  '发布时同时通知这些人员的手持机；多个工号用逗号分隔，与类型同填时两者都须符合',
  'Also sent to these people’s handhelds when published. Separate numbers with commas; with a type as well, both must match',
]
const ANOTHERS: Text = ['只能由提出更正的人修改', 'Only whoever asked for the correction may change it']
function asking({ type, title, terms }: Row): Text {
  if (type === NoticeType.letting)
    return [`发布「${title}」？发布后项目开始公告，只能更正`, `Publish “${title}”? The project is then announced and can only be corrected`]
  if (terms)
    return [
      `发布「${title}」？项目条件随即变更，请先在详情中核对更正内容`,
      `Publish “${title}”? The project’s terms change at once: check them in the details first`,
    ]
  return [`发布「${title}」？`, `Publish “${title}”?`]
}
/** Shows the terms of a project before a correction, and those from its publishing on. */
function Corrected({ terms, were }: { terms: Of<typeof Terms>; were: Of<typeof Terms> }) {
  const say = useText()
  const shapes = shapesOf(Terms)
  const fields = Object.keys(terms) as (keyof typeof terms)[]
  return (
    <Table
      size="small"
      pagination={false}
      rowKey="name"
      dataSource={fields.map((name) => ({ name, shape: shapes[name]!, was: were[name], now: terms[name] }))}
      scroll={{ x: 'max-content' }}
      columns={[
        { title: say(['更正项', 'Term']), dataIndex: 'name', render: (_, { shape }) => say(labelOf(shape)) },
        { title: say(['更正前', 'Before']), dataIndex: 'was', render: (_, { shape, was }) => <Value shape={shape} value={was} /> },
        { title: say(['更正为', 'Corrected to']), dataIndex: 'now', render: (_, { shape, now }) => <Value shape={shape} value={now} /> },
      ]}
    />
  )
}

/** Notices of projects: drafted by one, published by another, never changed afterwards. */
export default function NoticeScreen() {
  const me = person.use()?.custId as string | undefined
  const [doing, setDoing] = useState<Doing>()
  const act = useAct(CHANGES)
  const remove = useRemove(CHANGES)
  const publish = (row: Row) =>
    void act(notice.publish, { id: row.id, version: row.version }, { question: asking(row), act: ['发布', 'Publish'], done: ['已发布', 'Published'] })
  return (
    <>
      <ListScreen
        purpose={[
          '招租、更正、中标、流标与终止公告；发布后不改，只更正或撤回',
          'Notices of letting, correction, award, failure and termination; once published they can only be corrected or withdrawn',
        ]}
        query={notice.query}
        search={noticeSearch}
        find={['title', 'state', 'type', 'projectName', 'publishAt', { name: 'projectId', control: <ProjectSelect /> }, 'projectNo']}
        add={{ call: notice.add, open: () => setDoing({ what: 'new' }), text: ['拟写公告', 'Write notice'] }}
        columns={[
          'title',
          'type',
          'state',
          'projectName',
          'publishAt',
          'showTo',
          'makerName',
          'publisherName',
          'files',
          'tollNos',
          'createdAt',
          'withdrawnWhy',
        ]}
        hidden={['files', 'tollNos', 'withdrawnWhy', 'createdAt']}
        roomy={['makerName', 'publisherName', 'showTo']}
        actions={(row) => actionsOf(row, me, { publish, remove, setDoing })}
        detail={{
          call: notice.one,
          input: (id) => ({ id: id as never }),
          head: (row) => (
            <>
              <b>{row.title}</b> <State dictionary={NoticeState} value={row.state} />
            </>
          ),
          body: (row) => <Story row={row} />,
        }}
        empty={['还没有公告', 'No notices yet']}
      />
      {doing?.what === 'new' && <Write onClose={() => setDoing(undefined)} />}
      {doing?.what === 'edit' && <Edit row={doing.row} onClose={() => setDoing(undefined)} />}
      {doing?.what === 'withdraw' && <Withdraw row={doing.row} onClose={() => setDoing(undefined)} />}
    </>
  )
}

interface Acts {
  publish: (row: Row) => void
  remove: ReturnType<typeof useRemove>
  setDoing: (doing: Doing) => void
}
const actionsOf = (row: Row, me: string | undefined, { publish, remove, setDoing }: Acts): RowAction[] => [
  ...(row.state === NoticeState.draft
    ? [
        {
          text: ['发布', 'Publish'] as const,
          needs: notice.publish.needs,
          run: () => publish(row),
          not: row.makerId === me && OWN,
        },
        {
          text: Label.edit,
          needs: notice.update.needs,
          run: () => setDoing({ what: 'edit', row }),
          not: row.terms !== null && row.makerId !== me && ANOTHERS,
        },
        deleting(remove, notice.delPost, { id: row.id, version: row.version }, row.title),
      ]
    : [
        {
          text: ['撤回', 'Withdraw'] as const,
          needs: notice.withdraw.needs,
          run: () => setDoing({ what: 'withdraw', row }),
          not: row.state !== NoticeState.published && NOT_NOW,
          danger: true,
        },
      ]),
]

const Story = ({ row }: { row: Row }) => (
  <>
    <Facts
      entity={NoticeLine}
      of={row}
      show={['projectName', 'type', 'publishAt', 'showTo', 'makerName', 'publisherName', 'withdrawnWhy', 'files']}
    />
    <p style={{ whiteSpace: 'pre-wrap' }}>{row.content}</p>
    {row.terms && row.termsWere && <Corrected terms={row.terms} were={row.termsWere} />}
  </>
)

const Write = ({ onClose }: { onClose: () => void }) => (
  <FormDialog
    title={['拟写公告', 'Write notice']}
    entity={notice.add.input}
    mode="new"
    value={{ type: NoticeType.letting }}
    save={notice.add}
    done={['已存为草稿，由另一人发布', 'Saved as a draft; another person publishes it']}
    changes={CHANGES}
    fields={[
      { name: 'projectId', control: <ProjectSelect /> },
      'type',
      'title',
      'content',
      { name: 'files', optional: true },
      { name: 'showTo', optional: true },
      { name: 'tollType', optional: true },
      { name: 'tollNos', optional: true, help: TOLD },
    ]}
    onClose={onClose}
  />
)

const Edit = ({ row, onClose }: { row: Row; onClose: () => void }) => (
  <FormDialog
    title={[`编辑 ${row.title}`, `Edit ${row.title}`]}
    entity={notice.update.input}
    mode="edit"
    save={notice.update}
    changes={CHANGES}
    value={{
      id: row.id,
      version: row.version,
      title: row.title,
      content: row.content,
      files: row.files,
      showTo: row.showTo,
      ...(row.tollType !== null && { tollType: row.tollType }),
      ...(row.tollNos !== null && { tollNos: row.tollNos }),
    }}
    fields={[
      'title',
      'content',
      { name: 'files', optional: true },
      'showTo',
      { name: 'tollType', optional: true },
      { name: 'tollNos', optional: true, help: TOLD },
    ]}
    onClose={onClose}
  />
)

const Withdraw = ({ row, onClose }: { row: Row; onClose: () => void }) => (
  <FormDialog
    title={[`撤回 ${row.title}`, `Withdraw ${row.title}`]}
    entity={notice.withdraw.input}
    mode="new"
    value={{ id: row.id, version: row.version }}
    save={notice.withdraw}
    act={['撤回', 'Withdraw']}
    done={['已撤回', 'Withdrawn']}
    changes={CHANGES}
    fields={['reason']}
    onClose={onClose}
  />
)
