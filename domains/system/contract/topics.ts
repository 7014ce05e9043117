/** What is told to open pages, by name: a page that shows it asks again. */
export const DICTIONARY_TOPIC = 'system.dictionary'
export const REGION_TOPIC = 'system.region'
export const CONFIGURATION_TOPIC = 'system.configuration'
export const CHAIN_TOPIC = 'system.log-chain'
export const NOTE_TOPIC = 'system.update-note'
