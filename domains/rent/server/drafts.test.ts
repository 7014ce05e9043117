import { afterAll, beforeAll, expect, test } from 'vitest'
import { anAuction, type Auction } from './testing.ts'

let house: Auction
beforeAll(async () => void (house = await anAuction()))
afterAll(() => house.close())
const draftsOf = (projectId: string) => house.sql('select state from rent.contract where project_id = $1', [projectId])

test('a lease drawn up wrongly is withdrawn while nobody has signed, and drawn up anew; with one signature it is not', async () => {
  const { id, projectId } = await house.drawn()
  expect(await house.post('/rentContract/withdraw', { id, version: 2, reason: '押金写错' })).toMatchObject({ status: 409 })
  expect(await house.post('/rentContract/withdraw', { id, version: 1, reason: '押金写错' })).toMatchObject({ status: 200 })
  expect(await draftsOf(projectId)).toEqual([])
  const again = { projectId, fromDay: new Date().toISOString().slice(0, 10), cycle: 1, depositFen: 4_000 }
  const { data: anew } = await house.post('/rentContract/add', again)
  expect(anew).toMatchObject({ state: 0, depositFen: 4_000 })
  await house.post('/rentContract/sign', { id: anew.id, version: 1, party: 2 })
  expect(await house.post('/rentContract/withdraw', { id: anew.id, version: 2, reason: '反悔' })).toMatchObject({ status: 409, code: 42443 })
  expect(await house.post('/rentContract/sign', { id: anew.id, version: 2, party: 1 }, house.deputy)).toMatchObject({ data: { state: 1 } })
  expect(await house.post('/rentContract/withdraw', { id: anew.id, version: 3, reason: '反悔' })).toMatchObject({ status: 409, code: 40010 })
})

test('a project that is terminated leaves no lease to be signed, and the earnest money of whoever won goes back', async () => {
  const { id, projectId, enrollId } = await house.drawn()
  const { version } = await house.project(projectId)
  expect(await house.post('/rentProject/terminate', { id: projectId, version, reason: '规划调整' }, house.deputy)).toMatchObject({ status: 200 })
  expect(await draftsOf(projectId)).toEqual([])
  expect(await house.post('/rentContract/sign', { id, version: 1, party: 2 })).toMatchObject({ status: 404 })
  expect(await house.enrolment(enrollId)).toMatchObject({ earnestState: 2, refundState: 0 })
})
