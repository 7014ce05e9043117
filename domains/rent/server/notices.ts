import type { Day, Instant } from '../../../platform/contract/field.ts'
import { dayOf } from '../../../platform/contract/time.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { addRow } from '../../../platform/server/row.ts'
import { NoticeState, type NoticeType } from '../contract/notice.ts'
import { dayAt, dayNumber } from './days.ts'
import { notices, type Person, type ProjectRow } from './row.ts'

/** What nobody says otherwise is on show for so long. */
const SHOWN_DAYS = 30
export const shownTo = (at: Instant): Day => dayAt(dayNumber(dayOf(at)) + SHOWN_DAYS)

interface Told {
  type: (typeof NoticeType)['correction' | 'award' | 'failed' | 'termination']
  title: string
  content: string
  /** Nobody, where it follows by itself. */
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
  await addRow(tx, notices, { ...told, makerId: by?.userId ?? null, makerName: by?.userName ?? 'system', createdAt: at, updatedAt: at })
}
const TITLE_MAX = 120
