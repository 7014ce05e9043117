import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { digestOf, PASSWORD, startTestServer, type TestServer } from '../../../tests/support/server.ts'

/** A draft over real stays: it gives the engine's results, and publishing waits for it. */
let server: TestServer
let owner: pg.Pool
let admin: string
let operator: string
let auditor: string
let stranger: string
beforeAll(async () => {
  server = await startTestServer()
  owner = new pg.Pool({ connectionString: server.ownerUrl, max: 1 })
  ;[admin, operator, auditor, stranger] = (await Promise.all(['admin', 'operator', 'auditor', 'otheradmin'].map((name) => server.signIn(name)))) as [
    string,
    string,
    string,
    string,
  ]
  await owner.query(
    `insert into parking.park (enterprise_id, park_code, name, p_type, region_code, total_bays) values (1, 'P001', '东', 1, '420607', 50), (1, 'T001', '西', 1, '420607', 50)`,
  )
})
afterAll(async () => {
  await owner.end()
  await server.close()
})

const post = <T = any>(address: string, body: object, token = admin) => server.ask<T>(token, 'POST', `/lbs/fee${address}`, body)
const get = <T = any>(address: string, query: object, token = admin) => server.ask<T>(token, 'GET', `/lbs/fee${address}`, query)
const hourly = async (id: string, unitFen: number) => {
  const { data } = await post('/feeSegment/insert', { ruleVersionId: id, from: '00:00', to: '24:00', mode: 2 })
  await post('/feeHour/insert', { segmentId: data.id, unitMin: 60, unitFen })
}
const versionOf = async (id: string) => (await get('/feeRule/detail', { id })).data.rule.version as number
const publish = async (id: string, more: object = {}, token = admin) => post('/feeRule/publish', { id, version: await versionOf(id), ...more }, token)
const letThrough = async (id: string, reason: string, token = admin) =>
  post('/feeRule/publishOver', { id, version: await versionOf(id), reason }, token)
/** In force since long ago, by the hour. */
async function aRule(unitFen = 500) {
  const { id } = (await post('/feeRule/insert', { name: '按时', freeMin: 0 })).data
  await hourly(id, unitFen)
  expect(await publish(id, { effectiveFrom: '2026-01-01 00:00:00' })).toMatchObject({ status: 200 })
  return id as string
}
async function nextOf(id: string, unitFen: number) {
  const { id: draft } = (await post('/feeRule/revise', { id })).data
  const { records } = (await post('/feeSegment/queryPage', { ruleVersionId: draft })).data
  const hour = (await post('/feeHour/queryPage', { segmentId: records[0].id })).data.records[0]
  expect(await post('/feeHour/update', { id: hour.id, version: hour.version, unitFen })).toMatchObject({ status: 200 })
  return draft as string
}
/** Stays that have ended: minutes parked, and what was charged. */
async function stays(rule: string, rows: { parkCode?: string; minutes: number; fen: number; more?: Record<string, unknown> }[]) {
  for (const { parkCode = 'P001', minutes, fen, more = {} } of rows) {
    const row = {
      ...{
        enterprise_id: 1,
        park_code: parkCode,
        plate_no: '鄂F6S218',
        plate_color: 0,
        vehicle_class: 1,
        car_kind_in: 9,
        entry_mode: 1,
        exit_mode: 1,
        duration_min: minutes,
      },
      ...{ status: 3, pay_state: 2, receivable_fen: fen, payable_fen: fen, paid_fen: fen, settled_fen: fen, rule_version_id: rule, ...more },
    }
    const names = Object.keys(row)
    const entry = `date_trunc('minute', now()) - interval '3 days'`
    await owner.query(
      `insert into parking.stay (entry_time, exit_time, ${names.join(', ')}) values (${entry}, ${entry} + interval '${minutes} min', ${names.map((_, i) => `$${i + 1}`).join(', ')})`,
      Object.values(row),
    )
  }
}
async function rehearsed(ruleVersionId: string, more: object = {}, token = admin) {
  const { data, status } = await post('/feeRehearsal/start', { ruleVersionId, days: 30, ...more }, token)
  expect(status).toBe(200)
  return over(data.id, token)
}
const over = (id: string, token = admin) => under(id, ({ state }) => state > 2, token)
/** Waits for a condition of the rehearsal, and returns it. */
async function under(id: string, when: (one: any) => boolean | Promise<boolean>, token = admin) {
  for (let tries = 0; tries < 600; tries++) {
    const found = (await post('/feeRehearsal/queryPage', { limit: 100 }, token)).data.records.find((one: { id: string }) => one.id === id)
    if (await when(found)) return found
    await pause(50)
  }
  throw new Error('The rehearsal did not come so far.')
}
/** An hour each, by the rule. */
const manyStays = (rule: string, n: number) =>
  owner.query(
    `insert into parking.stay (entry_time, exit_time, enterprise_id, park_code, plate_no, plate_color, vehicle_class, car_kind_in, entry_mode, exit_mode, duration_min, status, pay_state, receivable_fen, payable_fen, paid_fen, settled_fen, rule_version_id)
     select now() - interval '5 days' + i * interval '1 second', now() - interval '5 days' + i * interval '1 second' + interval '1 hour', 1, 'P001', '鄂F' || lpad(i::text, 5, '0'), 0, 1, 9, 1, 1, 60, 3, 2, 500, 500, 500, 500, $1
     from generate_series(1, $2::int) i`,
    [rule, n],
  )

describe('a draft over real stays', () => {
  test('adds up what it would have changed, and shows each stay by both rules', async () => {
    const rule = await aRule(500)
    await stays(rule, [
      { minutes: 60, fen: 500 },
      { minutes: 130, fen: 1500 },
      { minutes: 30, fen: 500, parkCode: 'T001' },
      { minutes: 60, fen: 9900 }, // set by hand
      { minutes: 60, fen: 0, more: { car_kind_in: 5 } }, // no rule priced it
      { minutes: 60, fen: 500, more: { status: 9, abnormal_type: 0, remark: 'void' } },
    ])
    const draft = await nextOf(rule, 600)
    const done = await rehearsed(draft)
    expect(done).toMatchObject({
      state: 3,
      staysTotal: 4,
      staysDone: 4,
      unlikeStays: 1,
      dearerStays: 3,
      dearerFen: 500,
      cheaperStays: 0,
      cheaperFen: 0,
      beforeFen: 2500,
      afterFen: 3000,
      byPark: [
        { parkCode: 'P001', stays: 2, dearerStays: 2, beforeFen: 2000, afterFen: 2400 },
        { parkCode: 'T001', stays: 1, beforeFen: 500, afterFen: 600 },
      ],
    })
    expect(done.spread.filter(({ stays }: { stays: number }) => stays)).toEqual([{ fromFen: 0, toFen: 500, stays: 3 }])
    const { records } = (await post('/feeRehearsal/stays', { rehearsalId: done.id, orderByColumn: 'deltaFen', isAsc: false })).data
    expect(records.map(({ deltaFen }: { deltaFen: number }) => deltaFen)).toEqual([300, 100, 100])
    const both = (await get('/feeRehearsal/stay', { id: records[0].id })).data
    expect(both).toMatchObject({ before: { totalFen: 1500, ruleVersionId: rule }, after: { totalFen: 1800, ruleVersionId: draft } })
    expect(both.after.lines.reduce((sum: number, { amountFen }: { amountFen: number }) => sum + amountFen, 0)).toBe(1800)
  })

  test('asks for the terms of a stay that its times alone do not explain', async () => {
    const rule = await aRule(500)
    // Paid after an hour, left after another half: charged until it was paid.
    await stays(rule, [{ minutes: 90, fen: 500 }])
    await owner.query(
      `insert into parking.decision (enterprise_id, park_code, gate_code, direction, at, received_at, outcome, checks, stay_id, plate_no, quote)
      select 1, park_code, 'G', 2, now(), now(), 1, '[]', id, plate_no, jsonb_build_object('at', entry_time + interval '60 min', 'totalFen', 500) from parking.stay where rule_version_id = $1`,
      [rule],
    )
    expect(await rehearsed(await nextOf(rule, 700))).toMatchObject({ unlikeStays: 0, beforeFen: 500, afterFen: 700, dearerStays: 1 })
  })

  test('gives a vehicle its free minutes by the draft as often a day as the draft says, one stay after the other', async () => {
    const rule = await aRule(500)
    const at = (hour: number) => `date_trunc('day', now() - interval '3 days', 'Asia/Shanghai') + interval '${hour} hours'`
    const came = async (hour: number, minutes: number, fen: number, more: Record<string, unknown> = {}) => {
      await stays(rule, [{ minutes, fen, more: { plate_no: '鄂F6S2T1', ...more } }])
      await owner.query(
        `update parking.stay set entry_time = ${at(hour)}, exit_time = ${at(hour)} + make_interval(mins => duration_min) where id = (select max(id::text)::uuid from parking.stay where plate_no = '鄂F6S2T1')`,
      )
    }
    // By another rule and free then: that car has had its free minutes once already. Another car has not.
    await came(1, 10, 0, { rule_version_id: null, car_kind_in: 9 })
    for (const hour of [2, 4, 6, 8]) await came(hour, 20, 500)
    await stays(rule, [{ minutes: 20, fen: 500, more: { plate_no: '鄂F6S2T2' } }])
    const draft = await nextOf(rule, 500)
    expect(await post('/feeRule/update', { id: draft, version: await versionOf(draft), freeMin: 30, freeTimesPerDay: 3 })).toMatchObject({
      status: 200,
    })
    const done = await rehearsed(draft)
    expect(done).toMatchObject({ staysTotal: 5, unlikeStays: 0, cheaperStays: 3, beforeFen: 2500, afterFen: 1000 })
    const { records } = (await post('/feeRehearsal/stays', { rehearsalId: done.id, plateNo: '6S2T1', orderByColumn: 'entryTime', isAsc: true })).data
    expect(records.map(({ plateNo, deltaFen }: any) => [plateNo, deltaFen])).toEqual([
      ['鄂F6S2T1', -500],
      ['鄂F6S2T1', -500],
    ])
    expect((await post('/feeRehearsal/stays', { rehearsalId: done.id, plateNo: '鄂F6S2T2' })).data.total).toBe(1)
    const both = (await get('/feeRehearsal/stay', { id: records[1].id })).data
    expect(both).toMatchObject({ before: { totalFen: 500 }, after: { totalFen: 0 } })
  })

  test("of somebody who is limited to some parks: their stays alone, and nobody else's rehearsal", async () => {
    const rule = await aRule(500)
    await stays(rule, [
      { minutes: 60, fen: 500 },
      { minutes: 60, fen: 500, parkCode: 'T001' },
    ])
    const draft = await nextOf(rule, 600)
    const { data: role } = await server.ask(admin, 'POST', '/lbs/custom/roleNew/roleAddNew', {
      name: '一场',
      dataScope: 6,
      grants: 2,
      parks: ['T001'],
    })
    const { data: made } = await server.ask(admin, 'POST', '/lbs/custom/person/add', { username: 'onepark', name: 'onepark', roleIds: [role.id] })
    const limited = await server.signIn('onepark', made.password)
    const digest = digestOf('onepark', PASSWORD)
    await server.ask(limited, 'POST', '/lbs/custom/enterprise/resetEnterprisePassword', { newPassword: digest, confirmPassword: digest, type: '1' })
    const whole = await rehearsed(draft)
    expect(whole).toMatchObject({ staysTotal: 2, afterFen: 1200 })
    expect((await post('/feeRehearsal/queryPage', { ruleVersionId: draft }, limited)).data.records).toEqual([])
    expect((await post('/feeRehearsal/stays', { rehearsalId: whole.id }, limited)).data.records).toMatchObject([{ parkCode: 'T001' }])
    expect(await rehearsed(draft, {}, limited)).toMatchObject({ staysTotal: 1, afterFen: 600, byPark: [{ parkCode: 'T001', stays: 1 }] })
  })

  test('of a rule that was never charged: over the parks that are named', async () => {
    const rule = await aRule(500)
    await stays(rule, [{ minutes: 60, fen: 500, parkCode: 'T001' }])
    const { id } = (await post('/feeRule/insert', { name: '新', freeMin: 0 })).data
    await hourly(id, 300)
    expect(await post('/feeRehearsal/start', { ruleVersionId: id, days: 30 })).toMatchObject({ status: 422, code: 40618 })
    const done = await rehearsed(id, { parkCodes: ['T001'] })
    expect(done.cheaperStays).toBeGreaterThan(0)
    expect(done.byPark).toHaveLength(1)
  })
})

describe('publishing', () => {
  test('waits for the rehearsal of a rule that is charged, and for who may let a large change through', async () => {
    const rule = await aRule(500)
    await stays(rule, [{ minutes: 60, fen: 500 }])
    const draft = await nextOf(rule, 700)
    expect(await publish(draft)).toMatchObject({ status: 409, code: 40621 })
    await rehearsed(draft)
    expect((await get('/feeRehearsal/verdict', { ruleVersionId: draft })).data).toMatchObject({
      changePermille: 400,
      limitPercent: 20,
      over: true,
      missing: false,
    })
    expect(await publish(draft)).toMatchObject({ status: 409, code: 40622, message: expect.stringContaining('+40.0%') })
    expect(await letThrough(draft, '物价局批复')).toMatchObject({ status: 200 })
    const { rows } = await owner.query(`select override_reason, overridden_by from fee.rehearsal where rule_version_id = $1`, [draft])
    expect(rows).toEqual([{ override_reason: '物价局批复', overridden_by: '系统管理员' }])
    const { rows: kept } = await owner.query(`select reason from platform.change where entity = 'fee.rule' and row_id = $1 and reason is not null`, [
      draft,
    ])
    expect(kept).toContainEqual({ reason: '物价局批复' })
  })

  test('goes on at once within the threshold, until the draft changes again', async () => {
    const rule = await aRule(500)
    await stays(rule, [{ minutes: 60, fen: 500 }])
    const draft = await nextOf(rule, 550)
    await rehearsed(draft)
    expect(await post('/feeRule/update', { id: draft, version: await versionOf(draft), freeMin: 5 })).toMatchObject({ status: 200 })
    expect(await publish(draft)).toMatchObject({ code: 40621 })
    await rehearsed(draft)
    expect(await publish(draft)).toMatchObject({ status: 200 })
  })
  test('needs the right for a reason: who may only publish is refused', async () => {
    const rule = await aRule(500)
    await stays(rule, [{ minutes: 60, fen: 500 }])
    const draft = await nextOf(rule, 900)
    expect(await letThrough(draft, '我说行', auditor)).toMatchObject({ status: 403 })
    expect((await get('/feeRule/detail', { id: draft })).data.rule.status).toBe(0)
  })
})

describe('the job', () => {
  test('one draft is rehearsed once at a time, and a cancelled one leaves nothing', async () => {
    const rule = await aRule(500)
    await stays(rule, [{ minutes: 60, fen: 500 }])
    const draft = await nextOf(rule, 600)
    await owner.query(
      `insert into fee.rehearsal (enterprise_id, rule_version_id, days, tariff, mark, stays_from, stays_to, started_by) values (1, $1, 7, '{}', '-', now() - interval '1 day', now(), 'x')`,
      [draft],
    )
    expect(await post('/feeRehearsal/start', { ruleVersionId: draft, days: 7 })).toMatchObject({ status: 409, code: 40619 })
    const { id } = (await post('/feeRehearsal/queryPage', { ruleVersionId: draft })).data.records[0]
    expect(await post('/feeRehearsal/cancel', { id })).toMatchObject({ status: 200 })
    expect(await post('/feeRehearsal/cancel', { id })).toMatchObject({ status: 409, code: 40010 })
    expect(await rehearsed(draft)).toMatchObject({ state: 3, dearerStays: 1 })
  })
  test('stops where a person takes it back in its midst, and leaves none of its stays', async () => {
    const rule = await aRule(500)
    await manyStays(rule, 40_000)
    const draft = await nextOf(rule, 600)
    const { id } = (await post('/feeRehearsal/start', { ruleVersionId: draft, days: 30 })).data
    await under(id, ({ state, staysDone }) => state === 2 && staysDone > 0)
    expect(await post('/feeRehearsal/cancel', { id })).toMatchObject({ status: 200 })
    await under(id, async () => (await owner.query(`select 1 from graphile_worker.jobs where task_identifier = 'fee.rehearse'`)).rowCount === 0)
    const after = await under(id, () => true)
    expect(after).toMatchObject({ state: 5 })
    expect(after.staysDone).toBeLessThan(40_000)
    expect((await owner.query('select 1 from fee.rehearsed_stay where rehearsal_id = $1', [id])).rowCount).toBe(0)
    expect(await rehearsed(draft)).toMatchObject({ state: 3, dearerStays: 40_000, afterFen: 40_000 * 600 })
  }, 60_000)

  test('taken up from a process that died begins anew, once counted; one that ends every process says that it failed', async () => {
    const rule = await aRule(500)
    await stays(rule, [{ minutes: 60, fen: 500 }])
    const draft = await nextOf(rule, 600)
    const left = async (begun: number) => {
      const { id } = (await post('/feeRehearsal/start', { ruleVersionId: draft, days: 30 })).data
      await over(id)
      // As a process leaves it that dies after its first batch.
      await owner.query(`update fee.rehearsal set state = 2, finished_at = null, stays_done = 1, begun = $2 where id = $1`, [id, begun])
      await owner.query(`select platform.add_job('fee.rehearse', $1, null, null)`, [JSON.stringify({ enterprise: 1, data: { id } })])
      return over(id)
    }
    expect(await left(1)).toMatchObject({ state: 3, staysTotal: 1, staysDone: 1, dearerStays: 1, afterFen: 600 })
    expect(await left(3)).toMatchObject({ state: 4 })
    expect(await rehearsed(draft)).toMatchObject({ state: 3 })
  })

  test('that is gone without a word is said to have failed', async () => {
    const draft = await nextOf(await aRule(500), 600)
    const insert = `insert into fee.rehearsal (enterprise_id, rule_version_id, days, tariff, mark, state, stays_from, stays_to, started_by, updated_at) values (1, $1, 7, '{}', '-', 2, now() - interval '1 day', now(), 'x', now() - $2 * interval '1 minute') returning id`
    const {
      rows: [{ id }],
    } = await owner.query(insert, [draft, 9])
    const giveUp = async () => {
      await owner.query(`select platform.add_job('fee.give-up-rehearsals', $1, null, null)`, [JSON.stringify({ enterprise: 1, data: {} })])
      await under(
        id,
        async () => (await owner.query(`select 1 from graphile_worker.jobs where task_identifier = 'fee.give-up-rehearsals'`)).rowCount === 0,
      )
      return under(id, () => true)
    }
    expect(await giveUp()).toMatchObject({ state: 2 })
    await owner.query(`update fee.rehearsal set updated_at = now() - interval '11 minutes' where id = $1`, [id])
    expect(await giveUp()).toMatchObject({ state: 4 })
    expect(await post('/feeRehearsal/start', { ruleVersionId: draft, days: 7 })).toMatchObject({ status: 200 })
  })

  test('refuses what is no draft, what is broken, and strangers', async () => {
    const rule = await aRule(500)
    expect(await post('/feeRehearsal/start', { ruleVersionId: rule, days: 7 })).toMatchObject({ status: 409, code: 40616 })
    const { id } = (await post('/feeRule/insert', { name: '空', freeMin: 0 })).data
    expect(await post('/feeRehearsal/start', { ruleVersionId: id, days: 7, parkCodes: ['P001'] })).toMatchObject({ status: 422, code: 40617 })
    expect(await post('/feeRehearsal/start', { ruleVersionId: id, days: 91 })).toMatchObject({ status: 400 })
    expect(await post('/feeRehearsal/start', { ruleVersionId: rule, days: 7 }, auditor)).toMatchObject({ status: 403 })
    expect(await post('/feeRehearsal/start', { ruleVersionId: rule, days: 7 }, stranger)).toMatchObject({ status: 404 })
    expect((await post('/feeRehearsal/queryPage', {}, stranger)).data.records).toEqual([])
    expect(await post('/feeRehearsal/queryPage', {}, operator)).toMatchObject({ status: 403 })
  })
})
