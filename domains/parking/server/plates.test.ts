import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SEES_PLATES } from '../../../platform/contract/personal.ts'
import { tokenOfSomeoneWho } from '../../../tests/support/roles.ts'
import { aGround, type Field, type Ground } from './testing.ts'

const PLATE = '鄂F57001'
const COVERED = '鄂F***01'
const PICTURE = '/lbs/parking/gate/image?fileName=a.jpg'
const SCREENS = ['StayScreen', 'PresentScreen', 'LaneBoardScreen', 'GateScreen', 'FinanceScreen', 'TemporaryIncomeScreen', 'ChangeLogScreen']
let ground: Ground
let field: Field
let owner: pg.Client
/** Works with stays, orders and logs, and is not shown plates. */
let clerk: string
/** The same, and is shown them. */
let guard: string
let id: string
beforeAll(async () => {
  ground = await aGround()
  owner = new pg.Client({ connectionString: ground.server.ownerUrl })
  await owner.connect()
  clerk = await tokenOfSomeoneWho(ground.server, owner, SCREENS)
  guard = await tokenOfSomeoneWho(ground.server, owner, SCREENS, [SEES_PLATES])
  field = await ground.field()
  await field.enters(PLATE, 0, { image: PICTURE })
  const stay = await field.stay(PLATE)
  id = stay.id
  await ground.ask(ground.admin, '/fee/parkRecord/correctPlate', { id, version: stay.version, plateNo: '鄂F57009', reason: `不是 ${PLATE}` })
  const again = await field.stay('鄂F57009')
  await ground.ask(ground.admin, '/fee/parkRecord/correctPlate', { id, version: again.version, plateNo: PLATE, reason: '看错了' })
  await field.exits(PLATE, 90, { image: PICTURE })
})
afterAll(async () => {
  await owner.end()
  await ground.server.close()
})

const get = (token: string, path: string, of: object) => ground.ask(token, path, of, 'GET')
/** Reads every answer about this car, by its call. */
async function told(token: string): Promise<Record<string, string>> {
  const { parkCode } = field
  const answers = {
    list: await get(token, '/fee/parkRecord/queryPage', { plateNo: PLATE }),
    present: await get(token, '/fee/parkRecord/queryPresentPage', { parkCode }),
    detail: await get(token, '/fee/parkRecord/queryDetail', { id }),
    story: await get(token, '/fee/parkRecord/story', { id }),
    board: await get(token, '/device/laneBoard/state', { parkCode }),
    orders: await get(token, '/business/order/list', { parkCode }),
    history: await ground.ask(token, '/basic/record/history', { kind: 'parking.stay', key: id }),
    found: await ground.ask(token, '/basic/record/find', { words: PLATE }),
  }
  for (const [name, { status }] of Object.entries(answers)) expect([name, status]).toEqual([name, 200])
  return Object.fromEntries(Object.entries(answers).map(([name, { data }]) => [name, JSON.stringify(data)]))
}

test('whoever is not shown plates sees none whole and no picture of a car, in lists, story, board, orders, history and palette; whoever is sees all', async () => {
  const [covered, whole] = [await told(clerk), await told(guard)]
  for (const [name, text] of Object.entries(whole)) {
    expect([name, text.includes(PLATE)]).toEqual([name, true])
    // The search result links by the plate that was typed.
    if (name !== 'found') expect([name, covered[name]!.match(/鄂F5700\d/g)]).toEqual([name, null])
    expect([name, covered[name]!.includes(COVERED) || name === 'found']).toEqual([name, true])
    expect([name, covered[name]!.includes('a.jpg')]).toEqual([name, false])
  }
  expect(whole['story']).toContain('a.jpg')
  expect(covered['history']).toContain('鄂F***09')
})

test('a sheet and the change log are covered as the list is', async () => {
  const csv = async (token: string) =>
    (await get(token, '/fee/parkRecord/export', { plateNo: PLATE, format: 'csv', columns: 'plateNo' })).data.toString('utf8')
  expect(await csv(guard)).toContain(PLATE)
  expect(await csv(clerk)).toContain(COVERED)
  const log = async (token: string) =>
    JSON.stringify((await ground.ask(token, '/business/system/selectSystemChangeLogPage', { entity: 'parking.stay', rowId: id, limit: 50 })).data)
  expect(await log(guard)).toContain(PLATE)
  expect(await log(clerk)).toContain(COVERED)
  expect(await log(clerk)).not.toContain(PLATE)
})

test('a car is found by its whole plate, and its plate cannot be found out sign by sign', async () => {
  const rows = async (token: string, of: object) => (await get(token, '/fee/parkRecord/queryPage', of)).data?.records ?? []
  expect(await rows(clerk, { plateNo: PLATE })).toMatchObject([{ id, plateNo: COVERED }])
  expect(await rows(clerk, { plateNo: PLATE })).toMatchObject([{ id }])
  expect(await rows(guard, { plateNo: PLATE.slice(0, 5) })).toMatchObject([{ id }])
  for (const [path, name] of [
    ['/fee/parkRecord/queryPage', 'plateNo'],
    ['/fee/parkRecord/export', 'plateNo'],
    ['/business/order/list', 'plateNo'],
    ['/fee/report/temporaryStopDetails', 'plateNo'],
  ] as const)
    expect(await get(clerk, path, { [name]: PLATE.slice(0, 5) })).toMatchObject({ status: 400, message: expect.stringContaining('完整车牌') })
  expect((await ground.ask(clerk, '/basic/record/find', { words: PLATE.slice(0, 5) })).data).toEqual([])
})
