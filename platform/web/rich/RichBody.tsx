import { useMemo } from 'react'
import { cleanForPage } from './richClean.ts'
import './rich.css'

/** Loaded where formatted text is shown. */
export default function RichBody({ html }: { html: string }) {
  const clean = useMemo(() => cleanForPage(html), [html])
  return <div className="rich" dangerouslySetInnerHTML={{ __html: clean }} />
}
