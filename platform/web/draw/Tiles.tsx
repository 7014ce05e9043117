import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Figure, Within } from '../../contract/figure.ts'
import { Explain, listOf } from './Explain.tsx'
import { changeIn } from './change.ts'
import { count, NONE } from '../format.ts'
import { type Text, useText } from '../text.ts'
import './tiles.css'

/** A declared figure brings its name, its explanation and its list; what is no figure of several screens says them itself. */
type Named =
  | {
      name: Text
      /** The list that it sums; left out where the reader may not see it, or where there is none. */
      to?: string | undefined
    }
  | {
      figure: Figure
      within?: Partial<Within>
      /** The same list, narrower than days and a park say; `false` where it stands below already. */
      to?: string | false | undefined
    }
interface Shown {
  /** A number, or a drawing of one (money); nothing is known and said as `--`. */
  value: ReactNode
  unit?: Text
  /** The same figure now and then, by which the change is said. */
  today?: number | null
  before?: number | null
  /** The comparison that the change refers to; the same time yesterday when left out. */
  against?: Text
  /** Whether more or less of it is what one hopes for. */
  good?: 'up' | 'down'
  /** It asks for attention: its name gets the mark of that state. */
  tone?: 'warning' | 'error' | false | undefined
  children?: ReactNode
}
export type TileProps = Named & Shown

/** At most six figures in one frame, what is asked first first. */
export function Tiles({ label, children }: { label: Text; children: ReactNode }) {
  const say = useText()
  return (
    <div className="tiles-room">
      <nav className="tiles" aria-label={say(label)}>
        {children}
      </nav>
    </div>
  )
}

/** A figure with its title and unit, how it stands against another time, and the way to the list behind it. */
export function Tile({ value, unit, today, before, against = YESTERDAY, good = 'up', tone, children, ...of }: TileProps) {
  const say = useText()
  const { name, to } = 'figure' in of ? { name: of.figure.title, to: of.to === false ? undefined : (of.to ?? listOf(of.figure, of.within)) } : of
  const known = value !== null && value !== undefined
  const figure = (
    <>
      <span className={tone ? `state ${tone}` : ''}>{say(name)}</span>
      <b>
        {known ? <span>{typeof value === 'number' ? count(value) : value}</span> : <span className="faint">{NONE}</span>}
        {known && unit && <small>{say(unit)}</small>}
      </b>
    </>
  )
  return (
    <div className="tile">
      {to ? <Link to={to}>{figure}</Link> : <div>{figure}</div>}
      {'figure' in of && <Explain figures={[of.figure]} />}
      <p>
        {before !== undefined && <Change today={today} before={before} against={against} good={good} />}
        {children}
      </p>
    </div>
  )
}
/** Beyond it the figure before was next to nothing. */
const PERCENT_MOST = 999
const YESTERDAY: Text = ['较昨日', 'vs yesterday']

/** A sign, a word and only then a colour. Nothing to compare with is `--`. */
function Change({ today, before, against, good }: { today: number | null | undefined; before: number | null; against: Text; good: 'up' | 'down' }) {
  const say = useText()
  const percent = changeIn(today, before)
  if (percent === undefined) {
    return (
      <span className="faint">
        {say(against)} {NONE}
      </span>
    )
  }
  const tone = percent === 0 ? 'faint' : percent > 0 === (good === 'up') ? 'up' : 'down'
  const way = percent > 0 ? say(['上升', 'up']) : percent < 0 ? say(['下降', 'down']) : ''
  return (
    <span className={`change ${tone}`}>
      {say(against)} <span aria-hidden>{percent > 0 ? '▲' : percent < 0 ? '▼' : ''}</span>
      <span className="unseen">{way}</span> {Math.abs(percent) > PERCENT_MOST ? `>${PERCENT_MOST}` : Math.abs(percent)}%
    </span>
  )
}
