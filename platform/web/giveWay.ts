import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { language } from './text.ts'

/** How many gave way when a list was looked at last, so that it stands as it will from the first. */
const before = new Map<string, number>()

/**
 * How many columns have to give way for the others to stand side by side without being pushed: found by looking at the rows that are drawn, one column at a time before anybody sees it.
 * It starts anew where the page gets another width; rows that need more room later take more.
 */
export function useGivingWay(list: string, room: RefObject<HTMLElement | null>, drawn: unknown, most: number): number {
  const speech = language.use()
  const [width, setWidth] = useState(0)
  const known = `${list} ${speech} ${width}`
  const [gone, setGone] = useState<{ known: string; count: number }>()
  const count = Math.min(most, gone?.known === known ? gone.count : (before.get(known) ?? 0))
  useEffect(() => {
    if (!room.current) return
    const seen = new ResizeObserver(([entry]) => setWidth(Math.round(entry!.contentRect.width)))
    seen.observe(room.current)
    return () => seen.disconnect()
  }, [])
  useLayoutEffect(() => {
    const table = room.current?.querySelector('.ant-table-body, .ant-table-content')
    if (!table || width === 0 || count >= most || table.scrollWidth <= table.clientWidth + 1) return
    before.set(known, count + 1)
    setGone({ known, count: count + 1 })
  }, [drawn, known, count, most])
  return count
}
