import { afterAll, beforeAll, expect, test } from 'vitest'
import { pngOf } from '../../../tests/support/hostile.ts'
import { Direction } from '../../parking/contract/gate.ts'
import { aGate, reads } from '../../parking/server/testing.ts'
import { aCollection, aPlate, type Collection } from './testing.ts'

let town: Collection
let code: string
beforeAll(async () => {
  town = await aCollection()
  code = await town.codeOf('P001')
  await aWordFor('arrears.appeal-decided', ['appealNo', 'result', 'reason'])
})
/** A way to send text messages, and the words of one. */
async function aWordFor(template: string, names: readonly string[]) {
  const ask = (method: string, path: string, body: object) => town.server.ask<any>(town.admin, method, `/lbs/message/${path}`, body)
  await ask('POST', 'messageChannel/insert', {
    name: '短信',
    type: 2,
    url: 'https://sms.example/send',
    account: 'kerbline',
    secret: 'x'.repeat(32),
    ratePerSec: 100,
  })
  const vars = names.map((name) => ({ name, label: name, sample: '1' }))
  const content = names.map((name) => `{{${name}}}`).join(' ')
  const { data } = await ask('POST', 'messageTemplate/insert', {
    code: template,
    name: template,
    kind: 3,
    channelType: 2,
    title: template,
    content,
    vars,
  })
  await ask('PUT', 'messageTemplate/update', { id: data.id, version: data.version, state: 1 })
}
afterAll(() => town.close())

const asks = async (plateNo: string, more: object = {}) =>
  town.server.ask(null, 'GET', '/lbs/business/escape/doorDebts', { code, plateNo, ...more }) as Promise<any>
const pays = (plateNo: string, debts: readonly any[], paidFen: number, more: object = {}) =>
  town.call(null, '/escape/doorPay', { code, plateNo, debts: debts.map(({ ref }) => ref), paidFen, payMethod: 1, ...more })
const appeals = (plateNo: string, debt: any, more: object = {}) =>
  town.call(null, '/escape/doorAppeal', { code, plateNo, debt: debt.ref, reason: '当天车在外地', contact: '13900001111', ...more })
const sends = (appealNo: string, bytes: Uint8Array = pngOf(8, 8)) => {
  const body = new FormData()
  for (const [name, value] of Object.entries({ code, appealNo })) body.set(name, value)
  body.set('file', new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'image/png' }), 'x.png')
  return town.server.ask(null, 'POST', '/lbs/business/escape/doorPicture', body) as Promise<any>
}
const settles = async (orderNo: string, amountFen: number) => {
  const [paying] = await town.sql<{ payNo: string }>(
    'select p.pay_no from settlement.payment p join settlement.order o on o.enterprise_id = p.enterprise_id and o.id = p.order_id where o.order_no = $1 order by p.created_at desc limit 1',
    [orderNo],
  )
  return town.notify({ payNo: paying!.payNo, amountFen })
}

test('a plate is told what it owes by amount alone: no number, no place, no time, and only its own', async () => {
  const plateNo = aPlate()
  const files = [...(await town.debts(plateNo, [500])), ...(await town.debts(plateNo, [900], { parkCode: 'P002' }))]
  await town.debts(aPlate(), [700])
  const { data } = await asks(plateNo)
  expect(data.map(({ owedFen }: any) => owedFen)).toEqual([500, 900])
  const told = JSON.stringify(data)
  for (const { id, arrearsNo, orderNo, parkCode, createdAt } of files)
    for (const secret of [id, arrearsNo, orderNo, parkCode, createdAt.slice(0, 10)]) expect(told).not.toContain(secret)
  expect((await asks(plateNo, { code: `${code.slice(0, -1)}~` })).status).toBe(422)
})

test('debts of two parks and the stay that is paid now are one payment, and the present stay of another car is not', async () => {
  const plateNo = aPlate()
  await town.debts(plateNo, [500])
  await town.debts(plateNo, [900], { parkCode: 'P002' })
  const present = await town.anOrder({ receivableFen: 300, plateNo })
  const other = await town.anOrder({ receivableFen: 300, plateNo: aPlate() })
  const { data: debts } = await asks(plateNo)
  expect((await pays(plateNo, debts, 1700, { currentOrderNo: other.orderNo })).status).toBe(404)
  const { status, data } = await pays(plateNo, debts, 1700, { currentOrderNo: present.orderNo })
  expect([status, data.records, data.paidFen]).toEqual([200, 2, 1700])
  expect((await settles(data.repayNo, 1700)).status).toBe(200)
  expect((await asks(plateNo)).data).toEqual([])
  expect(await town.story(present.id)).toMatchObject({ status: 2, paidFen: 300 })
  expect((await town.replay()).right).toBe(true)
  const { ledger, files } = await town.owed()
  expect(files).toBe(ledger)
})

test('nothing of it moves when the amount is not what is owed, or a debt is of another plate; part of it is for a cashier', async () => {
  const [plateNo, stranger] = [aPlate(), aPlate()]
  await Promise.all([town.debts(plateNo, [500]), town.debts(stranger, [700])])
  const [{ data: mine }, { data: theirs }] = await Promise.all([asks(plateNo), asks(stranger)])
  expect((await pays(plateNo, theirs, 700)).code).toBe(41210)
  expect((await pays(plateNo, mine, 501)).code).toBe(41210)
  expect((await pays(plateNo, mine, 499)).code).toBe(41212)
  expect((await asks(plateNo)).data).toEqual(mine)
  expect((await pays(plateNo, mine, 500)).status).toBe(200)
})

test('who comes back from one channel and chooses the other pays the same; ten presses at once are one repayment', async () => {
  const plateNo = aPlate()
  await town.debts(plateNo, [500, 700])
  const { data: debts } = await asks(plateNo)
  const first = await pays(plateNo, debts, 1200)
  const again = await Promise.all(Array.from({ length: 10 }, (_, i) => pays(plateNo, debts, 1200, { payMethod: 1 + (i % 2) })))
  const right = again.filter(({ status }) => status === 200)
  expect(right.length).toBeGreaterThan(0)
  expect(new Set(right.map(({ data }) => data.repayNo))).toEqual(new Set([first.data.repayNo]))
  // Another choice of them is another repayment: it waits until this one is over.
  expect((await pays(plateNo, debts.slice(0, 1), 500)).code).toBe(40590)
})

test('of the car that stands at the very lane whose code was scanned each debt says park, day and time; of any other, and at any other code, none does', async () => {
  const [plateNo, other] = [aPlate(), aPlate()]
  for (const one of [plateNo, other]) await town.debts(one, [500])
  const [gateCode, sn] = ['P001-G91', 'PG-9100']
  await town.server.house.writing(1, 'test', async (tx) => {
    await aGate(tx, { parkCode: 'P001', gateCode, direction: Direction.exit, sn })
    await reads(tx, { sn, plate: plateNo, at: new Date().toISOString() as never })
  })
  const [{ code: ofLane }] = (await town.sql<{ code: string }>('select code from parking.qrcode_shown where target = 2 and target_code = $1', [
    gateCode,
  ])) as [{ code: string }]
  const [file] = await town.sql<any>('select arrived_at, left_at from arrears.record where plate_no = $1', [plateNo])
  await town.sql('update parking.lane set stay_id = gen_random_uuid(), plate_no = $2 where gate_code = $1', [gateCode, plateNo])
  expect((await asks(plateNo, { code: ofLane })).data).toMatchObject([
    { owedFen: 500, parkName: 'P001', arrivedAt: file.arrivedAt, leftAt: file.leftAt },
  ])
  for (const [plate, at] of [
    [other, ofLane],
    [plateNo, code],
  ] as const)
    expect((await asks(plate, { code: at })).data).toMatchObject([{ parkName: null, arrivedAt: null, leftAt: null }])
})

test('of presses that race from the first on, one that is refused takes nothing from the others', async () => {
  for (let round = 0; round < 5; round++) {
    const plateNo = aPlate()
    await town.debts(plateNo, [500])
    const { data: debts } = await asks(plateNo)
    const all = await Promise.all(Array.from({ length: 8 }, () => pays(plateNo, debts, 500)))
    const numbers = new Set(all.filter(({ status }) => status === 200).map(({ data }) => data.repayNo))
    expect(numbers.size).toBe(1)
    await settles([...numbers][0]!, 500)
    expect((await asks(plateNo)).data).toEqual([])
  }
})

test('a driver appeals, adds a picture and follows it by its number; nothing is demanded meanwhile, and a second one is refused', async () => {
  const plateNo = aPlate()
  await town.debts(plateNo, [500])
  const [debt] = (await asks(plateNo)).data
  const both = await Promise.all([appeals(plateNo, debt), appeals(plateNo, debt)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  const { appealNo } = both.find(({ status }) => status === 200)!.data
  expect((await asks(plateNo)).data).toEqual([])
  const follows = (number = appealNo) => town.server.ask(null, 'GET', '/lbs/business/escape/doorFollow', { code, appealNo: number }) as Promise<any>
  expect((await follows()).data).toMatchObject({ appealNo, state: 0, pictures: 0, verdict: null })
  expect(appealNo).toMatch(/^SS[2-9A-HJ-NP-Z]{10}$/)
  const readOut = appealNo.slice(2).toLowerCase()
  expect((await follows(`${readOut.slice(0, 5)} ${readOut.slice(5)}`)).data).toMatchObject({ appealNo })
  expect((await follows(`${appealNo.slice(0, -1)}_`)).status).toBe(404)
  for (let n = 1; n <= 6; n++) expect((await sends(appealNo)).data).toMatchObject({ pictures: n })
  expect((await sends(appealNo)).code).toBe(41224)
  const [row] = (await town.get('/escape/appealList', { state: [0] })).data.records
  expect(row.images.split(',')).toHaveLength(6)
  expect(row).toMatchObject({ applicantId: null, contact: '13900001111' })
  const rejected = await town.post('/escape/appealReject', { id: row.id, version: row.version, verdict: '图片清楚' })
  expect(rejected.status).toBe(200)
  expect((await follows()).data).toMatchObject({ state: 2, verdict: '图片清楚' })
  const told = await town.sql<{ content: string }>("select content from message.record where address = '13900001111'")
  expect(told).toEqual([{ content: `${appealNo} 驳回 图片清楚` }])
  const [again] = (await asks(plateNo)).data
  expect((await appeals(plateNo, again)).code).toBe(41222)
  expect((await sends(appealNo)).status).toBe(409)
})
