import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { BadInput, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { parkOf } from '../../parking/server/api.ts'
import { OnJob } from '../contract/collector.ts'
import type { Picked } from '../contract/collector.ts'
import { groupSearch, WorkGroup, workGroup, WorkGroupLine } from '../contract/workGroup.ts'
import './tables.ts'

const groups = listOver(WorkGroup, 'staff.workGroup', groupSearch)
const lines = listOver(WorkGroupLine, 'staff.workGroupLine', groupSearch)
const NameTaken = refusal(
  'staff.group-name',
  41911,
  '已有名为「{name}」的班组，请换一个名称',
  'A work group named “{name}” already exists: choose another name',
)
const HasMembers = refusal('staff.group-members', 41912, '班组还有 {people} 名成员，请先移出', 'The group still has {people:member}: remove first')
const NotEmployed = refusal(
  'staff.not-employed',
  41913,
  '所选人员不存在或已离职',
  'A chosen person does not exist or has left: choose employed staff only',
  422,
)
export const NoPlace = refusal('staff.no-place', 41914, '没有地点 {places}，请核对编号', 'Unknown places: {places}. Check their codes', 422)

export const calls = serve(workGroup, {
  query: ({ tx, input }) => page(tx, lines, input),
  pick: ({ tx, input: { parkCode = null } }) => run(tx, { sql: PICK }, [parkCode]),
  async save({ tx, input: { memberIds, ...wanted }, at }) {
    await refuseWrong(tx, wanted)
    const made = await addRow(tx, groups, { ...EMPTY, ...wanted })
    await join(tx, made.id, membersOf(memberIds, made.leaderId), at)
  },
  async update({ tx, input: { id, version, memberIds, ...changes }, at }) {
    const found = await lockRow(tx, groups, { id, version })
    await refuseWrong(tx, { ...found, ...changes }, id)
    const set = await setRow(tx, groups, found, changes, at)
    await join(tx, id, membersOf(memberIds, set.leaderId), at)
  },
  async delete({ tx, input: { id }, at }) {
    const found = await lockRow(tx, groups, { id })
    const [counted] = await run<{ people: number }>(tx, { sql: PEOPLE }, [id])
    if (counted!.people > 0) throw HasMembers({ people: counted!.people })
    await removeRow(tx, groups, found, at)
  },
  async detail({ tx, input: { id } }) {
    const found = await find(tx, lines, id)
    if (!found) throw NotFound()
    const members = await run<Of<typeof Picked>>(tx, { sql: MEMBERS }, [id])
    return { ...found, members, places: await placesAmong(tx, found.placeCodes) }
  },
  withPeople: ({ tx, input: { parkCode = null } }) => run(tx, { sql: WITH_PEOPLE }, [parkCode]),
  places: ({ tx }) => run(tx, { sql: `${PLACES} order by park_code, place_code limit 5000` }, []),
})
const EMPTY = { leaderId: null, placeCodes: [], coverFrom: null, coverTo: null, remark: null }
const PICK =
  'select id, name, park_code from staff.work_group where enterprise_id = scope_enterprise() and ($1::text is null or park_code = $1) order by name limit 2000'
const PEOPLE = 'select count(*)::int as people from staff.collector where enterprise_id = scope_enterprise() and group_id = $1'
const PERSON = 'c.id, c.toll_no, c.name, c.toll_type, c.group_id, c.park_code'
const MEMBERS = `select ${PERSON} from staff.collector c where c.enterprise_id = scope_enterprise() and c.group_id = $1 order by c.toll_no limit 2000`
const WITH_PEOPLE = `select g.id, g.name, g.park_code, coalesce((select json_agg(json_build_object('id', c.id, 'tollNo', c.toll_no, 'name', c.name, 'tollType', c.toll_type, 'groupId', c.group_id, 'parkCode', c.park_code) order by c.toll_no)
    from staff.collector c where c.enterprise_id = g.enterprise_id and c.group_id = g.id), '[]') as collectors
  from staff.work_group g where g.enterprise_id = scope_enterprise() and ($1::text is null or g.park_code = $1) order by g.name limit 500`
const PLACES = 'select place_code, name, park_code from staff.place where enterprise_id = scope_enterprise()'
const placesAmong = (tx: Tx, codes: readonly string[]): Promise<{ placeCode: string; name: string; parkCode: string }[]> =>
  run(tx, { sql: `${PLACES} and place_code = any ($1) order by place_code` }, [codes])

type Written = Partial<Of<typeof WorkGroup>>
async function refuseWrong(tx: Tx, { name, parkCode, leaderId, placeCodes, coverFrom, coverTo }: Written, but: string | null = null): Promise<void> {
  if (!coverFrom !== !coverTo) throw BadInput({ zh: '值守时间须同时填写起止', en: 'enter both the start and the end of cover' })
  if (parkCode) await parkOf(tx, parkCode)
  const taken = 'select 1 from staff.work_group where enterprise_id = scope_enterprise() and name = $1 and id is distinct from $2'
  if (name && (await run(tx, { sql: taken }, [name, but])).length) throw NameTaken({ name })
  if (leaderId) await employed(tx, [leaderId])
  await refuseUnknownPlaces(tx, placeCodes ?? [])
}
/** @throws NoPlace naming those that are nowhere, or out of sight */
async function refuseUnknownPlaces(tx: Tx, codes: readonly string[]): Promise<void> {
  if (codes.length === 0) return
  const known = new Set((await placesAmong(tx, codes)).map(({ placeCode }) => placeCode))
  const unknown = codes.filter((code) => !known.has(code))
  if (unknown.length > 0) throw NoPlace({ places: unknown.join(' ') })
}
async function employed(tx: Tx, ids: readonly string[]): Promise<void> {
  const sql = `select id from staff.collector where enterprise_id = scope_enterprise() and on_job = ${OnJob.employed} and id = any ($1) order by id for update`
  if ((await run(tx, { sql }, [ids])).length < new Set(ids).size) throw NotEmployed()
}

/** The leader of a group belongs to it. If no members are given, nobody else joins or leaves. */
const membersOf = (memberIds: readonly string[] | undefined, leaderId: string | null) => ({
  ids: [...new Set([...(memberIds ?? []), ...(leaderId ? [leaderId] : [])])],
  whole: memberIds !== undefined,
})
async function join(tx: Tx, groupId: string, { ids, whole }: { ids: string[]; whole: boolean }, at: Instant): Promise<void> {
  if (ids.length > 0) await employed(tx, ids)
  await run(tx, { sql: JOIN }, [groupId, ids, at, whole])
}
const JOIN = `update staff.collector set group_id = case when id = any ($2::uuid[]) then $1::uuid end, version = version + 1, updated_at = $3
  where enterprise_id = scope_enterprise() and ((id = any ($2::uuid[]) and group_id is distinct from $1) or ($4 and group_id = $1 and id <> all ($2::uuid[])))`
