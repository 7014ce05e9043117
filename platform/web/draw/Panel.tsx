import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Figure } from '../../contract/figure.ts'
import { Explain } from './Explain.tsx'
import { type Text, useText } from '../text.ts'

interface PanelProps {
  title: Text
  /** Where all of it stands, when what is shown is a part. */
  to?: string | undefined
  /** The declared figures that it shows. */
  figures?: readonly Figure[] | undefined
  children: ReactNode
}
/** A part of an overview: what it is, the way to all of it, and what it shows. */
export function Panel({ title, to, figures, children }: PanelProps) {
  const say = useText()
  return (
    <section className="panel part">
      <header>
        <h2>{say(title)}</h2>
        {figures && <Explain figures={figures} />}
        <span className="push" />
        {to && <Link to={to}>{say(['全部', 'All'])}</Link>}
      </header>
      {children}
    </section>
  )
}
