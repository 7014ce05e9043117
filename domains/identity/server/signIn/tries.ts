import { setTimeout as pause } from 'node:timers/promises'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { TooMany } from '../../../../platform/server/refusal.ts'
import { secretHash } from './sessions.ts'

/** Tries of a name are counted over this long. */
export const WINDOW = '15 min'
/** Wrong tries of a name within the window, whether it exists or not, before answers begin to wait. Real names are locked long before. */
const NAME_TRIES = 10
/** Wrong tries from one address, for whatever names: an office behind one address stays below the first; beyond it each answer waits, beyond the second none comes. */
const ADDRESS_SLOW = 300
const ADDRESS_SLOW_MS = 250
export const ADDRESS_TRIES = 2_000
export const ADDRESS_WINDOW = '5 min'
/** Beyond NAME_TRIES each answer waits longer, up to this. */
const DELAY_MAX_MS = 1_000

/** The keys that a sign-in is counted under: the name that was typed, and where it came from. */
export interface Tried {
  name: Buffer
  address: Buffer
}
export const triedBy = (username: string, ip: string): Tried => ({
  name: secretHash(`name ${username.toLowerCase()}`),
  address: secretHash(`address ${ip}`),
})
interface Tries {
  ofName: number
  ofAddress: number
}
export const triesOf = async (tx: Tx, { name, address }: Tried): Promise<Tries> =>
  (
    await run<Tries>(tx, { sql: 'select identity.tries_of($1, $2::interval) as of_name, identity.tries_of($3, $4::interval) as of_address' }, [
      name,
      WINDOW,
      address,
      ADDRESS_WINDOW,
    ])
  )[0]!
/** Waits the longer the more was tried. A person known in this browser does not wait for strangers' tries. @throws TooMany */
export async function slowed({ ofName, ofAddress }: Tries, known = false): Promise<void> {
  if (known) return
  if (ofAddress > ADDRESS_TRIES) throw TooMany()
  const byName = ofName > NAME_TRIES ? Math.min(DELAY_MAX_MS, 20 * 2 ** (ofName - NAME_TRIES)) : 0
  await pause(Math.max(byName, ofAddress > ADDRESS_SLOW ? ADDRESS_SLOW_MS : 0))
}

/** How many tries of something there were within the window, this one included. */
export const countTry = async (tx: Tx, what: Buffer, within: string) =>
  (await run<{ n: number }>(tx, { sql: 'select identity.count_try($1, $2::interval) as n' }, [what, within]))[0]!.n
export const countWrong = (tx: Tx, { name, address }: Tried) => Promise.all([countTry(tx, name, WINDOW), countTry(tx, address, ADDRESS_WINDOW)])
export const forgetTries = (tx: Tx, { name }: Tried) => run(tx, { sql: 'select identity.forget_tries($1)' }, [name])
