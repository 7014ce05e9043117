import { event } from '../../../platform/server/events.ts'
import { topic } from '../../../platform/server/realtime.ts'

/** Ids are berth codes, sections are told by their codes too: a board asks again for the park that it shows. */
export const berthTopic = topic('roadside.berth', 'roadside:berth:view')
export const illegalTopic = topic('roadside.illegal', 'roadside:illegal:view')

/** The evidence of a stay has become whole: a debt of it may be asked for from now on. */
export const evidenceWhole = event<{ stayId: string; parkCode: string }>('roadside.evidenceWhole')
