import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayOf, instantAt, msOf, startOf } from '../../../platform/contract/time.ts'
import type { Instant } from '../../../platform/contract/field.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { post } from '../../ledger/server/api.ts'

let server: TestServer
let admin: string
/** Half of what has passed of today, so that yesterday's twin lies before the same time too. */
const now = instantAt(Math.floor(Date.now() / 1000) * 1000)
const today = startOf(dayOf(now))
const earlier = instantAt(msOf(today) + (msOf(now) - msOf(today)) / 2)
const before = (at: Instant, ms = 86_400_000) => instantAt(msOf(at) - ms)

beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
  await server.house.writing(1, 'test', async (tx) => {
    for (const parkCode of ['P001', 'P009'])
      await tx
        .insertInto('parking.park')
        .values({ parkCode, name: parkCode, pType: 1, regionCode: '420607', totalBays: 100 } as never)
        .execute()
    const stay = (parkCode: string, plateNo: string, entryTime: Instant | null, more: object = {}) => ({
      parkCode,
      plateNo,
      plateColor: 0,
      vehicleClass: 1,
      carKindIn: 9,
      entryTime,
      entryMode: 1,
      status: 1,
      ...more,
    })
    const rows = [
      stay('P001', '鄂F10001', earlier),
      stay('P001', '鄂F10002', earlier, { status: 3, exitTime: earlier, exitMode: 1, durationMin: 0 }),
      stay('P009', '粤B10003', earlier, { plateColor: 4, abnormalType: 1 }),
      stay('P001', '鄂F10004', earlier, { status: 9 }),
      stay('P001', '鄂F10005', before(earlier), { status: 3, exitTime: before(earlier), exitMode: 1, durationMin: 0 }),
      // Nobody saw it come in.
      stay('P001', '鄂F10007', null, { status: 3, abnormalType: 2, entryMode: null, exitTime: earlier, exitMode: 1 }),
      // Yesterday's last second: not yet to be compared with.
      stay('P001', '鄂F10006', before(today, 1000), { status: 3, exitTime: before(today, 1000), exitMode: 1, durationMin: 0 }),
    ]
    await tx
      .insertInto('parking.stay')
      .values(rows as never)
      .execute()
    const paid = (fen: number, at: Instant, about: string) =>
      post(tx, {
        at,
        parkCode: 'P001',
        business: 'parking',
        bizType: 'order',
        bizNo: about,
        about,
        eventId: `test ${about}`,
        lines: [
          { account: 'asset.channel', sub: 'wechat', debitFen: fen },
          { account: 'income.parking', creditFen: fen },
        ],
      } as never)
    await paid(1500, earlier, 'a')
    await paid(500, before(earlier), 'b')
  })
})
afterAll(() => server.close())

const home = async (path: string, token = admin) => (await server.ask(token, 'GET', `/lbs/business/home/${path}`)).data

test('today is counted beside yesterday up to the same time', async () => {
  expect(await home('realParkStatistical')).toMatchObject({
    entered: { today: 3, before: 1 },
    left: { today: 2, before: 1 },
    abnormal: { today: 2, before: 0 },
    present: 2,
    totalBays: 200,
    freeBays: 198,
    heldBays: 0,
    receivableFen: { today: 1500, before: 500 },
    paidFen: { today: 1500, before: 500 },
  })
})

test('a figure is the number of records of the list that it opens', async () => {
  const day = dayOf(now)
  const list = (query: object, of = 'queryPage') =>
    server.ask(admin, 'GET', `/lbs/fee/parkRecord/${of}`, { queryMode: 'total', ...query }).then(({ data }) => data.total as number)
  const { entered, left, abnormal } = await home('realParkStatistical')
  const within = (field: string) => ({ [`${field}From`]: `${day} 00:00:00`, [`${field}To`]: `${day} 23:59:59` })
  expect(await list({ ...within('entryTime'), status: '1,2,3,4', entered: true })).toBe(entered.today)
  expect(await list({ ...within('exitTime'), status: '3' })).toBe(left.today)
  expect(await list(within('seenAt'), 'queryAbnormalPage')).toBe(abnormal.today)
  expect(await list({ ...within('seenAt'), entered: false })).toBe(1)
  // Two conditions select what lies within both.
  expect(await list({ ...within('seenAt'), entryTimeFrom: `${day} 23:59:59` })).toBe(0)
  expect(await list({ ...within('entryTime'), seenAtTo: `${day} 00:00:00` })).toBe(0)
})

test('an operator’s figures are those of the operator’s parks; another enterprise has none', async () => {
  expect(await home('realParkStatistical', await server.signIn('operator'))).toMatchObject({ entered: { today: 2 }, present: 1, totalBays: 100 })
  expect(await home('realParkStatistical', await server.signIn('otheradmin'))).toMatchObject({
    entered: { today: 0, before: 0 },
    paidFen: { today: 0 },
    totalBays: 0,
  })
})

test('the hours add up to the day', async () => {
  const hours = (await home('selectParkFlowData')) as { entered: number | null; enteredBefore: number }[]
  expect(hours).toHaveLength(24)
  expect(hours.reduce((sum, { entered }) => sum + (entered ?? 0), 0)).toBe(3)
  expect(hours.reduce((sum, { enteredBefore }) => sum + enteredBefore, 0)).toBe(2)
})

test('cars are told apart by the colour and the place of their plates', async () => {
  const { colors, places } = await home('plateStatisticalDetail')
  expect(colors).toEqual([
    { plateColor: 0, entered: 2 },
    { plateColor: 4, entered: 1 },
  ])
  expect(places).toEqual([
    { place: '鄂F', entered: 2 },
    { place: '粤B', entered: 1 },
  ])
})

test('each park is told for the wall, with the time of the figures', async () => {
  const { at, parks } = await home('screen/parkStatistical')
  expect(msOf(at)).toBeGreaterThan(msOf(earlier))
  expect(parks.map(({ parkCode, present, entered, left }: any) => [parkCode, present, entered, left])).toEqual([
    ['P001', 1, 2, 2],
    ['P009', 1, 1, 0],
  ])
  await server.house.writing(1, 'a test', (tx) => tx.updateTable('parking.park').set({ deleted: true }).where('parkCode', '=', 'P009').execute())
  expect((await home('screen/parkStatistical')).parks).toHaveLength(1)
  expect(await home('realParkStatistical')).toMatchObject({ totalBays: 100 })
  await server.house.writing(1, 'a test', (tx) => tx.updateTable('parking.park').set({ deleted: false }).where('parkCode', '=', 'P009').execute())
  expect(await home('realEscapeStatistical')).toMatchObject({ orders: { today: 0, before: 0 } })
})
