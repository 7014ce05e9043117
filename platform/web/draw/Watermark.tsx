import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { type Personal, SIGHT } from '../../contract/personal.ts'
import { time } from '../format.ts'
import { can, person } from '../person.ts'
import './watermark.css'

/**
 * Whether what is in sight holds personal data that its reader sees whole: every question says by `asks` what its answer may hold, and a page that is
 * hidden asks nothing. So no screen has to say that it is one.
 */
function usePersonalInSight(): boolean {
  const cache = useQueryClient().getQueryCache()
  return useSyncExternalStore(
    (follow) => cache.subscribe(follow),
    () => cache.getAll().some((query) => wholeTo(query.meta?.['personal']) && query.isActive()),
  )
}
const wholeTo = (kinds: unknown) => Array.isArray(kinds) && (kinds as Personal[]).some((kind) => can(SIGHT[kind]))

const MINUTE_MS = 60_000
function useMinute(): string {
  const [at, setAt] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setAt(Date.now()), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return time(new Date(at)).slice(0, 16)
}

/** The reader's name, the end of their number, and the time: over every screen and every printed page with personal data. It takes no click and is read to nobody. */
export function Watermark() {
  const who = person.use()
  const shows = usePersonalInSight()
  const now = useMinute()
  if (!who || !shows) return null
  const lines = [[who.name, who.username, who.phoneTail].filter(Boolean).join(' '), now]
  return (
    <div
      className="watermark"
      aria-hidden="true"
      data-says={lines.join(' ')}
      style={{ backgroundImage: `url("data:image/svg+xml,${encodeURIComponent(tileOf(lines))}")` }}
    />
  )
}

const TILE = { width: 340, height: 200 }
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
const tileOf = (lines: readonly string[]) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${TILE.width}" height="${TILE.height}"><g transform="translate(20 150) rotate(-18)" fill="#808080" fill-opacity=".17" font-family="sans-serif" font-size="14">` +
  `${lines.map((line, place) => `<text y="${place * 20}">${escaped(line)}</text>`).join('')}</g></svg>`
