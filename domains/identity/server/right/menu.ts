import type { Tx } from '../../../../platform/server/database.ts'
import { NotFound } from '../../../../platform/server/refusal.ts'
import { type Actor, serve } from '../../../../platform/server/serve.ts'
import { menuCalls } from '../../contract/menu.ts'
import type { MenuNode } from '../../contract/menuTree.ts'
import { isScreen } from '../../contract/resource.ts'
import { type Holding, holdingOf } from './holding.ts'
import '../tables.ts'

export const calls = serve(menuCalls, {
  tree: async ({ tx, actor }) => menuOf(tx, await holdingOf(tx, actor)),

  async click({ tx, input, actor }) {
    const found = await tx.selectFrom('identity.resource').select('id').where('id', '=', input.menuId).executeTakeFirst()
    if (!found) throw NotFound()
    await tx.insertInto('identity.clickRecord').values({ personId: actor.userId, resourceId: found.id }).execute()
  },
})

interface Entry extends Omit<MenuNode, 'children'> {
  parentId: string | null
  needs: string[]
  hidden: boolean
}

/** Returns the menu of a person: the screens they hold whose capabilities they have, and the folders above these. */
export async function menuOf(tx: Tx, holding: Holding): Promise<MenuNode[]> {
  const entries = (await entriesOf(tx)).filter(({ hidden }) => !hidden)
  const below = new Map<string | null, Entry[]>()
  for (const entry of entries) below.set(entry.parentId, [...(below.get(entry.parentId) ?? []), entry])
  const nodesOf = (parent: string | null): MenuNode[] =>
    (below.get(parent) ?? []).flatMap((entry) => {
      const children = nodesOf(entry.id)
      const isOpen = isScreen(entry) && offered(holding, entry)
      if (!isOpen && children.length === 0) return []
      const { parentId: _, needs: __, hidden: ___, ...node } = entry
      return [{ ...node, children }]
    })
  return nodesOf(null)
}

/** Returns the screens that are not offered, and why: the missing right, or that nobody is offered them. */
export async function unseenOf(tx: Tx, holding: Holding) {
  const screens = (await entriesOf(tx)).filter((entry) => isScreen(entry) && (entry.hidden || !offered(holding, entry)))
  return screens.map(({ url, name, nameEn, needs, hidden }) => ({
    url,
    name,
    nameEn,
    hidden,
    lacks: needs.filter((one) => !holding.capabilities.has(one)),
  }))
}

/** A folder is offered for what lies in it, never by itself. */
const offered = (holding: Holding, { id, needs }: Entry) => holding.resources(id, needs) && needs.every((one) => holding.capabilities.has(one))
const entriesOf = (tx: Tx): Promise<Entry[]> =>
  tx
    .selectFrom('identity.resource')
    .select(['id', 'parentId', 'name', 'nameEn', 'url', 'funcCode', 'component', 'icon', 'level', 'needs', 'hidden'])
    .where('retired', '=', false)
    .orderBy('sort')
    .orderBy('url')
    .execute()
export type { Actor }
