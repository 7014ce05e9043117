import { createContext, type ReactNode, useContext } from 'react'
import { type Text, useText } from '../text.ts'

/** The place of a screen: what the menu calls it. The heading, the tab and the document's title all say the same. */
export interface Page {
  title: Text
  path: string
}
const PageContext = createContext<Page>({ title: ['', ''], path: '' })
export const PageOf = PageContext.Provider
export const usePage = () => useContext(PageContext)

interface HeadProps {
  purpose?: Text
  title?: Text | undefined
  /** The name of a part of a page that has its heading already. */
  part?: Text | undefined
  children?: ReactNode
}
/** The heading of a page: its name from the menu and one muted sentence of what it is for. What stands at the right goes inside. */
export function PageHead({ purpose, title, part, children }: HeadProps) {
  const say = useText()
  const page = usePage()
  return (
    <header className="page-head">
      {part ? <h2>{say(part)}</h2> : <h1>{say(title ?? page.title)}</h1>}
      {purpose && <p>{say(purpose)}</p>}
      {children}
    </header>
  )
}
