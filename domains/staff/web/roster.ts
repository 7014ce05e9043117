import type { Day, Of } from '../../../platform/contract/field.ts'
import type { Text } from '../../../platform/web/text.ts'
import { CellState, Conflict, schedule, WEEK_MIN_MAX } from '../contract/roster.ts'

/** Asked again once the roster has changed. */
export const CHANGES = [schedule.query, schedule.uncovered, schedule.cells]

export type Line = Of<typeof schedule.query.reply>[number]
export type Met = Of<typeof schedule.save.reply>['conflicts'][number]
/** A cell put down and not stored yet; without a shift it is a day of rest. */
export interface Added {
  tollNo: string
  workDate: string
  shiftId: string | null
  placeCodes: string[]
}
/** Unsaved changes; undo goes back to the draft before. */
export interface Draft {
  added: readonly Added[]
  removed: readonly string[]
}
export const EMPTY: Draft = { added: [], removed: [] }
export type Change = (draft: Draft) => Draft
/** One piece in the grid: stored, or put down just now. */
export interface Piece {
  key: string
  id: string | null
  tollNo: string
  workDate: string
  shiftId: string | null
  placeCodes: string[]
  state: number
  /** Whether it cannot be moved: it has begun, somebody decided about it, or is about to. */
  fixed: boolean
  /** The number of an open request about it, if there is one. */
  requestNo: string | null
  warnings: readonly number[]
}
const MOVABLE = [1, 5]
const WORKING: readonly number[] = [CellState.planned, CellState.swapped, CellState.stoodIn]

/** Returns the pieces of each person's day, stored and drafted. */
export function piecesOf(lines: readonly Line[], { added, removed }: Draft): Map<string, Piece[]> {
  const at = new Map<string, Piece[]>()
  const put = (piece: Piece) => {
    const key = `${piece.tollNo} ${piece.workDate}`
    at.set(key, [...(at.get(key) ?? []), piece])
  }
  const gone = new Set(removed)
  for (const { tollNo, cells } of lines)
    for (const { id, begun, conflicts, requested, plannedMin: _, ...cell } of cells)
      if (!gone.has(id)) put({ ...cell, key: id, id, tollNo, fixed: begun || requested || !MOVABLE.includes(cell.state), warnings: conflicts })
  for (const one of added)
    put({
      ...one,
      key: `${one.tollNo} ${one.workDate} ${one.shiftId}`,
      id: null,
      state: one.shiftId ? MOVABLE[0]! : MOVABLE[1]!,
      fixed: false,
      requestNo: null,
      warnings: [],
    })
  return at
}
/** Each person's part of a draft: a person without changes is not in it. */
export function draftsOf(lines: readonly Line[], { added, removed }: Draft): Map<string, Draft> {
  const of = new Map<string, { added: Added[]; removed: string[] }>()
  const part = (tollNo: string) => {
    const one = of.get(tollNo) ?? { added: [], removed: [] }
    of.set(tollNo, one)
    return one
  }
  for (const one of added) part(one.tollNo).added.push(one)
  const gone = new Set(removed)
  for (const { tollNo, cells } of lines) for (const { id } of cells) if (gone.has(id)) part(tollNo).removed.push(id)
  return of
}
export const sameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a === b || (a.length === b.length && a.every((one, n) => one === b[n]))
const samePlaces = (a: readonly string[], b: readonly string[]) => sameList([...a].sort(), [...b].sort())
/** How many days of people look otherwise once it is saved: a replaced shift and its replacement are one, a restored one is none. */
export function changedBy(lines: readonly Line[], draft: Draft): number {
  const said = (pieces: readonly Piece[] = []) =>
    pieces
      .map(({ shiftId, placeCodes }) => `${shiftId} ${[...placeCodes].sort()}`)
      .sort()
      .join('|')
  const [before, after] = [piecesOf(lines, EMPTY), piecesOf(lines, draft)]
  const gone = new Set(draft.removed)
  const touched = new Set(draft.added.map(({ tollNo, workDate }) => `${tollNo} ${workDate}`))
  for (const { tollNo, cells } of lines) for (const { id, workDate } of cells) if (gone.has(id)) touched.add(`${tollNo} ${workDate}`)
  return [...touched].filter((key) => said(before.get(key)) !== said(after.get(key))).length
}
/** How long a shift is, as somebody is planned by it now. */
export type MinutesOf = (shiftId: string) => number
/** Planned hours of each week as they will be once a person's draft is saved. */
export function weeksWith({ weeks, cells }: Pick<Line, 'weeks' | 'cells'>, { added, removed }: Draft, minutesOf: MinutesOf): Line['weeks'] {
  const more = new Map<string, number>()
  const count = (workDate: string, min: number) => more.set(mondayOf(workDate), (more.get(mondayOf(workDate)) ?? 0) + min)
  const stays = (one: Line['cells'][number]) => !removed.includes(one.id)
  for (const cell of cells) if (!stays(cell) && WORKING.includes(cell.state)) count(cell.workDate, -cell.plannedMin)
  for (const { workDate, shiftId } of added)
    if (shiftId && !cells.some((cell) => stays(cell) && cell.workDate === workDate && cell.shiftId === shiftId)) count(workDate, minutesOf(shiftId))
  const mondays = [...new Set([...weeks.map(({ monday }) => monday as string), ...more.keys()])].sort()
  return mondays.map((monday) => ({
    monday: monday as Day,
    plannedMin: (weeks.find((one) => one.monday === monday)?.plannedMin ?? 0) + (more.get(monday) ?? 0),
  }))
}
/** As the server is asked to save it: the days of one person by one shift at the same places together. */
export function listOf({ added }: Draft) {
  const of = new Map<string, { tollNo: string; shiftId: string | null; placeCodes: string[]; workDates: string[] }>()
  for (const { tollNo, workDate, shiftId, placeCodes } of added) {
    const key = `${tollNo} ${shiftId} ${placeCodes}`
    const one = of.get(key) ?? { tollNo, shiftId, placeCodes, workDates: [] }
    one.workDates.push(workDate)
    of.set(key, one)
  }
  return [...of.values()].map(({ shiftId, ...one }) => (shiftId ? { ...one, shiftId, state: CellState.planned } : { ...one, state: CellState.rest }))
}
const WEEKDAYS: readonly Text[] = [
  ['日', 'Sun'],
  ['一', 'Mon'],
  ['二', 'Tue'],
  ['三', 'Wed'],
  ['四', 'Thu'],
  ['五', 'Fri'],
  ['六', 'Sat'],
]
export const weekdayOf = (day: string): Text => WEEKDAYS[new Date(day).getUTCDay()]!
/** The first and the last day of the week, as the grid's heads say days. */
export const weekOf = (monday: string): string => `${monday.slice(5)}–${daysFrom(monday, 7).at(-1)!.slice(5)}`
/** Sorts conflicts by person, and a person's by day; those that prevent saving come before warnings. */
export const sorted = (met: readonly Met[]): Met[] =>
  [...met].sort(
    (a, b) => Number(b.blocks) - Number(a.blocks) || a.tollNo.localeCompare(b.tollNo) || a.workDate.localeCompare(b.workDate) || a.code - b.code,
  )
export const hours = (min: number): number => Math.round(min / 6) / 10
/** When it is and what; of a week with too many hours its two dates, how many they are and how many they may be. */
export function metWords({ workDate, code, with: rival, workMin }: Met): Text {
  const [zh, en] = Conflict.entries[code]
  if (code === Conflict.week && workMin !== null) {
    const [week, worked, most] = [weekOf(workDate), hours(workMin), hours(WEEK_MIN_MAX)]
    return [`${week} 周工时 ${worked} 小时，超过 ${most} 小时`, `${week} ${worked} h that week, more than ${most} h`]
  }
  return [`${workDate} ${zh}${rival ? `：${rival}` : ''}`, `${workDate} ${en}${rival ? `: ${rival}` : ''}`]
}
export const shifted = (day: string, by: number): string => new Date(Date.parse(day) + by * 86_400_000).toISOString().slice(0, 10)
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
  /** Existing cells that may still be moved are replaced. */
  replaces: boolean
  placeCodes: string[]
}
export interface Filled {
  draft: Draft
  /** Cells put down. */
  put: number
  /** Days left as they stand. */
  kept: number
  /** Those of them that cannot be moved because of an open request. */
  requested: number
}
/**
 * Goes through a pattern over people and days. A day that has something keeps it, unless it is to be replaced; a shift that has begun, was decided or has an open request stays
 * in any case.
 */
export function filled(lines: readonly Line[], draft: Draft, { people, days, pattern, step, replaces, placeCodes }: Filling): Filled {
  const standing = piecesOf(lines, draft)
  const added: Added[] = []
  const gone: Piece[] = []
  const kept = { days: 0, requested: 0 }
  for (const [nth, tollNo] of people.entries())
    for (const [at, workDate] of days.entries()) {
      const shiftId = pattern[(nth * step + at) % pattern.length] ?? null
      const there = standing.get(`${tollNo} ${workDate}`) ?? []
      const stands = there.length === 1 && there[0]!.shiftId === shiftId && samePlaces(there[0]!.placeCodes, shiftId ? placeCodes : [])
      if (there.length > 0 && (!replaces || stands || there.some(({ fixed }) => fixed))) {
        kept.days++
        if (there.some(({ requestNo }) => requestNo)) kept.requested++
      } else {
        gone.push(...there)
        added.push({ tollNo, workDate, shiftId, placeCodes: shiftId ? placeCodes : [] })
      }
    }
  const dropped = new Set(gone.map(({ key }) => key))
  const stays = draft.added.filter((one) => !dropped.has(`${one.tollNo} ${one.workDate} ${one.shiftId}`))
  const removed = [...draft.removed, ...gone.flatMap(({ id }) => id ?? [])]
  return { draft: { added: [...stays, ...added], removed }, put: added.length, kept: kept.days, requested: kept.requested }
}
