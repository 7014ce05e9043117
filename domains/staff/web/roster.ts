import type { Of } from '../../../platform/contract/field.ts'
import type { schedule } from '../contract/schedule.ts'

export type Line = Of<typeof schedule.query.reply>[number]
export type Met = Of<typeof schedule.save.reply>['conflicts'][number]
/** A cell put down and not stored yet; without a shift it is a day of rest. */
export interface Added {
  tollNo: string
  workDate: string
  shiftId: string | null
  placeCodes: string[]
}
/** What was changed and not stored yet: whoever takes a step back goes to the one before. */
export interface Draft {
  added: readonly Added[]
  removed: readonly string[]
}
export const EMPTY: Draft = { added: [], removed: [] }
/** One piece in the grid: stored, or put down just now. */
export interface Piece {
  key: string
  id: string | null
  tollNo: string
  workDate: string
  shiftId: string | null
  placeCodes: string[]
  state: number
  /** It cannot be moved: it has begun, or somebody decided about it. */
  fixed: boolean
  warnings: readonly number[]
}
const MOVABLE = [1, 5]

/** What lies in each person's day, stored and drafted. */
export function piecesOf(lines: readonly Line[], { added, removed }: Draft): Map<string, Piece[]> {
  const at = new Map<string, Piece[]>()
  const put = (piece: Piece) => {
    const key = `${piece.tollNo} ${piece.workDate}`
    at.set(key, [...(at.get(key) ?? []), piece])
  }
  const gone = new Set(removed)
  for (const { tollNo, cells } of lines)
    for (const { id, begun, conflicts, ...cell } of cells)
      if (!gone.has(id)) put({ ...cell, key: id, id, tollNo, fixed: begun || !MOVABLE.includes(cell.state), warnings: conflicts })
  for (const one of added)
    put({
      ...one,
      key: `${one.tollNo} ${one.workDate} ${one.shiftId}`,
      id: null,
      state: one.shiftId ? MOVABLE[0]! : MOVABLE[1]!,
      fixed: false,
      warnings: [],
    })
  return at
}
const same = (a: Omit<Added, 'placeCodes'>, b: Omit<Added, 'placeCodes'>) =>
  a.tollNo === b.tollNo && a.workDate === b.workDate && a.shiftId === b.shiftId
export const adding = (draft: Draft, one: Added): Draft => ({ ...draft, added: [...draft.added.filter((other) => !same(one, other)), one] })
export const removing = (draft: Draft, piece: Piece): Draft =>
  piece.id ? { ...draft, removed: [...draft.removed, piece.id] } : { ...draft, added: draft.added.filter((one) => !same(one, piece)) }
export const moving = (draft: Draft, piece: Piece, to: { tollNo: string; workDate: string }, copies: boolean): Draft =>
  adding(copies ? draft : removing(draft, piece), { ...to, shiftId: piece.shiftId, placeCodes: piece.placeCodes })
/** The same shift of the same person, at other places. */
export const placing = (draft: Draft, { placeCodes: _, ...piece }: Piece, placeCodes: string[]): Draft =>
  adding(removing(draft, { ...piece, placeCodes }), { tollNo: piece.tollNo, workDate: piece.workDate, shiftId: piece.shiftId, placeCodes })
export const daysFrom = (first: string, days: number): string[] =>
  Array.from({ length: days }, (_, n) => new Date(Date.parse(first) + n * 86_400_000).toISOString().slice(0, 10))
export const mondayOf = (day: string): string => {
  const ms = Date.parse(day)
  return new Date(ms - ((new Date(ms).getUTCDay() + 6) % 7) * 86_400_000).toISOString().slice(0, 10)
}
