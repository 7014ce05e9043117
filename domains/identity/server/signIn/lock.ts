import { run, type Tx } from '../../../../platform/server/database.ts'
import { refusal, SignInFirst } from '../../../../platform/server/refusal.ts'
import { type Actor, phased, serve } from '../../../../platform/server/serve.ts'
import { lock, UNLOCK_TRIES } from '../../contract/lock.ts'
import { matches } from './password.ts'
import { endSessions } from './opening.ts'
import { beWary, secretHash } from './sessions.ts'
import { countTry, WINDOW } from './tries.ts'
import '../tables.ts'

const WrongPassword = refusal('identity.unlock', 40226, '密码错误，还可尝试 {left} 次', 'Wrong password; {left:try|tries} left', 422)

export const calls = serve(lock, {
  async lock({ tx, actor, at }) {
    beWary()
    await run(tx, { sql: 'update identity.session set locked_at = $2 where enterprise_id = scope_enterprise() and id = $1 and locked_at is null' }, [
      actor.sessionId,
      at,
    ])
  },

  unlock: phased(async ({ input: { password }, actor, at, read, write }) => {
    const stored = await read((tx) => passwordOf(tx, actor))
    const right = await matches(password, stored)
    const tries = await write(async (tx) => {
      beWary()
      const before = await countTry(tx, secretHash(`unlock ${actor.sessionId}`), WINDOW)
      // Counted before it is believed: many guesses at once are as many tries.
      if (before > UNLOCK_TRIES || (!right && before === UNLOCK_TRIES)) await endSessions(tx, at, 'unlock', { id: actor.sessionId })
      else if (right) {
        await run(tx, { sql: 'update identity.session set locked_at = null where enterprise_id = scope_enterprise() and id = $1' }, [actor.sessionId])
        await run(tx, { sql: 'select identity.forget_tries($1)' }, [secretHash(`unlock ${actor.sessionId}`)])
      }
      return before
    })
    if (tries > UNLOCK_TRIES || (!right && tries === UNLOCK_TRIES)) throw SignInFirst()
    if (!right) throw WrongPassword({ left: UNLOCK_TRIES - tries })
  }),
})

const passwordOf = async (tx: Tx, { userId }: Actor) =>
  (await tx.selectFrom('identity.person').select('passwordHash').where('id', '=', userId).executeTakeFirst())?.passwordHash
