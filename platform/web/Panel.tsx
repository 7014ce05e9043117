import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type Text, useText } from './text.ts'

interface PanelProps {
  title: Text
  /** Where all of it stands, when what is shown is a part. */
  to?: string
  children: ReactNode
}
/** A part of an overview: what it is, the way to all of it, and what it shows. */
export function Panel({ title, to, children }: PanelProps) {
  const say = useText()
  return (
    <section className="panel part">
      <header>
        <h2>{say(title)}</h2>
        <span className="push" />
        {to && <Link to={to}>{say(['全部', 'All'])}</Link>}
      </header>
      {children}
    </section>
  )
}
