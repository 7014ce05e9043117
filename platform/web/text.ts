import { useSyncExternalStore } from 'react'
import { type Language, type Say, say, sayIn, speech, type Text } from './language.ts'

export { type Language, type Say, say, type Text }

/** The language of the page, and inside React the way to follow it; what is drawn without a page speaks the same. */
export const language = { ...speech, use: () => useSyncExternalStore(speech.follow, speech.get, speech.get) }
/** Inside React: the page speaks anew when the language changes. */
export const useText = (): Say => sayIn(language.use())
