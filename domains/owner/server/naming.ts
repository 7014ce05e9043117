import type { PlateColorCode } from '../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import type { SubAccount, SubName } from '../../ledger/server/api.ts'
import { OwnerStatus } from '../contract/account.ts'
import { VerifyState } from '../contract/car.ts'

/** Names the ledger's sub-accounts of stored value: an owner by their name, a card by its number. */
export async function purseNames(tx: Tx, subs: readonly SubAccount[]): Promise<SubName[]> {
  const ours = subs.filter(({ account, sub }) => (account === 'liability.stored' || account === 'liability.stored-bonus') && UUID.test(sub))
  if (ours.length === 0) return []
  const named = await run<{ id: string; name: string }>(tx, { sql: NAMES }, [ours.map(({ sub }) => sub)])
  const names = new Map(named.map(({ id, name }) => [id, name]))
  return ours.flatMap(({ account, sub }) => (names.has(sub) ? [{ account, sub, zh: names.get(sub)!, en: names.get(sub)! }] : []))
}
const UUID = /^[0-9a-f-]{36}$/
const NAMES = `select p.id, coalesce(c.holder || ' ' || c.card_no, a.nickname) as name from owner.purse p left join owner.card c on c.enterprise_id = p.enterprise_id and c.purse_id = p.id
  left join owner.account a on a.enterprise_id = p.enterprise_id and a.id = p.owner_id where p.enterprise_id = scope_enterprise() and p.id::text = any($1)`

/** Returns the receiver of a vehicle's reminders: its verified owner. The answer to `arrears.contactOf`. */
export const contactOfCar = async (
  tx: Tx,
  { plateNo, plateColor }: { plateNo: string; plateColor: PlateColorCode | null },
): Promise<{ name: string; address: string } | undefined> =>
  (await run<{ name: string; address: string }>(tx, { sql: CONTACT }, [plateNo, plateColor]))[0]
const CONTACT = `select a.nickname as name, a.phone as address from owner.car c join owner.account a on a.enterprise_id = c.enterprise_id and a.id = c.owner_id
  where c.enterprise_id = scope_enterprise() and c.plate_no = $1 and ($2::smallint is null or c.plate_color = $2) and c.verify_state = ${VerifyState.verified} and a.status = ${OwnerStatus.normal} limit 1`
