import { lasting as lastingIn } from '../../platform/contract/duration.ts'
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
const TWO_DIGITS = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
/** `¥36,500.00` */
export const yuan = (fen: number) => `${fen < 0 ? '−' : ''}¥${(Math.abs(fen) / FEN).toLocaleString('en-US', TWO_DIGITS)}`
const CLOCK = new Intl.DateTimeFormat('zh-CN', { timeZone: 'Asia/Shanghai', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
export const clock = (at: string) => CLOCK.format(new Date(at))
const DAY = new Intl.DateTimeFormat('zh-CN', {
  timeZone: 'Asia/Shanghai',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
/** `2026-11-25 10:41`, by the city's clock. */
export const moment = (at: string): string => {
  const part = Object.fromEntries(DAY.formatToParts(new Date(at)).map(({ type, value }) => [type, value]))
  return `${part['year']}-${part['month']}-${part['day']} ${part['hour']}:${part['minute']}`
}

/** `1小时12分`, `1 h 12 min`. */
export const lasting = (amount: number, unit?: 'minute' | 'second'): string => say(lastingIn(amount, unit))
