import type { Instant } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import type { RequestFacts } from '../../../../platform/server/serve.ts'
import { logSignIn, SignIn } from '../../../system/server/api.ts'
import { type Client, openSession } from './opening.ts'
import { challengeFor } from './secondFactor.ts'
import { tellLocked } from '../tell.ts'
import { countWrong, forgetTries, type Tried } from './tries.ts'

export interface Facts {
  enterpriseId: number | null
  personId: string | null
  passwordHash: string | null
  locked: boolean | null
  known: boolean | null
}
/** Returns the facts that a sign-in needs about a username, as the browser that asks sees it; all null where nobody has it. */
export const factsOf = async (tx: Tx, username: string | null, { device }: Client): Promise<Facts> =>
  (await run<Facts>(tx, { sql: 'select * from identity.sign_in_facts($1, $2)' }, [username, device]))[0]!

interface Attempt {
  /** Whether the password was right, by our hash or by the directory. */
  right: boolean
  /** Whose account that is; null: nobody's. */
  whose: string | null
  /** As it was typed. */
  username: string
  client: Client
  tried: Tried
  at: Instant
  request: RequestFacts
}
/** Decides after a password: a session, the question for a code, or a refusal, which is counted. */
export async function settleSignIn(tx: Tx, { right, whose, username, client, tried, at, request }: Attempt) {
  // Looked at again: of a hundred guesses at once, those before this one have been counted meanwhile.
  const { locked, enterpriseId, personId } = await factsOf(tx, whose, client)
  const log = (outcome: number) => logSignIn(tx, { enterprise: enterpriseId, personId, username, ...client, outcome })
  if (right && !locked && personId) {
    await forgetTries(tx, tried)
    const challenge = await challengeFor(tx, personId)
    if (challenge) return { challenge }
    await log(SignIn.right)
    return openSession(tx, personId, client, request)
  }
  await countWrong(tx, tried)
  await run(tx, { sql: 'select identity.sign_in_failed($1, $2)' }, [locked ? null : personId, client.device])
  await log(locked ? SignIn.locked : SignIn.wrong)
  // Asked of every name, so that the answer of a real one takes no longer.
  const after = await factsOf(tx, whose, client)
  if (after.locked && !locked) await tellLocked(tx, { personId: personId!, enterprise: enterpriseId!, at, ip: client.ip })
  return undefined
}
