import { useQuery } from '@tanstack/react-query'
import { asks } from '../../../platform/web/ask.ts'
import type { Text } from '../../../platform/web/text.ts'
import { menuCalls } from '../../identity/contract/menu.ts'
import type { MenuNode } from '../../identity/contract/menuTree.ts'

/** Names of pages by their addresses, from the reader's own menu. */
export function usePageNames(): (path: string | null) => Text | undefined {
  const { data = [] } = useQuery(asks(menuCalls.tree, {}, { quiet: true }))
  const pages = pagesIn(data)
  return (path) => {
    const found = pages.filter(({ url }) => path === url || path?.startsWith(`${url}/`)).sort((a, b) => b.url.length - a.url.length)[0]
    return found && [found.name, found.nameEn || found.name]
  }
}
const pagesIn = (nodes: readonly MenuNode[]): MenuNode[] => nodes.flatMap((node) => [...(node.component ? [node] : []), ...pagesIn(node.children)])
