import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver } from '../../../platform/server/page.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow } from '../../../platform/server/row.ts'
import { Account, Owner, ownerSearch, OwnerStatus } from '../contract/account.ts'
import { ownerRegistered } from './questions.ts'
import './tables.ts'

export const Locked = refusal(
  'owner.locked',
  41510,
  '车主已锁定或已注销；请先解锁，或选择其他车主',
  'This account is locked or deleted. Unlock it, or choose another owner',
)
const Unknown = refusal('owner.unknown', 41516, '没有该车主，请从车主列表中选择', 'There is no such owner: choose one from the list', 404)
export const accounts = listOver(Account, 'owner.account', ownerSearch)
export const owners = listOver(Owner, 'owner.profile', ownerSearch, {
  key: 'ownerId',
  only: `status in (${OwnerStatus.normal}, ${OwnerStatus.locked})`,
})
/** Those who cancelled too. */
const everyOwner = listOver(Owner, 'owner.profile', ownerSearch, { key: 'ownerId' })
/** Owners with such a name or phone number, as movements and refunds name them. */
export const HOLDERS = 'select whose from owner.holder where enterprise_id = scope_enterprise()'
export type AccountRow = Of<typeof Account>

/** Returns a present or former owner. @throws Unknown */
export async function ownerOf(tx: Tx, id: string): Promise<Of<typeof Owner>> {
  const found = await find(tx, everyOwner, id)
  if (!found) throw Unknown()
  return found
}
/** An owner for whom something may be done, held until it is. @throws Unknown, Locked */
export async function lockActive(tx: Tx, id: string): Promise<AccountRow> {
  if (!(await find(tx, accounts, id))) throw Unknown()
  const found = await lockRow(tx, accounts, { id })
  if (found.status !== OwnerStatus.normal) throw Locked()
  return found
}
/** A telephone number is one owner: one that is known answers with theirs. */
export async function register(tx: Tx, { phone, nickname, at }: { phone: string; nickname: string; at: Instant }): Promise<AccountRow> {
  const known = await byPhone(tx, phone)
  if (known) return known
  const added = await addRow(tx, accounts, { phone, nickname, registeredAt: at, activeAt: at })
  await ownerRegistered.ask(tx, { ownerId: added.id, phone, nickname, at })
  return added
}
const byPhone = async (tx: Tx, phone: string): Promise<AccountRow | undefined> => {
  const [known] = await run<{ id: string }>(
    tx,
    {
      sql: `select id from owner.account where enterprise_id = scope_enterprise() and phone = $1 and status in (${OwnerStatus.normal}, ${OwnerStatus.locked})`,
    },
    [phone],
  )
  return known && lockRow(tx, accounts, known)
}
