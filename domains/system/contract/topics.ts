/** Names of topics that open pages hear: a page that shows one asks again. */
export const DICTIONARY_TOPIC = 'system.dictionary'
export const REGION_TOPIC = 'system.region'
export const CONFIGURATION_TOPIC = 'system.configuration'
export const CHAIN_TOPIC = 'system.log-chain'
export const NOTE_TOPIC = 'system.update-note'
