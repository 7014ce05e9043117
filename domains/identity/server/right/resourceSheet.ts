import type { Of } from '../../../../platform/contract/field.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { importing, type Outcome, type RowContext } from '../../../../platform/server/sheets/importing.ts'
import { templating } from '../../../../platform/server/sheets/template.ts'
import { resourceSheet } from '../../contract/resourceSheet.ts'
import { addResource, changeResource, needsOf } from './resource.ts'
import '../tables.ts'

const NoParent = refusal(
  'identity.import-entry',
  40237,
  '没有上级菜单「{name}」，请核对名称或先新增',
  'There is no parent menu “{name}”: check the name, or add it first',
  422,
)
const Fixed = refusal(
  'identity.import-fixed',
  40238,
  '已有菜单的组件和权限不能通过导入修改；请在菜单中修改',
  'The component and permissions of an existing menu cannot be changed by import: change them on the menu page',
  422,
)

export const calls = serve(resourceSheet, {
  import: importing(resourceSheet.import, {
    row,
    columns: {
      'identity.import-entry': 'parentUrl',
      'identity.into-itself': 'parentUrl',
      'identity.menu-too-deep': 'parentUrl',
      'identity.import-fixed': 'component',
    },
  }),
  exportTemplate: templating(resourceSheet.import),
})

type Row = Of<(typeof resourceSheet)['import']['row']>
async function row({ row: { parentUrl, ...fields }, ...context }: RowContext<Row>): Promise<Outcome> {
  const at = (url: string) =>
    context.tx
      .selectFrom('identity.resource')
      .select(['id', 'version', 'parentId', 'name', 'nameEn', 'component', 'icon', 'sort', 'hidden', 'needs'])
      .where('url', '=', url)
      .where('retired', '=', false)
      .executeTakeFirst()
  const [parent, there] = await Promise.all([parentUrl ? at(parentUrl) : undefined, at(fields.url)])
  if (parentUrl && !parent) throw NoParent({ name: parentUrl })
  const wanted = { ...fields, ...(parent && { parentId: parent.id }) }
  if (!there) {
    await addResource(context.tx, context.actor, wanted)
    return 'added'
  }
  const { url: _, component, needs, ...changes } = wanted
  if (
    (component !== undefined && component !== there.component) ||
    (needs && (await needsOf(context.tx, there.component, needs)).join() !== there.needs.join())
  )
    throw Fixed()
  if (Object.entries(changes).every(([name, value]) => there[name as keyof typeof there] === value)) return 'same'
  await changeResource(context.tx, { id: there.id, version: there.version, ...changes }, context.at)
  return 'changed'
}
