import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '../../../tests/support/server.ts'
import { lowered, pricesFor } from './platformReduce.ts'
import { aYard, now, type Yard } from '../../charging/server/testing.ts'

let yard: Yard
beforeAll(async () => void (yard = await aYard()), 60_000)
afterAll(() => yard?.close())
const post = (path: string, input: object, token: string | null = yard.admin) => yard.server.ask(token, 'POST', `/lbs/charging${path}`, input)
const inTx = <T>(work: Parameters<typeof yard.server.house.writing<T>>[2]) => yard.server.house.writing(1, 'test', work)
const HOUR = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString() as never
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
    const [kept] = await yard.sql<{ ours: string }>('select ours from roaming.platform where id = $1', [made.id])
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
