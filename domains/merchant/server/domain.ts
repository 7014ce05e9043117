import { run, type Tx } from '../../../platform/server/database.ts'
import type { Domain } from '../../../platform/server/domain.ts'
import { readGuests } from '../../../platform/server/call/guests.ts'
import { task } from '../../../platform/server/job/jobs.ts'
import { type SubAccount, type SubName, subNames } from '../../ledger/server/api.ts'
import { advertised, parkHeld } from '../../parking/server/api.ts'
import { orderPaid } from '../../settlement/server/api.ts'
import { regionHeld } from '../../system/server/api.ts'
import { menu } from '../contract/menu.ts'
import { calls as accounts } from './account.ts'
import { advertisementsHold, calls as advertisements, onSigns } from './advertisement.ts'
import { calls as credits } from './credit.ts'
import { calls as desk } from './desk.ts'
import { hearPaid, unpaidOver } from './deskRecharge.ts'
import { merchantBehind } from './deskSessions.ts'
import { calls as merchants, heldBy } from './merchant.ts'
import { nouns } from './nouns.ts'
import { records } from './records.ts'
import { calls as statements } from './statement.ts'

const forgetSessions = task('merchant.forgetSessions', async ({ tx }) => void (await run(tx, { sql: 'select merchant.forget_old_sessions()' }, [])), {
  every: '23 3 * * *',
})
export const merchant: Domain = {
  name: 'merchant',
  calls: [...merchants, ...accounts, ...credits, ...statements, ...advertisements, ...desk],
  menu,
  records,
  nouns,
  tasks: [forgetSessions, unpaidOver],
  start() {
    readGuests('merchant', merchantBehind)
    orderPaid.answer('merchant', hearPaid)
    subNames.answer('merchant', namesOf)
    parkHeld.answer('merchant', heldBy)
    regionHeld.answer('merchant', advertisementsHold)
    advertised.answer('merchant', onSigns)
  },
}

const KEPT_BY_MERCHANT = new Set(['liability.merchant', 'asset.merchant-credit', 'liability.coupon'])
/** The ledger keeps a merchant's money by its id; people know it by its name. */
async function namesOf(tx: Tx, subs: readonly SubAccount[]): Promise<SubName[]> {
  const mine = subs.filter(({ account }) => KEPT_BY_MERCHANT.has(account))
  if (!mine.length) return []
  const sql = 'select id::text, name from merchant.merchant where enterprise_id = scope_enterprise() and id::text = any($1)'
  const names = new Map((await run<{ id: string; name: string }>(tx, { sql }, [mine.map(({ sub }) => sub)])).map(({ id, name }) => [id, name]))
  return mine.flatMap(({ account, sub }) => (names.has(sub) ? [{ account, sub, zh: names.get(sub)!, en: names.get(sub)! }] : []))
}
