import { valueOf } from './choice.ts'
import { cookie, setCookie } from './cookie.ts'

/** A text is a pair beside the thing it names. A dictionary's entry is one too. */
export type Text = readonly [zh: string, en: string, ...unknown[]]
export type Say = (text: Text) => string
export type Language = 'zh-chs' | 'en'

const LANGUAGE_COOKIE = 'lang'
const LANGUAGE_DAYS = 365
/** Simplified Chinese unless the cookie names another language that the console has. */
export const languageIn = (value: string | undefined): Language => (value === 'en' ? 'en' : 'zh-chs')

const spoken = valueOf<Language>(typeof document === 'undefined' ? 'zh-chs' : languageIn(cookie(LANGUAGE_COOKIE)))
/** A page says which language it is in: its voice, its quotes and its line breaks follow from that. */
const mark = (speaks: Language) => (document.documentElement.lang = speaks === 'en' ? 'en' : 'zh-CN')
if (typeof document !== 'undefined') mark(spoken.get())
/** The language of the page and, by its cookie, of the server's sentences. */
export const speech = {
  ...spoken,
  set: (next: Language) => {
    setCookie(LANGUAGE_COOKIE, next, LANGUAGE_DAYS)
    mark(next)
    spoken.set(next)
  },
}

// Two functions, not one: what is memoised by `say` is made anew when the language changes. A text that lacks the language is said in English; an empty one is meant so.
const inChinese: Say = ([zh, en]) => zh ?? en
const inEnglish: Say = ([zh, en]) => en ?? zh
export const sayIn = (speaks: Language): Say => (speaks === 'en' ? inEnglish : inChinese)
/** For what is said once, outside React. */
export const say: Say = (text) => sayIn(speech.get())(text)
