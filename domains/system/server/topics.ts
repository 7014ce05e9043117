import { question } from '../../../platform/server/question.ts'
import { topic } from '../../../platform/server/realtime.ts'
import { CHAIN_TOPIC, CONFIGURATION_TOPIC, DICTIONARY_TOPIC, NOTE_TOPIC, REGION_TOPIC } from '../contract/topics.ts'

export const dictionaryTopic = topic(DICTIONARY_TOPIC, 'signed-in', { everywhere: true })
export const regionTopic = topic(REGION_TOPIC, 'signed-in', { everywhere: true })
export const configurationTopic = topic(CONFIGURATION_TOPIC, 'signed-in', { everywhere: true })
export const noteTopic = topic(NOTE_TOPIC, 'signed-in', { everywhere: true })
export const chainTopic = topic(CHAIN_TOPIC, 'signed-in')

/** Asks for reasons, in words, why a region cannot be deleted: a park that lies in it, for example. */
export const regionHeld = question<{ code: string }, { zh: string; en: string }>('system.regionHeld')
