import { randomUUID } from 'node:crypto'
import type { Instant } from '../../../platform/contract/field.ts'
import { instantAt } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { type Answer, startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { enrol, hear } from '../../device/server/api.ts'
import type { Tariff } from '../../fee/contract/tariff.ts'
import { publishTariff, tieRule } from '../../fee/server/api.ts'

const MINUTE = 60_000
/** 5 yuan for every started hour, the first 15 minutes free, 25 yuan in 24 hours. */
export const FIVE_AN_HOUR: Tariff = {
  schema: 1,
  currency: 'CNY',
  seconds: 'drop',
  free: { minutes: 15, inclusive: true, mode: 'grace' },
  bands: [{ fromMin: 0, toMin: 1440, days: { mask: 7 }, price: { by: 'unit', unitMin: 60, priceE4: 50_000, edge: 'carry' } }],
  clock: 'stay',
  cycle: { kind: 'rolling', capsE4: [250_000], edge: 'goOn' },
}

/** The streets of a test: its people, and doors to the calls. Without a named person, the administrator calls. */
export interface Street {
  server: TestServer
  ask<Data = any>(address: string, body: object, who?: 'admin' | 'operator' | 'auditor' | 'otheradmin'): Promise<Answer<Data>>
  get<Data = any>(address: string, query: object, who?: 'admin' | 'operator' | 'auditor' | 'otheradmin'): Promise<Answer<Data>>
  form<Data = any>(address: string, fields: object): Promise<Answer<Data>>
  sheet<Data = any>(address: string, csv: string, query: Record<string, string>): Promise<Answer<Data>>
  district(more?: object): Promise<{ parkCode: string }>
  rule(parkCode: string, more?: { sectionCode?: string; tariff?: Tariff }): Promise<void>
  /** A district with an open section of berths, and a clock that the test moves. */
  /** The token of somebody who may do everything, in these parks and districts. */
  personOf(parks: readonly string[]): Promise<string>
  field(of?: { berths?: number; tariff?: Tariff; district?: object }): Promise<Field>
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  close(): Promise<void>
}
export interface Field {
  parkCode: string
  section: string
  berths: string[]
  /** `minutes` from the start of the test's day. */
  at(minutes: number): Instant
  /** A device of the district, of this kind and use status. */
  device(type: number, useStatus?: number): Promise<string>
  /** A device of this kind bound to berths. */
  sensor(...seats: string[]): Promise<string>
  camera(...seats: string[]): Promise<string>
  reports(sn: string, state: object): Promise<void>
  /** A device says that a berth was taken, left, or is taken now; `told` minutes is when we hear of it. */
  says(sn: string, type: 'occupied' | 'vacant' | 'seen', minutes: number, more?: Said): Promise<void>
}
export interface Said {
  berth?: string
  plate?: string
  color?: string
  confidence?: number
  image?: string
  images?: unknown
  showsBerth?: boolean
  showsPlate?: boolean
  told?: number
  mid?: string
}

export async function aStreet(): Promise<Street> {
  const server = await startTestServer({ role: 'web' })
  const names = ['admin', 'operator', 'auditor', 'otheradmin'] as const
  const tokens = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await server.signIn(name)] as const)))
  const write = <T>(work: (tx: Tx) => Promise<T>) => server.house.writing(1, 'test', work)
  let made = 0
  const street: Street = {
    server,
    write,
    close: () => server.close(),
    ask: (address, body, who = 'admin') => server.ask(tokens[who]!, 'POST', `/lbs${address}`, body),
    get: (address, query, who = 'admin') => server.ask(tokens[who]!, 'GET', `/lbs${address}`, query),
    form: (address, fields) => send(server, tokens['admin']!, address, new URLSearchParams(fields as Record<string, string>)),
    sheet: (address, csv, query) => {
      const body = new FormData()
      body.set('file', new Blob([csv]), 'berths.csv')
      return send(server, tokens['admin']!, `${address}?${new URLSearchParams(query)}`, body)
    },
    async district(more = {}) {
      const parkCode = `R${String(++made).padStart(3, '0')}`
      const { data } = await street.ask('/business/roadInfo/addRoadPark', { parkCode, name: `片区 ${parkCode}`, regionCode: '420607', ...more })
      return data
    },
    rule: (parkCode, { sectionCode, tariff = FIVE_AN_HOUR } = {}) =>
      write(async (tx) => {
        const from = '2020-01-01T00:00:00.000Z' as Instant
        const { ruleId } = await publishTariff(tx, { name: `规则 ${randomUUID().slice(0, 8)}`, tariff, from, at: from })
        await tieRule(tx, { ruleId, parkCode, ...(sectionCode && { sectionCode }) })
      }),
    field: (of) => aField(street, of),
    async personOf(parks) {
      const username = `parks${++made}`
      const { data: role } = await street.ask('/custom/roleNew/roleAddNew', { name: username, dataScope: 6, grants: 2, parks })
      const { data: person } = await street.ask('/custom/person/add', { username, name: '某人', roleIds: [role.id] })
      await write((tx) => tx.updateTable('identity.person').set({ mustChange: false }).where('id', '=', person.id).execute())
      return server.signIn(username, person.password)
    },
  }
  return street
}

async function send(server: TestServer, token: string, address: string, body: URLSearchParams | FormData): Promise<Answer<any>> {
  const reply = await fetch(`${server.url}/lbs${address}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() },
    body,
  })
  return { ...((await reply.json()) as object), status: reply.status } as never
}

async function aField(
  street: Street,
  { berths: count = 1, tariff, district = {} }: { berths?: number; tariff?: Tariff; district?: object } = {},
): Promise<Field> {
  const { write, ask } = street
  const { parkCode } = await street.district(district)
  await street.rule(parkCode, tariff ? { tariff } : {})
  const section = `${parkCode}-S1`
  const { data } = await ask('/business/roadInfo/addParkArea', { parkCode, sectionCode: section, name: '中山路', side: 2, level: 1, tollMode: 2 })
  await street.form('/business/roadInfo/changeParkAreaFlag', { id: data.id, version: data.version, flag: 1 })
  const berths = Array.from({ length: count }, (_, n) => `${parkCode}-${String(n + 1).padStart(3, '0')}`)
  for (const seatCode of berths)
    await ask('/business/roadInfo/addparkSeat', { parkCode, sectionCode: section, seatCode, berthNo: seatCode.slice(-3) })
  const start = Math.floor(Date.now() / MINUTE - 1_000) * MINUTE
  const at = (minutes: number) => instantAt(Math.round(start + minutes * MINUTE))
  let made = 0
  const field: Field = {
    ...{ parkCode, section, berths, at },
    device: (type, useStatus = 1) => {
      const sn = `D${type}-${parkCode}-${++made}`
      return write(async (tx) => {
        await enrol(tx, { sn, name: sn, type, parkCode, secretHash: 'none' })
        if (useStatus !== 1) await run(tx, { sql: 'update device.device set use_status = $2 where device_no = $1' }, [sn, useStatus])
        return sn
      })
    },
    sensor: (...seats) => bound(4, seats),
    camera: (...seats) => bound(5, seats),
    reports: (sn, state) =>
      write(
        async (tx) =>
          void (await hear(tx, {
            sn,
            kind: 'telemetry',
            mid: randomUUID(),
            ts: Date.now(),
            receivedMs: Date.now(),
            offline: false,
            seq: null,
            type: 'telemetry',
            body: { ts: Date.now(), ...state },
          })),
      ),
    says: (sn, type, minutes, { told = minutes, mid = randomUUID(), ...body } = {}) =>
      write(
        async (tx) =>
          void (await hear(tx, {
            sn,
            kind: 'event',
            mid,
            ts: Date.parse(at(minutes)),
            receivedMs: Date.parse(at(told)),
            offline: false,
            seq: null,
            type,
            body: { type, ts: Date.parse(at(minutes)), ...body },
          })),
      ),
  }
  const bound = async (type: number, seats: string[]) => {
    const sn = await field.device(type)
    // Bound since before the first minute of the test, so that what is told of then finds it.
    for (const seatCode of seats) {
      await street.get('/business/roadInfo/bindBySeatNo', { parkCode, seatCode, deviceNo: sn })
      await write((tx) => run(tx, { sql: 'update roadside.binding set from_at = $2 where device_no = $1 and to_at is null' }, [sn, at(-1000)]))
    }
    return sn
  }
  return field
}
