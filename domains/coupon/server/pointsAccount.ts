import type { Of } from '../../../platform/contract/field.ts'
import { plainPhone } from '../../../platform/contract/sought.ts'
import { instantAt, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { page } from '../../../platform/server/page.ts'
import { addJob, task } from '../../../platform/server/job/jobs.ts'
import { phoneTyped } from '../../../platform/server/text/phone.ts'
import { addRow, lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { ordinaryPlate, parkOf } from '../../parking/server/api.ts'
import { pointsAccount, pointsDetail, type PointsPark, type PointsSum } from '../contract/pointsAccount.ts'
import { accounts, details, expireBatches } from './pointsBook.ts'
import { grant } from './pointsGrant.ts'
import { payWhole } from './pointsPaying.ts'

export const calls = [
  ...serve(pointsAccount, {
    pageQuery: ({ tx, input }) => page(tx, accounts, input.phone === undefined ? input : { ...input, phone: plainPhone(input.phone) }),
    statistics: async ({ tx }) => (await run<Of<typeof PointsSum>>(tx, SUM, []))[0]!,
    chargingParkCode: ({ tx }) => parksOf(tx),
    async setParks({ tx, input: { parks } }) {
      for (const { parkCode } of parks) await parkOf(tx, parkCode)
      for (const { parkCode, earn: earns, spend: spends, capPermille } of parks) await run(tx, SET_PARK, [parkCode, earns, spends, capPermille])
      return parksOf(tx)
    },
    async open({ tx, input: { phone: number, name, plates: typed }, at }) {
      // A driver has the account of their own number, which has no gaps in it.
      const phone = phoneTyped(number)
      const plates = [...new Set(typed.map(ordinaryPlate))]
      const [there] = await run<{ id: string }>(
        tx,
        { sql: 'select id from coupon.points_account where enterprise_id = scope_enterprise() and phone = $1 and merged_into is null' },
        [phone],
      )
      return there ? setRow(tx, accounts, await lockRow(tx, accounts, there), { name, plates }, at) : addRow(tx, accounts, { phone, name, plates })
    },
    grant: ({ tx, input, actor, at }) => grant(tx, input, actor, at),
    offset: ({ tx, input, actor, at }) => payWhole(tx, { ...input, actor, at }),
  }),
  ...serve(pointsDetail, { pageQuery: ({ tx, input }) => page(tx, details, input) }),
]
const SUM = {
  sql: `select count(*) filter (where merged_into is null)::int as accounts, coalesce(sum(total_earned), 0)::bigint as earned, coalesce(sum(total_spent), 0)::bigint as spent, coalesce(sum(total_expired), 0)::bigint as expired,
    coalesce(sum(total_clawed), 0)::bigint as clawed, coalesce(sum(balance), 0)::bigint as balance, coalesce(sum(debt), 0)::bigint as debt from coupon.points_account where enterprise_id = scope_enterprise()`,
}
const parksOf = (tx: Tx) => run<Of<typeof PointsPark>>(tx, PARKS, [])
const PARKS = {
  sql: `select p.park_code, k.name as park_name, p.earn, p.spend, p.cap_permille from coupon.points_park p
    join parking.park k on k.enterprise_id = p.enterprise_id and k.park_code = p.park_code where p.enterprise_id = scope_enterprise() order by p.park_code limit 2000`,
}
const SET_PARK = {
  sql: `insert into coupon.points_park (park_code, earn, spend, cap_permille) values ($1, $2, $3, $4)
    on conflict (enterprise_id, park_code) do update set earn = excluded.earn, spend = excluded.spend, cap_permille = excluded.cap_permille`,
}
/** Points past their day buy nothing, so their lines are in no hurry: a rest after each step leaves the machine to the lanes. A million batches take little more than an hour. */
const REST_MS = 1_000
export const expirePoints = task(
  'coupon.expire-points',
  async ({ tx, at }) => {
    if (await expireBatches(tx, at)) await addJob(tx, expirePoints, {}, { key: 'coupon.expire-points', runAt: instantAt(msOf(at) + REST_MS) })
  },
  { every: '11 16 * * *' },
)
