import type { Id } from '../../../platform/contract/field.ts'
import { normalizePlate } from '../../../platform/contract/plate.ts'
import { dayOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { BadInput, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { type Actor, phased, serve } from '../../../platform/server/serve.ts'
import {
  clientOf,
  countWrong,
  forgetTries,
  hashed,
  matches,
  SamePassword,
  secret,
  secretHash,
  slowed,
  triedBy,
  triesOf,
  WrongSignIn,
} from '../../identity/server/api.ts'
import { carsInside } from '../../parking/server/api.ts'
import { desk, INSIDE_MOST } from '../contract/desk.ts'
import { makeCode } from './code.ts'
import { recharge } from './deskRecharge.ts'
import { AT_MOST, endDeskSessions } from './deskSessions.ts'
import { type MerchantRow, merchantOf } from './merchant.ts'
import { couponGiven, couponsGiven, couponsToGive, couponTakenBack } from './questions.ts'
import { couponCounts, dayOfMerchant, daysOf } from './statement.ts'

const PasswordFirst = refusal('merchant.password-first', 41760, '请先修改密码', 'Change the password first', 403)
const WrongOld = refusal('merchant.wrong-old-password', 41761, '原密码不正确，请重新输入', 'The current password is wrong: enter it again', 422)

interface Facts {
  mchId: string | null
  passwordHash: string | null
  mustChange: boolean
  locked: boolean | null
}
/** The least characters of a plate to search by, as many as one reads from afar. */
const SIGNS_LEAST = 3
export const calls = serve(desk, {
  signIn: phased(
    async ({ input: { mchNo, password, ...sent }, request, read, write }) => {
      const client = clientOf(sent, request)
      const tried = triedBy(mchNo, client.ip)
      const [facts, tries] = await read((tx) => Promise.all([factsOf(tx, mchNo), triesOf(tx, tried)]))
      await slowed(tries)
      const right = await matches(password, facts.passwordHash ?? undefined)
      const token = secret()
      const isOpen = await write(async (tx) => {
        // Looked at again: of many guesses at once, those before this one have been counted meanwhile.
        const { mchId, locked } = await factsOf(tx, mchNo)
        if (right && mchId && !locked && (await openedFor(tx, mchId, token, client))) {
          await forgetTries(tx, tried)
          return true
        }
        await countWrong(tx, tried)
        if (!right) await run(tx, { sql: 'select merchant.sign_in_failed($1)' }, [locked ? null : mchId])
        return false
      })
      if (!isOpen) throw WrongSignIn()
      return { access_token: token, mustChange: facts.mustChange }
    },
    { anew: true },
  ),
  signOut: async ({ tx, actor, at }) =>
    void (await run(tx, { sql: 'update merchant.session set ended_at = $2 where enterprise_id = scope_enterprise() and id = $1' }, [
      actor.sessionId,
      at,
    ])),
  changePassword: phased(async ({ input: { oldPassword, newPassword }, actor, at, read, write }) => {
    const tried = triedBy(`desk ${actor.userId}`, '')
    const [[kept], tries] = await read((tx) => Promise.all([run<Kept>(tx, KEPT, [actor.userId]), triesOf(tx, tried)]))
    await slowed(tries)
    if (!kept) throw NotFound()
    if (!(await matches(oldPassword, kept.passwordHash))) {
      await write((tx) => countWrong(tx, tried))
      throw WrongOld()
    }
    if (oldPassword === newPassword) throw SamePassword()
    const next = await hashed(newPassword)
    await write(async (tx) => {
      await run(tx, CHANGED, [actor.userId, next])
      await endDeskSessions(tx, actor.userId, at, actor.sessionId)
    })
  }),
  async home({ tx, actor, at }) {
    const { mchNo, name, settleMode, balanceFen, quotaFen, usedFen, heldFen } = await mine(tx, actor)
    const mchId = actor.userId
    const [today, sales] = await Promise.all([couponCounts(tx, { mchId, day: dayOf(at) }), couponsToGive.ask(tx, { mchId, at })])
    return { mchNo, name, settleMode, balanceFen, quotaFen, usedFen, heldFen, today, sales: sales.flatMap(({ answer }) => answer) }
  },
  async inside({ tx, input: { ending }, actor, at }) {
    const { parkCodes } = await mine(tx, actor)
    const signs = normalizePlate(ending)
    if (signs.length < SIGNS_LEAST)
      throw BadInput({ zh: `请输入车牌末 ${SIGNS_LEAST} 位以上`, en: `enter the last ${SIGNS_LEAST} characters of the plate or more` })
    const found = await carsInside(tx, { ending: signs, parkCodes, most: INSIDE_MOST, at })
    return found.map(({ plateNo, plateColor, parkName, entryTime, dueFen }) => ({ plateNo, plateColor, parkName, entryTime, dueFen }))
  },
  recharge: phased((asked) => recharge(asked, (tx) => mine(tx, asked.actor))),
  async validate({ tx, input: { soldId, plateNo }, actor, at }) {
    const { name } = await mine(tx, actor)
    return one(await couponGiven.ask(tx, { mchId: actor.userId, soldId, plateNo: normalizePlate(plateNo), by: name, at }))
  },
  async qr({ tx, input: { soldId }, actor, at }) {
    await mine(tx, actor)
    return makeCode(tx, { mchId: actor.userId, soldId, enterprise: actor.enterprise, at })
  },
  async issued({ tx, input: { day }, actor, at }) {
    await mine(tx, actor)
    return (await couponsGiven.ask(tx, { mchId: actor.userId, day: day ?? dayOf(at) })).flatMap(({ answer }) => answer)
  },
  async withdraw({ tx, input, actor, at }) {
    await mine(tx, actor)
    return one(await couponTakenBack.ask(tx, { ...input, mchId: actor.userId, at }))
  },
  async statements({ tx, input: { before }, actor }) {
    await mine(tx, actor)
    return daysOf(tx, actor.userId, before)
  },
  async day({ tx, input: { day }, actor }) {
    await mine(tx, actor)
    return dayOfMerchant(tx, { mchId: actor.userId, day })
  },
})

const factsOf = async (tx: Tx, mchNo: string) =>
  (await run<Facts>(tx, { sql: 'select mch_id, password_hash, must_change, locked from merchant.sign_in_facts($1)' }, [mchNo]))[0]!
const openedFor = async (tx: Tx, mchId: string, token: string, { ip, browser, userSystem }: ReturnType<typeof clientOf>): Promise<boolean> =>
  (await run<{ isOpen: boolean }>(tx, OPENED, [mchId, secretHash(token), ip, browser, userSystem, AT_MOST]))[0]!.isOpen
const OPENED = { sql: 'select merchant.open_session($1, $2, $3, $4, $5, $6::interval) as is_open' }

interface Kept {
  passwordHash: string
  mustChange: boolean
}
const KEPT = { sql: 'select password_hash, must_change from merchant.merchant where enterprise_id = scope_enterprise() and id = $1' }
const CHANGED = { sql: 'update merchant.merchant set password_hash = $2, must_change = false where enterprise_id = scope_enterprise() and id = $1' }

/** The merchant who asks. A password that others know opens nothing but its own change. @throws PasswordFirst */
async function mine(tx: Tx, { userId }: Actor): Promise<MerchantRow> {
  const [found, [kept]] = await Promise.all([merchantOf(tx, userId as Id<'MerchantId'>), run<Kept>(tx, KEPT, [userId])])
  if (kept!.mustChange) throw PasswordFirst()
  return found
}
function one<T>(answers: readonly { answer: T }[]): T {
  const [first] = answers
  if (!first) throw NotFound()
  return first.answer
}
