import { DeleteOutlined, DownOutlined, FolderAddOutlined, FolderOutlined, UploadOutlined } from '@ant-design/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Dropdown } from 'antd'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Of } from '../../../../platform/contract/field.ts'
import { bin } from '../../../../platform/contract/records.ts'
import { ask, asks, download } from '../../../../platform/web/ask.ts'
import { Beside, TreePane } from '../../../../platform/web/tree/Beside.tsx'
import { Facts, Section } from '../../../../platform/web/record/DetailDrawer.tsx'
import { Dialog } from '../../../../platform/web/form/Dialog.tsx'
import { FormDialog } from '../../../../platform/web/form/FormDialog.tsx'
import { toast } from '../../../../platform/web/page/hosts.tsx'
import { ListScreen, type RowAction } from '../../../../platform/web/list/ListScreen.tsx'
import { can, person } from '../../../../platform/web/person.ts'
import { plural } from '../../../../platform/contract/plural.ts'
import { deleting, Label, useAct, useRemove } from '../../../../platform/web/form/remove.tsx'
import { TreeSelect } from '../../../../platform/web/form/TreeSelect.tsx'
import { Nothing } from '../../../../platform/web/page/states.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { refusalOfFile, send } from '../../../../platform/web/file/upload.ts'
import { Time } from '../../../../platform/web/value.tsx'
import { Annexe, document as calls, Document, DocumentRow, documentSearch, Folder, type FolderNode } from '../../contract/document.ts'
import { file } from '../../contract/file.ts'
import { Bar, bytes } from '../machine/figures.tsx'
import '../machine/servers.css'
import '../system.css'

type Row = Of<typeof DocumentRow>
type One = Of<typeof Annexe>
const CHANGES = [calls.getDirTree, calls.getList, calls.getInfo, calls.usage, calls.getTree]
const MANAGE = calls.purge.needs
const mine = (of: { authorId: string | null }) => can(MANAGE) || of.authorId === person.get()?.custId
const NOT_MINE = ['这是他人的，需要「管理他人文件」权限', 'It belongs to somebody else: you need the “Manage others’ files” permission'] as const
/** The bin, filtered to documents and folders. */
const BIN = '/appManage/system/recycleBin?kind=system.document,system.folder'
/** Of the tree: everything, not a folder. */
const ALL = ''

type Asked =
  | { what: 'folder' }
  | { what: 'rename-folder'; of: FolderNode }
  | { what: 'edit'; of: Row }
  | { what: 'annexe'; of: One }
  | { what: 'move-folder'; of: FolderNode }
  | { what: 'move'; of: Row[]; after: () => void }

/** Documents that people keep: folders at the left, the files of the chosen one at the right; a deleted one can come back. */
export default function DocumentScreen() {
  const say = useText()
  const [chosen, setChosen] = useState(ALL)
  const [asked, setAsked] = useState<Asked>()
  const { data: tree = [] } = useQuery(asks(calls.getDirTree, {}))
  const folders = flat(tree)
  const at = folders.find(({ id }) => id === chosen)
  const remove = useRemove(CHANGES)
  const may = can(calls.addFile.needs)
  const root = { key: ALL, words: say(['全部文件', 'All files']), children: nodesOf(tree) }
  return (
    <Beside
      tree={
        <TreePane items={[root]} hint={say(['筛选文件夹', 'Find folder'])} chosen={chosen} onChoose={(key) => setChosen(key ?? ALL)} open={[ALL]} />
      }
    >
      <ListScreen
        key={chosen}
        purpose={[
          '单位共享的资料：能打开本页的人都能查看和下载；删除后 30 天内可恢复',
          'Files shared within the enterprise: whoever may open this page can view and download them; deleted files can be restored within 30 days',
        ]}
        query={calls.getList}
        search={documentSearch}
        {...(at && { only: { dirId: at.id, deep: true } as object })}
        find={['name', 'authorName', 'updatedAt']}
        columns={[
          'name',
          { dataIndex: 'dirPath', render: (_, { dirPath }) => dirPath || <span className="faint">{say(['未归类', 'Not in a folder'])}</span> },
          { dataIndex: 'annexes', align: 'right', render: (_, { annexes }) => annexes.length },
          { dataIndex: 'bytes', render: (_, row) => bytes(row.bytes) },
          'authorName',
          'updatedAt',
          'remark',
          'createdAt',
        ]}
        hidden={['annexes', 'remark', 'createdAt']}
        roomy={['updatedAt']}
        ticks={may}
        toolbar={({ ticked, untick }) => <Tools at={at} ticked={ticked} untick={untick} onAsk={setAsked} onChoose={setChosen} />}
        actions={(row) => actionsOf(row, setAsked, remove)}
        detail={{
          call: calls.getInfo,
          head: (row) => <b>{row.name}</b>,
          act: (row) => row.annexes.length > 0 && <Button onClick={() => void downloadAll(row.annexes)}>{say(Label.download)}</Button>,
          body: (row) => <Whole of={row} onRename={(of) => setAsked({ what: 'annexe', of })} />,
        }}
      />
      {asked && <Doing {...asked} within={at?.id ?? null} tree={tree} onClose={() => setAsked(undefined)} />}
    </Beside>
  )
}

/** Over the list: upload, the folders, the ticked files, the bin. */
function Tools({ at, ticked, untick, onAsk, onChoose }: ToolsProps) {
  const say = useText()
  const navigate = useNavigate()
  const may = can(calls.addFile.needs)
  return (
    <>
      {may && <UploadHere dirId={at?.id ?? null} />}
      {may && (
        <Button icon={<FolderAddOutlined />} onClick={() => onAsk({ what: 'folder' })}>
          {say(['新建文件夹', 'New folder'])}
        </Button>
      )}
      {may && at && <FolderTools at={at} onAsk={onAsk} onChoose={onChoose} />}
      {may && ticked.length > 0 && (
        <Button type="primary" onClick={() => onAsk({ what: 'move', of: ticked, after: untick })}>
          {say([`移动 ${ticked.length} 个文件`, `Move ${ticked.length} ${plural(ticked.length, 'file')}`])}
        </Button>
      )}
      {can(bin.query.needs) && (
        <Button icon={<DeleteOutlined />} onClick={() => void navigate(BIN)}>
          {say(['回收站', 'Bin'])}
        </Button>
      )}
      <Room />
    </>
  )
}
interface ToolsProps {
  at: FolderNode | undefined
  ticked: Row[]
  untick: () => void
  onAsk: (asked: Asked) => void
  onChoose: (folder: string) => void
}

/** The actions on the chosen folder. */
function FolderTools({ at, onAsk, onChoose }: Pick<ToolsProps, 'onAsk' | 'onChoose'> & { at: FolderNode }) {
  const say = useText()
  const remove = useRemove(CHANGES)
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: [
          { key: 'rename', label: say(['重命名', 'Rename']), disabled: !mine(at), onClick: () => onAsk({ what: 'rename-folder', of: at }) },
          { key: 'move', label: say(['移动', 'Move']), onClick: () => onAsk({ what: 'move-folder', of: at }) },
          {
            key: 'delete',
            label: say(Label.delete),
            danger: true,
            onClick: () =>
              void remove(calls.deleteFolder, { dirId: at.id as never }, at.name, { kind: 'system.folder', key: at.id }).then(
                (gone) => gone && onChoose(at.parentId ?? ALL),
              ),
          },
        ],
      }}
    >
      <Button icon={<FolderOutlined />}>
        {say(['此文件夹', 'This folder'])} <DownOutlined />
      </Button>
    </Dropdown>
  )
}

const actionsOf = (row: Row, onAsk: (asked: Asked) => void, remove: ReturnType<typeof useRemove>): RowAction[] => [
  { text: Label.download, run: () => void downloadAll(row.annexes), not: row.annexes.length === 0 && ['没有附件', 'No attachments'] },
  { text: Label.edit, needs: calls.updateFile.needs, run: () => onAsk({ what: 'edit', of: row }), not: !mine(row) && NOT_MINE },
  {
    text: ['移动', 'Move'],
    needs: calls.moveFiles.needs,
    run: () => onAsk({ what: 'move', of: [row], after: () => {} }),
    not: !mine(row) && NOT_MINE,
  },
  { ...deleting(remove, calls.deleteByIds, { ids: [row.id] }, row.name, { kind: 'system.document', key: row.id }), not: !mine(row) && NOT_MINE },
]

const flat = (nodes: readonly FolderNode[]): FolderNode[] => nodes.flatMap((node) => [node, ...flat(node.children)])
interface Node {
  key: string
  words: string
  count?: number
  children: Node[]
}
const nodesOf = (nodes: readonly FolderNode[]): Node[] =>
  nodes.map(({ id, name, allFiles, children }) => ({ key: id, words: name, ...(allFiles > 0 && { count: allFiles }), children: nodesOf(children) }))

const downloadAll = async (annexes: readonly One[]) => {
  for (const { fileName } of annexes) await download(file.download, { fileName }).catch(() => {}) // shown and noted by `download`
}

/** Files become files of the folder, each with its bytes as its attachment; a failure is shown and the others go on. */
function UploadHere({ dirId, to }: { dirId: string | null; to?: Row }) {
  const say = useText()
  const cache = useQueryClient()
  const chooser = useRef<HTMLInputElement>(null)
  const [left, setLeft] = useState(0)
  const take = async (files: readonly File[]) => {
    let kept = 0
    for (const [place, one] of files.entries()) {
      setLeft(files.length - place)
      const wrong = refusalOfFile(one)
      if (wrong) {
        toast('error', wrong)
        continue
      }
      try {
        const { fileName } = await send(one)
        if (to) await ask(calls.addAnnexe, { id: to.id, fileName, name: one.name })
        else await ask(calls.addFile, { name: one.name, dirId: dirId as never, annexes: [{ fileName }] })
        kept++
      } catch {
        // Shown and noted by `ask`.
      }
    }
    setLeft(0)
    await Promise.all(CHANGES.map((call) => cache.invalidateQueries({ queryKey: [call.id] })))
    if (kept > 0) toast('success', [`已上传 ${kept} 个文件`, `${kept} ${plural(kept, 'file')} uploaded`])
  }
  return (
    <>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label={say(['选择文件', 'Choose files'])}
        onChange={({ target }) => {
          void take([...(target.files ?? [])])
          target.value = ''
        }}
      />
      <Button type={to ? 'default' : 'primary'} size="small" icon={<UploadOutlined />} loading={left > 0} onClick={() => chooser.current?.click()}>
        {left > 0 ? say([`还有 ${left} 个`, `${left} left`]) : say(to ? ['添加附件', 'Add attachments'] : ['上传文件', 'Upload files'])}
      </Button>
    </>
  )
}

function Room() {
  const say = useText()
  const { data } = useQuery(asks(calls.usage, {}, { quiet: true }))
  if (!data) return null
  return (
    <span className="soft" title={say(['我的附件占用的空间', 'Space used by my attachments'])}>
      <Bar share={data.used / data.most} text={`${bytes(data.used)} / ${bytes(data.most)}`} />
    </span>
  )
}

function Whole({ of, onRename }: { of: Row; onRename: (of: One) => void }) {
  const say = useText()
  const remove = useRemove(CHANGES)
  const may = can(calls.addAnnexe.needs) && mine(of)
  return (
    <>
      <Facts
        entity={DocumentRow}
        of={of}
        show={['dirPath', 'authorName', 'createdAt', 'updatedAt', { label: ['大小', 'Size'], value: bytes(of.bytes) }, 'remark']}
      />
      <Section title={['附件', 'Attachments']} aside={may && <UploadHere dirId={null} to={of} />}>
        {of.annexes.length === 0 && <Nothing>{say(['上传后显示在这里。', 'Uploaded attachments appear here.'])}</Nothing>}
        <table className="lines">
          <tbody>
            {of.annexes.map((one) => (
              <tr key={one.id}>
                <td>
                  <button type="button" className="link" onClick={() => void downloadAll([one])}>
                    {one.name}
                  </button>
                </td>
                <td className="right">{bytes(one.bytes)}</td>
                <td>{one.authorName}</td>
                <td>
                  <Time at={one.createdAt} />
                </td>
                <td className="right">
                  {may && (
                    <>
                      <Button type="text" size="small" onClick={() => onRename(one)}>
                        {say(['重命名', 'Rename'])}
                      </Button>
                      <Button type="text" size="small" danger onClick={() => void remove(calls.deleteAnnexes, { annexeIds: [one.id] }, one.name)}>
                        {say(Label.delete)}
                      </Button>
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
    </>
  )
}

function Doing({ within, tree, onClose, ...asked }: Asked & { within: string | null; tree: readonly FolderNode[]; onClose: () => void }) {
  const done = ['已保存', 'Saved'] as const
  const shared = { changes: CHANGES, done, onClose }
  switch (asked.what) {
    case 'folder':
      return (
        <FormDialog
          title={['新建文件夹', 'New folder']}
          entity={Folder}
          mode="new"
          value={{ parentId: within as never }}
          save={calls.addFolder}
          fields={['name', 'remark']}
          {...shared}
        />
      )
    case 'rename-folder': {
      const { id, name, remark, version } = asked.of
      return (
        <FormDialog
          title={['文件夹', 'Folder']}
          entity={Folder}
          mode="edit"
          value={{ name, remark, version }}
          also={{ dirId: id as never }}
          save={calls.updateFolder}
          fields={['name', 'remark']}
          {...shared}
        />
      )
    }
    case 'edit':
      return <FormDialog entity={Document} mode="edit" value={asked.of} save={calls.updateFile} fields={['name', 'remark']} {...shared} />
    case 'annexe':
      return (
        <FormDialog
          title={['附件', 'Attachment']}
          entity={Annexe}
          mode="edit"
          value={{ name: asked.of.name }}
          also={{ annexeId: asked.of.id }}
          save={calls.updateAnnexe}
          fields={['name']}
          {...shared}
        />
      )
    default:
      return <Move {...asked} tree={tree} onClose={onClose} />
  }
}

/** Into which folder; one cannot go below itself, and is not offered. */
function Move({ tree, onClose, ...asked }: (Asked & { what: 'move' | 'move-folder' }) & { tree: readonly FolderNode[]; onClose: () => void }) {
  const say = useText()
  const act = useAct(CHANGES)
  const [into, setInto] = useState<string>()
  const branches = (nodes: readonly FolderNode[]): { value: string; title: string; children: object[] }[] =>
    nodes
      .filter(({ id }) => asked.what !== 'move-folder' || id !== asked.of.id)
      .map(({ id, name, children }) => ({ value: id, title: name, children: branches(children) }))
  const go = async () => {
    const toDirId = (into || null) as never
    const moved = { done: ['已移动', 'Moved'] as const }
    const ok =
      asked.what === 'move-folder'
        ? await act(calls.moveDir, { dirId: asked.of.id as never, toDirId }, moved)
        : await act(calls.moveFiles, { ids: asked.of.map(({ id }) => id), toDirId }, moved)
    if (!ok) return
    if (asked.what === 'move') asked.after()
    onClose()
  }
  return (
    <Dialog
      changed={into !== undefined}
      title={say(['移动到', 'Move to'])}
      onClose={onClose}
      onOk={go}
      okText={say(['移动', 'Move'])}
      cancelText={say(['取消', 'Cancel'])}
      okButtonProps={{ disabled: into === undefined }}
    >
      <TreeSelect
        style={{ inlineSize: '100%' }}
        aria-label={say(['目标文件夹', 'Target folder'])}
        placeholder={say(['选择文件夹', 'Choose a folder'])}
        treeDefaultExpandAll
        showSearch={{ treeNodeFilterProp: 'title' }}
        value={into ?? null}
        onChange={(value) => setInto(value ?? undefined)}
        treeData={[{ value: ALL, title: say(['全部文件（顶层）', 'All files (top level)']), children: branches(tree) }]}
      />
    </Dialog>
  )
}
