import { lazy, Suspense } from 'react'
import { NONE } from '../format.ts'
import type { RichEditorProps } from './RichEditorBody.tsx'

const Body = lazy(() => import('./RichBody.tsx'))
const Editor = lazy(() => import('./RichEditorBody.tsx'))

/** Formatted text as it was written, cleaned once more. */
export function RichText({ html }: { html: string | null | undefined }) {
  if (!html) return <span className="faint">{NONE}</span>
  return (
    <Suspense fallback={<div className="rich-wait late" aria-busy />}>
      <Body html={html} />
    </Suspense>
  )
}

/** The editor of a form: its value is the text as HTML, and the empty string where there is none. It is loaded when it is first needed. */
export function RichEditor(props: RichEditorProps) {
  return (
    <Suspense fallback={<div className="rich-editor" aria-busy />}>
      <Editor {...props} />
    </Suspense>
  )
}

const EXCERPT = 120
/** The words alone, for a cell of a list. A document that is never shown runs nothing and loads nothing. */
export function excerptOf(html: string): string {
  const words = (new DOMParser().parseFromString(html.replaceAll(/<(\/p|\/li|\/h\d|br|\/td|\/th)/gi, ' <$1'), 'text/html').body.textContent ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return words.length > EXCERPT ? `${words.slice(0, EXCERPT)}…` : words
}
