import type { Editor } from '@tiptap/core'
import { isRichLink } from '../../contract/rich.ts'

/** An address as people type it: without a scheme it is `https`. Undefined for what no link may lead to. */
export function linkOf(typed: string): string | undefined {
  const address = typed.trim()
  const href = /^[a-z][a-z\d+.-]*:/i.test(address) && !/^[\w.-]+:\d+(\/|$)/.test(address) ? address : `https://${address}`
  return isRichLink(href) ? href : undefined
}

/** Links what is chosen, or writes the address where nothing is; an empty address takes the link away. */
export function confirmedLink(editor: Editor, href: string): void {
  const chain = editor.chain().focus().extendMarkRange('link')
  if (!href) return void chain.unsetLink().run()
  if (editor.state.selection.empty && !editor.isActive('link'))
    return void chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run()
  chain.setLink({ href }).run()
}
