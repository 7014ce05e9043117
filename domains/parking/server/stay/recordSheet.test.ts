import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGround, type Field, type Ground } from '../testing.ts'

let ground: Ground
let field: Field
beforeAll(async () => {
  ground = await aGround()
  field = await ground.field()
  await field.enters('鄂F58001', 0)
  await field.exits('鄂F58001', 90)
  await field.pays(await field.stay('鄂F58001'), 91)
})
afterAll(() => ground.server.close())

const sheet = async (path: string, of: object) => (await ground.ask(ground.admin, path, { ...of, format: 'csv' }, 'GET')).data.toString('utf8')

test('a sheet of stays names the park and the gates beside their codes', async () => {
  const { parkCode, inGate, outGate } = field
  const text = await sheet('/fee/parkRecord/export', {
    parkCode,
    columns: 'plateNo,parkCode,parkName,entryGate,entryGateName,exitGate,exitGateName',
  })
  expect(text).toContain('车牌号,车场编号,车场,入口通道,入口名称,出口通道,出口名称')
  expect(text).toContain(`鄂F58001,${parkCode},车场 ${parkCode},${inGate},${inGate} 通道,${outGate},${outGate} 通道`)
})

test('so does a sheet of money, which another domain writes', async () => {
  const { parkCode } = field
  for (const path of ['/business/order/export', '/fee/report/parkStatisticsReportExport'])
    expect([path, await sheet(path, { columns: 'parkCode,parkName' })]).toEqual([path, expect.stringContaining(`${parkCode},车场 ${parkCode}`)])
})
