import type { Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { lockRow } from '../../../platform/server/row.ts'
import type { Outcome, RowContext } from '../../../platform/server/sheets/importing.ts'
import type { toll } from '../contract/collector.ts'
import { addCollector, changeCollector, type CollectorRow, collectors, type Wanted } from './collectorRow.ts'

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

type Row = Of<(typeof toll)['import']['row']>
interface Known {
  groups: ReadonlyMap<string, string>
  accounts: ReadonlyMap<string, string>
  there: ReadonlyMap<string, CollectorRow>
}

/** A row of a sheet by the rules of adding and changing one. */
export const collectorImport = { prepare, row }

async function prepare({ tx, rows }: { tx: Tx; rows: readonly Row[] }): Promise<Known> {
  const names = rows.flatMap(({ username }) => (username ? [username.toLowerCase()] : []))
  const [groups, accounts, there] = await Promise.all([
    run<{ id: string; name: string }>(tx, { sql: 'select id, name from staff.work_group where enterprise_id = scope_enterprise()' }, []),
    run<{ id: string; name: string }>(tx, { sql: ACCOUNTS }, [names]),
    run<CollectorRow>(tx, { sql: 'select * from staff.collector where enterprise_id = scope_enterprise() and toll_no = any ($1)' }, [
      rows.map(({ tollNo }) => tollNo),
    ]),
  ])
  return {
    groups: new Map(groups.map(({ id, name }) => [name, id])),
    accounts: new Map(accounts.map(({ id, name }) => [name, id])),
    there: new Map(there.map((one) => [one.tollNo, one])),
  }
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

/** What a sheet does not say stays as it is. */
function wantedOf({ groupName, username, ...fields }: Row, { groups, accounts }: Known) {
  const groupId = groupName ? groups.get(groupName) : undefined
  if (groupName && !groupId) throw GroupUnknown({ name: groupName })
  const personId = username ? accounts.get(username.toLowerCase()) : undefined
  if (username && !personId) throw AccountUnknown({ name: username })
  return { ...fields, ...(groupId && { groupId: groupId }), ...(personId && { personId: personId }) }
}
