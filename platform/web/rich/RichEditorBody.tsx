import { Editor } from '@tiptap/core'
import { useEffect, useId, useReducer, useRef, useState } from 'react'
import { confirmedLink } from './richLink.ts'
import { extensions } from './richSchema.ts'
import { cleanForPage } from './richClean.ts'
import { LinkBar, RichTools } from './RichTools.tsx'
import { useText } from '../text.ts'
import { insertPictures, picturesIn } from './richPictures.ts'
import './rich.css'

export interface RichEditorProps {
  id?: string
  /** HTML; nothing, or the empty string, is an empty text. */
  value?: string | null
  onChange?: (html: string) => void
  disabled?: boolean
  /** The name of the text, for users who do not see the label beside it. */
  label?: string
}

/** 400 px high, its tools above. What is pasted is cleaned like everything else; pictures that are pasted or dropped are uploaded first. */
export default function RichEditorBody({ id, value, onChange, disabled = false, label }: RichEditorProps) {
  const say = useText()
  const own = useId()
  const place = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<Editor>()
  const [linking, setLinking] = useState(false)
  const latest = useRef({ value: value ?? '', onChange })
  const said = useRef(value ?? '')
  latest.current = { value: value ?? '', onChange }
  const [, again] = useReducer((n: number) => n + 1, 0)
  // A hidden tab gives the editor back; shown again it begins with what the form holds.
  useEffect(() => {
    const made = openEditor(place.current!, latest.current.value, {
      attributes: { id: id ?? own, 'aria-label': label ?? say(['正文', 'Text']), 'aria-multiline': 'true', role: 'textbox' },
      changed: (html) => {
        said.current = html
        latest.current.onChange?.(html)
      },
      moved: again,
      linkKey: () => setLinking(true),
    })
    setEditor(made)
    return () => {
      setEditor(undefined)
      made.destroy()
    }
  }, [id])
  useEffect(() => {
    if (!editor || (value ?? '') === said.current) return
    said.current = value ?? ''
    editor.commands.setContent(cleanForPage(value ?? ''), { emitUpdate: false })
  }, [editor, value])
  useEffect(() => editor?.setEditable(!disabled, false), [editor, disabled])
  return (
    <div className={`rich-editor${disabled ? ' disabled' : ''}`} data-rich-editor>
      {editor && !disabled && <RichTools editor={editor} onLink={() => setLinking(!linking)} />}
      {editor && linking && (
        <LinkBar
          from={(editor.getAttributes('link')['href'] as string | undefined) ?? ''}
          onDone={(href) => {
            setLinking(false)
            if (href !== undefined) confirmedLink(editor, href)
            editor.commands.focus()
          }}
        />
      )}
      <div ref={place} className="rich" />
    </div>
  )
}

interface Hears {
  attributes: Record<string, string>
  changed: (html: string) => void
  moved: () => void
  linkKey: () => void
}
function openEditor(element: HTMLElement, html: string, { attributes, changed, moved, linkKey }: Hears): Editor {
  const editor: Editor = new Editor({
    element,
    content: cleanForPage(html),
    extensions,
    injectCSS: false,
    onUpdate: ({ editor: { isEmpty, getHTML } }) => changed(isEmpty ? '' : getHTML.call(editor)),
    onTransaction: moved,
    editorProps: {
      attributes,
      transformPastedHTML: cleanForPage,
      handleKeyDown: (_, event) => {
        if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k' || event.shiftKey) return false
        event.preventDefault()
        event.stopPropagation()
        linkKey()
        return true
      },
      handlePaste: (_, event) => insertPictures(editor, picturesIn(event.clipboardData)),
      handleDrop: (_, event) => insertPictures(editor, picturesIn(event.dataTransfer)),
    },
  })
  return editor
}
