import type { Instant, Of } from '../../../platform/contract/field.ts'
import { parksOf, run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { NoPermission, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, onlyFields, removeRow, setRow } from '../../../platform/server/row.ts'
import { type Actor, serve } from '../../../platform/server/serve.ts'
import { isRule, type NamedPlace, type Nowhere, tieGroup, tiesOfGroup } from '../../fee/server/api.ts'
import { type GroupNode, group, groupSearch, GroupStatus, MemberGroup } from '../contract/group.ts'
import { PassStatus } from '../contract/pass.ts'
import { PlanStatus } from '../contract/plan.ts'
import { freezeGroup, thawGroup } from './sold/freeze.ts'
import { placesLeft } from './sold/places.ts'
import { plansOf } from './plan.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'

export type Group = Of<typeof MemberGroup>
export const groups = listOver(MemberGroup, 'member.cardGroup', groupSearch)
const shown = onlyFields(MemberGroup)

const HasChildren = refusal('member.group-has-children', 41414, '其下还有月卡类型，请先删除或移走', 'It has sub-types: delete or move them first')
const HasPasses = refusal(
  'member.group-has-passes',
  41415,
  '月卡类型下已有月卡，不能删除，可停用',
  'Passes of this type have been sold: disable it instead',
)
const NotBelowItself = refusal('member.group-below-itself', 41416, '上级月卡类型不能是自己或自己的下级', 'A pass type cannot be below itself', 422)
const NotAtHome = refusal('member.group-home', 41417, '归属车场应是月卡类型的车场之一', 'The home car park must be one of its car parks', 422)
const NoSuch = refusal('member.group-names-nothing', 41418, '{zh}不存在或不可用', '{en} does not exist or is not available', 422)
const Named = refusal('member.group-named', 41419, '同级已有月卡类型「{name}」', '“{name}” already exists at this level')

export const calls = serve(group, {
  selectAll: ({ tx, input }) => page(tx, groups, input),
  selectTree: ({ tx }) => treeOf(tx),
  selectListByParkCode: ({ tx, input }) => listed(tx, OF_PARK, input.parkCode ?? null),
  selectByParent: ({ tx, input }) => listed(tx, OF_PARENT, input.parentId ?? null),
  detail: ({ tx, input }) => detailOf(tx, input.id),
  async insert({ tx, input }) {
    await refuseParks(tx, input.parkCodes)
    const { homePark = input.parkCodes[0], ...fields } = input
    if (homePark === undefined || !input.parkCodes.includes(homePark)) throw NotAtHome()
    await refusePlace(tx, null, input)
    return addRow(tx, groups, { ...fields, homePark })
  },
  async update({ tx, input: { id, version, ...changes }, at }) {
    const found = await lockRow(tx, groups, { id, version })
    if (changes.homePark !== undefined && !found.parkCodes.includes(changes.homePark)) throw NotAtHome()
    await refusePlace(tx, id, { ...found, ...changes })
    return setRow(tx, groups, found, changes, at)
  },
  async delete({ tx, input, at }) {
    const found = await lockRow(tx, groups, input)
    if (
      (await run(tx, { sql: 'select 1 from member.card_group where enterprise_id = scope_enterprise() and parent_id = $1 limit 1' }, [input.id]))
        .length
    )
      throw HasChildren()
    if ((await run(tx, { sql: 'select 1 from member.pass where enterprise_id = scope_enterprise() and group_id = $1 limit 1' }, [input.id])).length)
      throw HasPasses()
    for (const parkCode of found.parkCodes) await tieGroup(tx, { memberGroup: found.id, parkCode, ruleId: null })
    await removeRow(tx, groups, found, at)
  },
  async configFeeIndex({ tx, input: { groupId, feeIndex, parkCode }, at }) {
    const found = await lockRow(tx, groups, { id: groupId })
    if (feeIndex && !(await isRule(tx, feeIndex))) throw NoSuch({ zh: '收费规则', en: 'The fee rule' })
    if (parkCode !== undefined && !found.parkCodes.includes(parkCode))
      throw NoSuch({ zh: `月卡类型中的车场 ${parkCode} `, en: `Car park ${parkCode}` })
    for (const park of parkCode ? [parkCode] : found.parkCodes) await tieGroup(tx, { memberGroup: groupId, parkCode: park, ruleId: feeIndex })
    await setRow(tx, groups, found, {}, at)
  },
  async configCarFeesRule({ tx, input: { groupId, carFeesIds, defaultId = null }, at }) {
    const found = await lockRow(tx, groups, { id: groupId })
    const ids = [...new Set(carFeesIds)]
    const plans = await plansOf(tx, ids)
    if (plans.length < ids.length || (defaultId && !ids.includes(defaultId))) throw NoSuch({ zh: '套餐', en: 'The plan' })
    return setRow(
      tx,
      groups,
      found,
      { carFeesIds: ids, defaultId: defaultId ?? plans.find(({ status }) => status === PlanStatus.onSale)?.id ?? null },
      at,
    )
  },
  async disable({ tx, input: { id, version, status, suspendAccess = false, reason }, actor, at }) {
    const found = await lockRow(tx, groups, { id, version })
    return switchGroup(tx, found, { status, suspend: suspendAccess, reason: reason ?? Said.groupStopped }, actor, at)
  },
  async configParkAccess({ tx, input: { groupId, parkCodes, accessRuleIds = [], homePark }, at }) {
    const found = await lockRow(tx, groups, { id: groupId })
    await refuseParks(tx, parkCodes)
    const rules = [...new Set(accessRuleIds)]
    const [known] = await run<{ n: number }>(
      tx,
      { sql: 'select count(*)::int as n from member.access_rule where enterprise_id = scope_enterprise() and id = any ($1)' },
      [rules],
    )
    if (known!.n < rules.length) throw NoSuch({ zh: '准入规则', en: 'The access rule' })
    const home = homePark ?? (parkCodes.includes(found.homePark) ? found.homePark : parkCodes[0])
    if (home === undefined || !parkCodes.includes(home)) throw NotAtHome()
    return setRow(tx, groups, found, { parkCodes, homePark: home, accessRuleIds: rules }, at)
  },
})

/** Off: nothing more is sold. With `suspend` its passes rest until it is on again; their days come back. */
async function switchGroup(
  tx: Tx,
  found: Group,
  { status, suspend, reason }: { status: 1 | 2; suspend: boolean; reason: string },
  actor: Actor,
  at: Instant,
): Promise<Group> {
  const suspended = status === GroupStatus.disabled && suspend
  if (suspended && !found.suspended) await freezeGroup(tx, found.id, reason, actor.userName, at)
  if (!suspended && found.suspended) await thawGroup(tx, found.id, at)
  return setRow(tx, groups, found, { status, suspended }, at)
}

/** @throws NotFound */
export async function groupOf(tx: Tx, id: string): Promise<Group> {
  const found = await find(tx, groups, id)
  if (!found) throw NotFound()
  return found
}
const listed = async (tx: Tx, sql: string, value: string | null): Promise<Group[]> =>
  (await run(tx, { sql }, [value])).map((row) => shown(row as object))
const OF_PARK =
  'select * from member.card_group where enterprise_id = scope_enterprise() and ($1::text is null or $1 = any (park_codes)) order by name'
const OF_PARENT = 'select * from member.card_group where enterprise_id = scope_enterprise() and parent_id is not distinct from $1::uuid order by name'

async function detailOf(tx: Tx, id: string) {
  const found = await groupOf(tx, id)
  const [plans, feeIndexes, [counted], left] = await Promise.all([
    plansOf(tx, found.carFeesIds),
    tiesOfGroup(tx, id),
    run<{ children: number; passes: number }>(tx, { sql: COUNTS }, [id]),
    placesLeft(tx, found),
  ])
  const { children, passes } = counted!
  return {
    ...found,
    plans,
    feeIndexes: feeIndexes.map(({ parkCode, ruleId, ruleName }) => ({ parkCode, feeIndex: ruleId, ruleName })),
    passes,
    children,
    placesLeft: left,
  }
}
const COUNTS = `select (select count(*) from member.card_group c where c.enterprise_id = scope_enterprise() and c.parent_id = $1)::int as children,
  (select count(*) from member.pass p where p.enterprise_id = scope_enterprise() and p.group_id = $1 and p.state not in (${PassStatus.returned}, ${PassStatus.deleted}))::int as passes`
async function treeOf(tx: Tx): Promise<GroupNode[]> {
  const rows = await run<GroupNode>(tx, { sql: TREE }, [])
  const nodes = new Map(rows.map((row) => [row.id, { ...row, children: [] as GroupNode[] }]))
  const roots: GroupNode[] = []
  for (const node of nodes.values()) (node.parentId === null ? roots : (nodes.get(node.parentId)?.children ?? roots)).push(node)
  return roots
}
const TREE = `select g.id, g.parent_id, g.name, g.status, (select count(*) from member.pass p where p.enterprise_id = g.enterprise_id and p.group_id = g.id and p.state not in (${PassStatus.returned}, ${PassStatus.deleted}))::int as passes
  from member.card_group g where g.enterprise_id = scope_enterprise() order by g.name`

/** Its parks are the writer's. */
async function refuseParks(tx: Tx, parkCodes: readonly string[]): Promise<void> {
  const parks = parksOf(tx)
  if (parks !== null && parkCodes.some((code) => !parks.includes(code))) throw NoPermission()
  const [known] = await run<{ n: number }>(
    tx,
    { sql: 'select count(*)::int as n from parking.park where enterprise_id = scope_enterprise() and park_code = any ($1) and not deleted' },
    [parkCodes],
  )
  if (parkCodes.length === 0 || known!.n < new Set(parkCodes).size) throw NoSuch({ zh: '车场', en: 'The car park' })
}
async function refusePlace(tx: Tx, id: string | null, { parentId = null, name }: { parentId?: string | null; name: string }): Promise<void> {
  const [same] = await run(
    tx,
    {
      sql: 'select 1 from member.card_group where enterprise_id = scope_enterprise() and name = $1 and parent_id is not distinct from $2::uuid and id is distinct from $3::uuid',
    },
    [name, parentId, id],
  )
  if (same) throw Named({ name })
  if (parentId === null) return
  await groupOf(tx, parentId)
  const above = await run<{ id: string }>(tx, { sql: ABOVE }, [parentId])
  if (id !== null && above.some((one) => one.id === id)) throw NotBelowItself()
}
const ABOVE = `with recursive above as (select id, parent_id from member.card_group where enterprise_id = scope_enterprise() and id = $1
  union select g.id, g.parent_id from member.card_group g join above a on g.id = a.parent_id where g.enterprise_id = scope_enterprise()) select id from above`

/** The answer to `fee.nowhere`: the kind of pass that is named has to be there, and to be for the park where one is named too. */
export async function noGroup(tx: Tx, { parkCode = null, memberGroup = null }: NamedPlace): Promise<Nowhere[]> {
  if (memberGroup === null) return []
  return (await run(tx, { sql: THERE }, [memberGroup, parkCode])).length > 0 ? [] : ['memberGroup']
}
const THERE = `select from member.card_group where enterprise_id = scope_enterprise() and id::text = $1 and ($2::text is null or $2 = any (park_codes))`
