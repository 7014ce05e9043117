import type { Of } from '../../../platform/contract/field.ts'
import { DAY_MS, instantAt, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { task } from '../../../platform/server/job/jobs.ts'
import { page } from '../../../platform/server/page.ts'
import { BadInput, IllegalMove, type Refusal, refusal } from '../../../platform/server/refusal.ts'
import { phoneTyped } from '../../../platform/server/text/phone.ts'
import { lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { normalizePlate } from '../../../platform/contract/plate.ts'
import { account, type Owner, type OwnerInfo, OwnerStatus, StatisticsUnit } from '../contract/account.ts'
import { forgetOwner, owedBy, rowsOfOwner } from '../../charging/server/api.ts'
import { OrderStatus } from '../../settlement/contract/order.ts'
import { AgreementState } from '../contract/agreement.ts'
import { VerifyState } from '../contract/car.ts'
import { isCharging } from './charging.ts'
import { mergeInto } from './merge.ts'
import { accounts, ownerOf, owners, register } from './owner.ts'
import { holdings, keptOfOwner, ownerErased } from './questions.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'

const HasMoney = refusal(
  'owner.has-money',
  41511,
  '车主还有储值余额或进行中的退款，请先退款',
  'The owner still has stored value or a refund under way: refund it first',
)
const Charging = refusal(
  'owner.is-charging',
  41519,
  '有进行中的充电占用储值，结束后再注销',
  'A running charging session holds stored value: delete the account when it ends',
)
const Owes = refusal(
  'owner.owes',
  41512,
  '车主的车辆还有未缴费用，缴清后再注销',
  'The owner’s cars still have unpaid fees: settle them before deleting the account',
)
/** From asking to be erased until it is done. */
const ERASE_DAYS = 7
const SERIES_DAYS_MAX = 366

export const calls = serve(account, {
  async info({ tx, input: { plateNo, ...input } }) {
    const wanted = plateNo === undefined ? input : { ...input, ownerId: await ownersOf(tx, plateNo) }
    const found = await page(tx, owners, wanted)
    return { ...found, records: await withHoldings(tx, found.records) }
  },
  userStatistics: ({ tx, input }) => series(tx, input),
  async statistics({ tx, at }) {
    const [now] = await run<Of<typeof account.statistics.reply>>(tx, { sql: NOW }, [at])
    return now!
  },
  async register({ tx, input, at }) {
    const { id } = await register(tx, { ...input, phone: phoneTyped(input.phone), at })
    return ownerOf(tx, id)
  },
  async lock({ tx, input, at }) {
    const found = await lockRow(tx, accounts, { id: input.ownerId, version: input.version })
    if (found.status > OwnerStatus.locked) throw IllegalMove({ status: found.status })
    await setRow(
      tx,
      accounts,
      found,
      { status: input.locked ? OwnerStatus.locked : OwnerStatus.normal, lockReason: input.locked ? input.reason : null },
      at,
    )
    return ownerOf(tx, found.id)
  },
  merge: ({ tx, input, actor, at }) => mergeInto(tx, { ...input, dryRun: input.dryRun ?? false }, actor, at),
  export: ({ tx, input }) => allOf(tx, input.ownerId),
  async erase({ tx, input, at }) {
    const found = await lockRow(tx, accounts, { id: input.ownerId, version: input.version })
    if (found.status > OwnerStatus.locked) throw IllegalMove({ status: found.status })
    const why = input.cancel ? undefined : await whyNotGone(tx, found.id)
    if (why) throw why
    await setRow(tx, accounts, found, { eraseAt: input.cancel ? null : instantAt(msOf(at) + ERASE_DAYS * DAY_MS) }, at)
  },
})

/** The most owners of like plates that are searched for; more is no search. */
const LIKE_MAX = 200
async function ownersOf(tx: Tx, plateNo: string): Promise<string[]> {
  const found = await run<{ ownerId: string }>(tx, { sql: LIKE }, [normalizePlate(plateNo)])
  return found.length > 0 ? found.map(({ ownerId }) => ownerId) : [NOBODY]
}
const LIKE = `select distinct owner_id from owner.car where enterprise_id = scope_enterprise() and strpos(plate_no, $1) > 0 and verify_state <> ${VerifyState.unbound} limit ${LIKE_MAX}`
const NOBODY = '00000000-0000-0000-0000-000000000000'

async function withHoldings(tx: Tx, records: Of<typeof Owner>[]): Promise<Of<typeof OwnerInfo>[]> {
  const answers = await holdings.ask(tx, { ownerIds: records.map(({ ownerId }) => ownerId) })
  const of = (id: string, what: 'points' | 'coupons') => {
    const told = answers
      .flatMap(({ answer }) => answer.filter(({ ownerId }) => ownerId === id))
      .map((one) => one[what])
      .filter((n) => n !== undefined)
    return told.length > 0 ? told.reduce((sum, n) => sum + n, 0) : null
  }
  return records.map((one) => ({ ...one, points: of(one.ownerId, 'points'), coupons: of(one.ownerId, 'coupons') }))
}

/** New and active owners and bound cars by day or month of the city. */
async function series(
  tx: Tx,
  { dateFrom, dateTo, unit = StatisticsUnit.day }: Of<typeof account.userStatistics.input>,
): Promise<Of<typeof account.userStatistics.reply>> {
  const days = (Date.parse(dateTo) - Date.parse(dateFrom)) / DAY_MS
  if (days < 0 || days > SERIES_DAYS_MAX)
    throw BadInput({ zh: `日期范围应在 0 到 ${SERIES_DAYS_MAX} 天之间`, en: `a range takes 0 to ${SERIES_DAYS_MAX} days` })
  return run(tx, { sql: SERIES }, [dateFrom, dateTo, unit === StatisticsUnit.day ? 'day' : 'month'])
}
const CITY = `at time zone 'Asia/Shanghai'`
const SERIES = `select greatest(s.day::date, $1::date) as day, (select count(*) from owner.account where enterprise_id = scope_enterprise() and registered_at >= s.day ${CITY} and registered_at < (s.day + s.step) ${CITY})::integer as added,
    (select count(distinct owner_id) from owner.movement where enterprise_id = scope_enterprise() and at >= s.day ${CITY} and at < (s.day + s.step) ${CITY})::integer as active,
    (select count(*) from owner.car where enterprise_id = scope_enterprise() and bind_at >= s.day ${CITY} and bind_at < (s.day + s.step) ${CITY})::integer as bound
  from (select d as day, ('1 ' || $3)::interval as step from generate_series(date_trunc($3, $1::date::timestamp), $2::date::timestamp, ('1 ' || $3)::interval) d) s order by 1`
const NOW = `select count(*)::integer as owners, count(*) filter (where registered_at >= date_trunc('day', $1::timestamptz ${CITY}) ${CITY})::integer as added_today, count(*) filter (where status = ${OwnerStatus.locked})::integer as locked,
    coalesce(sum(cars), 0)::integer as cars, coalesce(sum(verified), 0)::integer as verified, coalesce(sum(stored_fen), 0)::bigint as stored_fen,
    (select count(*) from owner.car where enterprise_id = scope_enterprise() and verify_state in (${VerifyState.waiting}, ${VerifyState.appealed}))::integer as waiting,
    (select count(*) from owner.car c where c.enterprise_id = scope_enterprise() and (c.auto_debit or exists (select from owner.agreement g where g.enterprise_id = c.enterprise_id and g.car_id = c.id and g.state = ${AgreementState.signed})))::integer as auto_debit
  from owner.profile where enterprise_id = scope_enterprise() and status in (${OwnerStatus.normal}, ${OwnerStatus.locked})`

async function allOf(tx: Tx, ownerId: string) {
  const rows = async (sql: string) => (await run<{ row: unknown }>(tx, { sql }, [ownerId])).map(({ row }) => row)
  const others = (await keptOfOwner.ask(tx, { ownerId })).flatMap(({ answer }) => answer.rows)
  return {
    owner: await ownerOf(tx, ownerId),
    cars: await rows(ALL_CARS),
    movements: await rows(ALL_MOVEMENTS),
    refunds: await rows(ALL_REFUNDS),
    others: [...others, ...(await rowsOfOwner(tx, ownerId))],
  }
}
const EXPORT_MAX = 50_000
const OF_OWNER = `where enterprise_id = scope_enterprise() and owner_id = $1 limit ${EXPORT_MAX}`
const ALL_CARS = `select to_jsonb(t) - 'enterprise_id' as row from owner.car t ${OF_OWNER}`
const ALL_MOVEMENTS = `select to_jsonb(t) - 'enterprise_id' as row from owner.movement t ${OF_OWNER}`
const ALL_REFUNDS = `select to_jsonb(t) - 'enterprise_id' as row from owner.refund t ${OF_OWNER}`

/** Returns why an owner cannot be erased: they have money here, or owe some. */
async function whyNotGone(tx: Tx, id: string): Promise<Refusal | undefined> {
  if (await isCharging(tx, [id])) return Charging()
  if ((await run(tx, { sql: MONEY }, [id])).length > 0) return HasMoney()
  if ((await run(tx, { sql: DEBT }, [id])).length > 0) return Owes()
  if ((await owedBy(tx, { ownerId: id })) > 0) return Owes()
  return (await keptOfOwner.ask(tx, { ownerId: id })).map(({ answer }) => answer.why).find((why) => why !== undefined)
}
const MONEY = 'select 1 from owner.purse where enterprise_id = scope_enterprise() and owner_id = $1 and principal_fen + bonus_fen > 0 limit 1'
const DEBT = `select 1 from owner.car c join settlement.order o on o.enterprise_id = c.enterprise_id and o.plate_no = c.plate_no and o.plate_color = c.plate_color and o.status in (${OrderStatus.unpaid}, ${OrderStatus.paying}, ${OrderStatus.arrears})
  where c.enterprise_id = scope_enterprise() and c.owner_id = $1 and c.verify_state = ${VerifyState.verified} limit 1`

const CARDS_GONE = `update owner.card set holder = '${Said.erased}', phone = $2, remark = null, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and owner_id = $1`
/** Erases accounts seven days after the request, if they have nothing here any more: a pseudonym takes their place, their payments stay in the books. */
export const erase = task(
  'owner.erase',
  async ({ tx, at }) => {
    const due = await run<{ id: string }>(
      tx,
      { sql: 'select id from owner.account where enterprise_id = scope_enterprise() and erase_at <= $1 limit 200' },
      [at],
    )
    for (const { id } of due) {
      const held = await lockRow(tx, accounts, { id })
      if (await whyNotGone(tx, id)) {
        await setRow(tx, accounts, held, { eraseAt: null }, at)
        continue
      }
      await ownerErased.ask(tx, { ownerId: id, at })
      await setRow(
        tx,
        accounts,
        held,
        { status: OwnerStatus.erased, phone: `000${id.slice(-8)}`, nickname: Said.erased, lockReason: null, eraseAt: null },
        at,
      )
      await run(
        tx,
        {
          sql: `update owner.car set verify_state = ${VerifyState.unbound}, slot = null, auto_debit = false, images = null, appeal_images = null, remark = null, unbound_at = $2, unbind_reason = '${Said.gone}', version = version + 1, updated_at = $2
        where enterprise_id = scope_enterprise() and owner_id = $1`,
        },
        [id, at],
      )
      await run(tx, { sql: CARDS_GONE }, [id, `000${id.slice(-8)}`, at])
      await forgetOwner(tx, { ownerId: id, at })
    }
  },
  { every: '17 * * * *' },
)
