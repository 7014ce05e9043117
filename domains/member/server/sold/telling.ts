import type { Instant } from '../../../../platform/contract/field.ts'
import { cityTime, DAY_MS, dayOf, instantAt, msOf } from '../../../../platform/contract/time.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { task } from '../../../../platform/server/job/jobs.ts'
import { sendToCustomer } from '../../../message/server/api.ts'
import { PassStatus } from '../../contract/pass.ts'
import type { PassRow } from './pass.ts'

/** Messages to customers about their passes, in the company's words; without such a template none is sent. */
const ENDING = 'pass.expiring'
const APPROVED = 'pass.approved'
const REJECTED = 'pass.rejected'
/** They are reminded so many days before the last one is over: in time to pay, and once more when it is nearly too late. */
const REMINDED_DAYS = [7, 1] as const

const platesOf = ({ plates }: Pick<PassRow, 'plates'>) => plates.join('、') || '--'

/** An application was granted: it is good once it is paid. */
export const tellApproved = (tx: Tx, pass: PassRow, { payableFen, until }: { payableFen: number; until: Instant }) =>
  sendToCustomer(tx, {
    template: APPROVED,
    phone: pass.phone,
    name: pass.holder,
    vars: { plate: platesOf(pass), amount: (payableFen / 100).toFixed(2), until: cityTime(until).slice(0, 16) },
    dedupe: `pass-approved:${pass.id}`,
  })
export const tellRejected = (tx: Tx, pass: PassRow, reason: string) =>
  sendToCustomer(tx, {
    template: REJECTED,
    phone: pass.phone,
    name: pass.holder,
    vars: { plate: platesOf(pass), reason },
    dedupe: `pass-rejected:${pass.id}`,
  })

type Ending = Pick<PassRow, 'id' | 'holder' | 'phone' | 'plates' | 'endAt'>
/** Passes that end soon. One whose end has moved since is told of its new end when that comes. */
export async function remind(tx: Tx, at: Instant): Promise<void> {
  const until = instantAt(msOf(at) + REMINDED_DAYS[0] * DAY_MS)
  for (const pass of await run<Ending>(tx, { sql: SOON }, [at, until])) {
    const daysLeft = (msOf(pass.endAt) - msOf(at)) / DAY_MS
    const before = REMINDED_DAYS.findLast((days) => daysLeft <= days)!
    const last = dayOf(instantAt(msOf(pass.endAt) - 1))
    await sendToCustomer(tx, {
      template: ENDING,
      phone: pass.phone,
      name: pass.holder,
      vars: { plate: platesOf(pass), day: last },
      dedupe: `pass-expiring:${pass.id}:${last}:${before}`,
    })
  }
}
const SOON = `select id, holder, phone, plates, end_at from member.held
  where enterprise_id = scope_enterprise() and state = ${PassStatus.valid} and start_at <= $1 and end_at > $1 and end_at <= $2 and phone is not null order by end_at, id`

/** Nine in the morning of the city: nobody is woken for it. */
export const tasks = [task('member.remind', ({ tx, at }) => remind(tx, at), { every: '0 1 * * *' })]
