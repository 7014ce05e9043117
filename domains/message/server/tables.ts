import type { Generated } from 'kysely'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import type { Channel } from '../contract/channel.ts'
import type { News } from '../contract/news.ts'
import type { Attempt, MessageRecord } from '../contract/record.ts'
import type { SendRule } from '../contract/rule.ts'
import type { Task } from '../contract/task.ts'
import type { Template } from '../contract/template.ts'

/** Columns that have a default in the database. */
type Filled<T, K extends keyof T> = Omit<T, K> & { [P in K]: Generated<T[P]> }
type Scoped = { enterpriseId: Generated<number> }
type Kept = 'id' | 'version' | 'createdAt' | 'updatedAt'

/** Values for the channel's provider beside the text: its own template's number, the signature, the variables. */
export interface Third {
  templateId: string | null
  signName: string | null
  vars: Record<string, string>
}
/** Columns of a record that only the server uses. */
export interface RecordInside {
  templateId: string | null
  firstChannelId: string
  address: string | null
  third: Third | null
  dedupe: string | null
  concerns: string | null
  round: number
  finishedAt: Instant | null
  hidden: boolean
  deleted: boolean
  updatedAt: Instant
}
type ChannelFilled = Exclude<keyof Of<typeof Channel>, 'name' | 'type'>

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'message.channel': Filled<Of<typeof Channel>, ChannelFilled> &
      Scoped & { secret: Generated<string | null>; freeAt: Generated<Instant>; deleted: Generated<boolean> }
    'message.template': Filled<
      Of<typeof Template>,
      Kept | 'title' | 'titleEn' | 'contentEn' | 'vars' | 'signName' | 'thirdTemplateId' | 'state' | 'remark'
    > &
      Scoped & { deleted: Generated<boolean> }
    'message.task': Filled<
      Of<typeof Task>,
      Kept | 'vars' | 'urgent' | 'planAt' | 'state' | 'total' | 'startedAt' | 'finishedAt' | 'failure' | 'authorName'
    > &
      Scoped & { authorId: string | null }
    'message.record': Of<typeof MessageRecord> & RecordInside & Scoped
    'message.attempt': Omit<Of<typeof Attempt>, 'id'> & { id: Generated<string>; recordId: string } & Scoped
    'message.counter': { of: string; day: string; n: number } & Scoped
    'message.unsubscribed': { personId: string; kind: number; at: Generated<Instant> } & Scoped
    'message.rule': Filled<Of<typeof SendRule>, keyof Of<typeof SendRule>> & Scoped & { updatedAt: Generated<Instant> }
    'message.news': Filled<Of<typeof News>, Kept | 'content' | 'type' | 'top' | 'status' | 'publishAt' | 'authorName'> & Scoped
  }
}
