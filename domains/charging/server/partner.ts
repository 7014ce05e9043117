import type { CodeOf, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { NotFound, refusal } from '../../../platform/server/refusal.ts'
import type { Vault } from '../../../platform/server/start/vault.ts'
import type { Dialect, Secrets } from '../contract/platform.ts'

const NotConnected = refusal(
  'charging.platform-not-connected',
  41379,
  '请先填写对方地址并录入对方密钥',
  'Enter the partner’s address and secrets first',
  422,
)

export type FourSecrets = Of<typeof Secrets>

let opened: Vault | undefined
/** Said once at start. */
export const useVault = (one: Vault): void => void (opened = one)
export function vault(): Vault {
  if (!opened) throw new Error('The vault is opened when the house starts.')
  return opened
}

/** A partner as whoever speaks to it needs it. */
export interface Partner {
  platformId: string
  /** Ours, as which we speak. */
  operatorId: string
  partnerOperatorId: string
  baseUrl: string
  dialect: CodeOf<typeof Dialect>
  theirs: FourSecrets
}
/** @throws NotConnected where we do not know how to reach it */
export async function partnerOf(tx: Tx, platformId: string): Promise<Partner> {
  const [found] = await run<Kept>(tx, { sql: PARTNER }, [platformId])
  if (!found) throw NotFound()
  if (!found.baseUrl || !found.theirs) throw NotConnected()
  const { theirs, baseUrl, ...rest } = found
  return { ...rest, baseUrl, theirs: JSON.parse(vault().opened(theirs)) as FourSecrets }
}
type Kept = Omit<Partner, 'theirs' | 'baseUrl'> & { baseUrl: string | null; theirs: string | null }
const PARTNER = `select p.id as platform_id, own.operator_id, p.operator_id as partner_operator_id, p.base_url, p.dialect, p.theirs from charging.platform p
  join charging.platform own on own.enterprise_id = p.enterprise_id and own.built_in where p.enterprise_id = scope_enterprise() and p.id = $1 and not p.deleted and not p.built_in`

/** Also of those that were deleted: the books go on naming them. */
export async function platformNames(tx: Tx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const sql = 'select id::text as id, name from charging.platform where enterprise_id = scope_enterprise() and id::text = any($1)'
  return new Map((await run<{ id: string; name: string }>(tx, { sql }, [ids])).map(({ id, name }) => [id, name]))
}
