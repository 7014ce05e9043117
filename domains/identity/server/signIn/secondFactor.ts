import { randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Instant } from '../../../../platform/contract/field.ts'
import { msOf } from '../../../../platform/contract/time.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { refusal, TooMany } from '../../../../platform/server/refusal.ts'
import { type Actor, phased, type PhasedContext, serve } from '../../../../platform/server/serve.ts'
import { logSignIn, SignIn } from '../../../system/server/api.ts'
import { RECOVERY_CODES, secondFactor } from '../../contract/secondFactor.ts'
import { confirmSelf } from './confirmSelf.ts'
import { clientOf, openSession, secret, WrongSignIn } from './opening.ts'
import { beWary, secretHash } from './sessions.ts'
import { countTry, WINDOW } from './tries.ts'

/** The password was right; the code is still to come. `data.challenge` goes with it. */
export const SecondFactorNeeded = refusal(
  'identity.second-factor-needed',
  40246,
  '请输入动态验证码',
  'Enter the code from your authenticator app',
  401,
)
const WrongFactor = refusal(
  'identity.wrong-factor',
  40247,
  '验证码不正确或已使用，请输入新的验证码',
  'The code is wrong or has already been used: enter the next one',
  422,
)
const InUse = refusal('identity.factor-in-use', 40248, '动态验证码已启用，请先停用', 'A second factor is already enabled; disable it first')
const NotBegun = refusal('identity.factor-not-begun', 40249, '请先获取密钥', 'Get a secret first')
const Required = refusal(
  'identity.factor-required',
  40250,
  '您的角色或企业要求动态验证码，不能停用；需要时请联系管理员',
  'Your role or enterprise requires a second factor, so it cannot be disabled: ask your administrator',
)

const ISSUER = 'Kerbline'
const PERIOD_S = 30
/** A telephone's clock may be one step off. */
const STEPS_OFF = 1
/** Wrong or right, of one person within the window: a million codes take years. */
const CODE_TRIES = 10
const CHALLENGE_LENGTH = '5 min'
const CHALLENGE_TRIES = 5

export const calls = serve(secondFactor, {
  async state({ tx, actor }) {
    const found = await factorOf(tx, actor.userId)
    const [asked] = await run<{ yes: boolean }>(tx, { sql: 'select identity.asks_second_factor($1, $2) as yes' }, [actor.enterprise, actor.userId])
    return {
      enrolled: found?.confirmedAt != null,
      enrolledAt: found?.confirmedAt ?? null,
      required: asked!.yes,
      recoveryLeft: found?.recoveryLeft ?? 0,
    }
  },

  begin: phased(async (context) => {
    const { username } = await confirmSelf(context, context.input.password)
    return context.write(async (tx) => {
      const secret = new Secret({ size: 20 }).base32
      const [begun] = await run<{ yes: boolean | null }>(tx, { sql: 'select identity.begin_second_factor($1, $2) as yes' }, [
        context.actor.userId,
        secret,
      ])
      if (!begun?.yes) throw InUse()
      return { secret, uri: totpOf(secret, username).toString() }
    })
  }),

  confirm: phased(async ({ input, actor, at, write }) => {
    const done = await write(async (tx) => {
      beWary()
      const found = await factorOf(tx, actor.userId)
      if (!found) throw NotBegun()
      if (found.confirmedAt) throw InUse()
      await countCode(tx, actor)
      return (await takeCode(tx, actor.userId, found.secret, input.code, at, true)) && { recoveryCodes: await newRecoveryCodes(tx, actor.userId) }
    })
    // Not thrown inside: the try has to stay counted.
    if (!done) throw WrongFactor()
    return done
  }),

  renewRecovery: own(async (tx, { userId }) => ({ recoveryCodes: await newRecoveryCodes(tx, userId) })),
  remove: own(async (tx, { enterprise, userId }) => {
    const [asked] = await run<{ yes: boolean }>(tx, { sql: 'select identity.asks_second_factor($1, $2) as yes' }, [enterprise, userId])
    if (asked!.yes) throw Required()
    await dropFactor(tx, userId)
  }),

  verify: phased(
    async ({ input: { challenge, code, ...sent }, at, request, write }) => {
      const client = clientOf(sent, request)
      const opened = await write(async (tx) => {
        const hash = secretHash(challenge)
        const [who] = await run<{ personId: string | null; username: string; enterpriseId: number }>(
          tx,
          { sql: 'select * from identity.try_challenge($1, $2)' },
          [hash, CHALLENGE_TRIES],
        )
        if (!who?.personId) return undefined
        const right = (await countTry(tx, triesOf(who.personId), WINDOW)) <= CODE_TRIES && (await passes(tx, who.personId, code, at))
        await logSignIn(tx, {
          enterprise: who.enterpriseId,
          personId: who.personId,
          username: who.username,
          ...client,
          outcome: right ? SignIn.right : SignIn.wrong,
        })
        if (!right) return undefined
        await run(tx, { sql: 'select identity.end_challenge($1)' }, [hash])
        return openSession(tx, who.personId, client, request)
      })
      if (!opened) throw WrongSignIn()
      return opened
    },
    { anew: true },
  ),
})

/** For the sign-in: undefined where no second factor is in use, else what the second step is asked with. */
export async function challengeFor(tx: Tx, personId: string): Promise<string | undefined> {
  const [found] = await run<{ yes: boolean }>(tx, { sql: 'select identity.has_second_factor($1) as yes' }, [personId])
  if (!found!.yes) return undefined
  const challenge = secret()
  await run(tx, { sql: 'select identity.put_challenge($1, $2, $3::interval)' }, [personId, secretHash(challenge), CHALLENGE_LENGTH])
  return challenge
}

/** The telephone is gone, and the recovery codes too: somebody else's factor is taken away. @returns whether there was one */
export async function dropFactor(tx: Tx, personId: string): Promise<boolean> {
  beWary()
  return (await run<{ yes: boolean }>(tx, { sql: 'select identity.drop_second_factor($1) as yes' }, [personId]))[0]!.yes
}

/** An act on the person's own factor, allowed once a code has shown that they have it at hand. */
function own<R>(work: (tx: Tx, actor: Actor) => Promise<R>) {
  return phased(async ({ input: { code }, actor, at, write }: PhasedContext<{ code: string }>) => {
    const done = await write(async (tx) => {
      await countCode(tx, actor)
      return (await passes(tx, actor.userId, code, at)) ? { reply: await work(tx, actor) } : undefined
    })
    if (!done) throw WrongFactor()
    return done.reply
  })
}

interface Factor {
  secret: string
  confirmedAt: Instant | null
  recoveryLeft: number
}
async function factorOf(tx: Tx, personId: string): Promise<Factor | undefined> {
  const [found] = await run<Factor>(tx, { sql: 'select * from identity.second_factor_of($1)' }, [personId])
  return found?.secret ? found : undefined
}
const triesOf = (personId: string) => secretHash(`factor ${personId}`)
async function countCode(tx: Tx, { userId }: Actor) {
  if ((await countTry(tx, triesOf(userId), WINDOW)) > CODE_TRIES) throw TooMany()
}

/** A code of the app or a recovery code; either is gone with it. */
async function passes(tx: Tx, personId: string, code: string, at: Instant): Promise<boolean> {
  const found = await factorOf(tx, personId)
  if (!found?.confirmedAt) return false
  const plain = code.replace(/[ -]/g, '')
  if (/^\d{6}$/.test(plain)) return takeCode(tx, personId, found.secret, plain, at, false)
  const [taken] = await run<{ yes: boolean | null }>(tx, { sql: 'select identity.take_recovery_code($1, $2) as yes' }, [
    personId,
    recoveryHash(plain),
  ])
  return taken?.yes === true
}

async function takeCode(tx: Tx, personId: string, kept: string, code: string, at: Instant, confirms: boolean): Promise<boolean> {
  const timestamp = msOf(at)
  const delta = totpOf(kept, '').validate({ token: code.replace(/ /g, ''), timestamp, window: STEPS_OFF })
  if (delta === null) return false
  const step = Math.floor(timestamp / 1000 / PERIOD_S) + delta
  const [taken] = await run<{ yes: boolean | null }>(tx, { sql: 'select identity.take_step($1, $2, $3) as yes' }, [personId, step, confirms])
  return taken?.yes === true
}
const totpOf = (kept: string, label: string) => new TOTP({ issuer: ISSUER, label, period: PERIOD_S, digits: 6, secret: Secret.fromBase32(kept) })

/** No character that looks like another. 31 to the tenth are more than anybody guesses in ten tries a quarter of an hour. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const recoveryHash = (code: string) => secretHash(`recovery ${code.toLowerCase()}`)
async function newRecoveryCodes(tx: Tx, personId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => Array.from({ length: 10 }, () => LETTERS[randomInt(LETTERS.length)]).join(''))
  await run(tx, { sql: 'select identity.put_recovery_codes($1, $2::bytea[])' }, [personId, codes.map(recoveryHash)])
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`)
}
