import { DeleteOutlined, EditOutlined, PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../../platform/contract/field.ts'
import { asks } from '../../../../platform/web/ask.ts'
import { Beside } from '../../../../platform/web/tree/Beside.tsx'
import { FormDialog } from '../../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../../platform/web/list/ListScreen.tsx'
import { PageHead } from '../../../../platform/web/page/page.tsx'
import { can } from '../../../../platform/web/person.ts'
import { deleting, Label, useRemove } from '../../../../platform/web/form/remove.tsx'
import { TreeSelect } from '../../../../platform/web/form/TreeSelect.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { State } from '../../../../platform/web/value.tsx'
import { helpPage, HelpRead, helpSearch, HelpState } from '../../contract/helpPage.ts'
import { Article, HelpTree, itemsOf, type Node } from './Article.tsx'
import '../system.css'

type Row = Of<typeof HelpRead>
type Asked = { of?: Row; parentId?: Row['id'] | undefined }
const CHANGES = [helpPage.tree, helpPage.read, helpPage.selectPage]

/** The help as those see it who write it: the tree at the left, the chosen page or the list of all at the right. */
export default function HelpPageScreen() {
  const [chosen, setChosen] = useState<string>()
  const [asked, setAsked] = useState<Asked>()
  const { data: nodes = [] } = useQuery(asks(helpPage.tree, {}))
  return (
    <Beside tree={<HelpTree nodes={nodes} chosen={chosen} onChoose={setChosen} />}>
      {chosen ? (
        <OnePage id={chosen as Row['id']} onAsk={setAsked} onGone={() => setChosen(undefined)} />
      ) : (
        <All onAsk={setAsked} onOpen={setChosen} />
      )}
      {asked && <HelpPageForm asked={asked} nodes={nodes} onClose={() => setAsked(undefined)} />}
    </Beside>
  )
}

function All({ onAsk, onOpen }: { onAsk: (asked: Asked) => void; onOpen: (id: string) => void }) {
  const say = useText()
  const remove = useRemove(CHANGES)
  return (
    <ListScreen
      purpose={[
        '给使用者看的说明；填了对应页面的，在该页面按 h 或点右上角「帮助」就会打开',
        'Help for users; a page linked to a screen opens when help is requested there',
      ]}
      query={helpPage.selectPage}
      search={helpSearch}
      find={['title', 'state', 'screen', 'titleEn', 'authorName']}
      columns={[
        {
          dataIndex: 'title',
          width: 220,
          ellipsis: true,
          render: (_, row) => (
            <Button type="link" size="small" className="as-link" onClick={() => onOpen(row.id)}>
              {say([row.title, row.titleEn])}
            </Button>
          ),
        },
        'titleEn',
        'state',
        { dataIndex: 'screen', width: 200, ellipsis: true },
        'authorName',
        'updatedAt',
        'sort',
      ]}
      hidden={['sort', 'titleEn']}
      roomy={['authorName', 'updatedAt']}
      toolbar={
        can(helpPage.add.needs) && (
          <Button type="primary" icon={<PlusOutlined />} onClick={() => onAsk({})}>
            {say(Label.add)}
          </Button>
        )
      }
      actions={(row) => [
        { text: Label.view, needs: helpPage.selectPage.needs, run: () => onOpen(row.id) },
        { text: Label.edit, needs: helpPage.update.needs, run: () => onAsk({ of: row }) },
        deleting(remove, helpPage.delete, { id: row.id, version: row.version }, row.title, { kind: 'system.help_page', key: row.id }),
      ]}
    />
  )
}

function OnePage({ id, onAsk, onGone }: { id: Row['id']; onAsk: (asked: Asked) => void; onGone: () => void }) {
  const say = useText()
  const remove = useRemove(CHANGES)
  const { data } = useQuery(asks(helpPage.read, { id }))
  if (!data) return null
  return (
    <div className="page help-page">
      <PageHead title={[data.title, data.titleEn]}>
        <State dictionary={HelpState} value={data.state} />
        <span className="push" />
        {can(helpPage.update.needs) && (
          <>
            <Button size="small" icon={<EditOutlined />} onClick={() => onAsk({ of: data })}>
              {say(Label.edit)}
            </Button>
            <Button size="small" icon={<PlusOutlined />} onClick={() => onAsk({ parentId: data.id })}>
              {say(['新增下级', 'Add subpage'])}
            </Button>
            <Button
              size="small"
              danger
              icon={<DeleteOutlined />}
              onClick={() =>
                void remove(helpPage.delete, { id: data.id, version: data.version }, data.title, { kind: 'system.help_page', key: data.id }).then(
                  (gone) => gone && onGone(),
                )
              }
            >
              {say(Label.delete)}
            </Button>
          </>
        )}
        <Button size="small" type="text" onClick={onGone}>
          {say(['全部文档', 'All pages'])}
        </Button>
      </PageHead>
      <Article of={data} />
    </div>
  )
}

function HelpPageForm({ asked: { of, parentId }, nodes, onClose }: { asked: Asked; nodes: readonly Node[]; onClose: () => void }) {
  const say = useText()
  const fields = [
    {
      name: 'parentId',
      control: (
        <TreeSelect
          allowClear
          showSearch
          treeData={itemsOf(nodes, say, of?.id) as never}
          fieldNames={{ value: 'key', label: 'title', children: 'children' }}
          treeNodeFilterProp="words"
        />
      ),
    },
    'title',
    'titleEn',
    { name: 'content', optional: true },
    {
      name: 'contentEn',
      optional: true,
      help: ['英文界面显示；不填则显示中文', 'Shown in the English interface; if empty, the Chinese text is shown'],
    },
    { name: 'screen', help: ['页面地址，如 /operation/laneBoard', 'Page address, for example /operation/laneBoard'] },
    { name: 'attachments', optional: true },
    { name: 'sort', optional: true },
    'state',
  ] as const
  const common = { entity: HelpRead, changes: CHANGES, onClose, fields, done: ['已保存', 'Saved'] } as const
  if (of) return <FormDialog {...common} mode="edit" value={of} save={helpPage.update} />
  return (
    <FormDialog
      {...common}
      mode="new"
      value={{ state: HelpState.published, sort: nodes.length * 10, attachments: [], ...(parentId && { parentId }) }}
      save={helpPage.add}
    />
  )
}
