import { createContext, type ReactNode, useContext } from 'react'
import { type Text, useText } from './text.ts'

/** The place of a screen: what the menu calls it. The heading, the tab and the document's title all say the same. */
export interface Page {
  title: Text
  path: string
}
const PageContext = createContext<Page>({ title: ['', ''], path: '' })
export const PageOf = PageContext.Provider
export const usePage = () => useContext(PageContext)

/** The heading of a page: its name from the menu and one muted sentence of what it is for. What stands at the right goes inside. */
export function PageHead({ purpose, title, children }: { purpose?: Text; title?: Text | undefined; children?: ReactNode }) {
  const say = useText()
  const page = usePage()
  const name = title ?? page.title
  return (
    <header className="page-head">
      <h1>{say(name)}</h1>
      {purpose && <p>{say(purpose)}</p>}
      {children}
    </header>
  )
}
