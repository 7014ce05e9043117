import type { Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { NoPermission, NotFound, refusal, Stale, TooMany } from '../../../platform/server/refusal.ts'
import { phased, serve } from '../../../platform/server/serve.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { enterprise, Enterprise, enterpriseSearch, FRESH_MIN } from '../contract/enterprise.ts'
import { hashed, matches } from './password.ts'
import { countTry, endSessions, WINDOW } from './session.ts'
import { beWary, secretHash } from './sessions.ts'
import './tables.ts'

const Mismatch = refusal('identity.password-mismatch', 42202, '两次输入密码不一致!', 'The two passwords differ', 422)
const SamePassword = refusal('identity.same-password', 42203, '新密码不能与原密码相同', 'The new password must differ from the old one', 422)
const OldPasswordNeeded = refusal(
  'identity.old-password-needed',
  40311,
  '登录已超过 5 分钟，请输入原密码',
  'You signed in more than 5 minutes ago: please give the old password',
  403,
)
const OldPasswordWrong = refusal('identity.old-password-wrong', 42204, '原密码不正确', 'The old password is not right', 422)
const KeepPlatform = refusal('identity.keep-platform', 40911, '平台运营方不能停用', 'The company that runs the platform cannot be disabled')

/** Whoever sits down at somebody's open console does not get to guess the old password. */
const OLD_TRIES = 10

const enterprises = listOver(Enterprise, 'identity.enterprise', enterpriseSearch)

export const calls = serve(enterprise, {
  resetEnterprisePassword: phased(async ({ input, actor, at, read, write }) => {
    // Only one's own: others are reset by who may, with a password that the server makes (identity.person.reset-password).
    if (input.custId !== undefined && input.custId !== actor.userId) throw NoPermission()
    if (input.newPassword !== input.confirmPassword) throw Mismatch()
    const { passwordHash, startedAt } = await read((tx) => ownPassword(tx, actor))
    const fresh = msOf(at) - msOf(startedAt as never) <= FRESH_MIN * 60_000
    if (!fresh && input.oldPassword === undefined) throw OldPasswordNeeded()
    if (input.oldPassword !== undefined && (await write((tx) => countTry(tx, secretHash(`old ${actor.userId}`), WINDOW))) > OLD_TRIES) throw TooMany()
    if (input.oldPassword !== undefined && !(await matches(input.oldPassword, passwordHash))) throw OldPasswordWrong()
    if (await matches(input.newPassword, passwordHash)) throw SamePassword()
    const next = await hashed(input.newPassword)
    await write(async (tx) => {
      beWary()
      await tx
        .updateTable('identity.person')
        .set({ passwordHash: next, passwordAt: at, mustChange: false, updatedAt: at })
        .where('enterpriseId', '=', actor.enterprise)
        .where('id', '=', actor.userId)
        .execute()
      await endSessions(tx, at, 'password', { personId: actor.userId, but: actor.sessionId })
    })
  }),

  queryPage: ({ tx, input }) => page(tx, enterprises, input),
  async add({ tx, input }) {
    const last = await tx
      .selectFrom('identity.enterprise')
      .select((of) => of.fn.max('id').as('id'))
      .executeTakeFirstOrThrow()
    return tx
      .insertInto('identity.enterprise')
      .values({ parentId: null, contact: null, phone: null, address: null, ...input, id: Number(last.id ?? 0) + 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
  },
  async update({ tx, input: { id, version, ...change } }) {
    beWary()
    const found = await tx.selectFrom('identity.enterprise').select('platform').where('id', '=', id).executeTakeFirst()
    if (!found) throw NotFound()
    if (found.platform && change.status === 2) throw KeepPlatform()
    const { numUpdatedRows } = await tx
      .updateTable('identity.enterprise')
      .set((of) => ({ ...change, version: of('version', '+', 1), updatedAt: of.fn('now') as never }))
      .where('id', '=', id)
      .where('version', '=', version)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw Stale()
  },
})

async function ownPassword(tx: Tx, actor: { userId: string; enterprise: number; sessionId: string }) {
  const found = await tx
    .selectFrom('identity.person as p')
    .innerJoin('identity.session as s', (join) => join.onRef('s.enterpriseId', '=', 'p.enterpriseId').on('s.id', '=', actor.sessionId))
    .select(['p.passwordHash', 's.startedAt'])
    .where('p.enterpriseId', '=', actor.enterprise)
    .where('p.id', '=', actor.userId)
    .executeTakeFirst()
  if (!found) throw NotFound()
  return found
}
