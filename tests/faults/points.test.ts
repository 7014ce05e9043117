import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningChannel, startChannel } from '../../city/pay/server.ts'
import { signed } from '../../city/pay/signature.ts'
import { plateFrom, type Random, randomFrom } from '../../city/random.ts'
import { reads } from '../../domains/parking/server/factories.ts'
import { openOrder } from '../../domains/settlement/server/api.ts'
import type { Tx } from '../../platform/server/database.ts'
import { planFaults } from '../../platform/server/faults.ts'
import { aGround, type Field, type Ground } from '../../domains/parking/server/testing.ts'
import type { StayRecord } from '../../domains/parking/server/stay/stayMoves.ts'
import { useSandbox } from '../../domains/settlement/server/settings.ts'
import { tally } from '../../scripts/tally.ts'
import { everyPoint, type Write } from './points.ts'
import { SEED } from './seed.ts'

/** `POINTS=all` strikes every point in every way. */
const ALL = process.env['POINTS'] === 'all'
const SECRET = randomBytes(32).toString('hex')
let ground: Ground
let owner: pg.Client
let channel: RunningChannel
let random: Random
/** Another administrator: who asks for a refund does not approve it. */
let second: string
beforeAll(async () => {
  console.log(`fault points: seed ${SEED}`)
  random = randomFrom(SEED)
  ground = await aGround()
  owner = new pg.Client({ connectionString: ground.server.ownerUrl })
  await owner.connect()
  await owner.query(`update identity.person_role p set role_id = (select r.role_id from identity.person_role r join identity.person a on a.id = r.person_id where a.username = 'admin')
    where p.person_id = (select id from identity.person where username = 'auditor')`)
  second = await ground.server.signIn('auditor')
  channel = await startChannel({ port: 0, secret: SECRET, retryMs: [] })
  useSandbox({ url: channel.url, secret: SECRET, notifyUrl: `${channel.url}/nobody` })
})
const tried = { writes: 0, points: 0, runs: 0 }
afterAll(async () => {
  tally({ check: 'fault points', seed: SEED, numbers: tried })
  useSandbox(undefined)
  await channel?.stop()
  await owner?.end()
  await ground?.server.close()
})

const plate = () => plateFrom(random).plateNo
const post = (token: string | null, address: string, body: object, key: string) =>
  ground.server.ask(token, 'POST', `/lbs${address}`, body, { 'idempotency-key': key })
const postNow = async (token: string, address: string, body: object) => {
  const { status, data, message } = await post(token, address, body, randomUUID())
  if (status !== 200) throw new Error(`${address}: ${status} ${message}`)
  return data
}

/** A lane's event as the gateway hands it in; a device repeats it under the same number until it is acknowledged. */
const hears = (field: Field, sn: string, plateNo: string, minutes: number, mid: string) =>
  ground.server.house
    .writing(1, 'mqtt.event', (tx) => reads(tx, { sn, at: field.at(minutes), plate: plateNo, mid }))
    .then(
      () => ({ status: 200 }),
      () => ({ status: 503 }),
    )
interface Waiting {
  field: Field
  stay: StayRecord
}
/** A car that stands at the exit and has to pay 10 yuan. */
async function waiting(): Promise<Waiting> {
  const field = await ground.field()
  const plateNo = plate()
  await field.enters(plateNo, 0)
  await field.exits(plateNo, 90)
  return { field, stay: await field.stay(plateNo) }
}
const cashFor = ({ stay }: Waiting) => ({ id: stay.orderId, amountFen: stay.payableFen })
async function paidInCash(): Promise<Waiting> {
  const made = await waiting()
  await postNow(ground.admin, '/business/order/cash', cashFor(made))
  return made
}
const refundOf = ({ stay }: Waiting) => ({ orderId: stay.orderId, amountFen: 300, reason: '多收' })
const DOCUMENT = { segments: [{ from: '00:00', to: '24:00', tiers: [{ toMin: null, unitMin: 60, price: 5 }] }], tierClock: 'segment' }

const WRITES: Record<string, Write> = {
  'a car comes in': {
    via: 'mqtt.event',
    prepare: async () => ({ field: await ground.field(), plateNo: plate() }),
    send: ({ field, plateNo }, key) => hears(field, field.inSn, plateNo, 0, key),
  },
  'a car wants to leave': {
    via: 'mqtt.event',
    async prepare() {
      const [field, plateNo] = [await ground.field(), plate()]
      await field.enters(plateNo, 0)
      return { field, plateNo }
    },
    send: ({ field, plateNo }, key) => hears(field, field.outSn, plateNo, 90, key),
  },
  'cash is taken': {
    via: 'settlement.order.cash',
    prepare: waiting,
    send: (made, key) => post(ground.admin, '/business/order/cash', cashFor(made), key),
  },
  'the channel tells of a payment': {
    via: 'settlement.notice.sandbox',
    keeps: 'settlement.notice',
    async prepare() {
      const { stay } = await waiting()
      const { payNo, amountFen } = await postNow(ground.admin, '/business/order/pay', { id: stay.orderId, payMethod: 1 })
      return { payNo, amountFen }
    },
    // A channel sends no key, and every delivery has a nonce of its own; the trade's number is what makes it the same money.
    send: ({ payNo, amountFen }, key) =>
      post(
        null,
        '/business/pay/sandbox/notice',
        signed(
          {
            mchId: 'kerbline-1',
            channel: 'wechat',
            kind: 'payment',
            number: payNo,
            tradeNo: `T${key}`,
            amountFen,
            result: 'SUCCESS',
            finishedAt: new Date().toISOString(),
            timestamp: Math.floor(Date.now() / 1000),
            nonce: randomBytes(16).toString('hex'),
          },
          SECRET,
        ),
        '',
      ),
  },
  'a refund is asked for': {
    via: 'settlement.refund.apply',
    prepare: paidInCash,
    send: (made, key) => post(ground.admin, '/business/orderRefund/apply', refundOf(made), key),
  },
  'a refund is approved': {
    via: 'settlement.refund.approve',
    prepare: async () => postNow(second, '/business/orderRefund/apply', refundOf(await paidInCash())),
    send: ({ id, version }, key) => post(ground.admin, '/business/orderRefund/approve', { id, version }, key),
  },
  'a barrier is opened by hand': {
    via: 'parking.gate-operation.open-gate',
    prepare: waiting,
    send: ({ field }, key) => post(ground.admin, '/device/gateOperation/openGateToPark', { gateCode: field.outGate, reason: 4, fee: 2 }, key),
  },
  'a park is added': {
    via: 'parking.park.add',
    prepare: async () => ({
      parkCode: `N${randomBytes(5).toString('hex').toUpperCase()}`,
      name: '新车场',
      pType: 1,
      regionCode: '420607',
      totalBays: 10,
    }),
    send: (park, key) => post(ground.admin, '/basic/parkInfo/add', park, key),
  },
  'a role is changed': {
    via: 'identity.role.update',
    async prepare() {
      const { id } = await postNow(ground.admin, '/custom/roleNew/roleAddNew', { name: `角色 ${randomUUID()}`, dataScope: 2, grants: 3 })
      return { id, version: 1, remark: '改过', dataScope: 6, parks: ['T001'] }
    },
    send: (role, key) => post(ground.admin, '/custom/roleNew/roleUpdateNew', role, key),
  },
  'a fee rule is published': {
    via: 'fee.rule.publish',
    async prepare() {
      const [{ id }] = await postNow(ground.admin, '/fee/feeRule/import', { name: `规则 ${randomUUID()}`, document: DOCUMENT })
      return { id, version: 1, effectiveFrom: '2026-01-01T00:00:00.000Z' }
    },
    send: (rule, key) => post(ground.admin, '/fee/feeRule/publish', rule, key),
  },
  'a car is put on the white list': {
    via: 'member.white-black.insert',
    prepare: async () => ({ plateNo: plate(), listType: 1, startAt: '2026-01-01T00:00:00.000Z', reasonType: 1, parkCodes: ['T001', 'T002'] }),
    send: (entry, key) => post(ground.admin, '/member/member/whiteAndBlack/insert', entry, key),
  },
  'a plate is put right': {
    via: 'parking.stay.correct-plate',
    async prepare() {
      const { stay } = await paidInCash()
      const { id, version } = (await owner.query(`select id, version from parking.stay where id = $1`, [stay.id])).rows[0]
      return { id, version, plateNo: plate(), reason: '误读' }
    },
    send: (correction, key) => post(ground.admin, '/fee/parkRecord/correctPlate', correction, key),
  },
}

test.each(Object.keys(WRITES))(
  '%s: wherever it breaks off, it was done whole or not at all, and the same request again does it once',
  async (name) => {
    const begun = performance.now()
    const { points, runs } = await everyPoint(WRITES[name]!, owner, random, ALL)
    console.log(`fault points: ${name}: ${points} points, ${runs} runs, ${Math.round(performance.now() - begun)} ms`)
    expect(points).toBeGreaterThan(4)
    tried.writes++
    tried.points += points
    tried.runs += runs
  },
  ALL ? 900_000 : 180_000,
)

/** An order that is made whenever it is asked for: planted mistakes do it in ways that no call of ours may. */
const anOrder = (tx: Tx) =>
  openOrder(tx, {
    type: 1,
    plateNo: plate(),
    plateColor: 0,
    parkCode: 'T001',
    receivableFen: 500,
    discountFen: 0,
    at: new Date().toISOString() as never,
  })
const writes = (via: string) => ground.server.house.writing(1, via, anOrder)

test('planted: an answer that does not wait for the commit is found', async () => {
  const early: Write = {
    via: 'planted.early',
    prepare: async () => ({}),
    send: () =>
      writes('planted.early').then(
        () => ({ status: 200 }),
        () => ({ status: 200 }),
      ),
  }
  await expect(everyPoint(early, owner, random, ALL)).rejects.toThrow(/at point 1, .*it was answered as done and is not there/)
})
test('planted: a write that knows no key is found', async () => {
  const keyless: Write = {
    via: 'planted.keyless',
    prepare: async () => ({}),
    send: () =>
      writes('planted.keyless').then(
        () => ({ status: 200 }),
        () => ({ status: 503 }),
      ),
  }
  await expect(everyPoint(keyless, owner, random, ALL)).rejects.toThrow(/asked a third time it is not done once/)
})
test('planted: a write in two transactions is found', async () => {
  const halves: Write = {
    via: 'planted.halves',
    prepare: async () => ({}),
    send: () =>
      writes('planted.halves')
        .then(() => writes('planted.halves'))
        .then(
          () => ({ status: 200 }),
          () => ({ status: 503 }),
        ),
  }
  // Struck in the second half, or asked again after the first was struck: either way more or less than the whole is there.
  await expect(everyPoint(halves, owner, random, ALL)).rejects.toThrow(/a half is left|is not done once/)
})

test('faults are planned by tests alone', () => {
  const kept = process.env['VITEST']
  delete process.env['VITEST']
  expect(() => planFaults(() => 'cut')).toThrow(/tests alone/)
  process.env['VITEST'] = kept
})
