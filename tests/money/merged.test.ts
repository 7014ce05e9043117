import { afterAll, beforeAll, expect, test } from 'vitest'
import { askStart, startAnswered } from '../../domains/charging/server/api.ts'
import { StartMode } from '../../domains/charging/contract/session.ts'
import { aYard, now, type Yard } from '../../domains/charging/server/testing.ts'
import { Said } from '../../domains/member/contract/said.ts'
import { openSession } from '../../domains/owner/server/api.ts'
import { aGarage, type Garage } from '../../domains/owner/server/testing.ts'

let yard: Yard
let garage: Garage
beforeAll(async () => {
  yard = await aYard()
  garage = await aGarage(yard)
})
afterAll(() => yard.close())

/** Columns that name a row's owner, by an owner's id or telephone, by their points account or by the customer that has their telephone. */
const NAMED = '(^|_)(owner_id|phone|account_id|member_id|user_key|driver_id)$'
/** Fields with such a name that do not follow, and why. */
const STAYS: Record<string, string> = {
  'identity.enterprise.phone': 'a company’s',
  'identity.person.phone': 'a colleague’s',
  'parking.park.phone': 'a park’s',
  'charging.station.equipment_owner_id': 'a company’s',
  'settlement.payment.owner_id': 'the colleague who looks into it',
  'settlement.check_detail.owner_id': 'the colleague who looks into it',
  'merchant.merchant.phone': 'a shop’s, which signs in by it',
  'fleet.driver.phone': 'an employee’s',
  'fleet.allocation.driver_id': 'an employee’s',
  'fleet.violation.driver_id': 'an employee’s',
  'staff.collector.phone': 'an employee’s',
  'after_sale.suggestion.phone': 'whom a closed conversation was with',
  'owner.account.phone': 'the account that is gone keeps it, and so its story',
  'owner.purse.owner_id': 'the empty purse stays with it for the books; the purse of a card follows',
  'owner.door_code.phone': 'good for minutes',
  'owner.session.owner_id': 'signed in no more',
  'coupon.points_account_detail.phone': 'what it was when the points moved',
  'coupon.points_account_detail.account_id': 'movements stay with the empty account that they explain',
}
const HOUSES = `('identity', 'settlement', 'parking', 'charging', 'owner', 'merchant', 'coupon', 'member', 'share', 'after_sale', 'fleet', 'rent', 'staff', 'arrears', 'roadside')`

interface Column {
  schema: string
  name: string
  column: string
}
const columns = () =>
  yard.sql<Column>(
    `select c.table_schema as schema, c.table_name as name, c.column_name as "column" from information_schema.columns c
      join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
      where c.table_schema in ${HOUSES} and c.column_name ~ $1 and c.table_name not like '%\\_p20%' order by 1, 2, 3`,
    [NAMED],
  )
/** In which columns something is of one of these. */
async function holding(whose: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const { schema, name, column } of await columns()) {
    const [any] = await yard.sql(`select from ${schema}.${name} where ${column}::text = any($1::text[]) limit 1`, [whose])
    if (any) found.push(`${schema}.${name}.${column}`)
  }
  return found
}

interface Driver {
  ownerId: string
  phone: string
}
/** A row of everything that is kept of a driver. */
async function fill({ ownerId, phone }: Driver, plateNo: string) {
  const one = async (sql: string, values: readonly unknown[]) => (await yard.sql<{ id: string }>(`${sql} returning id`, values))[0]!.id
  await garage.recharge(ownerId, 5_000)
  const cardPurse = await one('insert into owner.purse (kind, owner_id) values (2, $1)', [ownerId])
  await one(`insert into owner.card (purse_id, owner_id, holder, phone) values ($1, $2, '车主', $3)`, [cardPurse, ownerId, phone])
  await one(
    `insert into owner.refund (refund_no, purse_id, owner_id, amount_fen, clawback_fen, shortfall_fen, reason, state, applicant_id, applicant_name, applied_at)
      values ($1, $2, $3, 100, 0, 0, '多充', 5, uuidv7(), '柜台', now())`,
    [`RF-${phone}`, cardPurse, ownerId],
  )
  await charges(ownerId, phone, plateNo, one)
  const { data: points } = await garage.business('/pointsAccount/open', { phone, name: '车主', plates: [] })
  await garage.business('/pointsAccount/grant', { accountId: points.id, points: 300, reason: '活动' })
  await yard.sql(
    `insert into coupon.points_taken (account_id, biz_no, batch_id, points) select account_id, 'X', id, 1 from coupon.points_batch where account_id = $1`,
    [points.id],
  )
  await one(
    `insert into coupon.points_grant (account_id, points, reason, applicant_id, applicant_name, applied_at) values ($1, 20000, '活动', uuidv7(), '柜台', now())`,
    [points.id],
  )
  const goodId = await one(`insert into coupon.points_goods (name, points_price) values ('雨伞', 100)`, [])
  await one(
    `insert into coupon.points_order (order_no, account_id, phone, good_id, good_name, qty, points, operator_name, at) values ($1, $2, $3, $4, '雨伞', 1, 100, '柜台', now())`,
    [`JF-${phone}`, points.id, phone, goodId],
  )
  const customerId = await one(`insert into member.customer (name, phone) values ('车主', $1)`, [phone])
  const passId = await one(
    `insert into member.pass (member_id, park_code, park_codes, start_at, end_at, anchor_day) values ($1, 'P001', '{P001}', now() - interval '1 day', now() + interval '30 days', 1)`,
    [customerId],
  )
  await one('insert into member.car (member_id, plate_no) values ($1, $2)', [customerId, plateNo])
  await one(
    `insert into member.period (pass_id, member_id, park_code, kind, start_at, sold_from, end_at, days, state, at) values ($1, $2, 'P001', 1, now(), now(), now() + interval '30 days', 30, 1, now())`,
    [passId, customerId],
  )
  await one(
    `insert into member.list (list_type, plate_no, start_at, end_at, reason_type, white_kind, holder, phone) values (1, $1, now(), now() + interval '1 day', 1, 1, '车主', $2)`,
    [plateNo, phone],
  )
  const offerId = await one(
    `insert into share.offer (park_code, seat_no, owner_id, owner_name, phone, windows, split_permille, status) values ('P001', $2, $1, '车主', $2, '[]', 600, 1)`,
    [ownerId, phone],
  )
  await one(
    `insert into share.booking (booking_no, kind, park_code, offer_id, owner_id, plate_no, phone, start_at, end_at, state, prepaid_fen, price_fen, grace_min, overtime_permille, cancel_free_min, hold_min, split_permille)
      values ($1, 1, 'P001', $2, $3, $4, $1, now(), now() + interval '1 hour', 3, 0, 0, 0, 1000, 0, 0, 600)`,
    [phone, offerId, ownerId, plateNo],
  )
  await one(`insert into share.ban (park_code, plate_no, phone, defaults, until) values ('P001', $1, $2, 3, now() + interval '1 day')`, [
    plateNo,
    phone,
  ])
  await one(
    `insert into share.payout (payout_no, park_code, owner_id, owner_name, amount_fen, bank, state, applicant_id, applicant_name) values ($1, 'P001', $2, '车主', 1000, '6222', 5, uuidv7(), '柜台')`,
    [`FC-${phone}`, ownerId],
  )
  return { customerId, passId, accountId: points.id as string }
}
/** A charge by stored value, a later debit for one that named no owner, a card, prices of their own and of their telephone, a use of an activity. */
async function charges(ownerId: string, phone: string, plateNo: string, one: (sql: string, values: readonly unknown[]) => Promise<string>) {
  const start = async (more: object) => {
    const { connectorId } = await yard.aGun()
    return (await yard.write((tx) => askStart(tx, { connectorId, startMode: StartMode.console, at: now(), ...more } as never))).charge.orderNo
  }
  const stored = await start({ ownerId, pays: 'stored' })
  await yard.write((tx) => startAnswered(tx, { orderNo: stored, accepted: false, at: now() }))
  const prepaid = await start({ plateNo, plateColor: 0, pays: 'prepaid', prepayFen: 2_000 })
  await one(
    `insert into charging.hold (hold_no, order_no, park_code, hold_kind, state, hold_at, payer, account_id, hold_fen, captured_fen) values ($1, $2, 'P001', 2, 2, now(), '车主', $3, 300, 300)`,
    [`HB-${phone}`, prepaid, ownerId],
  )
  await yard.aCard({ kind: 1, ownerId })
  for (const [kind, key] of [
    [1, ownerId],
    [2, phone],
  ] as const)
    await one(
      `insert into charging.strategy_user (name, user_kind, user_key, service_permille, valid_from, valid_to) values ('老客户', $1, $2, 900, now(), now() + interval '1 day')`,
      [kind, key],
    )
  await one(
    `insert into charging.roaming (order_no, start_charge_seq, platform_id, station_id, station_name, connector_id, power_kw, owner_id, payer, status, prices, hold_fen)
      values ($1, $1, (select id from charging.platform where built_in and enterprise_id = 1), 'S', '站', $1, 60, $2, '车主', 5, '[]', 1)`,
    [`RO-${phone}`, ownerId],
  )
  const activityId = await one(
    `insert into charging.activity (name, kind, value, start_at, end_at) values ('首充', 1, 900, now(), now() + interval '1 day')`,
    [],
  )
  await one(
    `insert into charging.activity_use (activity_id, order_no, user_key, day, discount_fen, at) values ($1, $2, $3, current_date, 1, now())`,
    [activityId, stored, ownerId],
  )
}
const merge = (keepId: string, goneId: string, more: object = {}) => garage.custom('/owner/account/merge', { keepId, goneId, ...more })

test('every column that names an owner by id or telephone follows when two become one, or stays for a reason', async () => {
  const [keep, gone] = [await garage.anOwner(), await garage.anOwner()]
  const { plateNo } = await garage.aCar(gone.ownerId)
  const { customerId, passId, accountId } = await fill(gone, plateNo)
  await yard.sql(
    `insert into rent.bidder (user_type, name, cert_no, phone, images, owner_id, applicant_name) values (1, '车主', '420606199001018888', $1, 'x', $2, '柜台')`,
    [gone.phone, gone.ownerId],
  )
  const whose = [gone.ownerId, gone.phone]
  const must = (await columns()).map(({ schema, name, column }) => `${schema}.${name}.${column}`).filter((one) => !(one in STAYS))
  // Nothing that must follow is left out of what is tried.
  expect(must.filter((one) => !/(account_id|member_id)$/.test(one) || one === 'charging.hold.account_id')).toEqual(
    (await holding(whose)).filter((one) => !(one in STAYS)),
  )
  expect(await holding([accountId])).toEqual(expect.arrayContaining(must.filter((one) => /^coupon\..*account_id$/.test(one))))
  expect(await holding([customerId])).toEqual(must.filter((one) => one.endsWith('.member_id')))
  expect((await merge(keep.ownerId, gone.ownerId, { dryRun: true })).status).toBe(200)
  expect(await holding([keep.phone])).toEqual(['owner.account.phone'])
  expect((await merge(keep.ownerId, gone.ownerId)).data.done).toBe(true)
  expect((await holding(whose)).filter((one) => !(one in STAYS))).toEqual([])
  const token = await yard.write((tx) => openSession(tx, keep.ownerId, '127.0.0.1', now()))
  const { data } = await garage.server.ask<any>(token, 'POST', '/lbs/member/member/mine/passes', {})
  expect(data.map(({ id }: any) => id)).toEqual([passId])
})

test('who has both a customer and points has one of each afterwards: passes, cars and orders are with whoever remains', async () => {
  const [keep, gone] = [await garage.anOwner(), await garage.anOwner()]
  const [mine, theirs] = [await garage.aCar(keep.ownerId), await garage.aCar(gone.ownerId)]
  const [kept, left] = [await fill(keep, mine.plateNo), await fill(gone, theirs.plateNo)]
  // A car that both have on record is one.
  await yard.sql('insert into member.car (member_id, plate_no) values ($1, $2)', [kept.customerId, theirs.plateNo])
  expect((await merge(keep.ownerId, gone.ownerId)).data.done).toBe(true)
  // Of two prices for the same time whoever remains keeps theirs; the account that is empty now stays for its movements.
  const stays = ['charging.strategy_user.user_key', 'coupon.points_account.phone']
  expect((await holding([gone.ownerId, gone.phone, left.customerId, left.accountId])).filter((one) => !(one in STAYS))).toEqual(stays)
  const [customer] = await yard.sql<any>('select phone, status, remark from member.customer where id = $1', [left.customerId])
  expect(customer).toEqual({ phone: null, status: 2, remark: Said.joined({ name: '车主' }) })
  const open = await yard.sql<any>('select plate_no from member.car where member_id = $1 and closed_at is null order by plate_no', [kept.customerId])
  expect(open.map(({ plateNo }) => plateNo)).toEqual([mine.plateNo, theirs.plateNo].toSorted())
  const token = await yard.write((tx) => openSession(tx, keep.ownerId, '127.0.0.1', now()))
  const { data } = await garage.server.ask<any>(token, 'POST', '/lbs/member/member/mine/passes', {})
  expect(data.map(({ id }: any) => id).toSorted()).toEqual([kept.passId, left.passId].toSorted())
})
