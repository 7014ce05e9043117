import type { Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { Refusal, refusal } from '../../../platform/server/refusal.ts'
import { lockRow } from '../../../platform/server/row.ts'
import { faultsOf, type Outcome, type RowContext } from '../../../platform/server/sheets/importing.ts'
import { parkOf } from '../../parking/server/api.ts'
import type { toll } from '../contract/collector.ts'
import { AccountTaken, addCollector, changeCollector, type CollectorRow, collectors, PdaTaken, type Wanted } from './collectorRow.ts'

const GroupUnknown = refusal(
  'staff.import-group',
  41908,
  '没有班组「{name}」，请核对名称或先新增',
  'No work group is named “{name}”: check the name, or add it first',
  422,
)
const AccountUnknown = refusal(
  'staff.import-account',
  41909,
  '没有登录账号「{name}」，请核对名称或先新增',
  'No account is named “{name}”: check the name, or add it first',
  422,
)
const ParkUnknown = refusal('staff.import-park', 41981, '没有车场「{code}」，请核对编号', 'No car park has the number “{code}”: check it', 422)

type Row = Of<(typeof toll)['import']['row']>
interface Known {
  groups: ReadonlyMap<string, string>
  accounts: ReadonlyMap<string, string>
  there: ReadonlyMap<string, CollectorRow>
  /** Codes of no park. */
  noParks: ReadonlySet<string>
  /** The present holders of the handhelds, and of the accounts. */
  pdas: ReadonlyMap<string, Holder>
  persons: ReadonlyMap<string, Holder>
}
interface Holder {
  tollNo: string
  name: string
}

/** A row of a sheet by the rules of adding and changing one. */
export const collectorImport = {
  prepare,
  row,
  faults: ({ row, known }: { row: Row; known: Known }) =>
    faultsOf(
      () => refuse(known.noParks.has(row.parkCode) ? ParkUnknown({ code: row.parkCode }) : undefined),
      () => groupOf(row.groupName, known),
      () => accountOf(row.username, known),
      () => refuseHeld(row, known.pdas.get(row.pdaNo ?? ''), ({ name }) => PdaTaken({ pdaNo: row.pdaNo!, name })),
      () => refuseHeld(row, known.persons.get(known.accounts.get(row.username?.toLowerCase() ?? '') ?? ''), ({ name }) => AccountTaken({ name })),
    ),
  columns: {
    'staff.import-park': 'parkCode',
    'staff.import-group': 'groupName',
    'staff.import-account': 'username',
    'staff.pda-taken': 'pdaNo',
    'staff.account-taken': 'username',
  },
} as const

const refuse = (fault: Error | undefined): void => {
  if (fault) throw fault
}
/** Refuses a value that another person holds. If an earlier row of the sheet releases it, that row is done first. */
const refuseHeld = ({ tollNo }: Row, holder: Holder | undefined, fault: (holder: Holder) => Error) =>
  refuse(holder && holder.tollNo !== tollNo ? fault(holder) : undefined)

async function prepare({ tx, rows }: { tx: Tx; rows: readonly Row[] }): Promise<Known> {
  const names = rows.flatMap(({ username }) => (username ? [username.toLowerCase()] : []))
  const [groups, accounts, there, held, noParks] = await Promise.all([
    run<{ id: string; name: string }>(tx, { sql: 'select id, name from staff.work_group where enterprise_id = scope_enterprise()' }, []),
    run<{ id: string; name: string }>(tx, { sql: ACCOUNTS }, [names]),
    run<CollectorRow>(tx, { sql: 'select * from staff.collector where enterprise_id = scope_enterprise() and toll_no = any ($1)' }, [
      rows.map(({ tollNo }) => tollNo),
    ]),
    run<Holder & { pdaNo: string | null; personId: string | null }>(tx, { sql: HELD }, [rows.flatMap(({ pdaNo }) => pdaNo ?? []), names]),
    unknownParks(tx, rows),
  ])
  return {
    groups: new Map(groups.map(({ id, name }) => [name, id])),
    accounts: new Map(accounts.map(({ id, name }) => [name, id])),
    there: new Map(there.map((one) => [one.tollNo, one])),
    noParks,
    pdas: new Map(held.flatMap((one) => (one.pdaNo ? [[one.pdaNo, one] as const] : []))),
    persons: new Map(held.flatMap((one) => (one.personId ? [[one.personId, one] as const] : []))),
  }
}
const HELD = `select c.toll_no, c.name, c.pda_no, c.person_id from staff.collector c where c.enterprise_id = scope_enterprise()
  and (c.pda_no = any ($1) or c.person_id in (select id from identity.person where enterprise_id = scope_enterprise() and lower(username) = any ($2)))`
async function unknownParks(tx: Tx, rows: readonly Row[]): Promise<Set<string>> {
  const unknown = new Set<string>()
  for (const code of new Set(rows.map(({ parkCode }) => parkCode)))
    await parkOf(tx, code).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error
      unknown.add(code)
    })
  return unknown
}
const ACCOUNTS = 'select id, lower(username) as name from identity.person where enterprise_id = scope_enterprise() and lower(username) = any ($1)'

async function row({ tx, row: one, known, at }: RowContext<Row, Known>): Promise<Outcome> {
  const wanted = wantedOf(one, known)
  const there = known.there.get(one.tollNo)
  if (!there) {
    await addCollector(tx, wanted)
    return 'added'
  }
  if (Object.entries(wanted).every(([name, value]) => there[name as keyof Wanted] === value)) return 'same'
  await changeCollector(tx, await lockRow(tx, collectors, { id: there.id }), wanted, at)
  return 'changed'
}

/** Keeps the values that a sheet leaves out. */
function wantedOf({ groupName, username, ...fields }: Row, known: Known) {
  const [groupId, personId] = [groupOf(groupName, known), accountOf(username, known)]
  return { ...fields, ...(groupId && { groupId }), ...(personId && { personId }) }
}
function groupOf(groupName: Row['groupName'] | undefined, { groups }: Known) {
  const groupId = groupName ? groups.get(groupName) : undefined
  if (groupName && !groupId) throw GroupUnknown({ name: groupName })
  return groupId
}
function accountOf(username: Row['username'] | undefined, { accounts }: Known) {
  const personId = username ? accounts.get(username.toLowerCase()) : undefined
  if (username && !personId) throw AccountUnknown({ name: username })
  return personId
}
