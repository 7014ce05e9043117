import {
  BoldOutlined,
  ClearOutlined,
  CodeOutlined,
  DeleteColumnOutlined,
  DeleteOutlined,
  DeleteRowOutlined,
  InsertRowBelowOutlined,
  InsertRowRightOutlined,
  ItalicOutlined,
  LineOutlined,
  LinkOutlined,
  OrderedListOutlined,
  PictureOutlined,
  RedoOutlined,
  StrikethroughOutlined,
  TableOutlined,
  UnderlineOutlined,
  UndoOutlined,
  UnorderedListOutlined,
} from '@ant-design/icons'
import type { Editor } from '@tiptap/core'
import { Button, Input, Select } from 'antd'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { linkOf } from './richLink.ts'
import { insertPictures } from './richPictures.ts'
import { type Text, useText } from '../text.ts'

interface Tool {
  name: Text
  icon: ReactNode
  run: (editor: Editor) => void
  /** Where it can be on. */
  isOn?: (editor: Editor) => boolean
  can?: (editor: Editor) => boolean
}
const mark = (name: string, text: Text, icon: ReactNode, run: Tool['run']): Tool => ({ name: text, icon, run, isOn: (of) => of.isActive(name) })

const tools: readonly (readonly Tool[])[] = [
  [
    { name: ['撤销（Ctrl+Z）', 'Undo (Ctrl+Z)'], icon: <UndoOutlined />, run: (of) => of.chain().focus().undo().run(), can: (of) => of.can().undo() },
    { name: ['重做（Ctrl+Y）', 'Redo (Ctrl+Y)'], icon: <RedoOutlined />, run: (of) => of.chain().focus().redo().run(), can: (of) => of.can().redo() },
  ],
  [
    mark('bold', ['加粗（Ctrl+B）', 'Bold (Ctrl+B)'], <BoldOutlined />, (of) => of.chain().focus().toggleBold().run()),
    mark('italic', ['斜体（Ctrl+I）', 'Italic (Ctrl+I)'], <ItalicOutlined />, (of) => of.chain().focus().toggleItalic().run()),
    mark('underline', ['下划线（Ctrl+U）', 'Underline (Ctrl+U)'], <UnderlineOutlined />, (of) => of.chain().focus().toggleUnderline().run()),
    mark('strike', ['删除线', 'Strikethrough'], <StrikethroughOutlined />, (of) => of.chain().focus().toggleStrike().run()),
  ],
  [
    mark('bulletList', ['无序列表', 'Bulleted list'], <UnorderedListOutlined />, (of) => of.chain().focus().toggleBulletList().run()),
    mark('orderedList', ['有序列表', 'Numbered list'], <OrderedListOutlined />, (of) => of.chain().focus().toggleOrderedList().run()),
    mark('blockquote', ['引用', 'Quote'], <b aria-hidden>”</b>, (of) => of.chain().focus().toggleBlockquote().run()),
    mark('codeBlock', ['代码', 'Code'], <CodeOutlined />, (of) => of.chain().focus().toggleCodeBlock().run()),
  ],
]
const last: readonly Tool[] = [
  { name: ['分隔线', 'Divider'], icon: <LineOutlined />, run: (of) => of.chain().focus().setHorizontalRule().run() },
  {
    name: ['插入表格', 'Insert a table'],
    icon: <TableOutlined />,
    run: (of) => of.chain().focus().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run(),
    can: (of) => !of.isActive('table'),
  },
  { name: ['清除格式', 'Clear formatting'], icon: <ClearOutlined />, run: (of) => of.chain().focus().unsetAllMarks().clearNodes().run() },
]
/** Only inside a table. */
const tableTools: readonly Tool[] = [
  { name: ['下方加一行', 'Row below'], icon: <InsertRowBelowOutlined />, run: (of) => of.chain().focus().addRowAfter().run() },
  { name: ['右侧加一列', 'Column to the right'], icon: <InsertRowRightOutlined />, run: (of) => of.chain().focus().addColumnAfter().run() },
  { name: ['删除行', 'Delete the row'], icon: <DeleteRowOutlined />, run: (of) => of.chain().focus().deleteRow().run() },
  { name: ['删除列', 'Delete the column'], icon: <DeleteColumnOutlined />, run: (of) => of.chain().focus().deleteColumn().run() },
  { name: ['删除表格', 'Delete the table'], icon: <DeleteOutlined />, run: (of) => of.chain().focus().deleteTable().run() },
]

const headings = [0, 2, 3, 4] as const
const headingNames: Record<(typeof headings)[number], Text> = {
  0: ['正文', 'Text'],
  2: ['标题一', 'Heading 1'],
  3: ['标题二', 'Heading 2'],
  4: ['标题三', 'Heading 3'],
}

/** One row above the text. The arrow keys go from tool to tool, so that the keyboard passes it with one Tab. */
export function RichTools({ editor, onLink }: { editor: Editor; onLink: () => void }) {
  const say = useText()
  const chooser = useRef<HTMLInputElement>(null)
  const level = headings.find((one) => one > 0 && editor.isActive('heading', { level: one })) ?? 0
  const heading = (to: (typeof headings)[number]) =>
    to === 0 ? editor.chain().focus().setParagraph().run() : editor.chain().focus().setHeading({ level: to }).run()
  const link: Tool = { name: ['链接（Ctrl+K）', 'Link (Ctrl+K)'], icon: <LinkOutlined />, run: onLink, isOn: (of) => of.isActive('link') }
  const picture: Tool = { name: ['插入图片', 'Insert a picture'], icon: <PictureOutlined />, run: () => chooser.current?.click() }
  const groups = [...tools, [link, picture, ...last], ...(editor.isActive('table') ? [tableTools] : [])]
  return (
    <div className="rich-tools" role="toolbar" tabIndex={-1} aria-label={say(['格式', 'Formatting'])} onKeyDown={stepBetween}>
      <Select
        size="small"
        variant="borderless"
        value={level}
        aria-label={say(['段落样式', 'Paragraph style'])}
        options={headings.map((value) => ({ value, label: say(headingNames[value]) }))}
        onChange={heading}
        popupMatchSelectWidth={false}
      />
      {groups.map((group, place) => (
        <span key={place} role="group">
          {group.map((tool, at) => (
            <ToolButton key={tool.name[1]} tool={tool} editor={editor} first={place === 0 && at === 0} />
          ))}
        </span>
      ))}
      <input
        ref={chooser}
        type="file"
        hidden
        multiple
        accept=".jpg,.jpeg,.png"
        onChange={({ target }) => {
          insertPictures(editor, [...(target.files ?? [])])
          target.value = ''
        }}
      />
    </div>
  )
}

function ToolButton({ tool: { name, icon, run, isOn, can }, editor, first }: { tool: Tool; editor: Editor; first: boolean }) {
  const say = useText()
  const label = say(name)
  const on = isOn?.(editor)
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      {...(on !== undefined && { 'aria-pressed': on })}
      aria-disabled={can ? !can(editor) : undefined}
      tabIndex={first ? 0 : -1}
      // The text keeps its selection while a tool is pressed.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => (!can || can(editor)) && run(editor)}
    >
      {icon}
    </button>
  )
}

function stepBetween(event: KeyboardEvent<HTMLDivElement>) {
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button')]
  const at = buttons.indexOf(event.target as HTMLButtonElement)
  if (by === 0 || at < 0) return
  event.preventDefault()
  buttons[(at + by + buttons.length) % buttons.length]!.focus()
}

/** Asks for the address of a link, under the tools. Enter sets it, empty takes the link away, Esc leaves it as it was. */
export function LinkBar({ from, onDone }: { from: string; onDone: (href: string | undefined) => void }) {
  const say = useText()
  const [typed, setTyped] = useState(from)
  const [wrong, setWrong] = useState(false)
  const done = () => {
    const href = typed.trim() === '' ? '' : linkOf(typed)
    if (href === undefined) return setWrong(true)
    onDone(href)
  }
  return (
    <div className="rich-link">
      <Input
        size="small"
        autoFocus
        value={typed}
        placeholder="https://"
        aria-label={say(['链接地址', 'Link address'])}
        {...(wrong && { status: 'error' as const })}
        onChange={({ target }) => {
          setTyped(target.value)
          setWrong(false)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return
          // The form is not sent and the dialog not closed by it.
          event.preventDefault()
          event.stopPropagation()
          if (event.key === 'Enter') done()
          else onDone(undefined)
        }}
      />
      <Button size="small" type="primary" onClick={done}>
        {say(['确定', 'OK'])}
      </Button>
      <Button size="small" onClick={() => onDone(undefined)}>
        {say(['取消', 'Cancel'])}
      </Button>
      {wrong && (
        <span role="alert" className="bad">
          {say(['只能链接到 http 或 https 地址', 'Only http and https links are allowed'])}
        </span>
      )}
    </div>
  )
}
