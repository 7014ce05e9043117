import { randomBytes } from 'node:crypto'
import type { Asked, Told } from './wire.ts'

const COOKIE = 'played_driver'
const IN_COOKIES = /(?:^|; )played_driver=([0-9a-f]{16})(?:;|$)/

/** The driver at this browser: known again by a cookie. */
export const driverAt = ({ headers }: Asked): string | undefined => IN_COOKIES.exec(headers['cookie'] ?? '')?.[1]
export const newDriver = (): string => randomBytes(8).toString('hex')
export const remembering = (told: Told, driver: string): Told => ({
  ...told,
  headers: { ...told.headers, 'set-cookie': `${COOKIE}=${driver}; Path=/; HttpOnly; SameSite=Lax` },
})

/** The faults that a driver's payment may be told to have, as fields of the form that pays. */
export interface Mischief {
  /** The merchant is told so much later. */
  delayMs: number
  /** So often at once; 0 = never. */
  times: number
  /** Another amount than asked. */
  amountFen: number | undefined
  /** Refunds will not reach the payer's card. */
  isCardGone: boolean
}
export function mischiefIn(fields: Readonly<Record<string, string>>): Mischief {
  const whole = (name: string, usual: number) => {
    const value = Number(fields[name] ?? usual)
    return Number.isSafeInteger(value) && value >= 0 ? value : usual
  }
  const amountFen = whole('amountFen', 0)
  return { delayMs: whole('delayMs', 0), times: whole('times', 1), amountFen: amountFen || undefined, isCardGone: fields['isCardGone'] === 'true' }
}
