import type { Of } from '../../../platform/contract/field.ts'
import { event } from '../../../platform/server/events.ts'
import { question } from '../../../platform/server/question.ts'
import type { Receivers } from '../contract/alarmRule.ts'
import type { SettingName } from '../contract/configuration.ts'
import type { Use } from '../contract/overview.ts'

/** People and roles of the enterprise, who may be told something: system stands below those who know them. */
export const receivers = question<Record<string, never>, Of<typeof Receivers>>('system.receivers')
/** How the console was used since a moment: who was here, and what was opened. */
export const consoleUse = question<{ since: string }, Of<typeof Use>>('system.console-use')

type Text = readonly [zh: string, en: string]
/** To be told inside the console: these people, everybody with these roles, or everybody with the capability; and by the company's own template of that code, where it has one. */
export interface Notice {
  people?: readonly string[]
  roles?: readonly string[]
  capability?: string
  /** Only those of them who see this park. */
  parkCode?: string | null
  template?: string
  vars?: Readonly<Record<string, string>>
  /** As the kinds of messages count. */
  kind?: number
  /** Refused by nobody, and at any hour. */
  urgent?: boolean
  title: Text
  body: Text
  link: string | null
}
export const notice = event<Notice>('system.notice')

/** A setting has another value now, or its default again. */
export const settingChanged = event<{ name: SettingName }>('system.setting-changed')
