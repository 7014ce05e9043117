import { FullscreenOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, useContext, useRef } from 'react'
import { Link } from 'react-router'
import { explained, type Figure } from '../../contract/figure.ts'
import { time } from '../format.ts'
import { Still } from './still.ts'
import { type Text, useText } from '../text.ts'
import { OnDark, palettes } from '../theme.ts'
import { useWatched } from './watching.ts'
import './wall.css'

/** A wall is read in passing: it looks again by itself. */
export const WALL_AGAIN_MS = 10_000

export interface WallFigure {
  name: Text
  value: ReactNode
  /** The list that it sums. */
  to: string
  /** The declaration that it follows. */
  figure?: Figure
  /** Beside it, small: what it is a part of. */
  more?: ReactNode
}
interface Props {
  title: Text
  /** The name of the wall, where it has one of its own. */
  name?: string | undefined
  /** When the figures were taken. */
  at: string
  figures: readonly WallFigure[]
  children: ReactNode
}
const GROUND = Object.fromEntries(Object.entries(palettes.dark).map(([name, value]) => [`--${name}`, value]))

/** For a wall in the control room, dark in either look: few figures, each opening its list, and below them what the room looks at. No plate, no name. */
export function Wall({ title, name, at, figures, children }: Props) {
  const say = useText()
  const still = useContext(Still)
  const wall = useRef<HTMLDivElement>(null)
  useWatched()
  return (
    <OnDark value>
      <div className="wall" ref={wall} style={GROUND}>
        <header>
          <h1>{say(title)}</h1>
          {name && <b>{name}</b>}
          <span className="push" />
          <time>{time(at)}</time>
          <Button
            type="text"
            icon={<FullscreenOutlined />}
            aria-label={say(['全屏', 'Full screen'])}
            onClick={() => void wall.current?.requestFullscreen().catch(() => {})}
          />
        </header>
        <nav className="wall-figures" aria-label={say(['指标', 'Figures'])}>
          {figures.map(({ name, value, to, more, figure: of }) => {
            const title = of && say(explained(of))
            const figure = (
              <>
                <span>{say(name)}</span>
                <strong>{value}</strong>
                {more !== undefined && <small>{more}</small>}
              </>
            )
            return still ? (
              <div key={name[1]} title={title}>
                {figure}
              </div>
            ) : (
              <Link key={name[1]} to={to} title={title}>
                {figure}
              </Link>
            )
          })}
        </nav>
        {children}
      </div>
    </OnDark>
  )
}

export interface Filled {
  key: string
  name: string
  /** The text beside the name. */
  says: string
  /** In percent. */
  used: number
}
/** From here on it is nearly full, and full. */
const TIGHT = 80
const FULL = 95
export const toneOf = (used: number) => (used >= FULL ? 'error' : used >= TIGHT ? 'warning' : 'success')

/** The fullest first, each with a bar as long as it is full. */
export function Fullest({ title, rows, onOpen }: { title: Text; rows: readonly Filled[]; onOpen: (key: string) => void }) {
  const say = useText()
  const still = useContext(Still)
  return (
    <section>
      <h3>{say(title)}</h3>
      <ol>
        {rows.map(({ key, name, says, used }) => (
          <li key={key}>
            <button type="button" disabled={still} onClick={() => onOpen(key)}>
              <span>{name}</span>
              <b>{says}</b>
              <i className={toneOf(used)} style={{ inlineSize: `${used}%` }} />
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}
