import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../../platform/server/database.ts'
import { aStreet, FIVE_AN_HOUR, type Street } from './testing.ts'

let street: Street
let token: string
beforeAll(async () => {
  street = await aStreet()
  token = await street.server.signIn('admin')
})
afterAll(() => street.close())

const LAST = { status: 409, code: 40623 }
const tiesOf = async (parkCode: string) =>
  (await street.ask('/fee/feeAssociate/queryPage', { parkCode, limit: 50 })).data.records as {
    id: string
    ruleId: string
    version: number
    inForceId: string
  }[]
const untie = (id: string) => street.server.ask(token, 'DELETE', `/lbs/fee/feeAssociate/delete?id=${id}`)
const sectionOf = async (sectionCode: string) => (await street.ask('/business/roadInfo/selectAreaInfo', { sectionCode })).data
const withdraw = async (id: string) => {
  const { rule } = (await street.get('/fee/feeRule/detail', { id })).data
  return street.ask('/fee/feeRule/withdraw', { id, version: rule.version, reason: '测试' })
}

describe('an enabled section keeps its last rule', () => {
  test('untying it is refused with the name of the section and what to do; where another covers it, or it is closed, it goes', async () => {
    const { parkCode, section } = await street.field()
    const [only] = await tiesOf(parkCode)
    const refused = await untie(only!.id)
    expect(refused).toMatchObject(LAST)
    expect(refused.message).toContain('中山路')
    expect(refused.message).toContain('停用')
    expect((await sectionOf(section)).ruleName).toContain('规则')

    await street.rule(parkCode, { sectionCode: section })
    expect(await untie(only!.id)).toMatchObject({ status: 200 })
    const [last] = await tiesOf(parkCode)
    expect(await untie(last!.id)).toMatchObject(LAST)
    const found = await sectionOf(section)
    await street.form('/business/roadInfo/changeParkAreaFlag', { id: found.id, version: found.version, flag: 2, reason: '施工' })
    expect(await untie(last!.id)).toMatchObject({ status: 200 })
  })
  test('a tie that is moved elsewhere, or to a rule that is not in force, takes the last rule away too', async () => {
    const { parkCode } = await street.field()
    const other = await street.district()
    const [{ id, version } = { id: '', version: 0 }] = await tiesOf(parkCode)
    const move = (change: object) => street.ask('/fee/feeAssociate/update', { id, version, ...change })
    expect(await move({ parkCode: other.parkCode })).toMatchObject(LAST)
    expect(await move({ carKind: 8 })).toMatchObject(LAST)
    const draft = (await street.ask('/fee/feeRule/insert', { name: '还没发布' })).data
    expect(await move({ ruleId: draft.ruleId })).toMatchObject(LAST)
    expect(await move({ remark: '主干道' })).toMatchObject({ status: 200 })
  })
  test('its rule is not withdrawn, and not published anew for other vehicles only', async () => {
    const { parkCode } = await street.field()
    const [tie] = await tiesOf(parkCode)
    const refused = await withdraw(tie!.inForceId)
    expect(refused).toMatchObject(LAST)
    expect(refused.message).toContain('中山路')

    const { id } = (await street.ask('/fee/feeRule/revise', { id: tie!.inForceId })).data
    await street.write((tx) => run(tx, { sql: `update fee.rule set vehicle_classes = '{2}' where id = $1` }, [id]))
    const { rule } = (await street.get('/fee/feeRule/detail', { id })).data
    const publish = { id, version: rule.version, reason: '测试' }
    expect(await street.ask('/fee/feeRule/publishOver', publish)).toMatchObject(LAST)
    expect((await street.get('/fee/feeRule/detail', { id })).data.rule.status).toBe(0)
    await street.rule(parkCode)
    expect(await street.ask('/fee/feeRule/publishOver', publish)).toMatchObject({ status: 200 })
  })
  test('a section that had no rule in force before is in nobody’s way', async () => {
    const { parkCode } = await street.field()
    const [tie] = await tiesOf(parkCode)
    await street.write((tx) => run(tx, { sql: `update fee.rule set effective_to = now() - interval '1 day' where id = $1` }, [tie!.inForceId]))
    expect(await untie(tie!.id)).toMatchObject({ status: 200 })
  })
  test('of two that cover it, two people at once take away one', async () => {
    const { parkCode, section } = await street.field()
    await street.rule(parkCode, { sectionCode: section, tariff: FIVE_AN_HOUR })
    const answers = await Promise.all((await tiesOf(parkCode)).map(({ id }) => untie(id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await tiesOf(parkCode)).toHaveLength(1)
  })
  test('a section is opened and its rule taken away at once: one of them is refused', async () => {
    const { parkCode, section } = await street.field()
    const found = await sectionOf(section)
    await street.form('/business/roadInfo/changeParkAreaFlag', { id: found.id, version: found.version, flag: 2, reason: '施工' })
    const [tie] = await tiesOf(parkCode)
    const [opened, untied] = await Promise.all([
      street.form('/business/roadInfo/changeParkAreaFlag', { id: found.id, version: found.version + 1, flag: 1 }),
      untie(tie!.id),
    ])
    expect([opened.status, untied.status].filter((status) => status === 200)).toHaveLength(1)
  })
  test('a district with an open section that has lost its rule by time is not switched on', async () => {
    const { parkCode } = await street.field()
    await street.get('/business/roadInfo/changeRoadParkStatus', { parkCode, status: 2, reason: '测试' })
    const [tie] = await tiesOf(parkCode)
    await street.write((tx) => run(tx, { sql: `update fee.rule set effective_to = now() - interval '1 day' where id = $1` }, [tie!.inForceId]))
    expect(await street.get('/business/roadInfo/changeRoadParkStatus', { parkCode, status: 1 })).toMatchObject({ status: 422, code: 40020 })
    await street.rule(parkCode)
    expect(await street.get('/business/roadInfo/changeRoadParkStatus', { parkCode, status: 1 })).toMatchObject({ status: 200 })
  })
})
