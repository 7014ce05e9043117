import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '../../../tests/support/server.ts'
import { bindCar, register } from '../../owner/server/api.ts'
import { HAZARDS } from '../contract/figures.ts'
import { takeActivity } from './activity.ts'
import { found, watchTask } from './danger.ts'
import { blockedByFault, hearGun, report, silenceTask } from './fault.ts'
import { lowered, pricesFor } from './platformReduce.ts'
import { offersFor, startBlocked } from './said.ts'
import { anotherWho, aYard, now, type Yard } from './testing.ts'

let yard: Yard
beforeAll(async () => void (yard = await aYard()), 60_000)
afterAll(() => yard?.close())
const post = (path: string, input: object, token: string | null = yard.admin) => yard.server.ask(token, 'POST', `/lbs/charging${path}`, input)
const inTx = <T>(work: Parameters<typeof yard.server.house.writing<T>>[2]) => yard.server.house.writing(1, 'test', work)
const HOUR = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString() as never
const activity = (more: object = {}) =>
  post('/chargingActivity/add', { name: '新春', kind: 4, value: 1000, startAt: inHours(-1), endAt: inHours(24), ...more })
const charger = (more: object = {}) =>
  ({ stationId: 'ST001', startMode: 1, ownerId: 'owner-1', cardNo: null, plateNo: null, platformId: null, at: now(), ...more }) as never

describe('A promotion', () => {
  it('state.charging-activity-toggle: follows its dates, is stopped and taken up again, and is not once it is over', async () => {
    const { data: made } = await activity()
    expect(made).toMatchObject({ state: 1, usedFen: 0, stationIds: [] })
    expect((await activity({ startAt: inHours(2) })).data.state).toBe(0)
    const { data: stopped } = await post('/chargingActivity/updateState', { id: made.id, version: made.version, state: 3 })
    expect(stopped.state).toBe(3)
    expect((await post('/chargingActivity/updateState', { id: made.id, version: made.version, state: 0 })).code).toBe(409)
    expect((await post('/chargingActivity/updateState', { id: made.id, version: stopped.version, state: 0 })).data.state).toBe(1)
    await yard.sql(
      `update charging.activity set start_at = now() - interval '2 days', end_at = now() - interval '1 day', stopped = true where id = $1`,
      [made.id],
    )
    expect((await post('/chargingActivity/updateState', { id: made.id, version: stopped.version + 1, state: 0 })).code).toBe(40010)
    await yard.sql(`update charging.activity set stopped = true`)
  })
  it('refuses what makes no sense', async () => {
    expect((await activity({ endAt: inHours(-2) })).code).toBe(41370)
    expect((await activity({ kind: 1, value: 1000 })).code).toBe(41371)
    expect((await activity({ kind: 2, value: 100 })).code).toBe(41372)
    expect((await activity({ value: 0 })).code).toBe(41373)
    expect((await activity({ stationIds: ['NOWHERE'] })).code).toBe(41374)
    expect((await post('/chargingActivity/add', { name: 'x' }, yard.operator)).status).toBe(403)
  })
  it('is offered at its stations and to its ways of starting, and never to a partner', async () => {
    const { data: made } = await activity({ name: '只扫码', startModes: [1], stationIds: ['ST001'] })
    const offers = async (more: object = {}) =>
      (await inTx((tx) => offersFor.ask(tx, charger(more)))).flatMap(({ answer }) => answer).map(({ sourceId }) => sourceId)
    expect(await offers()).toContain(made.id)
    expect(await offers({ startMode: 2 })).not.toContain(made.id)
    expect(await offers({ platformId: made.id, startMode: 5 })).not.toContain(made.id)
    expect(await offers({ at: inHours(48) })).not.toContain(made.id)
  })
  it('is for each person once: not for every plate that somebody thinks of, also where it is somebody’s', async () => {
    const { data: made } = await activity({ name: '首充', kind: 3, value: 500 })
    const offers = async (plateNo: string, ownerId: string | null = null) =>
      (await inTx((tx) => offersFor.ask(tx, charger({ ownerId, plateNo })))).flatMap(({ answer }) => answer).map(({ sourceId }) => sourceId)
    expect(await offers('鄂F70001')).not.toContain(made.id)
    const ownerId = await inTx(async (tx) => {
      const { id } = await register(tx, { phone: '13600000016', nickname: '车主', at: now() })
      await bindCar(tx, { ownerId: id, plateNo: '鄂F70001', at: now() })
      return id
    })
    await yard.sql(`update owner.car set verify_state = 1 where plate_no = '鄂F70001'`)
    expect(await offers('鄂F70001')).not.toContain(made.id)
    expect(await offers('鄂F70001', ownerId)).toContain(made.id)
    expect(await offers('鄂F70002')).not.toContain(made.id)
  })
  it('gives no more than its budget, of two at once to one alone', async () => {
    const { data: made } = await activity({ name: '预算', budgetFen: 1000 })
    const take = (orderNo: string) => inTx((tx) => takeActivity(tx, { activityId: made.id, orderNo, userKey: null, discountFen: 600, at: now() }))
    const both = await Promise.all([take('CD-A'), take('CD-B')])
    expect(both.filter(Boolean)).toHaveLength(1)
    const [row] = await yard.sql<{ usedFen: number }>('select used_fen from charging.activity where id = $1', [made.id])
    expect(row!.usedFen).toBe(600)
  })
  it('is taken by a person so often and no more, also twice at once', async () => {
    const { data: made } = await activity({ name: '限次', perUserTimes: 1 })
    const take = (orderNo: string, userKey: string) =>
      inTx((tx) => takeActivity(tx, { activityId: made.id, orderNo, userKey, discountFen: 1, at: now() }))
    const both = await Promise.all([take('CD-C', 'a'), take('CD-D', 'a')])
    expect(both.filter(Boolean)).toHaveLength(1)
    expect(await take('CD-E', 'b')).toBe(true)
  })
})

const platform = async (more: object = {}) =>
  (await post('/chargingPlatform/add', { name: '汉江易充', operatorId: `MA${String(++partners).padStart(7, '0')}`, role: 1, ...more })).data
let partners = 100

describe('A partner platform', () => {
  it('stands beside our own, which stays', async () => {
    const made = await platform({ openStations: ['ST001'] })
    expect(made).toMatchObject({ hasOurs: false, hasTheirs: false, deadLetters: 0, builtIn: false })
    const { data } = await post('/chargingPlatform/getTableList', {})
    const own = data.records.find((one: { builtIn: boolean }) => one.builtIn)
    expect(own.name).toBe('本平台')
    expect((await post('/chargingPlatform/update', { id: own.id, version: own.version, status: 2 })).code).toBe(41376)
    expect((await yard.server.ask(yard.admin, 'POST', `/lbs/charging/chargingPlatform/delete?id=${own.id}&version=${own.version}`)).code).toBe(41376)
    expect((await post('/chargingPlatform/add', { name: 'x', operatorId: made.operatorId, role: 1 })).code).toBe(41375)
    expect((await post('/chargingPlatform/getList', { role: 1 })).data.map((one: { id: string }) => one.id)).toContain(made.id)
  })
  it('gets secrets that are shown once, kept encrypted, and nowhere in a log', async () => {
    const made = await platform()
    const { data: secrets } = await post('/chargingPlatform/rotateSecret', { id: made.id, version: made.version })
    expect(Object.values(secrets as Record<string, string>).every((one) => /^[0-9a-f]{16}$/.test(one))).toBe(true)
    const [kept] = await yard.sql<{ ours: string }>('select ours from charging.platform where id = $1', [made.id])
    expect(kept!.ours).not.toContain(secrets.sigSecret)
    const changes = await yard.sql<{ told: string }>(`select coalesce(after::text, '') as told from platform.change where row_id = $1`, [made.id])
    expect(changes.length).toBeGreaterThan(0)
    expect(changes.some(({ told }) => told.includes(secrets.sigSecret) || told.includes(kept!.ours))).toBe(false)
    const theirs = { operatorSecret: 'k'.repeat(16), dataSecret: 'k'.repeat(16), dataSecretIv: 'k'.repeat(16), sigSecret: 'k'.repeat(16) }
    const { data: saved } = await post('/chargingPlatform/saveSecret', { id: made.id, version: made.version + 1, ...theirs })
    expect(saved).toMatchObject({ hasOurs: true, hasTheirs: true })
    expect(JSON.stringify(saved)).not.toContain('kkkk')
    expect((await post('/chargingPlatform/saveSecret', { id: made.id, version: saved.version, ...theirs, dataSecret: 'short' })).status).toBe(400)
  })
  it('is given no secrets at an address that whoever entered them did not mean', async () => {
    const made = await platform({ baseUrl: 'https://partner.example/evcs/v1' })
    const theirs = { operatorSecret: 'k'.repeat(16), dataSecret: 'k'.repeat(16), dataSecretIv: 'k'.repeat(16), sigSecret: 'k'.repeat(16) }
    const { data: saved } = await post('/chargingPlatform/saveSecret', { id: made.id, version: made.version, ...theirs })
    const { data: same } = await post('/chargingPlatform/update', { id: made.id, version: saved.version, baseUrl: made.baseUrl, remark: '同一地址' })
    expect(same).toMatchObject({ hasTheirs: true })
    const { data: moved } = await post('/chargingPlatform/update', {
      id: made.id,
      version: same.version,
      baseUrl: 'https://elsewhere.example/evcs/v1',
    })
    expect(moved).toMatchObject({ hasTheirs: false, baseUrl: 'https://elsewhere.example/evcs/v1' })
    expect((await post('/chargingPlatform/test', { id: made.id })).code).toBe(41379)
  })
  it('asks for the password where the sign-in is old', async () => {
    const made = await platform()
    const token = await yard.server.signIn('admin')
    await yard.sql(`update identity.session set started_at = now() - interval '1 hour'`)
    expect((await post('/chargingPlatform/rotateSecret', { id: made.id, version: made.version }, token)).status).toBe(403)
    expect((await post('/chargingPlatform/rotateSecret', { id: made.id, version: made.version, password: `${PASSWORD}x` }, token)).status).toBe(422)
    const pile = { equipmentId: (await yard.aGun()).equipmentId, reason: '例行更换' }
    expect(await post('/chargingPile/rotateSecret', pile, token)).toMatchObject({ status: 403, code: 40206 })
    yard.admin = await yard.server.signIn('admin')
  })
  it('is stopped before it is deleted, and not tried without an address', async () => {
    const made = await platform()
    const remove = (version: number) => yard.server.ask(yard.admin, 'POST', `/lbs/charging/chargingPlatform/delete?id=${made.id}&version=${version}`)
    expect((await remove(made.version)).code).toBe(41378)
    expect((await post('/chargingPlatform/test', { id: made.id })).code).toBe(41379)
    const { data: stopped } = await post('/chargingPlatform/update', { id: made.id, version: made.version, status: 2 })
    expect((await remove(stopped.version)).code).toBe(200)
    const { data } = await post('/chargingPlatform/getTableList', { operatorId: made.operatorId })
    expect(data.records).toEqual([])
  })
})

describe('A discount of a platform', () => {
  const reduce = (platformId: string, more: object = {}) =>
    post('/chargingPlatformReduce/add', { platformId, reduceType: 1, name: '九折', value: 900, startAt: inHours(-1), endAt: inHours(24), ...more })
  it('rounds half up and never goes below nothing', () => {
    expect(lowered(4005, { reduceType: 1, value: 900 })).toBe(3605)
    expect(lowered(5, { reduceType: 1, value: 900 })).toBe(5)
    expect(lowered(4000, { reduceType: 2, value: 5000 })).toBe(0)
  })
  it('makes a partner’s service price what it is billed at; of two the cheaper wins', async () => {
    const { id } = await platform()
    const periods = [{ from: '00:00', to: '24:00', kind: 3, elecPriceE4: 6000, servicePriceE4: 4000 }] as never
    const price = async () => (await inTx((tx) => pricesFor(tx, { platformId: id, stationId: 'ST001', periods, at: now() })))[0]!.servicePriceE4
    expect(await price()).toBe(4000)
    await reduce(id)
    expect(await price()).toBe(3600)
    await reduce(id, { reduceType: 2, value: 1000 })
    expect(await price()).toBe(3000)
  })
  it('of our own platform is about parking; the rest is refused', async () => {
    const own = (await post('/chargingPlatform/getTableList', {})).data.records.find((one: { builtIn: boolean }) => one.builtIn)
    expect((await reduce(own.id)).code).toBe(41382)
    const { data: made } = await reduce(own.id, { reduceType: 3, value: 120, minWh: 5000 })
    expect(made.status).toBe(1)
    expect((await reduce(own.id, { reduceType: 3, value: 0 })).code).toBe(41383)
    expect((await reduce(own.id, { reduceType: 5, parkCodes: ['NONE'] })).code).toBe(41384)
    expect((await reduce((await platform()).id, { value: 1001 })).code).toBe(41381)
    const remove = (version: number) =>
      yard.server.ask(yard.admin, 'POST', `/lbs/charging/chargingPlatformReduce/delete?id=${made.id}&version=${version}`)
    expect((await remove(made.version)).code).toBe(41385)
    const { data: stopped } = await post('/chargingPlatformReduce/update', { id: made.id, version: made.version, status: 2 })
    expect((await remove(stopped.version)).code).toBe(200)
  })
})

describe('A fault', () => {
  const blocked = (connectorId: string) =>
    inTx((tx) => startBlocked.ask(tx, { stationId: 'ST001', equipmentId: 'x', connectorId, idTag: null, at: now() })).then((all) =>
      all.map(({ by }) => by),
    )
  it('told of twice is one, rises with the worse, and from level 3 on keeps the gun from starting', async () => {
    const {
      connectorIds: [gun = ''],
    } = await yard.aPile()
    const tell = (level: number) => post('/fault/insertFault', { connectorId: gun, code: 'Screen', level, source: 2, description: '黑屏' })
    const { data: first } = await tell(1)
    expect(await blocked(gun)).not.toContain('charging.fault')
    const { data: second } = await tell(3)
    expect(second).toMatchObject({ id: first.id, times: 2, level: 3, state: 0, stationId: 'ST001', parkCode: 'P001' })
    expect(await blocked(gun)).toContain('charging.fault')
    const move = (version: number, state: number) => post('/fault/updateFault', { id: first.id, version, state, note: '已换屏' })
    expect((await move(second.version, 4)).code).toBe(40010)
    const { data: over } = await move(second.version, 3)
    expect(over.endAt).not.toBeNull()
    expect(await blocked(gun)).not.toContain('charging.fault')
    expect((await tell(1)).data).toMatchObject({ id: first.id, state: 0, endAt: null })
    expect((await post('/fault/insertFault', { connectorId: gun, code: 'X', level: 1, source: 1 })).code).toBe(41386)
    expect((await post('/fault/insertFault', { connectorId: 'NONE', code: 'X', level: 1, source: 2 })).status).toBe(404)
  })
  it('is given to somebody who may handle it, who hears of it; a severe one is told to whoever runs the station', async () => {
    const {
      connectorIds: [gun = ''],
    } = await yard.aPile()
    const tell = async (level: number) => (await post('/fault/insertFault', { connectorId: gun, code: 'Screen', level, source: 2 })).data
    const toldOf = async (id: string) =>
      await yard.sql<any>(
        'select c.username, r.urgent, r.send_state from message.record r join identity.person c on c.id::text = r.cust_id::text where r.link = $1',
        [`/recharge/chargingFault/${id}`],
      )
    const made = await tell(2)
    expect(await toldOf(made.id)).toEqual([])
    const { data: people } = await yard.server.ask(yard.admin, 'GET', '/lbs/charging/fault/handlers', { parkCode: 'P001' })
    const [admin] = await yard.sql<any>(`select id, name from identity.person where username = 'admin' and enterprise_id = 1`)
    expect(people).toContainEqual({ id: admin.id, name: admin.name })
    const [auditor] = await yard.sql<any>(`select id from identity.person where username = 'auditor' and enterprise_id = 1`)
    const send = (version: number, more: object) => post('/fault/updateFault', { id: made.id, version, state: 1, ...more })
    expect((await send(made.version, {})).code).toBe(41327)
    expect((await send(made.version, { handlerId: auditor.id })).code).toBe(41319)
    const { data: sent } = await send(made.version, { handlerId: admin.id })
    expect(sent).toMatchObject({ state: 1, handler: admin.name, handlerId: admin.id })
    // Who gives it to themselves is not told.
    expect(await toldOf(made.id)).toEqual([])
    expect((await tell(3)).id).toBe(made.id)
    const told = await toldOf(made.id)
    expect(told).toContainEqual({ username: 'admin', urgent: true, sendState: expect.any(Number) })
    expect(told).toHaveLength(people.length)
    await tell(3)
    expect(await toldOf(made.id)).toHaveLength(people.length)
    const { data: now } = await yard.server.ask(yard.admin, 'GET', '/lbs/charging/fault/queryFaultDetail', { id: made.id })
    // Whoever had it has left since: what a form sends back as it stood does not keep it open.
    await yard.sql('update charging.fault set handler_id = $2 where id = $1', [made.id, auditor.id])
    expect((await post('/fault/updateFault', { id: made.id, version: now.version, state: 3, handlerId: auditor.id })).code).toBe(200)
  })
  it('tells whoever it is given to, once, and whoever gave it nothing', async () => {
    const {
      connectorIds: [gun = ''],
    } = await yard.aPile()
    await yard.sql(`update identity.person_role set role_id = (select role_id from identity.person_role where person_id = (select id from identity.person where username = 'admin' and enterprise_id = 1) limit 1)
      where person_id = (select id from identity.person where username = 'auditor' and enterprise_id = 1)`)
    const [auditor] = await yard.sql<any>(`select id from identity.person where username = 'auditor' and enterprise_id = 1`)
    const made = (await post('/fault/insertFault', { connectorId: gun, code: 'Screen', level: 2, source: 2 })).data
    const give = (version: number, state: number) => post('/fault/updateFault', { id: made.id, version, state, handlerId: auditor.id })
    const { data: given } = await give(made.version, 1)
    expect(given).toMatchObject({ state: 1, handlerId: auditor.id })
    const told = () =>
      yard.sql<any>('select c.username, r.title, r.urgent from message.record r join identity.person c on c.id = r.cust_id where r.link = $1', [
        `/recharge/chargingFault/${made.id}`,
      ])
    expect(await told()).toEqual([{ username: 'auditor', title: `充电故障派给您：${gun}`, urgent: false }])
    expect((await give(given.version, 2)).code).toBe(200)
    expect(await told()).toHaveLength(1)
  })
  it('told by two at once is one', async () => {
    const {
      connectorIds: [gun = ''],
    } = await yard.aPile()
    const told = { connectorId: gun, code: 'EVCommunicationError', level: 2, source: 1, at: now() } as const
    const both = await Promise.all([inTx((tx) => report(tx, told)), inTx((tx) => report(tx, told))])
    expect(both[0]!.id).toBe(both[1]!.id)
    expect(Math.max(...both.map(({ times }) => times))).toBe(2)
  })
  it('comes of a gun that says so, severe when it may hurt', async () => {
    const {
      connectorIds: [gun = ''],
    } = await yard.aPile()
    await inTx((tx) => hearGun(tx, { connectorId: gun, status: 255, raw: 'Faulted', errorCode: 'GroundFailure', at: now() }))
    const { data } = await post('/fault/queryFault', { connectorId: gun })
    expect(data.records).toMatchObject([{ code: 'GroundFailure', level: 3, source: 1, state: 0 }])
    expect((await inTx((tx) => blockedByFault(tx, { connectorId: gun })))?.zh).toContain('漏电或接地故障')
  })
})

describe('A pile that is silent', () => {
  it('has a fault at each gun after half an hour, and none any more ten minutes after it is back, though its guns say what they said before', async () => {
    const {
      equipmentId,
      connectorIds: [gun = ''],
    } = await yard.aPile()
    const faultsNow = async () => (await post('/fault/queryFault', { connectorId: gun })).data.records.map((one: any) => [one.code, one.state])
    const round = (minutes: number) => inTx((tx) => silenceTask.work({ house: yard.server.house, tx, data: {}, at: inHours(minutes / 60) }))
    await yard.sql(`insert into charging.pile_state (equipment_id, park_code, online, last_seen_at) values ($1, 'P001', false, now())`, [equipmentId])
    await round(29)
    expect(await faultsNow()).toEqual([])
    await round(31)
    expect(await faultsNow()).toEqual([['Offline', 0]])
    await yard.sql(`update charging.pile_state set online = true, connected_at = now(), last_seen_at = now() where equipment_id = $1`, [equipmentId])
    await round(9)
    expect(await faultsNow()).toEqual([['Offline', 0]])
    await round(11)
    expect(await faultsNow()).toEqual([['Offline', 3]])
  })
})

describe('A hidden danger', () => {
  it('has its hours, is put right by one and reviewed by another', async () => {
    const { data: made } = await post('/hiddenDanger/insert', { stationId: 'ST001', level: 2, kind: 5, description: '枪线外皮破损' })
    expect((Date.parse(made.deadline) - Date.parse(made.foundAt)) / HOUR).toBe(48)
    const move = (version: number, state: number, token = yard.admin) =>
      post('/hiddenDanger/update', { id: made.id, version, state, note: '已更换' }, token)
    expect((await move(made.version, 3)).code).toBe(40010)
    const { data: submitted } = await move(made.version, 2)
    expect((await move(submitted.version, 3)).code).toBe(41387)
    await yard.sql(`update charging.danger set handler_id = uuidv7() where id = $1`, [made.id])
    expect((await move(submitted.version, 3)).data).toMatchObject({ state: 3 })
    expect((await post('/hiddenDanger/insert', { stationId: 'NONE', level: 1, kind: 1 })).status).toBe(404)
  })
  it('is handed in with what was done, a grave one with a picture, and is given to whoever is to fix it', async () => {
    const made = async (level: number) => (await post('/hiddenDanger/insert', { stationId: 'ST001', level, kind: 5 })).data
    const update = ({ id, version }: { id: string; version: number }, more: object) => post('/hiddenDanger/update', { id, version, ...more })
    const [admin] = await yard.sql<any>(`select id, name from identity.person where username = 'admin' and enterprise_id = 1`)
    const low = await made(1)
    expect((await update(low, { state: 2 })).code).toBe(41328)
    const { data: given } = await update(low, { state: 0, handlerId: admin.id })
    expect(given).toMatchObject({ state: 0, handler: admin.name, handlerId: admin.id })
    expect((await update(given, { state: 2, note: '已更换' })).data).toMatchObject({ state: 2, note: '已更换' })
    const high = await made(3)
    expect((await update(high, { state: 2, note: '已更换' })).code).toBe(41329)
    const images = '/lbs/charging/picture?fileName=a.jpg'
    const { data: handedIn } = await update(high, { state: 2, note: '已更换', images })
    expect(handedIn).toMatchObject({ state: 2, images })
    expect((await update(handedIn, { state: 2, handlerId: admin.id })).code).toBe(40010)
    await yard.sql('update charging.danger set handler_id = uuidv7() where id = $1', [high.id])
    expect((await update(handedIn, { state: 1 })).code).toBe(41328)
    expect((await update(handedIn, { state: 1, note: '照片不清楚' })).data).toMatchObject({ state: 1 })
    await yard.sql(`update charging.danger set state = 3, closed_at = now() where state <> 3`)
  })
  it('that is grave keeps the station from starting anything', async () => {
    const ask = () => inTx((tx) => startBlocked.ask(tx, { stationId: 'ST001', equipmentId: 'x', connectorId: 'y', idTag: null, at: now() }))
    expect((await ask()).map(({ by }) => by)).not.toContain('charging.danger')
    const row = await inTx((tx) => found(tx, { stationId: 'ST001', level: 4, kind: 6, source: 3, at: now() }))
    expect((await ask()).map(({ by }) => by)).toContain('charging.danger')
    // Also to who wants no such messages.
    const told = await yard.sql<any>('select urgent from message.record where link = $1', [`/recharge/chargingDanger/${row.id}`])
    expect(new Set(told.map(({ urgent }) => urgent))).toEqual(new Set([true]))
    await yard.sql(`update charging.danger set state = 3, closed_at = now() where id = $1`, [row.id])
  })
  it('is overdue past its deadline in whatever state it is open, goes on from there, and stays late when it is closed', async () => {
    const made = async () => (await post('/hiddenDanger/insert', { stationId: 'ST001', level: 2, kind: 5 })).data
    const [left, worked, handedIn, early] = [await made(), await made(), await made(), await made()]
    const move = (row: { id: string; version: number }, state: number) =>
      post('/hiddenDanger/update', { id: row.id, version: row.version, state, note: '已更换' })
    const handed = await move(handedIn, 2)
    await move(early, 2)
    const ids = [left.id, worked.id, handedIn.id]
    await yard.sql(
      `update charging.danger set found_at = now() - interval '3 days', deadline = now() - interval '1 hour', handler_id = uuidv7() where id = any($1)`,
      [ids],
    )
    const watch = () => inTx((tx) => watchTask.work({ house: yard.server.house, tx, data: {}, at: now() }))
    const stands = async ({ id }: { id: string }) =>
      (await yard.sql<any>('select state, late, version from charging.danger where id = $1', [id]))[0] as {
        state: number
        late: boolean
        version: number
      }
    await watch()
    expect([await stands(left), await stands(worked), await stands(handedIn), await stands(early)]).toMatchObject([
      { state: 4, late: true },
      { state: 4, late: true },
      { state: 2, late: true },
      { late: false },
    ])
    expect((await move({ id: worked.id, ...(await stands(worked)) }, 1)).data).toMatchObject({ state: 1, late: true })
    await watch()
    expect(await stands(worked)).toMatchObject({ state: 1, late: true })
    const open = { late: true, stationId: 'ST001', state: [0, 1, 2, 4] }
    const tiles = async () => (await yard.server.ask(yard.admin, 'GET', '/lbs/charging/hiddenDanger/hiddenDangerCnt', { stationId: 'ST001' })).data
    const total = async (filter: object) => (await post('/hiddenDanger/queryHiddenDanger', { ...filter, queryMode: 'total' })).data.total
    expect([(await tiles()).overdue, await total(open)]).toEqual([3, 3])
    expect((await move({ id: handed.data.id, ...(await stands(handedIn)) }, 3)).data).toMatchObject({ state: 3, late: true })
    expect(await tiles()).toMatchObject({ overdue: 2, closedLate: 1 })
    await yard.sql(`update charging.danger set state = 3, closed_at = now() where state <> 3`)
  })
  it('counts the same in tiles, in rows and in the list, whatever is asked for', async () => {
    await post('/hiddenDanger/insert', { stationId: 'ST001', level: 1, kind: 7 })
    for (const filter of [
      {},
      { stationId: 'ST001' },
      { stationId: 'ST001', foundAtFrom: inHours(-1), foundAtTo: inHours(1) },
      { stationId: 'OTHER' },
    ]) {
      const get = (path: string) => yard.server.ask(yard.admin, 'GET', `/lbs/charging/hiddenDanger/${path}`, filter)
      const [{ data: rows }, { data: tiles }, { data: list }] = await Promise.all([
        get('hiddenDangerCount'),
        get('hiddenDangerCnt'),
        post('/hiddenDanger/queryHiddenDanger', { ...filter, queryMode: 'total' }),
      ])
      const sum = (of: { count: number }[]) => of.reduce((all, { count }) => all + count, 0)
      expect(sum(rows.rows)).toBe(list.total)
      expect(sum(rows.byKind)).toBe(list.total)
      expect(rows.byDay.reduce((all: number, { found: n }: { found: number }) => all + n, 0)).toBe(list.total)
      expect(tiles.total).toBe(list.total)
      expect(tiles.closedRate === null).toBe(list.total === 0)
    }
  })
})

it('what stands around charges goes out as sheets, for whoever sees its list alone', async () => {
  const paths = [
    '/chargeDbQuery/getStationinfoExport',
    '/pc/charge/chargeOperatorsExport',
    '/chargingActivity/export',
    '/chargingPlatform/export',
    '/chargingPlatformReduce/export',
    '/statement/monthsExport',
    '/statement/checksExport',
    '/statement/differencesExport',
    '/roaming/export',
    '/chargeDbQuery/getConnectorinfoExport',
    '/load/export',
    '/load/exportHistory',
    '/analysis/capacityExport',
  ]
  for (const path of paths) {
    expect((await post(path, { format: 'csv' })).status, path).toBe(200)
    expect((await post(path, { format: 'csv' }, await anotherWho(yard, 'ParkScreen', 'parking:park:view'))).status, path).toBe(403)
  }
  const { data } = await post('/chargeDbQuery/getStationinfoExport', { format: 'csv' })
  expect(data.toString()).toContain('东门充电站')
})

it('a sheet of connectors, of a load and of energy has the rows of its screen, and heads that say their unit', async () => {
  const {
    connectorIds: [gun = ''],
  } = await yard.aPile()
  const sheet = async (path: string, more: object = {}) => (await post(path, { format: 'csv', ...more })).data.toString() as string
  const load = await sheet('/load/export', { stationId: 'ST001' })
  const listed = (await post('/load/query', { stationId: 'ST001' })).data.records[0].guns.length
  expect(load.trim().split('\n')).toHaveLength(listed + 1)
  expect(load).toContain(gun)
  expect(load.split('\n')[0]).toMatch(/额定功率.?\(W\)/)
  expect(await sheet('/chargeDbQuery/getConnectorinfoExport', { stationId: 'ST001' })).toContain(gun)
  expect(await sheet('/chargeDbQuery/getConnectorinfoExport', { stationId: 'NONE' })).not.toContain(gun)
  expect((await sheet('/analysis/capacityExport')).split('\n')[0]).toMatch(/充电量.?\(kWh\)/)
})

it('a sheet of loads without a station has the connectors of all stations, however many there are', async () => {
  const { equipmentId } = await yard.aPile()
  const copied = (table: string, of: string, more: string) =>
    yard.sql(
      `insert into ${table} select (jsonb_populate_record(o, jsonb_build_object('id', uuidv7(), 'station_id', 'MANY' || lpad(n::text, 3, '0')) || ${more})).* from ${table} o, generate_series(1, 210) n where ${of}`,
    )
  await copied('charging.station', `station_id = 'ST001'`, `jsonb_build_object('station_name', '多站' || n)`)
  await copied('charging.equipment', `equipment_id = '${equipmentId}'`, `jsonb_build_object('equipment_id', 'MANY-' || n)`)
  await copied(
    'charging.connector',
    `equipment_id = '${equipmentId}'`,
    `jsonb_build_object('equipment_id', 'MANY-' || n, 'connector_id', 'MANY-' || n || '-1')`,
  )
  const lines = (await post('/load/export', { format: 'csv' })).data.toString().trim().split('\n') as string[]
  const [{ n }] = (await yard.sql<any>('select count(*)::int as n from charging.connector')) as [{ n: number }]
  expect(lines).toHaveLength(n + 1)
  expect(lines.filter((line) => line.includes('MANY-'))).toHaveLength(210)
  const stations = async (more: object) => (await post('/load/query', { limit: 200, ...more })).data
  const [one, two] = [await stations({ current: 1 }), await stations({ current: 2 })]
  expect([one.records.length, one.total]).toEqual([200, 200 + two.records.length])
  expect(new Set([...one.records, ...two.records].map(({ stationId }: { stationId: string }) => stationId)).size).toBe(one.total)
  const { data: second } = await post('/load/queryPage', { current: 2, limit: 200 })
  expect([second.total, second.records.length]).toEqual([n, Math.min(200, n - 200)])
})

it('a long sheet of promotions is read as it stood at one moment: it knows how many rows it has, and each says what it gives', async () => {
  await yard.sql(
    `insert into charging.activity (name, kind, value, station_ids, start_modes, start_at, end_at) select '长' || n, 4, 300, '{}', '{}', now(), now() + interval '1 day' from generate_series(1, 5001) n`,
  )
  const { data } = await post('/chargingActivity/export', { format: 'csv', name: '长' })
  const lines = data.toString().trim().split('\n') as string[]
  expect(lines).toHaveLength(5_002)
  expect(lines.slice(1).every((line) => line.includes('每度减 0.0300 元'))).toBe(true)
  const [logged] = await yard.sql<any>(`select rows from platform.export where call = 'charging.activity.export' order by id desc limit 1`)
  expect(logged).toEqual({ rows: 5_001 })
})

it('a sheet of promotions and discounts says what each gives in its unit, in the reader’s language', async () => {
  const name = '三分立减'
  expect((await activity({ name, value: 300 })).status).toBe(200)
  const { data } = await post('/chargingActivity/export', { format: 'csv', name })
  expect(data.toString()).toContain('每度减 0.0300 元')
})

it('each figure of hazards is what was found within its days, and the number of rows in the list that it opens', async () => {
  const within = { from: '2019-03-01', to: '2019-03-02' }
  const [open, closed] = ['null', `'2019-03-09'`]
  const told = [
    `(0, false, ${open}, '2019-03-01 00:00:00')`,
    `(1, true, ${open}, '2019-03-01 12:00:00')`,
    `(2, false, ${open}, '2019-03-02 12:00:00')`,
    `(4, true, ${open}, '2019-03-02 23:59:59')`,
    `(3, false, ${closed}, '2019-03-02 08:00:00')`,
    `(3, true, ${closed}, '2019-03-01 08:00:00')`,
    `(3, true, ${closed}, '2019-03-02 09:00:00')`,
    // Of the days before and after.
    `(0, true, ${open}, '2019-02-28 23:59:59')`,
    `(3, true, ${closed}, '2019-03-03 00:00:00')`,
  ]
  await yard.sql(`insert into charging.danger (station_id, park_code, level, kind, source, state, late, closed_at, found_at, deadline)
    select 'ST001', 'P001', 2, 5, 3, state, late, closed_at::timestamptz, found_at::timestamp at time zone 'Asia/Shanghai', (found_at::timestamp + interval '2 days') at time zone 'Asia/Shanghai'
    from (values ${told.join(', ')}) v (state, late, closed_at, found_at)`)
  const asked = 'foundAtFrom=2019-03-01%2000:00:00&foundAtTo=2019-03-02%2023:59:59'
  const { data: tiles } = await yard.server.ask(yard.admin, 'GET', `/lbs/charging/hiddenDanger/hiddenDangerCnt?${asked}`)
  expect(tiles).toEqual({ total: 7, open: 4, overdue: 2, closedLate: 2, closedRate: 429 })
  const { closedRate: _, ...counted } = HAZARDS
  for (const [name, { opens }] of Object.entries(counted)) {
    const { state, late, ...filter } = opens.filter(within)
    const body = { ...filter, ...(state && { state: state.split(',').map(Number) }), ...(late && { late: true }), queryMode: 'total' }
    expect((await post('/hiddenDanger/queryHiddenDanger', body)).data.total, name).toBe(tiles[name])
  }
})
