import { cookie, setCookie } from '../../platform/web/cookie.ts'

export type Text = readonly [zh: string, en: string]
const ENGLISH = 'en'
const DAYS = 365

/** The language of the last visit; else the telephone's. The server answers in the cookie's. */
export let english = (cookie('lang') ?? navigator.language).startsWith(ENGLISH)
export const say = ([zh, en]: Text): string => (english ? en : zh)
export function speak(inEnglish: boolean): void {
  english = inEnglish
  setCookie('lang', inEnglish ? ENGLISH : 'zh-chs', DAYS)
  document.documentElement.lang = inEnglish ? 'en' : 'zh-CN'
}

const FEN = 100
export const yuan = (fen: number) => `${fen < 0 ? '−' : ''}¥${(Math.abs(fen) / FEN).toFixed(2)}`
const CLOCK = new Intl.DateTimeFormat('zh-CN', { timeZone: 'Asia/Shanghai', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
export const clock = (at: string) => CLOCK.format(new Date(at))
