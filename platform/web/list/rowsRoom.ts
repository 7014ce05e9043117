import { type RefObject, useEffect, useState } from 'react'

/** So much room the rows have at least, whatever the window. */
const ROWS_LEAST_PX = 600
interface Size {
  height: number
  width: number
  /** Under the rows, at the window's lower edge: sums, where one is and how many there are. */
  foot: number
  /** What scrolls around a list whose window is too low for its rows: they are then as long as they are, so that nothing scrolls in what scrolls. */
  page: HTMLElement | undefined
}
/** The room left for rows: the table scrolls inside it, under its own head; in a low window the page does. */
export function useSize(room: RefObject<HTMLDivElement | null>): Size {
  const [size, set] = useState<Size>({ height: 560, width: 0, foot: 44, page: undefined })
  useEffect(() => {
    const box = room.current!
    const headOf = () => box.querySelector<HTMLElement>('.ant-table-thead')?.offsetHeight ?? 38
    const foot = box.parentElement?.querySelector<HTMLElement>('.list-foot')
    const page = box.closest<HTMLElement>('.beside-main, .ant-drawer-body, .ant-modal-body, main')
    const isLow = (all: HTMLElement) => all.clientHeight - (all.scrollHeight - box.offsetHeight) < ROWS_LEAST_PX
    const measure = () => {
      // A hidden tab has no size: it keeps the one it had.
      if (box.clientWidth === 0) return
      set({
        height: box.clientHeight - headOf(),
        width: box.clientWidth,
        // On a telephone it stands under the last row, not at the edge.
        foot: foot && getComputedStyle(foot).position === 'sticky' ? foot.offsetHeight : 0,
        page: page && isLow(page) ? page : undefined,
      })
    }
    const watch = new ResizeObserver(measure)
    watch.observe(box)
    for (const around of [page, foot]) if (around) watch.observe(around)
    // Rows without a button are scrolled by the arrow keys too.
    box.querySelector('.ant-table-body')?.setAttribute('tabindex', '0')
    return () => watch.disconnect()
  }, [])
  return size
}
