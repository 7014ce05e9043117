import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allowOutside } from '../../../platform/server/outside.ts'
import type { Instant } from '../../../platform/contract/field.ts'
import { run } from '../../../platform/server/database.ts'
import { signPolice, tasks, workWithPolice } from './illegalStop.ts'
import { aStreet, type Field, type Street } from './testing.ts'

let street: Street
let police: Server
const received: any[] = []
let answers = (): { status: number; body: object } => ({ status: 200, body: { policeNo: `J${received.length}` } })
const SECRET = 'a secret that both sides have, of length'
beforeAll(async () => {
  street = await aStreet()
  police = createServer((request, reply) => {
    let text = ''
    request.on('data', (part) => (text += part))
    request.on('end', () => {
      received.push(JSON.parse(text))
      const { status, body } = answers()
      reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((done) => police.listen(0, '127.0.0.1', done))
  const { port } = police.address() as AddressInfo
  allowOutside([`127.0.0.1:${port}`])
  workWithPolice({ url: `http://127.0.0.1:${port}/`, secret: SECRET })
})
afterAll(async () => {
  police.close()
  await street.close()
})

const PICTURE = '/lbs/basic/file?fileName=a.jpg'
const shot = (field: Field, minute: number, more: object = {}) => ({
  image: PICTURE,
  at: field.at(minute),
  showsPlate: true,
  showsPlace: true,
  ...more,
})
const record = (field: Field, minutes: number[], more: object = {}, who?: 'operator') =>
  street.ask(
    '/business/illegalStop/create',
    {
      parkCode: field.parkCode,
      type: 1,
      source: 4,
      plateNo: '鄂F12345',
      place: '中山路路口',
      at: field.at(minutes[0]!),
      images: minutes.map((one) => shot(field, one)),
      ...more,
    },
    who,
  )
const V = ({ id, version }: { id: string; version: number }) => ({ id, version })
const one = async (id: string) => (await street.get('/business/illegalStop/one', { id })).data
/** As another person than the one who recorded it. */
const byAnother = (field: Field) =>
  street.write((tx) => run(tx, { sql: `update roadside.illegal_stop set filed_by = '{patrol}' where park_code = $1` }, [field.parkCode]))

describe('an illegal stop', () => {
  test('the same car at the same place within two hours is one record that counts up', async () => {
    const field = await street.field()
    for (const minute of [0, 60, 179, 400]) await record(field, [minute])
    const { data } = await street.ask('/business/violationRecords/query', { kind: 2, parkCode: field.parkCode })
    expect(data.records).toMatchObject([
      { count: 1, firstAt: field.at(400) },
      { count: 3, firstAt: field.at(0), lastAt: field.at(179) },
    ])
    expect(await street.ask('/business/violationRecords/query', { kind: 1 })).toMatchObject({ status: 400 })
  })
  test('holds with two pictures far enough apart, and never by the word of who recorded it', async () => {
    const field = await street.field()
    const { data: weak } = await record(field, [0, 2])
    expect(await street.ask('/business/illegalStop/review', { ...V(weak), state: 1 })).toMatchObject({ status: 409, code: 41122 })
    await byAnother(field)
    expect(await street.ask('/business/illegalStop/review', { ...V(weak), state: 1 })).toMatchObject({ status: 422, code: 41123 })
    const { data: better } = await record(field, [3])
    // A person who added to the case does not review it.
    expect(await street.ask('/business/illegalStop/review', { ...V(better), state: 1 })).toMatchObject({ status: 409, code: 41122 })
    await byAnother(field)
    expect((await street.ask('/business/illegalStop/review', { ...V(better), state: 1 })).data).toMatchObject({ state: 1 })
    expect(await street.ask('/business/illegalStop/review', { ...V(better), version: better.version + 1, state: 2, invalidReason: 1 })).toMatchObject(
      { status: 409 },
    )
  })
  test('a special vehicle does not hold; what does not hold needs a reason and may be reviewed again by another', async () => {
    const field = await street.field()
    const { data } = await record(field, [0, 5], { plateNo: 'WJ鄂12345' })
    await byAnother(field)
    expect(await street.ask('/business/illegalStop/review', { ...V(data), state: 1 })).toMatchObject({ status: 422, code: 41124 })
    expect(await street.ask('/business/illegalStop/review', { ...V(data), state: 2 })).toMatchObject({ status: 422, code: 41125 })
    const { data: invalid } = await street.ask('/business/illegalStop/review', { ...V(data), state: 2, invalidReason: 2 })
    expect(invalid).toMatchObject({ state: 2, invalidReason: 2 })
    const again = () => street.ask('/business/illegalStop/recheck', { ...V(invalid), reason: '申诉' })
    expect(await again()).toMatchObject({ status: 409, code: 41122 })
    await street.write((tx) =>
      run(tx, { sql: `update roadside.illegal_stop set reviewed_by = 'other', reviewed_at = now() - interval '8 days' where id = $1` }, [invalid.id]),
    )
    expect(await again()).toMatchObject({ status: 409, code: 41126 })
    await street.write((tx) => run(tx, { sql: `update roadside.illegal_stop set reviewed_at = now() where id = $1` }, [invalid.id]))
    expect((await again()).data).toMatchObject({ state: 0, invalidReason: null })
  })
})

describe('the police', () => {
  async function valid(): Promise<any> {
    const field = await street.field()
    const { data } = await record(field, [0, 10])
    await byAnother(field)
    return (await street.ask('/business/illegalStop/review', { ...V(data), state: 1 })).data
  }
  const sends = (id: string) => tasks[0]!.alone!({ house: street.server.house, enterprise: 1, data: { id }, at: new Date().toISOString() as Instant })
  const notice = (policeNo: string, result: number | undefined, secret = SECRET) => {
    const at = '2026-11-01T00:00:00.000Z' as Instant
    return street.server.ask(null, 'POST', '/lbs/business/illegalStop/notice', {
      policeNo,
      ...(result && { result }),
      at,
      sign: signPolice(secret, policeNo, result, at),
    })
  }

  test('take a record, answer it signed, and say it twice without effect', async () => {
    const stop = await valid()
    expect(await street.ask('/business/illegalStop/push', { ids: [stop.id] })).toMatchObject({ status: 200 })
    await sends(stop.id)
    const pushed = await one(stop.id)
    expect(pushed).toMatchObject({ state: 3, policeNo: `J${received.length}`, pushError: null })
    expect(received.at(-1)).toMatchObject({ illegalNo: stop.illegalNo, plateNo: '鄂F12345' })
    expect(await notice(pushed.policeNo, 1, 'somebody else with a secret of his own')).toMatchObject({ status: 403, code: 41127 })
    for (let n = 0; n < 2; n++) expect(await notice(pushed.policeNo, 1)).toMatchObject({ status: 200 })
    expect(await one(stop.id)).toMatchObject({ state: 4, result: 1 })
  })
  test('what they do not take stays where it was, with the reason', async () => {
    const stop = await valid()
    const kind = answers
    answers = () => ({ status: 500, body: {} })
    await sends(stop.id)
    answers = kind
    expect(await one(stop.id)).toMatchObject({ state: 1, policeNo: null })
    expect((await one(stop.id)).pushError).toContain('500')
    expect(await street.ask('/business/illegalStop/receipt', { ...V(await one(stop.id)), result: 1 })).toMatchObject({ status: 409 })
  })
  test('give one back: it holds again, and can be sent once more', async () => {
    const stop = await valid()
    await sends(stop.id)
    const pushed = await one(stop.id)
    expect(await street.ask('/business/illegalStop/receipt', V(pushed))).toMatchObject({ status: 422, code: 41128 })
    expect((await street.ask('/business/illegalStop/receipt', { ...V(pushed), reason: '照片不清' })).data).toMatchObject({
      state: 1,
      pushError: '照片不清',
    })
    await sends(stop.id)
    expect(await one(stop.id)).toMatchObject({ state: 3 })
  })
})
