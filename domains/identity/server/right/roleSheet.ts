import type { Of } from '../../../../platform/contract/field.ts'
import type { Tx } from '../../../../platform/server/database.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { importing, type Outcome, type RowContext } from '../../../../platform/server/sheets/importing.ts'
import { templating } from '../../../../platform/server/sheets/template.ts'
import { isScreen } from '../../contract/resource.ts'
import { roleSheet } from '../../contract/roleSheet.ts'
import { refuseUnknownParks } from '../people/parks.ts'
import { addRole, changeRole, chosenOf } from './role.ts'
import '../tables.ts'

const NoMenu = refusal('identity.import-menu', 40243, '没有菜单「{name}」，请核对名称', 'There is no menu “{name}”: check the name', 422)
const NoButton = refusal(
  'identity.import-button',
  40244,
  '没有按钮「{name}」，应为 菜单地址:按钮编码',
  'There is no button “{name}”; write the menu address, a colon and the button code',
  422,
)
const Several = refusal(
  'identity.import-roles',
  40245,
  '有多个同名角色「{name}」，请在页面上修改',
  'Several roles are named “{name}”; change them on the page',
  422,
)

export const calls = serve(roleSheet, {
  import: importing(roleSheet.import, {
    prepare,
    row,
    columns: {
      'identity.import-menu': 'menus',
      'identity.import-button': 'buttons',
      'identity.import-roles': 'name',
      'identity.scope-beyond-own': 'dataScope',
      'identity.import-park': 'parks',
    },
  }),
  exportTemplate: templating(roleSheet.import),
})

interface Known {
  /** The screens of an entry, by its address and by its name where no other has it: of a folder all that lie in it. */
  menus: ReadonlyMap<string, readonly string[]>
  buttons: ReadonlyMap<string, readonly string[]>
}
async function prepare({ tx }: { tx: Tx }): Promise<Known> {
  const [menus, buttons] = await Promise.all([
    tx.selectFrom('identity.resource').select(['id', 'url', 'name', 'parentId', 'component']).where('retired', '=', false).execute(),
    tx.selectFrom('identity.buttonOfMenu').select(['id', 'resourceUrl', 'code']).execute(),
  ])
  return {
    menus: new Map([...alone(menus), ...menus.map((one): [string, Entry] => [one.url, one])].map(([key, one]) => [key, screensOf(one, menus)])),
    buttons: new Map(buttons.map(({ id, resourceUrl, code }) => [`${resourceUrl}:${code}`, [id]])),
  }
}
interface Entry {
  id: string
  url: string
  name: string
  parentId: string | null
  component: string
}
const screensOf = (of: Entry, all: readonly Entry[]): string[] => [
  ...(isScreen(of) ? [of.id] : []),
  ...all.filter(({ parentId }) => parentId === of.id).flatMap((one) => screensOf(one, all)),
]
const alone = (all: readonly Entry[]) =>
  [...Map.groupBy(all, ({ name }) => name)].flatMap(([name, [one, another]]): [string, Entry][] => (one && !another ? [[name, one]] : []))

type Row = Of<(typeof roleSheet)['import']['row']>
async function row({ row: { menus, buttons, ...fields }, known, ...context }: RowContext<Row, Known>): Promise<Outcome> {
  const ids = (names: string[] | undefined, all: ReadonlyMap<string, readonly string[]>, none: typeof NoMenu) =>
    names?.flatMap((name) => {
      const found = all.get(name)
      if (!found) throw none({ name })
      return found
    })
  const resourceIds = ids(menus, known.menus, NoMenu)
  const buttonIds = ids(buttons, known.buttons, NoButton)
  const [there, another] = await context.tx
    .selectFrom('identity.role')
    .select(['id', 'version', 'grants', 'dataScope', 'parks', 'remark'])
    .where('name', '=', fields.name)
    .limit(2)
    .execute()
  if (another) throw Several({ name: fields.name })
  await refuseUnknownParks(context.tx, fields.parks, there?.parks)
  const wanted = { ...fields, ...(resourceIds && { resourceIds }), ...(buttonIds && { buttonIds }) }
  // Nobody grants through a sheet what they could not grant on the page: these are the steps of the page's own calls.
  if (!there) {
    await addRole(context.tx, context.actor, wanted)
    return 'added'
  }
  const held = await chosenOf(context.tx, there.id)
  const now: Record<string, unknown> = { ...there, name: fields.name, ...held }
  if (Object.entries(wanted).every(([name, value]) => flat(now[name]) === flat(value))) return 'same'
  await changeRole(context.tx, context.actor, context.at, { id: there.id, version: there.version, ...wanted })
  return 'changed'
}
/** Of a list the order says nothing. */
const flat = (value: unknown) => (Array.isArray(value) ? [...new Set(value.map(String))].sort().join() : value)
