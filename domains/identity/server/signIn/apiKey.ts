import { randomBytes } from 'node:crypto'
import type { Instant, Of } from '../../../../platform/contract/field.ts'
import { instantAt, msOf } from '../../../../platform/contract/time.ts'
import type { Tx } from '../../../../platform/server/database.ts'
import { listOver, page } from '../../../../platform/server/page.ts'
import { addRow, lockRow, rowsOver, setRow } from '../../../../platform/server/row.ts'
import { NoPermission, refusal } from '../../../../platform/server/refusal.ts'
import { type Actor, phased, serve } from '../../../../platform/server/serve.ts'
import { ApiKey, apiKey, apiKeySearch, KEY_BEGINS } from '../../contract/apiKey.ts'
import { confirmSelf } from './confirmSelf.ts'
import { refuseBeyond } from '../right/holding.ts'
import { beWary, secretHash } from './sessions.ts'
import '../tables.ts'

const NotForKeys = refusal(
  'identity.not-for-keys',
  40202,
  '密钥不能持有此权限：{capability}；请去掉该权限',
  'A key cannot hold the permission {capability}. Leave it out',
  422,
)
const TooManyKeys = refusal(
  'identity.too-many-keys',
  40203,
  '有效密钥已达 20 个，请先吊销不用的',
  'There are already 20 valid keys; revoke unused ones first',
)
const KEYS_MAX = 20
/** The length of the part by which people recognize a key: too short to guess the rest. */
const PREFIX_LENGTH = 8

const keys = listOver(ApiKey, 'identity.apiKeyOf', apiKeySearch)
const rows = rowsOver(ApiKey, 'identity.apiKey', ['personId', 'revokedAt'])

export const calls = serve(apiKey, {
  query: ({ tx, input }) => page(tx, keys, input),
  grantable: async ({ actor }) => grantableTo(actor),

  add: phased(async (context) => {
    const {
      input: { name, capabilities, days, password },
      actor,
      at,
      write,
    } = context
    if (actor.key) throw NoPermission()
    const refused = capabilities.find(givesRights)
    if (refused) throw NotForKeys({ capability: refused })
    refuseBeyond({ capabilities: actor.may }, capabilities)
    await confirmSelf(context, password)
    return write((tx) => addKey(tx, { name, capabilities, days }, actor, at))
  }),

  async revoke({ tx, input: { id }, actor, at }) {
    beWary()
    const found = await lockRow(tx, rows, { id })
    if (found.personId !== actor.userId && !actor.may.has('identity:session:end')) throw NoPermission()
    if (found.revokedAt === null) await setRow(tx, rows, found, { revokedAt: at, revokedBy: actor.userName }, at)
  },
})

async function addKey(
  tx: Tx,
  { name, capabilities, days }: Pick<Of<typeof apiKey.add.input>, 'name' | 'capabilities' | 'days'>,
  actor: Actor,
  at: Instant,
) {
  const { count } = await tx
    .selectFrom('identity.apiKey')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('personId', '=', actor.userId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', at)
    .executeTakeFirstOrThrow()
  if (count >= KEYS_MAX) throw TooManyKeys()
  const key = KEY_BEGINS + randomBytes(32).toString('base64url')
  const { id } = await addRow(tx, rows, {
    personId: actor.userId,
    name,
    prefix: key.slice(0, PREFIX_LENGTH),
    keyHash: secretHash(key),
    capabilities: [...new Set(capabilities)],
    expiresAt: instantAt(msOf(at) + days * 24 * 3_600_000),
  })
  return { id, key }
}
/** With the sessions of a person their programs' ways in end. */
export async function revokeKeys(tx: Tx, personId: string, by: Actor, at: Instant): Promise<void> {
  for (const { id } of await tx
    .selectFrom('identity.apiKey')
    .select('id')
    .where('personId', '=', personId)
    .where('revokedAt', 'is', null)
    .execute()) {
    await setRow(tx, rows, await lockRow(tx, rows, { id }), { revokedAt: at, revokedBy: by.userName }, at)
  }
}

/** A program reads people and roles if it must; it never changes who may do what. */
const givesRights = (capability: string) => capability.startsWith('identity:') && !capability.endsWith(':view')
const grantableTo = ({ may }: Actor) => [...may].filter((one) => !givesRights(one)).sort()
