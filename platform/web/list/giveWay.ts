import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { choice } from '../kept.ts'
import { language } from '../text.ts'

/** How many gave way, by list, language and width: a list that is opened again stands as it will from the first. */
const gone = choice<ReadonlyMap<string, number>>(new Map())

/**
 * How many columns have to give way for the others to stand side by side without being pushed: found by looking at the rows that are drawn, one column at a time before anybody sees it.
 * It starts anew where the page gets another width; rows that need more room later take more.
 */
export function useGivingWay(list: string, room: RefObject<HTMLElement | null>, drawn: unknown, roomy: readonly string[] = []): number {
  const most = roomy.length
  const speech = language.use()
  const [width, setWidth] = useState(0)
  const known = `${list} ${speech} ${width}`
  const count = Math.min(most, gone.use().get(known) ?? 0)
  useEffect(() => {
    if (!room.current) return
    const seen = new ResizeObserver(([entry]) => setWidth(Math.round(entry!.contentRect.width)))
    seen.observe(room.current)
    return () => seen.disconnect()
  }, [])
  useLayoutEffect(() => {
    const box = room.current?.querySelector('.ant-table-body, .ant-table-content')
    const rows = box?.querySelector('table')
    if (!box || !rows || width === 0 || count >= most) return
    // A cell that is being changed is wider than it will be, and its row stays as it is until then.
    const look = () => {
      if (box.scrollWidth > box.clientWidth + 1 && !box.querySelector('.cell-form')) gone.set(new Map(gone.get()).set(known, count + 1))
    }
    look()
    // Names that come later make them wider.
    const grows = new ResizeObserver(look)
    grows.observe(rows)
    return () => grows.disconnect()
  }, [drawn, known, count, most])
  return count
}
