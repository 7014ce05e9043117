import { event } from '../../../platform/server/events.ts'

/** A notice is out that is also for people in the field: of one kind, of some numbers, or both. The domain that keeps the staff tells them. */
export const noticeOut = event<NoticeOut>('rent.noticeOut')
export interface NoticeOut {
  title: string
  content: string
  tollType: number | null
  tollNos: readonly string[]
  senderName: string
}
