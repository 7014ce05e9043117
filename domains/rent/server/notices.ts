import type { Day, Instant, Of } from '../../../platform/contract/field.ts'
import { dayOf } from '../../../platform/contract/time.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { addRow, json } from '../../../platform/server/row.ts'
import { NoticeState, NoticeType } from '../contract/notice.ts'
import type { Terms } from '../contract/project.ts'
import { dayAt, dayNumber } from './days.ts'
import { notices, type Person, type ProjectRow } from './row.ts'
import { SYSTEM } from '../../../platform/contract/said.ts'

/** Days that a notice is on show where nobody sets another time. */
const SHOWN_DAYS = 30
export const shownTo = (at: Instant): Day => dayAt(dayNumber(dayOf(at)) + SHOWN_DAYS)

interface Told {
  type: (typeof NoticeType)['correction' | 'award' | 'failed' | 'termination']
  title: string
  content: string
  /** Null, where the procedure itself publishes it. */
  by: Person | null
  at: Instant
}
/** Published with what it tells of, in one go. */
export async function tellNotice(
  tx: Tx,
  { id, parkCode }: Pick<ProjectRow, 'id' | 'parkCode'>,
  { type, title, content, by, at }: Told,
): Promise<void> {
  const told = {
    projectId: id,
    parkCode,
    type,
    title: title.slice(0, TITLE_MAX),
    content,
    state: NoticeState.published,
    publishAt: at,
    showTo: shownTo(at),
  }
  await addRow(tx, notices, { ...told, makerId: by?.userId ?? null, makerName: by?.userName ?? SYSTEM, createdAt: at, updatedAt: at })
}
const TITLE_MAX = 120

export type Corrected = Of<typeof Terms>
interface Correction {
  title: string
  content: string
  terms: Corrected
  by: Person
  at: Instant
}
/** Drafts a correction, which changes nothing yet: another person publishes it. */
export async function draftCorrection(tx: Tx, project: ProjectRow, { title, content, terms, by, at }: Correction): Promise<void> {
  const termsWere = Object.fromEntries(Object.keys(terms).map((field) => [field, project[field as keyof Corrected]]))
  await addRow(tx, notices, {
    projectId: project.id,
    parkCode: project.parkCode,
    type: NoticeType.correction,
    title: title.slice(0, TITLE_MAX),
    content,
    terms: json(terms),
    termsWere: json(termsWere),
    showTo: shownTo(at),
    makerId: by.userId,
    makerName: by.userName,
    createdAt: at,
    updatedAt: at,
  })
}
