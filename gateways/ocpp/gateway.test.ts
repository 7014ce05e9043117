import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { giveSecret } from '../../domains/charging/server/api.ts'
import { CommandState } from '../../domains/device/contract/command.ts'
import { PileFailure, ResetKind, TriggerMessage } from '../../domains/charging/contract/pileCommand.ts'
import { aYard, type Yard } from '../../domains/charging/server/testing.ts'
import { type Answers, connectPile, type PileError, type PileOptions, type PileWire, SILENT } from './simulator.ts'

/** Every rule is entered by a real socket, as piles of the street would. */
let yard: Yard
const open: PileWire[] = []
const SECRET = 'demo-secret-of-piles'
let points = 0

beforeAll(async () => {
  yard = await aYard()
})
afterAll(async () => {
  for (const wire of open) wire.cut()
  await yard.close()
})

const url = () => `ws://127.0.0.1:${yard.server.ocppPort}`
/** A pile with a line, in use and with the test's secret. */
async function aPoint({ guns = 1, protocol = 1 }: { guns?: number; protocol?: 1 | 2 } = {}) {
  const { equipmentId, connectorIds } = await yard.aPile(guns)
  const id = `CP-${++points}`
  await yard.sql('update charging.equipment set charge_point_id = $2, protocol = $3 where equipment_id = $1', [equipmentId, id, protocol])
  await yard.server.house.writing(1, 'test', (tx) => giveSecret(tx, equipmentId, SECRET))
  return { id, equipmentId, connectorId: connectorIds[0]!, connectorIds }
}
async function connect(id: string, more: Partial<PileOptions> = {}): Promise<PileWire> {
  const wire = await connectPile({ url: url(), id, secret: SECRET, ...more })
  open.push(wire)
  await until(async () =>
    expect(
      await yard.sql(
        'select 1 from charging.pile p join charging.link l using (enterprise_id, equipment_id) where charge_point_id = $1 and online and signed_in_at is not null',
        [id],
      ),
    ).toHaveLength(1),
  )
  return wire
}
const refused = (id: string, more: Partial<PileOptions> = {}) =>
  connect(id, more).then(
    () => 'let in',
    (error: Error) => error.message,
  )
const ask = async (path: string, body: object) => yard.server.ask(yard.admin, 'POST', `/lbs/charging/chargingPile/${path}`, body)
const linkOf = async (equipmentId: string) => (await ask('link', { equipmentId })).data
const until = (work: () => Promise<void>) => vi.waitFor(work, { timeout: 8_000, interval: 40 })
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: PileError) => error.code,
  )
const boot = { chargePointVendor: 'Kerb', chargePointModel: 'K60', firmwareVersion: '1.0' }
/** The state of a command once it is over. */
const over = (id: string) =>
  vi.waitFor(
    async () => {
      const [row] = await yard.sql<any>('select state, failure, result from charging.pile_command where id = $1', [id])
      expect([0, 1, 2]).not.toContain(row.state)
      return row
    },
    { timeout: 9_000, interval: 40 },
  )
const stateOf = async (id: string) => (await yard.sql<any>('select state from charging.pile_command where id = $1', [id]))[0].state

test('a pile comes in by its id and secret, in its own version, and by nothing else', async () => {
  const { id } = await aPoint()
  expect((await connect(id)).subProtocol).toBe('ocpp1.6')
  expect(await refused(id, { secret: 'wrong-secret-of-piles' })).toBe('HTTP 401')
  expect(await refused('CP-NOBODY')).toBe('HTTP 401')
  expect(await refused(id, { protocols: ['ocpp2.0.1'] })).toBe('HTTP 400')
  const { id: other } = await aPoint()
  const wrongUser = Buffer.from(`${id}:${SECRET}`).toString('base64')
  const answer = await fetch(`${url().replace('ws', 'http')}/ocpp/${other}`, { headers: { authorization: `Basic ${wrongUser}` } })
  expect(answer.status).toBe(426)
  expect(await refused('../../x')).toBe('HTTP 401')
})

test('no authorization at all, a scrapped pile and one without a secret are refused, and its page says why', async () => {
  const { id, equipmentId } = await aPoint()
  const { secret: _, ...bare } = { url: url(), id, secret: SECRET }
  await expect(connectPile(bare)).rejects.toThrow('HTTP 401')
  expect(await linkOf(equipmentId)).toMatchObject({ refusal: 1, online: false })
  await yard.sql('update charging.equipment set admin_status = 9 where equipment_id = $1', [equipmentId])
  expect(await refused(id)).toBe('HTTP 401')
  expect(await linkOf(equipmentId)).toMatchObject({ refusal: 2 })
  await yard.sql('update charging.equipment set admin_status = 1 where equipment_id = $1', [equipmentId])
  await yard.sql('delete from charging.link where equipment_id = $1', [equipmentId])
  expect(await refused(id)).toBe('HTTP 401')
  expect(await linkOf(equipmentId)).toMatchObject({ refusal: 4, hasSecret: false })
})

test('a pile that asks for no sub-protocol is taken by its record, and its page shows it', async () => {
  const { id, equipmentId } = await aPoint()
  const wire = await connect(id, { protocols: [] })
  await wire.call('BootNotification', boot)
  await until(async () => expect(await linkOf(equipmentId)).toMatchObject({ online: true, subProtocol: null, vendor: 'Kerb', firmware: '1.0' }))
})

test('boot, heartbeat and status are answered in UTC, and the guns show what was said', async () => {
  const { id, connectorIds } = await aPoint({ guns: 2 })
  const wire = await connect(id)
  const answer = await wire.call('BootNotification', boot)
  expect(answer).toMatchObject({ status: 'Accepted' })
  expect(answer.currentTime).toMatch(/^\d{4}-.*Z$/)
  expect(answer.interval).toBeGreaterThanOrEqual(60)
  expect((await wire.call('Heartbeat')).currentTime).toMatch(/Z$/)
  await wire.call('StatusNotification', { connectorId: 1, status: 'Preparing', errorCode: 'NoError', timestamp: new Date().toISOString() })
  await wire.call('StatusNotification', { connectorId: 2, status: 'Faulted', errorCode: 'GroundFailure', timestamp: new Date().toISOString() })
  const rows = await yard.sql<any>(
    'select connector_id, status, status_raw, error_code from charging.connector_state where connector_id = any($1) order by 1',
    [connectorIds],
  )
  expect(rows).toEqual([
    { connectorId: connectorIds[0], status: 2, statusRaw: 'Preparing', errorCode: null },
    { connectorId: connectorIds[1], status: 255, statusRaw: 'Faulted', errorCode: 'GroundFailure' },
  ])
})

test('what is wrong is answered with its own error and the line lives on', async () => {
  const { id } = await aPoint()
  const wire = await connect(id)
  expect(await codeOf(wire.call('TakeOff'))).toBe('NotImplemented')
  expect(await codeOf(wire.call('__proto__'))).toBe('NotImplemented')
  expect(await codeOf(wire.call('Authorize', {}))).toBe('OccurenceConstraintViolation')
  expect(await codeOf(wire.call('Authorize', { idTag: {} }))).toBe('TypeConstraintViolation')
  expect(await codeOf(wire.call('StatusNotification', { connectorId: 1, status: 'Asleep' }))).toBe('PropertyConstraintViolation')
  wire.raw('[2,"x"')
  expect((await wire.stray()).slice(0, 3)).toEqual([4, 'x', 'GenericError'])
  wire.raw(`[2,"big","DataTransfer",{"vendorId":"${'v'.repeat(200_000)}"}]`)
  expect((await wire.stray()).slice(0, 3)).toEqual([4, 'big', 'FormationViolation'])
  wire.raw('[3,"never-asked",{}]')
  wire.raw(Buffer.from([1, 2, 3]))
  expect((await wire.stray()).slice(0, 3)).toEqual([4, '-1', 'GenericError'])
  expect(await wire.call('Heartbeat')).toHaveProperty('currentTime')
})

test('a flood of what is none ends the line, and only that one', async () => {
  const [{ id }, { id: other }] = [await aPoint(), await aPoint()]
  const [flooding, calm] = [await connect(id), await connect(other)]
  for (let i = 0; i < 80; i++) flooding.raw('nonsense')
  expect((await flooding.closed).code).toBe(1008)
  expect(await calm.call('Heartbeat')).toHaveProperty('currentTime')
})

test('of two sockets with one id the newer is the pile, and the older one’s end takes nothing away', async () => {
  const { id, equipmentId } = await aPoint()
  const older = await connect(id)
  await older.call('Heartbeat')
  const newer = await connect(id)
  expect((await older.closed).code).toBe(4409)
  expect(await newer.call('Heartbeat')).toHaveProperty('currentTime')
  await newer.call('BootNotification', boot)
  expect(await linkOf(equipmentId)).toMatchObject({ online: true })
  await newer.close()
  await until(async () => expect(await linkOf(equipmentId)).toMatchObject({ online: false }))
})

test('a new secret is shown once and told; the old one is good until the pile first comes with the new one', async () => {
  const { id, equipmentId } = await aPoint()
  let told = ''
  const answers: Answers = { ChangeConfiguration: ({ key, value }) => ((told = key === 'AuthorizationKey' ? value : told), { status: 'Accepted' }) }
  const wire = await connect(id, { answers })
  await wire.call('BootNotification', boot)
  const made = await ask('rotateSecret', { equipmentId, reason: '例行更换' })
  expect(made.data).toMatchObject({ chargePointId: id, told: true })
  expect(made.data.secret).toMatch(/^[0-9a-f]{32}$/)
  await until(async () => expect(told).toBe(made.data.secret))
  expect(await linkOf(equipmentId)).toMatchObject({ renewing: true })
  await wire.close()
  await (await connect(id)).close()
  // As the bytes that the digits mean, the way the standard says.
  await (await connect(id, { secret: Buffer.from(told, 'hex') })).close()
  await until(async () => expect(await linkOf(equipmentId)).toMatchObject({ renewing: false }))
  expect(await refused(id)).toBe('HTTP 401')
  expect((await connect(id, { secret: told })).subProtocol).toBe('ocpp1.6')
  const rows = await yard.sql<any>(
    'select l.*, c.params, c.result from charging.link l join charging.pile_command c using (enterprise_id, equipment_id) where equipment_id = $1',
    [equipmentId],
  )
  expect(JSON.stringify(rows)).not.toContain(told)
  await until(async () =>
    expect(
      (await yard.sql<any>('select string_agg(body, $2) as all from charging.frame where equipment_id = $1', [equipmentId, ' ']))[0].all,
    ).toContain('"value":"***"'),
  )
  expect(JSON.stringify(await yard.sql('select body from charging.frame where equipment_id = $1', [equipmentId]))).not.toContain(told)
})

test('whoever guesses, one after the other or all at once, costs the database next to nothing and makes no pile wait', async () => {
  const { id, equipmentId } = await aPoint()
  const reads = vi.spyOn(yard.server.house.pool, 'query')
  const since = Date.now()
  const answers = []
  for (let i = 0; i < 14; i++) answers.push(await refused(id, { secret: `wrong-${i}` }))
  expect(answers.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'HTTP 401'))
  // Behind the tenth the record is read again once in a second.
  expect(answers.slice(10)).toContain('HTTP 429')
  const flood = await Promise.all(Array.from({ length: 60 }, (_, i) => refused(id, { secret: `guess-${i}` })))
  expect(flood.filter((one) => one === 'HTTP 429').length).toBeGreaterThan(30)
  const asked = reads.mock.calls.filter(([query]) => (query as { name?: string }).name === 'charging.credential').length
  reads.mockRestore()
  // Ten, and then once in a second, by as many as are looked at together.
  expect(asked).toBeLessThanOrEqual(10 + 6 * Math.ceil((Date.now() - since) / 1_000))
  expect(await refused(id, { secret: 'one more' })).not.toBe('let in')
  await (await connect(id)).close()
  await Promise.all([...Array.from({ length: 20 }, (_, i) => refused(id, { secret: `again-${i}` })), connect(id)])
  await until(async () => expect(await linkOf(equipmentId)).toMatchObject({ online: true }))
})

test('a command is done when its effect was seen, not when the pile agreed', async () => {
  const { id, equipmentId, connectorId } = await aPoint()
  const wire = await connect(id, { answers: { Reset: () => ({ status: 'Accepted' }), TriggerMessage: () => ({ status: 'Accepted' }) } })
  await wire.call('BootNotification', boot)
  const { data: reset } = await ask('reset', { equipmentId, kind: ResetKind.soft, reason: '死机' })
  await until(async () => expect(await stateOf(reset.id)).toBe(CommandState.delivered))
  await wire.call('BootNotification', boot)
  expect(await over(reset.id)).toMatchObject({ state: CommandState.done })
  const { data: trigger } = await ask('trigger', { equipmentId, connectorId, message: TriggerMessage.status, reason: '核对' })
  await until(async () => expect(await stateOf(trigger.id)).toBe(CommandState.delivered))
  await wire.call('StatusNotification', { connectorId: 1, status: 'Available', errorCode: 'NoError' })
  expect(await over(trigger.id)).toMatchObject({ state: CommandState.done })
})

test('refused, not known, and a setting that does not read back are three failures', async () => {
  const { id, equipmentId, connectorId } = await aPoint()
  const kept = { HeartbeatInterval: '300', Stubborn: 'old' } as Record<string, string>
  const answers: Answers = {
    UnlockConnector: () => ({ status: 'UnlockFailed' }),
    GetConfiguration: ({ key }) => ({
      configurationKey: (key ?? Object.keys(kept)).map((one: string) => ({ key: one, readonly: false, value: kept[one] })),
    }),
    ChangeConfiguration: ({ key, value }) => ((kept[key] = key === 'Stubborn' ? 'old' : value), { status: 'Accepted' }),
  }
  const wire = await connect(id, { answers })
  await wire.call('BootNotification', boot)
  const { data: unlock } = await ask('unlock', { connectorId, reason: '卡枪' })
  expect(await over(unlock.id)).toMatchObject({ state: CommandState.failed, failure: PileFailure.rejected })
  const { data: unknown } = await ask('clearProfile', { connectorId, reason: '试' })
  expect(await over(unknown.id)).toMatchObject({ state: CommandState.failed, failure: PileFailure.unsupported })
  const { data: set } = await ask('setConfiguration', { equipmentId, key: 'HeartbeatInterval', value: '120', reason: '试' })
  expect(await over(set.id)).toMatchObject({ state: CommandState.done, result: { value: '120' } })
  const { data: stubborn } = await ask('setConfiguration', { equipmentId, key: 'Stubborn', value: 'new', reason: '试' })
  expect(await over(stubborn.id)).toMatchObject({ state: CommandState.failed, failure: PileFailure.noEffect })
  expect((await ask('settings', { equipmentId, key: 'Heartbeat' })).data.records).toMatchObject([{ key: 'HeartbeatInterval', value: '120' }])
  expect((await ask('setConfiguration', { equipmentId, key: 'AuthorizationKey', value: 'x', reason: '试' })).code).toBe(41367)
})

test('a pile that is away is told nothing at once, and its availability when it comes back', async () => {
  const { id, equipmentId, connectorId } = await aPoint()
  expect((await ask('unlock', { connectorId, reason: '试' })).code).toBe(41361)
  const { data: wish } = await ask('availability', { equipmentId, operative: false, reason: '检修' })
  expect(wish).toMatchObject({ state: CommandState.queued })
  const wire = await connect(id, { answers: { ChangeAvailability: () => ({ status: 'Scheduled' }), TriggerMessage: () => ({ status: 'Accepted' }) } })
  await until(async () => expect(await stateOf(wish.id)).toBe(CommandState.delivered))
  await wire.call('StatusNotification', { connectorId: 1, status: 'Available', errorCode: 'NoError' })
  expect(await stateOf(wish.id)).toBe(CommandState.delivered)
  await wire.call('StatusNotification', { connectorId: 1, status: 'Unavailable', errorCode: 'NoError' })
  expect(await over(wish.id)).toMatchObject({ state: CommandState.done })
})

test('one thing at a time is asked of a pile, what never comes is over, and what a pile asks meanwhile is answered', async () => {
  const { id, equipmentId, connectorId } = await aPoint()
  let asked = 0
  const wire = await connect(id, {
    answers: {
      UnlockConnector: () => (asked++, SILENT),
      Reset: () => (asked++, { status: 'Rejected' }),
      TriggerMessage: () => ({ status: 'Rejected' }),
    },
  })
  const { data: unlock } = await ask('unlock', { connectorId, reason: '试' })
  const { data: reset } = await ask('reset', { equipmentId, kind: ResetKind.hard, reason: '试' })
  await until(async () => expect(asked).toBe(1))
  expect(await wire.call('Heartbeat')).toHaveProperty('currentTime')
  await until(async () => expect(await stateOf(reset.id)).toBe(CommandState.sent))
  wire.cut()
  expect(await over(unlock.id)).toMatchObject({ failure: PileFailure.offline })
  expect(await over(reset.id)).toMatchObject({ failure: PileFailure.offline })
  expect(asked).toBe(1)
})

test('a gun is kept for one card; what the pile refuses is not kept', async () => {
  const { id, connectorIds } = await aPoint({ guns: 2 })
  const [connectorId, second] = connectorIds as [string, string]
  await yard.sql(`insert into charging.card (card_no, kind, unit, credit_fen) values ('CARD0001', 2, '城投', 100000)`)
  let says = 'Accepted'
  await connect(id, { answers: { ReserveNow: () => ({ status: says }), CancelReservation: () => ({ status: 'Accepted' }) } })
  const body = { connectorId, cardNo: 'CARD0001', until: new Date(Date.now() + 1_800_000).toISOString(), reason: '预约' }
  expect((await ask('reserve', { ...body, cardNo: 'NOBODY' })).code).toBe(41368)
  const { data: reserve } = await ask('reserve', body)
  expect(await over(reserve.id)).toMatchObject({ state: CommandState.done })
  expect((await ask('reserve', body)).code).toBe(41364)
  const { data: cancel } = await ask('cancelReservation', { connectorId, reason: '改期' })
  expect(await over(cancel.id)).toMatchObject({ state: CommandState.done })
  expect((await ask('cancelReservation', { connectorId, reason: '再来' })).code).toBe(41365)
  says = 'Occupied'
  const { data: no } = await ask('reserve', { ...body, connectorId: second })
  expect(await over(no.id)).toMatchObject({ state: CommandState.failed })
  expect(await yard.sql('select 1 from charging.reservation where ended_at is null')).toEqual([])
})

test('after its start a pile is set as the house needs it, and nothing more once it starts again and again', async () => {
  const { id } = await aPoint()
  const changed: string[] = []
  const kept: Record<string, string> = {
    LocalPreAuthorize: 'true',
    LocalAuthorizeOffline: 'true',
    MeterValueSampleInterval: '60',
    MeterValuesSampledData: 'Energy.Active.Import.Register',
  }
  const answers: Answers = {
    GetConfiguration: () => ({ configurationKey: Object.entries(kept).map(([key, value]) => ({ key, readonly: false, value })) }),
    ChangeConfiguration: ({ key, value }) => {
      changed.push(key)
      if (key === 'MeterValuesSampledData' && value.includes('Temperature')) return { status: 'Rejected' }
      kept[key] = value
      return { status: 'Accepted' }
    },
  }
  const wire = await connect(id, { answers })
  await wire.call('BootNotification', boot)
  await until(async () =>
    expect(kept).toMatchObject({
      LocalPreAuthorize: 'false',
      MeterValueSampleInterval: '30',
      MeterValuesSampledData: expect.stringContaining('SoC'),
    }),
  )
  expect(changed).not.toContain('LocalAuthorizeOffline')
  for (let i = 0; i < 4; i++) await wire.call('BootNotification', boot)
  const before = changed.length
  kept['LocalPreAuthorize'] = 'true'
  await wire.call('BootNotification', boot)
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(changed.length).toBe(before)
})

test('a pile that says nothing of its guns is asked for their state, and never told to start', async () => {
  const { id } = await aPoint()
  const asked: string[] = []
  await connect(id, { answers: { TriggerMessage: ({ requestedMessage }) => (asked.push(requestedMessage), { status: 'Accepted' }) } })
  await until(async () => expect(asked).toEqual(['StatusNotification']))
})

test('frames are found by pile, action and words, and whose card it was is covered', async () => {
  const { id, equipmentId } = await aPoint()
  const wire = await connect(id)
  await wire.call('Authorize', { idTag: 'CARD99887766' })
  await until(async () => {
    const { data } = await ask('frames', { equipmentId, action: 'Authorize' })
    expect(data.records.map((one: any) => one.direction).sort()).toEqual([1, 2])
    expect(JSON.stringify(data.records)).toContain('***7766')
    expect(JSON.stringify(data.records)).not.toContain('CARD99887766')
  })
})
