import { run, type Tx } from '../../../platform/server/database.ts'
import type { SubAccount, SubName } from '../../ledger/server/api.ts'

/** Names the deferred money of a pass by its number and its holder: the answer to `ledger.sub-names`. */
export async function namesOfPasses(tx: Tx, asked: readonly SubAccount[]): Promise<SubName[] | undefined> {
  const subs = asked.filter(({ account, sub }) => account === 'liability.pass' && A_PASS.test(sub))
  if (subs.length === 0) return undefined
  const sql = `select p.id::text as sub, p.pass_no || ' ' || c.name as name from member.pass p join member.customer c on c.enterprise_id = p.enterprise_id and c.id = p.member_id
    where p.enterprise_id = scope_enterprise() and p.id = any ($1::uuid[])`
  const rows = await run<{ sub: string; name: string }>(tx, { sql }, [subs.map(({ sub }) => sub)])
  return rows.map(({ sub, name }) => ({ account: 'liability.pass', sub, zh: name, en: name }))
}
const A_PASS = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
