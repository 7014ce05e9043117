import { DeleteOutlined, EditOutlined, LockOutlined, PlusOutlined } from '@ant-design/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Tooltip } from 'antd'
import { useMemo, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { Beside, TreePane } from '../../../platform/web/tree/Beside.tsx'
import type { TreeNode } from '../../../platform/web/tree/FilterTree.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { useFrames } from '../../../platform/web/live.ts'
import { can } from '../../../platform/web/person.ts'
import { deleting, Label, useRemove } from '../../../platform/web/form/remove.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { type Say, type Text, useText } from '../../../platform/web/text.ts'
import {
  dictionary,
  DictionaryEntry,
  type DictionaryNode,
  type DictionaryRecord,
  dictionarySearch,
  DictionaryType,
  EntryStatus,
} from '../contract/dictionary.ts'
import { DICTIONARY_TOPIC } from '../contract/topics.ts'
import './system.css'

type Type = Of<typeof DictionaryNode>
type Entry = Of<typeof DictionaryRecord>
type Asked = { what: 'type'; of?: Type } | { what: 'entry'; of?: Entry }
const CHANGES = [dictionary.tree, dictionary.select, dictionary.list]
const OWN_KEY = '(own)'
const FIXED_KEY = '(fixed)'
const FIXED: Text = ['系统内置：由程序决定，只能查看', 'Built in: fixed by the system, view only']

/** The types at the left, people's own first; the entries of the chosen one, or of all, at the right. */
export default function DictionaryScreen() {
  const say = useText()
  const cache = useQueryClient()
  const [chosen, setChosen] = useState<string>()
  const [asked, setAsked] = useState<Asked>()
  const { data: types = [] } = useQuery(asks(dictionary.tree, {}))
  useFrames(DICTIONARY_TOPIC, () => void cache.invalidateQueries({ queryKey: [dictionary.tree.id] }))
  const type = types.find(({ categoryEn }) => categoryEn === chosen)
  const typeOf = ({ categoryEn, item }: Entry): Text => [item, types.find((one) => one.categoryEn === categoryEn)?.itemEn ?? item]
  const remove = useRemove(CHANGES)
  return (
    <Beside tree={<Types types={types} chosen={chosen} onChoose={setChosen} onAdd={() => setAsked({ what: 'type' })} />}>
      <ListScreen
        key={chosen ?? ''}
        purpose={[
          '业务里的名称与编码；内置的只读，自建的随时可改，改动立即到达打开的页面',
          'Names and codes used in the business; built-in ones are read only, your own can be changed any time and update open pages at once',
        ]}
        query={dictionary.select}
        search={dictionarySearch}
        {...(type && { only: { categoryEn: type.categoryEn } })}
        find={['cval', 'itemEn', 'status', 'item', 'ival', 'fixed']}
        columns={[
          { dataIndex: 'item', render: (_, row) => say(typeOf(row)) },
          'categoryEn',
          'ival',
          'cval',
          'itemEn',
          { dataIndex: 'tone', render: (_, { tone }) => <Tone of={tone} /> },
          'status',
          { dataIndex: 'fixed', render: (_, { fixed }) => (fixed ? <Lock /> : <span className="faint">{say(['自建', 'Custom'])}</span>) },
          'sort',
          'remark',
          'updatedAt',
        ]}
        hidden={['sort', 'remark', 'updatedAt', 'categoryEn']}
        roomy={['tone', 'fixed']}
        live={DICTIONARY_TOPIC}
        toolbar={type && <TypeTools of={type} onAsk={setAsked} onGone={() => setChosen(undefined)} />}
        actions={(row) => {
          const not = row.fixed && FIXED
          return [
            { text: Label.edit, needs: dictionary.update.needs, not, run: () => setAsked({ what: 'entry', of: row }) },
            {
              ...deleting(remove, dictionary.delete, { id: row.id }, `${row.ival} ${row.cval}`, { kind: 'system.dictionary_row', key: row.id }),
              not,
            },
          ]
        }}
      />
      {asked?.what === 'type' && <TypeForm {...(asked.of && { of: asked.of })} onClose={() => setAsked(undefined)} />}
      {asked?.what === 'entry' && <EntryForm of={asked.of} type={type} onClose={() => setAsked(undefined)} />}
    </Beside>
  )
}

const Lock = () => {
  const say = useText()
  return (
    <Tooltip title={say(FIXED)}>
      <span className="faint">
        <LockOutlined /> {say(['内置', 'Built in'])}
      </span>
    </Tooltip>
  )
}

interface TypesProps {
  types: readonly Type[]
  chosen: string | undefined
  onChoose: (type: string | undefined) => void
  onAdd: () => void
}
function Types({ types, chosen, onChoose, onAdd }: TypesProps) {
  const say = useText()
  const items = useMemo(() => {
    const of = (fixed: boolean) => types.filter((type) => type.fixed === fixed).map((type) => itemOf(type, say))
    const folder = (key: string, name: Text, children: TreeNode[]): TreeNode => ({ key, words: '', title: <b>{say(name)}</b>, children })
    return [folder(OWN_KEY, ['自建字典', 'Custom'], of(false)), folder(FIXED_KEY, ['系统内置', 'Built in'], of(true))]
  }, [types, say])
  const choose = (key: string | undefined) => onChoose(key === OWN_KEY || key === FIXED_KEY ? undefined : key)
  return (
    <TreePane
      items={items}
      chosen={chosen}
      onChoose={choose}
      open={[OWN_KEY, FIXED_KEY]}
      hint={say(['查找类型', 'Find type'])}
      tools={
        can(dictionary.addType.needs) && (
          <Tooltip title={say(['新增类型', 'Add type'])}>
            <Button size="small" icon={<PlusOutlined />} aria-label={say(['新增类型', 'Add type'])} onClick={onAdd} />
          </Tooltip>
        )
      }
    />
  )
}
const itemOf = ({ categoryEn, item, itemEn, systemDictionaryVOList }: Type, say: Say): TreeNode => ({
  key: categoryEn,
  words: `${categoryEn} ${item} ${itemEn}`,
  title: (
    <span title={categoryEn}>
      {say([item, itemEn])}
      <span className="faint tree-count">{systemDictionaryVOList.length}</span>
    </span>
  ),
})

/** The actions on the chosen type. */
function TypeTools({ of, onAsk, onGone }: { of: Type; onAsk: (asked: Asked) => void; onGone: () => void }) {
  const say = useText()
  const remove = useRemove(CHANGES)
  if (of.fixed || !can(dictionary.add.needs)) return of.fixed ? <Lock /> : null
  return (
    <>
      <Button type="primary" icon={<PlusOutlined />} onClick={() => onAsk({ what: 'entry' })}>
        {say(['新增字典项', 'Add entry'])}
      </Button>
      <Button icon={<EditOutlined />} onClick={() => onAsk({ what: 'type', of })}>
        {say(['编辑类型', 'Edit type'])}
      </Button>
      <Button
        icon={<DeleteOutlined />}
        danger
        onClick={() =>
          void remove(dictionary.deleteType, { id: of.id }, say([of.item, of.itemEn ?? of.item]), {
            kind: 'system.dictionary_type',
            key: of.id,
          }).then((gone) => gone && onGone())
        }
      >
        {say(['删除类型', 'Delete type'])}
      </Button>
    </>
  )
}

function TypeForm({ of, onClose }: { of?: Type; onClose: () => void }) {
  const common = { entity: DictionaryType, changes: CHANGES, onClose, done: ['已保存', 'Saved'] } as const
  const code = {
    name: 'categoryEn',
    help: [
      '英文字母、数字和下划线，如 complaint_kind；不可再改',
      'Letters, digits and underscores, for example complaint_kind; cannot be changed later',
    ],
  } as const
  if (!of)
    return (
      <FormDialog
        {...common}
        title={['新增字典类型', 'Add dictionary type']}
        mode="new"
        value={{}}
        save={dictionary.addType}
        fields={[code, 'item', 'itemEn', 'remark']}
      />
    )
  return (
    <FormDialog
      {...common}
      title={['编辑字典类型', 'Edit dictionary type']}
      mode="edit"
      value={of}
      save={dictionary.updateType}
      fields={['item', 'itemEn', 'remark']}
    />
  )
}

function EntryForm({ of, type, onClose }: { of: Entry | undefined; type: Type | undefined; onClose: () => void }) {
  const shared = [
    'cval',
    'itemEn',
    { name: 'tone', control: <ToneSelect /> },
    { name: 'sort', optional: true, help: ['小的排在前面', 'Smaller ones come first'] },
    {
      name: 'status',
      optional: true,
      help: ['停用后不再供选择，已用到它的记录照常显示', 'Once out of use it is no longer offered; records that use it still show it'],
    },
    'remark',
  ] as const
  const common = { entity: DictionaryEntry, changes: CHANGES, onClose, done: ['已保存', 'Saved'] } as const
  if (of) return <FormDialog {...common} mode="edit" value={of} save={dictionary.update} fields={shared} />
  const used = type?.systemDictionaryVOList.map(({ ival }) => ival) ?? []
  const next = Math.max(0, ...used) + 1
  return (
    <FormDialog
      {...common}
      mode="new"
      value={{ ...(type && { categoryEn: type.categoryEn }), ival: next, sort: next, status: EntryStatus.inUse }}
      save={dictionary.add}
      fields={[{ name: 'ival', help: ['记录里存的就是它，不可再改', 'Stored in records; cannot be changed later'] }, ...shared]}
    />
  )
}

const TONES: Record<string, Text> = {
  success: ['绿色 · 正常', 'Green · normal'],
  warning: ['琥珀 · 注意', 'Amber · attention'],
  error: ['红色 · 立即处理', 'Red · act now'],
  default: ['灰色 · 平常', 'Grey · neutral'],
}
function Tone({ of }: { of: string | null }) {
  const say = useText()
  return of ? <span className={`state ${of}`}>{say(TONES[of] ?? [of, of])}</span> : <span className="faint">--</span>
}
function ToneSelect(props: { id?: string; value?: string; onChange?: (tone: string | undefined) => void }) {
  const say = useText()
  return (
    <Select
      allowClear
      placeholder={say(['不用色调', 'No tone'])}
      options={Object.keys(TONES).map((value) => ({ value, label: <Tone of={value} /> }))}
      {...props}
    />
  )
}
