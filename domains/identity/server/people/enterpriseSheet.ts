import type { Of } from '../../../../platform/contract/field.ts'
import { listOver, page } from '../../../../platform/server/page.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { exporting } from '../../../../platform/server/sheets/exporting.ts'
import { importing, type Outcome, type RowContext } from '../../../../platform/server/sheets/importing.ts'
import { Enterprise, enterpriseSearch, EnterpriseStatus } from '../../contract/enterprise.ts'
import { enterpriseSheet } from '../../contract/enterpriseSheet.ts'
import { addEnterprise, changeEnterprise } from './enterprise.ts'
import '../tables.ts'

const NoParent = refusal(
  'identity.import-enterprise',
  40222,
  '没有上级企业「{name}」，或有多个同名企业；请核对名称',
  'No parent enterprise is named “{name}”, or several are: check the name',
  422,
)
const Several = refusal(
  'identity.import-several',
  40223,
  '有多个同名记录「{name}」，请在页面上修改',
  'Several records are named “{name}”; change them on the page',
  422,
)

const enterprises = listOver(Enterprise, 'identity.enterprise', enterpriseSearch)

export const calls = serve(enterpriseSheet, {
  import: importing(enterpriseSheet.import, { row, columns: { 'identity.import-enterprise': 'parentName', 'identity.import-several': 'name' } }),
  export: exporting(enterpriseSheet.export, async ({ tx, input }) => {
    const { records } = await page(tx, enterprises, input)
    const parents = records.flatMap(({ parentId }) => parentId ?? [])
    const named = await tx
      .selectFrom('identity.enterprise')
      .select(['id', 'name'])
      .where('id', 'in', [...new Set([0, ...parents])])
      .execute()
    const names = new Map(named.map(({ id, name }) => [id, name]))
    return { records: records.map((one) => ({ ...one, parentName: one.parentId && names.get(one.parentId) })) }
  }),
})

type Row = Of<(typeof enterpriseSheet)['import']['row']>
async function row({ row: { parentName, status, ...fields }, ...context }: RowContext<Row>): Promise<Outcome> {
  const called = (name: string) =>
    context.tx
      .selectFrom('identity.enterprise')
      .select(['id', 'version', 'parentId', 'contact', 'phone', 'address', 'status'])
      .where('name', '=', name)
      .limit(2)
      .execute()
  const [parents, [there, another]] = await Promise.all([parentName ? called(parentName) : [], called(fields.name)])
  if (parentName && parents.length !== 1) throw NoParent({ name: parentName })
  if (another) throw Several({ name: fields.name })
  const wanted = { ...fields, ...(parents[0] && { parentId: parents[0].id }) }
  if (!there) {
    const id = await addEnterprise(context.tx, wanted)
    if (status !== undefined && status !== EnterpriseStatus.active) await changeEnterprise(context.tx, { id, version: 1, status }, context.at)
    return 'added'
  }
  const changes = { ...wanted, ...(status !== undefined && { status }) }
  if (Object.entries(changes).every(([name, value]) => name === 'name' || there[name as keyof typeof there] === value)) return 'same'
  await changeEnterprise(context.tx, { id: there.id, version: there.version, ...changes }, context.at)
  return 'changed'
}
