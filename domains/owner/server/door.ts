import { randomBytes, randomInt } from 'node:crypto'
import type { Instant } from '../../../platform/contract/field.ts'
import { instantAt, MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { GUEST_COOKIE } from '../../../platform/server/call/cookies.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import type { House } from '../../../platform/server/domain.ts'
import { task } from '../../../platform/server/job/jobs.ts'
import { NotFound, Refusal, refusal, TooMany } from '../../../platform/server/refusal.ts'
import { setRow } from '../../../platform/server/row.ts'
import { phased, type RequestFacts, serve } from '../../../platform/server/serve.ts'
import { send, UNSENDABLE } from '../../message/server/api.ts'
import { OwnerStatus } from '../contract/account.ts'
import { CODE_AGAIN_S, CODE_MIN, door } from '../contract/door.ts'
import { codeHash, KEPT_DAYS, openSession, endSession } from './driverSession.ts'
import { accounts, Locked, register } from './owner.ts'
import { Said } from '../contract/said.ts'

const NoText = refusal(
  'owner.door-no-text',
  41570,
  '短信暂时无法发送，请稍后重试或联系停车场',
  'Text messages cannot be sent at the moment: try again later or contact the car park',
  503,
)
const WrongCode = refusal(
  'owner.door-code',
  41571,
  '验证码不正确或已失效，请核对或重新获取',
  'The code is wrong or has expired: check it or get a new one',
  422,
)
/** The message that brings a code, as the company words it. */
const TEMPLATE = 'login.code'
const CODES = 1_000_000
/** As often a code may be tried. */
const TRIES_MAX = 5

/**
 * How many codes are sent: a phone is not to be flooded by a person who types its number, nor is its holder kept out by a stranger at another address who does; a carrier's
 * town stands behind
 * one address, and a company pays for each message.
 * They are counted in the database, whichever process sends them.
 */
const MOST = { askerHour: 5, askerDay: 10, phoneHour: 15, phoneDay: 30, addressHour: 60, companyHour: 3_000 }

export const calls = serve(door, {
  code: phased(async ({ input: { enterpriseId, phone }, request, at, asSteps, house }) => {
    await doorOf(house, enterpriseId)
    const write = asSteps((work) => house.writing(enterpriseId, door.code.id, work))
    return write(async (tx) => {
      await refuseTooOften(tx, phone, request.ip, at)
      return sendCode(tx, phone, request.ip, at)
    })
  }),
  signIn: phased(
    async ({ input: { enterpriseId, phone, ...shown }, request, at, house }) => {
      await doorOf(house, enterpriseId)
      // A wrong try is counted: it is committed before it is refused.
      const opened = await house.writing(enterpriseId, door.signIn.id, async (tx) => {
        if (!(await takes(tx, phone, shown, at))) return WrongCode()
        return signIn(tx, phone, request, at)
      })
      if (opened instanceof Refusal) throw opened
      if (!request.browser) return { access_token: opened }
      request.setCookie(cookieFor(opened, request, KEPT_DAYS * DAY_S))
      return {}
    },
    { anew: true },
  ),
  async signOut({ tx, actor, request, at }) {
    await endSession(tx, actor.sessionId, at)
    request.setCookie(cookieFor('', request, 0))
  },
})
const DAY_S = 86_400
const cookieFor = (token: string, { overTls }: RequestFacts, maxAgeS: number) =>
  `${GUEST_COOKIE.driver}=${token}; Path=/lbs; HttpOnly; SameSite=Strict; Max-Age=${maxAgeS}${overTls ? '; Secure' : ''}`

/** The company whose door it is. @throws NotFound */
export async function doorOf(house: House, enterpriseId: number): Promise<string> {
  const [door] = await house.reading(enterpriseId, (tx) =>
    run<{ name: string | null }>(tx, { sql: 'select owner.door_of($1) as name' }, [enterpriseId]),
  )
  if (!door?.name) throw NotFound()
  return door.name
}

/** Two requests for one telephone, or from one address, come one after the other. @throws TooMany */
async function refuseTooOften(tx: Tx, phone: string, address: string, at: Instant): Promise<void> {
  await run(tx, { sql: IN_TURN }, [[`door address ${address}`, `door phone ${phone}`]])
  const [sent] = await run<Record<'phoneNow' | keyof typeof MOST, number>>(tx, { sql: SENT }, [phone, address, at, CODE_AGAIN_S])
  if (sent!.phoneNow > 0 || Object.entries(MOST).some(([what, most]) => sent![what as keyof typeof MOST] >= most)) throw TooMany()
}
const IN_TURN = 'select pg_advisory_xact_lock(hashtextextended(name, scope_enterprise())) from unnest($1::text[]) name'
/** A code with a later time was sent before the clock was put back: it does not block a new code. */
const SENT_LATEST = "$3::timestamptz + interval '1 minute'"
const SENT = `select p.*,
    (select count(*) from owner.door_code where enterprise_id = scope_enterprise() and address = $2 and sent_at > $3::timestamptz - interval '1 hour' and sent_at <= ${SENT_LATEST})::int as address_hour,
    (select count(*) from owner.door_code where enterprise_id = scope_enterprise() and sent_at > $3::timestamptz - interval '1 hour' and sent_at <= ${SENT_LATEST})::int as company_hour
  from (select count(*) filter (where sent_at > $3::timestamptz - $4 * interval '1 second')::int as phone_now,
      count(*) filter (where sent_at > $3::timestamptz - interval '1 hour')::int as phone_hour, count(*)::int as phone_day,
      count(*) filter (where address = $2 and sent_at > $3::timestamptz - interval '1 hour')::int as asker_hour, count(*) filter (where address = $2)::int as asker_day
    from owner.door_code where enterprise_id = scope_enterprise() and phone = $1 and sent_at > $3::timestamptz - interval '1 day' and sent_at <= ${SENT_LATEST}) p`

/** The same is done for a number that is known and for one that is not. @throws NoText */
async function sendCode(tx: Tx, phone: string, address: string, at: Instant) {
  const code = String(randomInt(CODES)).padStart(6, '0')
  const nonce = randomBytes(NONCE_BYTES).toString('base64url')
  const goodUntil = instantAt(msOf(at) + CODE_MIN * MINUTE_MS)
  await run(tx, { sql: KEEP }, [phone, codeHash(phone, code), codeHash(phone, nonce), address, at, goodUntil])
  await send(tx, { template: TEMPLATE, to: { address: phone, name: Said.driver }, vars: { code }, urgent: true }).catch((error: Error) => {
    throw error instanceof Refusal && UNSENDABLE.has(error.id) ? NoText() : error
  })
  return { nonce, goodUntil, againAt: instantAt(msOf(at) + CODE_AGAIN_S * 1000) }
}
const NONCE_BYTES = 16
const KEEP = 'insert into owner.door_code (phone, code_hash, nonce_hash, address, sent_at, expires_at) values ($1, $2, $3, $4, $5, $6)'

/** Whether it is the code that was sent when this was asked for; from then on it is used. Of two at once one gets it. A try without what came with the code is none of it. */
async function takes(tx: Tx, phone: string, { code, nonce }: { code: string; nonce: string }, at: Instant): Promise<boolean> {
  const [tried] = await run<{ right: boolean }>(tx, { sql: TRY }, [phone, codeHash(phone, code), codeHash(phone, nonce), at])
  return tried?.right ?? false
}
const TRY = `update owner.door_code set tries = tries + 1, used_at = case when code_hash = $2 then $4::timestamptz end
  where enterprise_id = scope_enterprise() and phone = $1 and nonce_hash = $3 and used_at is null and expires_at > $4 and tries < ${TRIES_MAX}
  returning used_at is not null as right`

async function signIn(tx: Tx, phone: string, { ip }: RequestFacts, at: Instant): Promise<string | Refusal> {
  const owner = await register(tx, { phone, nickname: Said.named({ digits: phone.slice(-4) }), at })
  if (owner.status !== OwnerStatus.normal) return Locked()
  await setRow(tx, accounts, owner, { activeAt: at }, at)
  return openSession(tx, owner.id, ip, at)
}

/** Codes are of no use after a day, ended sessions after a month. */
export const forget = task(
  'owner.door-forget',
  async ({ tx, at }) => {
    await run(tx, { sql: `delete from owner.door_code where enterprise_id = scope_enterprise() and sent_at < $1::timestamptz - interval '1 day'` }, [
      at,
    ])
    await run(
      tx,
      {
        sql: `delete from owner.session where enterprise_id = scope_enterprise() and coalesce(ended_at, expires_at) < $1::timestamptz - interval '30 days'`,
      },
      [at],
    )
  },
  { every: '43 * * * *' },
)
