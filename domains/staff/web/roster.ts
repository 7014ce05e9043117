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

/** One place of a pattern: a shift, or null for a day off. */
export type Turn = string | null
export interface Filling {
  /** Staff numbers, in the order in which they take turns. */
  people: readonly string[]
  days: readonly string[]
  pattern: readonly Turn[]
  /** Each person begins so many places further in the pattern than the one before; 0 gives everybody the same day. */
  step: number
  /** What stands there and may still be moved gives way. */
  replaces: boolean
  placeCodes: string[]
}
export interface Filled {
  draft: Draft
  /** Cells put down. */
  put: number
  /** Days left as they stand. */
  kept: number
}
/** Goes through a pattern over people and days. A day that has something keeps it, unless it is to be replaced; what has begun or was decided stays in any case. */
export function filled(lines: readonly Line[], draft: Draft, { people, days, pattern, step, replaces, placeCodes }: Filling): Filled {
  const standing = piecesOf(lines, draft)
  const added: Added[] = []
  const gone: Piece[] = []
  let kept = 0
  for (const [nth, tollNo] of people.entries())
    for (const [at, workDate] of days.entries()) {
      const shiftId = pattern[(nth * step + at) % pattern.length] ?? null
      const there = standing.get(`${tollNo} ${workDate}`) ?? []
      if (there.length > 0 && (!replaces || there.some(({ fixed }) => fixed))) kept++
      else {
        gone.push(...there)
        added.push({ tollNo, workDate, shiftId, placeCodes: shiftId ? placeCodes : [] })
      }
    }
  const dropped = new Set(gone.map(({ key }) => key))
  const stays = draft.added.filter((one) => !dropped.has(`${one.tollNo} ${one.workDate} ${one.shiftId}`))
  const removed = [...draft.removed, ...gone.flatMap(({ id }) => id ?? [])]
  return { draft: { added: [...stays, ...added], removed }, put: added.length, kept }
}
