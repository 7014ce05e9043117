import type { Of } from '../../../platform/contract/field.ts'
import { parksOf, run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { NoPermission, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, removeRow, rowsOver, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { Associate, associate, AssociateLine, associateSearch } from '../contract/associate.ts'
import { keepingRules } from './keeping.ts'
import { nowhere } from './questions.ts'
import './tables.ts'

const AreaWithoutPark = refusal('fee.associate.area', 40601, '指定区域时须指定车场', 'Choose the car park of the area as well', 422)
const NoSuchRule = refusal('fee.associate.rule', 40602, '规则不存在，请刷新后重新选择', 'There is no such rule: refresh and choose again', 422)
const Tied = refusal('fee.associate.tied', 40603, '该规则已有相同的关联，无需重复添加', 'The rule already has the same link: nothing to add')

const NoPlace = refusal(
  'fee.associate.nowhere',
  40625,
  '没有这样的{zh}，或不属于所选车场：请从列表中选择',
  'There is no such {en}, or it is not of the chosen car park: choose from the list',
  422,
)

const ties = rowsOver(Associate, 'fee.associate', Object.keys(Associate.properties) as (keyof Of<typeof Associate>)[])
const lines = listOver(AssociateLine, 'fee.associateLine', associateSearch)

export const calls = serve(associate, {
  queryPage: ({ tx, input }) => page(tx, lines, input),
  async insert({ tx, input }) {
    await refuseWrong(tx, input)
    await refuseNowhere(tx, input)
    await refuseTwice(tx, input)
    const { id } = await addRow(tx, ties, input)
    return { id }
  },
  async update({ tx, input: { id, version, ...change }, at }) {
    const found = await lockRow(tx, ties, { id, version })
    const tie = { ...found, ...change }
    await refuseWrong(tx, tie)
    // A place that the tie names may be gone by now: the rest of the tie can still be changed.
    if (PLACE.some((name) => tie[name] !== found[name])) await refuseNowhere(tx, tie)
    await refuseTwice(tx, tie, id)
    await keepingRules(tx, at, () => setRow(tx, ties, found, change, at))
  },
  async delete({ tx, input, at }) {
    const found = await lockRow(tx, ties, { id: input.id })
    refuseForeignPark(tx, found.parkCode)
    await keepingRules(tx, at, () => removeRow(tx, ties, found, at))
  },
})

/** @throws what adding the same again would be refused for */
export async function tieMayComeBack(tx: Tx, id: string): Promise<void> {
  const tie = await tx.selectFrom('fee.associate').selectAll().where('id', '=', id).executeTakeFirst()
  if (!tie) throw NotFound()
  await refuseWrong(tx, tie)
  await refuseNowhere(tx, tie)
  await refuseTwice(tx, tie, id)
}

interface Tie {
  ruleId: string
  parkCode?: string | null
  areaCode?: string | null
  sectionCode?: string | null
  memberGroup?: string | null
  carKind?: number | null
}
async function refuseWrong(tx: Tx, { ruleId, parkCode, areaCode }: Tie) {
  refuseForeignPark(tx, parkCode ?? null)
  if (areaCode && !parkCode) throw AreaWithoutPark()
  const [rule] = await run<{ id: string }>(tx, { sql: 'select id from fee.rule where rule_id = $1 limit 1' }, [ruleId])
  if (!rule) throw NoSuchRule()
}
const PLACE = ['parkCode', 'areaCode', 'sectionCode', 'memberGroup'] as const
/** A rule for what there is not would never act. @throws NoPlace */
async function refuseNowhere(tx: Tx, tie: Tie): Promise<void> {
  const missing = (await nowhere.ask(tx, tie)).flatMap(({ answer }) => answer)
  const first = PLACE.find((name) => missing.includes(name))
  if (first) throw NoPlace({ ...PLACES[first], field: first })
}
const PLACES = {
  parkCode: { zh: '车场', en: 'car park' },
  areaCode: { zh: '区域', en: 'area' },
  sectionCode: { zh: '路段', en: 'section' },
  memberGroup: { zh: '月卡类型', en: 'pass type' },
} as const

/** A tie for all parks is changed only by a person who has all parks. */
function refuseForeignPark(tx: Tx, parkCode: string | null) {
  const parks = parksOf(tx)
  if (parks !== null && (parkCode === null || !parks.includes(parkCode))) throw NoPermission()
}
async function refuseTwice(tx: Tx, { ruleId, parkCode, areaCode, sectionCode, memberGroup, carKind }: Tie, except?: string) {
  const [other] = await run<{ id: string }>(
    tx,
    {
      sql: `select id from fee.associate where rule_id = $1 and park_code is not distinct from $2 and area_code is not distinct from $3 and section_code is not distinct from $4
        and member_group is not distinct from $5 and car_kind is not distinct from $6::smallint and id is distinct from $7::uuid`,
    },
    [ruleId, parkCode ?? null, areaCode ?? null, sectionCode ?? null, memberGroup ?? null, carKind ?? null, except ?? null],
  )
  if (other) throw Tied()
}
