import type { Tx } from '../../../platform/server/database.ts'
import { NotFound, refusal, Stale } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { resource, type ResourceNode } from '../contract/resource.ts'
import { holdingOf, refuseBeyond } from './holding.ts'
import { chosenOf } from './role.ts'
import { beWary } from './sessions.ts'
import './tables.ts'

const Shipped = refusal(
  'identity.shipped-entry',
  40916,
  '产品自带的菜单不能删除，可以隐藏',
  'An entry that the product ships cannot be deleted; hide it',
)
const HasChildren = refusal('identity.has-children', 40917, '请先删除下级菜单', 'Delete the entries below it first')
const IntoItself = refusal('identity.into-itself', 40918, '不能移动到自己的下级', 'It cannot be moved below itself')

export const calls = serve(resource, {
  queryTree: ({ tx }) => treeOf(tx),
  async queryRoleTree({ tx, input: { roleId } }) {
    const role = await tx.selectFrom('identity.role').select('id').where('id', '=', roleId).executeTakeFirst()
    if (!role) throw NotFound()
    const { resourceIds, buttonIds } = await chosenOf(tx, roleId)
    return { tree: await treeOf(tx, new Set(resourceIds)), buttonIds } as never
  },

  async add({ tx, input: { parentId = null, needs = [], component = '', icon = null, ...fields }, actor }) {
    beWary()
    refuseBeyond(await holdingOf(tx, actor), needs)
    const level = await levelBelow(tx, parentId)
    const funcCode = fields.url.startsWith('/') ? fields.url.slice(1).replaceAll('/', ':') : ''
    const row = { ...fields, parentId, component, icon, funcCode, level, needs: [...needs], shipped: null }
    return (await tx.insertInto('identity.resource').values(row).returning('id').executeTakeFirstOrThrow()) as never
  },

  async update({ tx, input: { id, version, ...fields } }) {
    beWary()
    if (fields.parentId !== undefined) await refuseCircle(tx, id, fields.parentId)
    const moved = fields.parentId === undefined ? {} : { level: await levelBelow(tx, fields.parentId) }
    const { numUpdatedRows } = await tx
      .updateTable('identity.resource')
      .set((of) => ({ ...fields, ...moved, version: of('version', '+', 1), updatedAt: of.fn('now') as never }))
      .where('id', '=', id)
      .where('version', '=', version)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw Stale()
  },

  async del({ tx, input: { id } }) {
    beWary()
    const found = await tx.selectFrom('identity.resource').select('shipped').where('id', '=', id).executeTakeFirst()
    if (!found) throw NotFound()
    if (found.shipped) throw Shipped()
    const below = await tx.selectFrom('identity.resource').select('id').where('parentId', '=', id).limit(1).executeTakeFirst()
    if (below) throw HasChildren()
    await tx.deleteFrom('identity.button').where('resourceId', '=', id).execute()
    await tx.deleteFrom('identity.resource').where('id', '=', id).execute()
  },
})

async function treeOf(tx: Tx, held?: ReadonlySet<string>): Promise<ResourceNode[]> {
  const rows = await tx
    .selectFrom('identity.resource')
    .select(['id', 'parentId', 'url', 'name', 'nameEn', 'component', 'funcCode', 'icon', 'level', 'sort', 'hidden', 'needs', 'version'])
    .where('retired', '=', false)
    .orderBy('sort')
    .orderBy('url')
    .execute()
  const below = (parent: string | null): ResourceNode[] =>
    rows
      .filter(({ parentId }) => parentId === parent)
      .map((row) => ({ ...row, ...(held && { held: held.has(row.id) }), children: below(row.id) }) as ResourceNode)
  return below(null)
}

/** The menu is this deep at most: the shell draws no more. */
const DEPTH_MAX = 6
async function levelBelow(tx: Tx, parentId: string | null): Promise<number> {
  if (parentId === null) return 1
  const parent = await tx.selectFrom('identity.resource').select('level').where('id', '=', parentId).executeTakeFirst()
  if (!parent) throw NotFound()
  if (parent.level >= DEPTH_MAX) throw IntoItself()
  return parent.level + 1
}
async function refuseCircle(tx: Tx, id: string, parentId: string | null) {
  for (let up = parentId, steps = 0; up !== null && steps <= DEPTH_MAX; steps++) {
    if (up === id) throw IntoItself()
    up = (await tx.selectFrom('identity.resource').select('parentId').where('id', '=', up).executeTakeFirst())?.parentId ?? null
  }
}
