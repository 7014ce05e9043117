import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { task } from '../../../platform/server/job/jobs.ts'
import { giveUpCalls } from './lane/callOut.ts'
import { closeTask, holdOpen, openAnotherDay } from './lane/emergency.ts'
import { expireFilings } from './place/filing.ts'
import { forgetGone, settleExits } from './lane/passing.ts'
import { warnStuck } from './report/passTime.ts'
import { debtorTask, lookTask } from './lane/paid.ts'
import { checkPresent } from './stay/presentCheck.ts'
import { SessionAbnormal, SessionStatus } from '../contract/stay.ts'

/** Scheduled work on cars and parks. Hours are UTC: 19:00 is three in the morning of the city. */
export const tasks = [
  task('parking.settle-exits', ({ tx, at }) => settleExits(tx, at), { every: '* * * * *' }),
  task('parking.forget-gone', ({ tx, at }) => forgetGone(tx, at), { every: '* * * * *' }),
  task('parking.warn-stuck', ({ tx, at }) => warnStuck(tx, at), { every: '* * * * *' }),
  task('parking.hold-open', ({ tx }) => holdOpen(tx), { every: '* * * * *' }),
  task('parking.give-up-calls', ({ tx, at }) => giveUpCalls(tx, at), { every: '* * * * *' }),
  task('parking.expire-filings', ({ tx, at }) => expireFilings(tx, at), { every: '5 16 * * *' }),
  task('parking.mark-overstays', ({ tx, at }) => markOverstays(tx, at), { every: '10 19 * * *' }),
  task('parking.check-present', ({ tx, at }) => checkPresent(tx, at), { every: '40 19 * * *' }),
  task('parking.recount', ({ tx, at }) => recount(tx, at), { every: '20 19 * * *' }),
  closeTask,
  lookTask,
  debtorTask,
]

/** Too long inside (超长在场): marked and listed, but still inside; it leaves and pays like any other. */
async function markOverstays(tx: Tx, at: Instant): Promise<void> {
  await run(
    tx,
    {
      sql: `update parking.stay s set abnormal_type = ${SessionAbnormal.overstay}, version = s.version + 1, updated_at = $1::timestamptz from parking.park p
        where s.enterprise_id = scope_enterprise() and s.status = ${SessionStatus.present} and s.third_platform is null and s.abnormal_type = ${SessionAbnormal.none} and p.enterprise_id = s.enterprise_id and p.park_code = s.park_code
          and s.seen_at < $1::timestamptz - make_interval(days => p.overstay_days)`,
    },
    [at],
  )
}

/** A person's correction of the free bays lasts until the night; a park whose barriers stand open is told so again. */
async function recount(tx: Tx, at: Instant): Promise<void> {
  await run(
    tx,
    {
      sql: 'update parking.park set remainder_offset = 0, version = version + 1, updated_at = $1 where enterprise_id = scope_enterprise() and remainder_offset <> 0',
    },
    [at],
  )
  await openAnotherDay(tx)
}
