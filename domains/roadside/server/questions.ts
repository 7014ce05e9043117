import type { Instant } from '../../../platform/contract/field.ts'
import { event } from '../../../platform/server/events.ts'
import { question } from '../../../platform/server/question.ts'
import { topic } from '../../../platform/server/realtime.ts'

/** Ids are berth codes, sections are told by their codes too: a board asks again for the park that it shows. */
export const berthTopic = topic('roadside.berth', 'roadside:berth:view')
export const illegalTopic = topic('roadside.illegal', 'roadside:illegal:view')

/** The evidence of a stay has become whole: a debt of it may be asked for from now on. */
export const evidenceWhole = event<{ stayId: string; parkCode: string }>('roadside.evidenceWhole')

/** How many collectors of the street keep a running cash shift, in one district or in all of them. */
export const collectorsOnDuty = question<{ parkCode: string | undefined }, number>('roadside.collectorsOnDuty')

/** Asked before a person records something in the street, with the time that they say: their handheld, if it was locked by then. */
export const handheldLocked = question<{ userId: string; at: Instant }, { deviceNo: string; reason: string }>('roadside.handheldLocked')
