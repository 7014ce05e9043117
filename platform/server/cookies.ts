/** What ties a browser's session to that browser; no script can read it. */
export const BOUND_COOKIE = 'kerbline'

export function cookieOf(header: string | undefined, name: string): string | undefined {
  const found = header?.split(';').find((part) => part.trim().startsWith(`${name}=`))
  return found ? decodeURIComponent(found.trim().slice(name.length + 1)) : undefined
}
export const languageOf = (cookies: string | undefined): 'zh' | 'en' => (cookieOf(cookies, 'lang') === 'en' ? 'en' : 'zh')
