import { randomUUID } from 'node:crypto'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import { CITY_OFFSET_MS, DAY_MS, instantAt, MINUTE_MS } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { type Answer, startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { type OrderRow, ordersOfStay, payCash } from '../../settlement/server/api.ts'
import { Direction } from '../contract/gate.ts'
import type { Park } from '../contract/park.ts'
import type { DecisionRow } from '../contract/stay.ts'
import { aGate, aPark, aRule, barrier, reads } from './factories.ts'
import { settleExits } from './lane/passing.ts'
import type { StayRecord } from './stay/stayMoves.ts'
import type { LaneRecord } from './tables.ts'

export { aGate, aPark, aRule, barrier, reads } from './factories.ts'
/**
 * The connections that wait until the transaction that asks is over. Locks are looked at anew each time; of `pg_stat_activity` a transaction sees only connections that were
 * there when it first looked.
 */
export const WAITS_FOR_US = 'select distinct pid from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))'
const MINUTE = 60_000
export interface Told {
  method: string
  params: { lines?: string[]; reason?: string; orderId?: string; seconds?: number }
}
/** Returns the opening commands that a device was sent. */
export const opens = (told: readonly Told[]) => told.filter(({ method }) => method === 'gate.open')
/** Time goes by: the round that looks after cars that stand at exits. */
export const tenMinutesLater = ({ write, at }: Field, minutes: number) => write((tx) => settleExits(tx, at(minutes)))

/** Signs in a second person who may do all that the first may: what one requests, another decides. */
export async function aSecond({ server }: Pick<Ground, 'server'>): Promise<string> {
  await server.house.writing(1, 'test', (tx) => run(tx, { sql: MAY_ALL }, []))
  return server.signIn('auditor')
}
const MAY_ALL = `update identity.person_role p set role_id = (select role_id from identity.person_role where person_id = (select id from identity.person where username = 'admin') limit 1)
  where p.person_id = (select id from identity.person where username = 'auditor')`

/** A park of a test's own, with an entrance and an exit, a fee of 5 yuan an hour, and a clock that the test moves. */
export interface Field {
  parkCode: string
  inSn: string
  outSn: string
  inGate: string
  outGate: string
  /** `minutes` from the start of the test's day. */
  at(minutes: number): Instant
  enters(plate: string, minutes: number, of?: Partial<Parameters<typeof reads>[1]>): Promise<void>
  exits(plate: string, minutes: number, of?: Partial<Parameters<typeof reads>[1]>): Promise<void>
  /** The barrier of the exit (or entrance) goes up and down again. */
  passes(minutes: number, of?: { sn?: string; cause?: string; passed?: boolean }): Promise<void>
  stays(plate: string): Promise<StayRecord[]>
  /** The newest stay of a plate. */
  stay(plate: string): Promise<StayRecord>
  orders(stay: StayRecord): Promise<OrderRow[]>
  pays(stay: StayRecord, minutes: number): Promise<void>
  lane(gateCode: string): Promise<LaneRecord>
  decisions(plate: string): Promise<DecisionRow[]>
  /** Returns the commands sent to a device since the last look. */
  told(sn: string): Promise<Told[]>
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}
export interface Ground {
  server: TestServer
  admin: string
  operator: string
  other: string
  ask<Data = any>(token: string | null, address: string, body: object, method?: 'GET' | 'POST'): Promise<Answer<Data>>
  field(policies?: Partial<Of<typeof Park>>): Promise<Field>
}

/** Starts a server for a test, or uses the one given. */
export async function aGround(given?: TestServer): Promise<Ground> {
  const server = given ?? (await startTestServer({ role: 'web' }))
  const [admin, operator, other] = await Promise.all([server.signIn('admin'), server.signIn('operator'), server.signIn('otheradmin')])
  let made = 0
  return {
    ...{ server, admin, operator, other },
    ask: (token, address, body, method = 'POST') => server.ask(token, method, `/lbs${address}`, body),
    field: (policies) => aField(server, `T${String(++made).padStart(3, '0')}`, policies),
  }
}

/** A tower (B) inside the park (A), with a gate that leads into it and one that leads out of it. */
export async function aTower({ parkCode, inGate, write }: Field): Promise<{ inner: string; innerSn: string }> {
  const [inner, innerSn] = [`${parkCode}-G03`, `PG-${parkCode}-3`]
  await write(async (tx) => {
    const areas = [
      { parkCode, areaCode: 'A', name: '地面', totalBays: 50 },
      { parkCode, areaCode: 'B', name: '塔库', totalBays: 20, parentArea: 'A', nested: 1 },
    ] as const
    for (const area of areas) await tx.insertInto('parking.area').values(area).execute()
    await tx.updateTable('parking.gate').set({ areaTo: 'A' }).where('gateCode', '=', inGate).execute()
    await aGate(tx, { parkCode, gateCode: inner, direction: Direction.entrance, sn: innerSn, areaFrom: 'A', areaTo: 'B' })
    await aGate(tx, { parkCode, gateCode: `${parkCode}-G04`, direction: Direction.entrance, sn: `PG-${parkCode}-4`, areaFrom: 'B', areaTo: 'A' })
  })
  return { inner, innerSn }
}

/** Minutes from the field's start after which the next `minutes` lie within one day of the city. */
export function afterMidnight({ at }: Field, minutes: number) {
  const left = (DAY_MS - ((Date.parse(at(0)) + CITY_OFFSET_MS) % DAY_MS)) / MINUTE_MS
  return left > minutes ? 0 : Math.ceil(left)
}

async function aField(server: TestServer, parkCode: string, policies: Partial<Of<typeof Park>> = {}): Promise<Field> {
  const write = <T>(work: (tx: Tx) => Promise<T>) => server.house.writing(1, 'test', work)
  const [inSn, outSn, inGate, outGate] = [`PG-${parkCode}-1`, `PG-${parkCode}-2`, `${parkCode}-G01`, `${parkCode}-G02`]
  await write(async (tx) => {
    await aPark(tx, { parkCode, ...policies })
    await aGate(tx, { parkCode, gateCode: inGate, direction: Direction.entrance, sn: inSn })
    await aGate(tx, { parkCode, gateCode: outGate, direction: Direction.exit, sn: outSn })
    await aRule(tx, { parkCode })
  })
  const start = Math.floor(Date.now() / MINUTE - 1_000) * MINUTE
  const at = (minutes: number) => instantAt(Math.round(start + minutes * MINUTE))
  const stays = (plate: string) =>
    write((tx) =>
      run<StayRecord>(tx, { sql: 'select * from parking.stay where park_code = $1 and plate_no = $2 order by created_at desc, id desc' }, [
        parkCode,
        plate,
      ]),
    )
  const seen = new Map<string, number>()
  return {
    ...{ parkCode, inSn, outSn, inGate, outGate, at, stays, write },
    enters: async (plate, minutes, of = {}) => void (await write((tx) => reads(tx, { sn: inSn, at: at(minutes), plate, ...of }))),
    exits: async (plate, minutes, of = {}) => void (await write((tx) => reads(tx, { sn: outSn, at: at(minutes), plate, ...of }))),
    async passes(minutes, { sn = outSn, cause = 'command', passed } = {}) {
      await write((tx) => barrier(tx, { sn, at: at(minutes), state: 'opened', cause }))
      await write((tx) => barrier(tx, { sn, at: at(minutes + 0.1), state: 'closed', cause, ...(passed !== undefined && { passed }) }))
    },
    stay: async (plate) => (await stays(plate))[0]!,
    orders: (stay) => write((tx) => ordersOfStay(tx, stay.id)),
    pays: (stay, minutes) =>
      write(async (tx) => {
        const open = (await ordersOfStay(tx, stay.id)).find(({ status }) => status === 0 || status === 4)!
        await payCash(tx, { orderId: open.id, amountFen: open.payableFen, actor: { userId: randomUUID(), userName: 'cashier' }, at: at(minutes) })
      }),
    lane: async (gateCode) => (await write((tx) => run<LaneRecord>(tx, { sql: 'select * from parking.lane where gate_code = $1' }, [gateCode])))[0]!,
    decisions: (plate) =>
      write((tx) =>
        run<DecisionRow>(tx, { sql: 'select * from parking.decision where park_code = $1 and plate_no = $2 order by received_at, id' }, [
          parkCode,
          plate,
        ]),
      ),
    async told(sn) {
      const all = await write((tx) =>
        run<Told>(tx, { sql: 'select method, params from device.command where device_no = $1 order by created_at, id' }, [sn]),
      )
      const fresh = all.slice(seen.get(sn) ?? 0)
      seen.set(sn, all.length)
      return fresh
    },
  }
}
