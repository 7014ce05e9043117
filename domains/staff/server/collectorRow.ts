import type { Instant, Of } from '../../../platform/contract/field.ts'
import { dayOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver } from '../../../platform/server/page.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { endSessionsOf } from '../../identity/server/api.ts'
import { parkOf } from '../../parking/server/api.ts'
import { inWords, tillOf } from '../../settlement/server/api.ts'
import { Collector, collectorSearch, OnJob } from '../contract/collector.ts'
import './tables.ts'

export type CollectorRow = Of<typeof Collector>
export const collectors = listOver(Collector, 'staff.collector', collectorSearch)

const NoTaken = refusal(
  'staff.toll-no',
  41901,
  '工号 {tollNo} 已有人使用，请换一个工号',
  'Staff number {tollNo} is already in use: choose another one',
)
export const PdaTaken = refusal(
  'staff.pda-taken',
  41902,
  '手持机 {pdaNo} 已在 {name} 手中，请先解绑',
  'Handheld {pdaNo} is issued to {name}: take it back first',
)
export const AccountTaken = refusal(
  'staff.account-taken',
  41903,
  '该登录账号已属于 {name}，请另选账号',
  'This account already belongs to {name}: choose another account',
)
const NoAccount = refusal('staff.no-account', 41904, '没有这个登录账号，请先新增', 'This account does not exist: add it first', 422)
const NoGroup = refusal('staff.no-group', 41905, '没有这个班组，请先新增', 'This work group does not exist: add it first', 422)
const HasShift = refusal('staff.open-shift', 41906, '{name} {zh}，请先办理', '{name} cannot go on yet: {en}')
export const HasLeft = refusal('staff.has-left', 41907, '{name} 已离职，请另选人员', '{name} has left: choose somebody else', 422)

export type Wanted = Partial<Pick<CollectorRow, 'tollNo' | 'name' | 'tollType' | 'parkCode' | 'phone' | 'groupId' | 'pdaNo' | 'personId' | 'remark'>>
const EMPTY = { phone: null, groupId: null, pdaNo: null, personId: null, remark: null, leftAt: null, onJob: OnJob.employed }

export async function addCollector(tx: Tx, wanted: Wanted & Pick<CollectorRow, 'tollNo' | 'name' | 'tollType' | 'parkCode'>): Promise<CollectorRow> {
  await refuseWrong(tx, wanted)
  return addRow(tx, collectors, { ...EMPTY, ...wanted })
}

/** Changes one that is held; who had left may come back. */
export async function changeCollector(
  tx: Tx,
  found: CollectorRow,
  { onJob, ...changes }: Wanted & { onJob?: CollectorRow['onJob'] },
  at: Instant,
): Promise<void> {
  if (onJob === OnJob.left && found.onJob === OnJob.employed) return leave(tx, found, at)
  if (found.onJob === OnJob.left && onJob !== OnJob.employed && (changes.pdaNo || changes.groupId)) throw HasLeft({ name: found.name })
  await refuseWrong(tx, changes, found.id)
  if (changes.personId !== undefined && changes.personId !== found.personId) {
    await refuseTill(tx, found)
    await run(tx, { sql: KEEP_TILLS }, [found.id, found.personId, at])
  }
  const back = onJob === OnJob.employed && found.onJob === OnJob.left ? { onJob, leftAt: null } : {}
  await setRow(tx, collectors, found, { ...changes, ...back }, at)
}

/** Refuses a value that only one person may have, and names its holder. The indexes guard against two at once. */
async function refuseWrong(tx: Tx, { tollNo, parkCode, groupId, pdaNo, personId }: Wanted, but: string | null = null): Promise<void> {
  if (parkCode !== undefined) await parkOf(tx, parkCode)
  const [found] = await run<{ no: boolean; pda: string | null; account: string | null; group: boolean; person: boolean }>(tx, { sql: TAKEN }, [
    tollNo ?? null,
    pdaNo ?? null,
    personId ?? null,
    groupId ?? null,
    but,
  ])
  if (found!.no) throw NoTaken({ tollNo: tollNo! })
  if (found!.pda) throw PdaTaken({ pdaNo: pdaNo!, name: found!.pda })
  if (personId && !found!.person) throw NoAccount()
  if (found!.account) throw AccountTaken({ name: found!.account })
  if (groupId && !found!.group) throw NoGroup()
}
const OTHER = 'from staff.collector where enterprise_id = scope_enterprise() and id is distinct from $5 and'
const TAKEN = `select exists (select ${OTHER} toll_no = $1) as no, (select name ${OTHER} pda_no = $2) as pda, (select name ${OTHER} person_id = $3) as account,
  exists (select from staff.work_group where enterprise_id = scope_enterprise() and id = $4) as "group",
  exists (select from identity.person where enterprise_id = scope_enterprise() and id = $3) as person`

/** Tills that a collector opened under the account that they have. */
const THEIRS = 'enterprise_id = scope_enterprise() and person_id = $2 and staff.keeper_of(person_id, opened_at) = $1'
/** Money taken under an account stays with the person who took it. */
const KEEP_TILLS = `insert into staff.past_account (collector_id, person_id, until) select $1, $2, $3 where exists (select from settlement.shift where ${THEIRS})`

/** Deletes a collector who never worked; one who did is kept as left. */
export async function removeCollector(tx: Tx, id: string, at: Instant): Promise<{ left: boolean }> {
  const found = await lockRow(tx, collectors, { id })
  const [used] = await run<{ used: boolean }>(tx, { sql: USED }, [id, found.personId])
  if (used!.used) await leave(tx, found, at)
  else {
    await run(tx, { sql: UNLEAD }, [id, at])
    await removeRow(tx, collectors, found, at)
  }
  return { left: used!.used }
}
const USED = `select exists (select from staff.cell where enterprise_id = scope_enterprise() and collector_id = $1)
  or exists (select from staff.card where enterprise_id = scope_enterprise() and collector_id = $1)
  or exists (select from staff.past_account where enterprise_id = scope_enterprise() and collector_id = $1)
  or exists (select from settlement.shift where ${THEIRS}) as used`

/** A till that waits for them by their account: another account could neither close it nor take it over. */
async function refuseTill(tx: Tx, { name, personId }: CollectorRow): Promise<void> {
  const till = personId ? inWords(await tillOf(tx, personId)) : undefined
  if (till) throw HasShift({ name, ...till })
}

/** Ends a collector's employment; not with an open till. Their future cells are free for others, their handheld too, and they are signed out. */
async function leave(tx: Tx, found: CollectorRow, at: Instant): Promise<void> {
  if (found.onJob === OnJob.left) return
  await refuseTill(tx, found)
  await run(tx, { sql: UNLEAD }, [found.id, at])
  await run(tx, { sql: FREE }, [found.id, at, dayOf(at)])
  if (found.personId) await endSessionsOf(tx, found.personId)
  await setRow(tx, collectors, found, { onJob: OnJob.left, leftAt: at, pdaNo: null, groupId: null }, at)
}
const UNLEAD =
  'update staff.work_group set leader_id = null, version = version + 1, updated_at = $2 where enterprise_id = scope_enterprise() and leader_id = $1'
const FREE =
  'delete from staff.cell where enterprise_id = scope_enterprise() and collector_id = $1 and (start_at > $2 or (start_at is null and work_date > $3))'

/** Keeps a park from being deleted while people work there: the answer to `parking.parkHeld`. */
export async function heldBy(tx: Tx, { parkCode }: { parkCode: string }): Promise<{ zh: string; en: string } | undefined> {
  const [there] = await run<object>(tx, { sql: WORKS_IN }, [parkCode])
  return there && { zh: '有在职收费员或班组', en: 'field staff or a work group belong to it' }
}
const WORKS_IN = `select 1 from staff.collector where enterprise_id = scope_enterprise() and park_code = $1 and on_job = ${OnJob.employed}
  union all select 1 from staff.work_group where enterprise_id = scope_enterprise() and park_code = $1 limit 1`
