import type { Guest } from '../../contract/call.ts'

/** The cookie that ties a session to its browser; no script can read it. */
export const BOUND_COOKIE = 'kerbline'
/** The session of a guest's page, where it is kept so; no script can read it. The other pages send theirs in the header. */
export const GUEST_COOKIE: Readonly<Partial<Record<Guest, string>> & { driver: string }> = { driver: 'kerbline-driver' }

export function cookieOf(header: string | undefined, name: string | undefined): string | undefined {
  const found = name && header?.split(';').find((part) => part.trim().startsWith(`${name}=`))
  return found && decoded(found.trim().slice(name.length + 1))
}
/** A header may come from a stranger: an unreadable value counts as missing. */
function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}
export const languageOf = (cookies: string | undefined): 'zh' | 'en' => (cookieOf(cookies, 'lang') === 'en' ? 'en' : 'zh')
/** A page of another site sent it, as far as the browser says. */
export const fromElsewhere = ({ origin, host }: { origin?: string | undefined; host?: string | undefined }): boolean =>
  origin !== undefined && origin !== 'null' && (!URL.canParse(origin) || new URL(origin).host !== host)
