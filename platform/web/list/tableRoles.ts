import { createElement, type HTMLAttributes } from 'react'

/**
 * A table whose rows stand as cards on a telephone is no table any more to some browsers, and so to whoever hears the page: what its parts are is said again. A cell's name comes
 * before its value there, as text of the style sheet, which is read.
 */
export const TABLE = { role: 'table' } as const
export const GROUP = { role: 'rowgroup' } as const
export const ROW = { role: 'row' } as const
export const HEAD = { role: 'columnheader' } as const
export const CELL = { role: 'cell' } as const

const part = (tag: 'table' | 'thead' | 'tbody' | 'tr' | 'td', said: { role: string }) => (props: HTMLAttributes<HTMLElement>) =>
  createElement(tag, { ...said, ...props })
/** The same for a table that draws its own parts. */
export const PARTS = {
  table: part('table', TABLE),
  header: { wrapper: part('thead', GROUP), row: part('tr', ROW) },
  body: { wrapper: part('tbody', GROUP), row: part('tr', ROW), cell: part('td', CELL) },
}
