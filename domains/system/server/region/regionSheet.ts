import type { Of } from '../../../../platform/contract/field.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import { sameAs, serve } from '../../../../platform/server/serve.ts'
import { exporting } from '../../../../platform/server/sheets/exporting.ts'
import { importing, type Outcome, type RowContext } from '../../../../platform/server/sheets/importing.ts'
import { templating } from '../../../../platform/server/sheets/template.ts'
import { region } from '../../contract/region.ts'
import { regionSheet } from '../../contract/regionSheet.ts'
import { calls as regionCalls, regions } from './region.ts'
import '../tables.ts'

const Stays = refusal(
  'system.region-stays',
  40134,
  '已有区划的级别和上级不能修改；请删除后重新新增',
  'Level and parent of an existing region cannot be changed: delete it and add it anew',
  422,
)

const add = sameAs(regionCalls, region.add)
const update = sameAs(regionCalls, region.update)

export const calls = serve(regionSheet, {
  import: importing(regionSheet.import, { row }),
  export: exporting(regionSheet.export, regions),
  exportTemplate: templating(regionSheet.import),
})

type Row = Of<(typeof regionSheet)['import']['row']>
async function row({ row: { code, rank, parentCode, ...names }, ...context }: RowContext<Row>): Promise<Outcome> {
  const there = await context.tx
    .selectFrom('system.region')
    .select(['version', 'name', 'nameEn', 'rank', 'parentCode'])
    .where('code', '=', code)
    .executeTakeFirst()
  if (!there) {
    await add(context, { code, rank, ...names, ...(parentCode && { parentCode }) })
    return 'added'
  }
  if (there.rank !== rank || (parentCode && there.parentCode !== parentCode)) throw Stays()
  if (there.name === names.name && (names.nameEn === undefined || there.nameEn === names.nameEn)) return 'same'
  await update(context, { code, version: there.version, ...names })
  return 'changed'
}
