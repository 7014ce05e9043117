/** Cookies of this origin that the page itself reads: `token`, `uuid`, `lang`. */
export function cookie(name: string): string | undefined {
  const found = document.cookie.split('; ').find((one) => one.startsWith(`${name}=`))
  return found === undefined ? undefined : decodeURIComponent(found.slice(name.length + 1)) || undefined
}

/** Without `days` it ends with the browser. */
export function setCookie(name: string, value: string, days?: number) {
  const lasts = days === undefined ? '' : `; max-age=${days * 86_400}`
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; samesite=strict${location.protocol === 'https:' ? '; secure' : ''}${lasts}`
}

export const dropCookie = (name: string) => setCookie(name, '', 0)
