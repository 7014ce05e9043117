import type { Id, Instant } from '../../../../platform/contract/field.ts'
import type { Tx } from '../../../../platform/server/database.ts'
import { NotFound, refusal } from '../../../../platform/server/refusal.ts'
import { addRow, lockRow, removeRow, rowsOver, setRow } from '../../../../platform/server/row.ts'
import { type Actor, serve } from '../../../../platform/server/serve.ts'
import { Resource, resource, type ResourceNode } from '../../contract/resource.ts'
import { holdingOf, refuseBeyond } from './holding.ts'
import { chosenOf } from './role.ts'
import { beWary } from '../signIn/sessions.ts'
import { refuseCircle } from '../people/tree.ts'
import '../tables.ts'

const Shipped = refusal('identity.shipped-entry', 40233, '产品自带的菜单不能删除，可以隐藏', 'Built-in menus cannot be deleted; hide them instead')
const AddressTaken = refusal(
  'identity.resource-taken',
  40234,
  '该地址已有菜单，请换一个地址',
  'A menu with this address already exists: choose another address',
)
const HasChildren = refusal('identity.has-children', 40235, '请先删除下级菜单', 'Delete the menus below it first')
const IntoItself = refusal(
  'identity.into-itself',
  40236,
  '不能移动到自己的下级，请选择其他上级',
  'It cannot be moved below itself: choose another parent',
)

/** The menu is this deep at most, as its table says too: the shell draws no more. */
export const DEPTH_MAX = 6
const TooDeep = refusal(
  'identity.menu-too-deep',
  40265,
  `菜单连同其下级最多 ${DEPTH_MAX} 级`,
  `A menu and what is below it may be at most ${DEPTH_MAX} levels deep`,
)

const rows = rowsOver(Resource, 'identity.resource', ['shipped'])

export const calls = serve(resource, {
  queryTree: ({ tx }) => treeOf(tx),
  async queryRoleTree({ tx, input: { roleId } }) {
    const role = await tx.selectFrom('identity.role').select('id').where('id', '=', roleId).executeTakeFirst()
    if (!role) throw NotFound()
    const { resourceIds, buttonIds } = await chosenOf(tx, roleId)
    return { tree: await treeOf(tx, new Set(resourceIds)), buttonIds: buttonIds as Id<'ButtonId'>[] }
  },

  add: async ({ tx, input, actor }) => ({ id: await addResource(tx, actor, input) }),
  update: ({ tx, input, at }) => changeResource(tx, input, at),

  async del({ tx, input: { id }, at }) {
    beWary()
    const found = await lockRow(tx, rows, { id })
    if (found.shipped) throw Shipped()
    const below = await tx.selectFrom('identity.resource').select('id').where('parentId', '=', id).limit(1).executeTakeFirst()
    if (below) throw HasChildren()
    await tx.deleteFrom('identity.button').where('resourceId', '=', id).execute()
    await removeRow(tx, rows, found, at)
  },
})

interface Fields {
  url: string
  name: string
  nameEn: string
  parentId?: string | null
  component?: string
  icon?: string | null
  sort?: number
  hidden?: boolean
  needs?: readonly string[]
}
/** @returns its id */
export async function addResource(tx: Tx, actor: Actor, fields: Fields): Promise<Id<'ResourceId'>> {
  const { parentId = null, component = '', icon = null, ...rest } = fields
  beWary()
  const needs = await needsOf(tx, component, fields.needs)
  refuseBeyond(await holdingOf(tx, actor), needs)
  if (parentId) await refuseCircle(tx, 'identity.resource', { parentId }, DEPTH_MAX, TooDeep)
  const funcCode = rest.url.startsWith('/') ? rest.url.slice(1).replaceAll('/', ':') : ''
  const row = { ...rest, parentId, component, icon, funcCode, needs, shipped: null }
  return (await addRow(tx, rows, row).catch(taken)).id
}
/** Returns the rights without which nobody is offered a screen: wherever it opens, at least those that all the product's own entries of it need. */
export async function needsOf(tx: Tx, component: string, given: readonly string[] = []): Promise<string[]> {
  const own = await tx
    .selectFrom('identity.resource')
    .select('needs')
    .where('component', '=', component)
    .where('shipped', 'is not', null)
    .where('retired', '=', false)
    .execute()
  const always = (own[0]?.needs ?? []).filter((one) => own.every(({ needs }) => needs.includes(one)))
  return [...new Set([...given, ...always])]
}
export async function changeResource(
  tx: Tx,
  { id, version, ...fields }: Partial<Omit<Fields, 'url' | 'component' | 'needs'>> & { id: string; version: number },
  at: Instant,
): Promise<void> {
  beWary()
  if (fields.parentId) await refuseCircle(tx, 'identity.resource', { id, parentId: fields.parentId }, DEPTH_MAX, IntoItself)
  await setRow(tx, rows, await lockRow(tx, rows, { id, version }), fields, at).catch(taken)
}
const taken = (error: { code?: string; constraint?: string }): never => {
  if (error.code === '23505' && error.constraint === 'resource_url_key') throw AddressTaken()
  // Said of whatever hangs below it too.
  throw error.code === '23514' && error.constraint === 'resource_level' ? TooDeep() : error
}

async function treeOf(tx: Tx, held?: ReadonlySet<string>): Promise<ResourceNode[]> {
  const all = await tx
    .selectFrom('identity.resource')
    .select(['id', 'parentId', 'url', 'name', 'nameEn', 'component', 'funcCode', 'icon', 'level', 'sort', 'hidden', 'needs', 'version'])
    .where('retired', '=', false)
    .orderBy('sort')
    .orderBy('url')
    .execute()
  const below = (parent: string | null): ResourceNode[] =>
    all
      .filter(({ parentId }) => parentId === parent)
      .map((row) => ({ ...row, ...(held && { held: held.has(row.id) }), children: below(row.id) }) as ResourceNode)
  return below(null)
}
