import type { MenuNode } from '../../../domains/identity/contract/menuTree.ts'
import type { Text } from '../../../platform/web/text.ts'

/** A node of the person's menu as the console shows it. */
export interface Entry {
  id: string
  url: string
  name: Text
  icon: string | null
  component: string
  level: number
  children: Entry[]
}
/** A page that the person may open. */
export interface Route {
  id: string
  path: string
  name: Text
  component: string
  /** Names of the folders above it. */
  under: readonly Text[]
}

/** The component of a folder whose pages show inside the main layout. */
export const MAIN_LAYOUT = 'layoutHeaderAside'
/** The entry that stands in an empty folder; it leads nowhere. */
export const PLACEHOLDER = 'menu-empty-'
export const isAbsolute = (url: string) => /^https?:\/\//i.test(url)
const isFolder = ({ component }: { component: string }) => component === '' || component === MAIN_LAYOUT

/** The menu of a resource tree. An entry without an address is dropped with all below it. */
export function menuOf(tree: readonly MenuNode[]): Entry[] {
  return tree
    .filter(({ url }) => url.trim() !== '')
    .map(({ id, url, name, nameEn, icon, component, level, children }) => ({
      id,
      url: url.trim(),
      name: [name || nameEn, nameEn || name],
      icon,
      component,
      level,
      children: menuOf(children),
    }))
}

/** The pages of a menu: whatever names a screen. Links out of the console are no pages. */
export function routesOf(menu: readonly Entry[], under: readonly Text[] = []): Route[] {
  return menu.flatMap((entry) => {
    const { id, url, name, component, children } = entry
    const below = routesOf(children, [...under, name])
    return isFolder(entry) || isAbsolute(url) ? below : [{ id, path: url, name, component, under }, ...below]
  })
}

/** The page of an address: the longest path that it is or lies directly under (`…/:id`). */
export function routeAt(routes: readonly Route[], path: string): Route | undefined {
  const fits = routes.filter(
    (route) => path === route.path || (path.startsWith(`${route.path}/`) && !path.slice(route.path.length + 1).includes('/')),
  )
  return fits.sort((a, b) => b.path.length - a.path.length)[0]
}

/** The effect of choosing an entry of a menu. */
export type Choice = { warn: Text } | { open: string } | { go: string }
export const TEMPORARY: Text = ['临时菜单', 'Placeholder menu']
export const IN_THE_MAKING: Text = ['正在开发中', 'Still in development']

/** By the chosen value: the placeholder and nothing warn, a web link opens beside the console, a path is gone to. */
export function chosenIn(value: string | undefined): Choice {
  if (value === undefined || value.startsWith(PLACEHOLDER)) return { warn: TEMPORARY }
  return isAbsolute(value) ? { open: value } : { go: value }
}
/** By the entry: one that neither has a page nor pages below leads nowhere yet. */
export function choiceOf(entry: Entry): Choice {
  if (isFolder(entry) && !isAbsolute(entry.url)) return { warn: IN_THE_MAKING }
  return chosenIn(entry.url)
}
/** A sub-menu of the header leads to its link, or to the first page below it. */
export function headerChoice(entry: Entry): Choice {
  if (isAbsolute(entry.url)) return { open: entry.url }
  const first = routesOf([entry])[0]
  return first ? { go: first.path } : { warn: IN_THE_MAKING }
}

/** Every entry on the way to a path, from the top. */
export function trailTo(menu: readonly Entry[], path: string): Entry[] {
  for (const entry of menu) {
    if (entry.url === path) return [entry]
    const below = trailTo(entry.children, path)
    if (below.length > 0) return [entry, ...below]
  }
  return []
}
