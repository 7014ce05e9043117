import { BASE } from './product.ts'

/** Addresses as the sign-in page and the shell read them: paths without the base. */
export const pathHere = () => (location.pathname.startsWith(BASE) ? location.pathname.slice(BASE.length) : location.pathname) || '/'
export const LOGIN = '/login'
export const HOME = '/index'
/** Walls that a link shows; its token stands behind the #, which no server and no log sees. */
export const WALL = '/wall'

/** The address of the sign-in page with the way back; "/" needs none. */
export function loginFor(path: string, search = ''): string {
  const back = `${path}${search}`
  return back === '/' || path === LOGIN ? LOGIN : `${LOGIN}?redirect=${encodeURIComponent(back)}`
}

/** Where a `redirect` query leads: own paths only, so that nobody is sent away by a link. Anything else leads home. */
export function wayBack(search: string): string {
  const wanted = new URLSearchParams(search).get('redirect') ?? ''
  if (!/^\/(?![/\\])/.test(wanted) || /[\\\u0000-\u001f]/.test(wanted)) return '/'
  try {
    const url = new URL(wanted, 'http://own')
    const path = `${url.pathname}${url.search}`
    return url.origin === 'http://own' && !url.pathname.startsWith('//') && url.pathname !== LOGIN ? path : '/'
  } catch {
    return '/'
  }
}

/** A notice for the next sign-in page: that is another document, so the notice is handed over. */
const NOTICE = 'notice'
export const leaveNotice = (text: string) => sessionStorage.setItem(NOTICE, text)
export function takeNotice(): string | null {
  const text = sessionStorage.getItem(NOTICE)
  sessionStorage.removeItem(NOTICE)
  return text
}
