import type { Tx } from '../../../platform/server/database.ts'
import { NotFound } from '../../../platform/server/refusal.ts'
import { type Actor, serve } from '../../../platform/server/serve.ts'
import { menuCalls, type MenuNode } from '../contract/menu.ts'
import { type Holding, holdingOf } from './holding.ts'
import './tables.ts'

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
}

/** What a person is offered: the screens they hold whose capabilities they have, and the folders above these. */
export async function menuOf(tx: Tx, holding: Holding): Promise<MenuNode[]> {
  const entries: Entry[] = await tx
    .selectFrom('identity.resource')
    .select(['id', 'parentId', 'name', 'nameEn', 'url', 'funcCode', 'component', 'icon', 'level', 'needs'])
    .where('hidden', '=', false)
    .where('retired', '=', false)
    .orderBy('sort')
    .orderBy('url')
    .execute()
  const offered = ({ id, needs }: Entry) => holding.resources(id, needs) && needs.every((one) => holding.capabilities.has(one))
  const below = new Map<string | null, Entry[]>()
  for (const entry of entries) below.set(entry.parentId, [...(below.get(entry.parentId) ?? []), entry])
  const nodesOf = (parent: string | null): MenuNode[] =>
    (below.get(parent) ?? []).flatMap((entry) => {
      const children = nodesOf(entry.id)
      const isScreen = isLeaf(entry) && offered(entry)
      if (!isScreen && children.length === 0) return []
      const { parentId: _, needs: __, ...node } = entry
      return [{ ...node, children }]
    })
  return nodesOf(null)
}
/** A folder is offered for what lies in it, never by itself. */
const isLeaf = ({ component, url }: Entry) => (component !== '' && component !== FOLDER) || /^https?:/.test(url)
export const FOLDER = 'layoutHeaderAside'

export type { Actor }
