import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayOf, instantAt } from '../../../platform/contract/time.ts'
import { anAuction, type Auction } from '../../rent/server/testing.ts'
import { until } from '../../settlement/server/testing.ts'

let house: Auction
beforeAll(async () => void (house = await anAuction({ role: 'all' })))
afterAll(() => house.close())

test('a notice of a letting is on the handhelds of whom it is for, once it is published, whole or in part', async () => {
  for (const [tollNo, tollType] of [
    ['N1', 2],
    ['N12', 2],
    ['N3', 3],
  ] as const)
    expect(await house.post('/api/staff/toll/save', { tollNo, name: tollNo, tollType, parkCode: 'R001' })).toMatchObject({ status: 200 })
  // A person without an account has nowhere to read it.
  for (const [tollNo, username] of [
    ['N1', 'operator'],
    ['N12', 'auditor'],
    ['N3', 'admin'],
  ])
    await house.sql('update staff.collector set person_id = (select id from identity.person where username = $2 limit 1) where toll_no = $1', [
      tollNo,
      username,
    ])
  const { id: projectId } = await house.enrolling()
  const say = async (title: string, more: object) => {
    const { data } = await house.post('/rentNotices/add', { projectId, type: 2, title, content: '补充说明', ...more })
    expect(await house.post('/rentNotices/publish', { id: data.id, version: data.version }, house.deputy)).toMatchObject({ status: 200 })
  }
  const toldOf = () =>
    house.sql(
      'select c.toll_no, n.title, n.sender_name from staff.notice n join staff.collector c on c.id = n.collector_id order by n.created_at, c.toll_no',
    )
  await say('无人', {})
  await say('没有这个人', { tollNos: 'N999' })
  await say('给一号和三号', { tollNos: 'N1，N3' })
  await say('给车场', { tollType: 2 })
  await say('给车场一号', { tollType: 2, tollNos: 'N1, N3' })
  await until(toldOf, (rows) => rows.length >= 5)
  const told = (await toldOf()).map(({ tollNo, title }: any) => [title, tollNo])
  const foundBy = async (tollNos: string) =>
    (await house.post('/rentNotices/query', { projectId, tollNos, workDate: dayOf(instantAt(Date.now())) })).data.records
      .map(({ title }: any) => title)
      .sort()
  expect(await foundBy('N1')).toEqual(['给一号和三号', '给车场一号'])
  expect(await foundBy('n3')).toEqual(['给一号和三号', '给车场一号'])
  for (const part of ['N', '1', '3', 'N9', 'N99']) expect(await foundBy(part)).toEqual([])
  expect(told.sort()).toEqual(
    [
      ['给一号和三号', 'N1'],
      ['给一号和三号', 'N3'],
      ['给车场', 'N1'],
      ['给车场', 'N12'],
      ['给车场一号', 'N1'],
    ].sort(),
  )
})
