import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anOffice, aPlate, type Office } from './testing.ts'

let office: Office
beforeAll(async () => {
  office = await anOffice()
})
afterAll(() => office.server.close())

describe('kinds of pass', () => {
  test('a tree that cannot bite its tail; what has something below it, or passes, stays', async () => {
    const { parkCode } = await office.field()
    const add = async (name: string, parentId?: string) =>
      (await office.call('/config/memberGroup/insertMemberGroup', { name, type: 1, parkCodes: [parkCode], ...(parentId && { parentId }) })).data
    const top = await add('企业客户')
    const below = await add('写字楼', top.id)
    expect(await office.call('/config/memberGroup/updateMemberGroup', { id: top.id, version: top.version, parentId: below.id })).toMatchObject({
      code: 41416,
    })
    expect(await office.call('/config/memberGroup/deleteMemberGroup', { id: top.id, version: top.version })).toMatchObject({ code: 41414 })
    expect(
      await office.call('/config/memberGroup/insertMemberGroup', { name: '写字楼', type: 1, parkCodes: [parkCode], parentId: top.id }),
    ).toMatchObject({ code: 41419 })
    const tree = (await office.call('/config/memberGroup/selectTree')).data
    expect(tree.find((one: any) => one.id === top.id).children.map((one: any) => one.name)).toEqual(['写字楼'])
    expect((await office.get('/config/memberGroup/selectByParent', { parentId: top.id })).data.map((one: any) => one.name)).toEqual(['写字楼'])
    expect((await office.call('/config/memberGroup/deleteMemberGroup', { id: below.id, version: below.version })).code).toBe(200)
  })
  test('a kind names parks and plans that are there; its plan cannot be deleted while it is bound', async () => {
    const { group, plan } = await office.aGroup()
    expect(await office.call('/config/memberGroup/insertMemberGroup', { name: '无此车场', type: 1, parkCodes: ['NOWHERE'] })).toMatchObject({
      code: 41418,
    })
    const inEnglish = (input: object) =>
      office.server.ask(office.admin, 'POST', '/lbs/member/member/config/memberGroup/configParkAccess', input, { cookie: 'lang=en' })
    const nowhere = await inEnglish({ groupId: group.id, parkCodes: ['NOWHERE'] })
    expect(nowhere).toMatchObject({ code: 41418, message: 'The car park does not exist or is not available' })
    expect(await office.call('/config/carFeesRole/delete', { id: plan.id, version: plan.version })).toMatchObject({ code: 41411 })
    const detail = (await office.get('/config/memberGroup/getMemberGroupDetail', { id: group.id })).data
    expect(detail).toMatchObject({ passes: 0, placesLeft: null, plans: [{ name: plan.name, sold: 0 }] })
    await office.aPass({ group, plan })
    expect(await office.call('/config/memberGroup/deleteMemberGroup', { id: group.id, version: group.version })).toMatchObject({ code: 41415 })
  })
  test('the longest and dearest plan is sold as often at once as a clerk may; a longer one is refused', async () => {
    const longest = { priceFen: 100_000_000, periodUnit: 5, periodCount: 10 }
    const { group, plan } = await office.aGroup({ plan: longest })
    const quote = { act: 1, groupId: group.id, carFeesId: plan.id, periods: 60 }
    expect((await office.call('/pass/quote', quote)).data).toMatchObject({ payableFen: 6_000_000_000 })
    const { id, version } = plan
    expect(await office.call('/config/carFeesRole/update', { id, version, periodCount: 11 })).toMatchObject({ code: 41487 })
    expect(await office.call('/config/carFeesRole/update', { id, version, priceFen: 100_000_001 })).toMatchObject({ code: 400 })
  })
  test('its tariff is a tie of a fee rule, for one park or all of its parks', async () => {
    const { group } = await office.aGroup()
    const [{ ruleId }] = (await office.sql('select rule_id from fee.rule where status = 1 limit 1')) as [{ ruleId: string }]
    expect((await office.call('/config/memberGroup/configFeeIndex', { groupId: group.id, feeIndex: ruleId })).code).toBe(200)
    const detail = async () => (await office.get('/config/memberGroup/getMemberGroupDetail', { id: group.id })).data
    expect((await detail()).feeIndexes).toMatchObject([{ parkCode: group.homePark, feeIndex: ruleId }])
    await office.call('/config/memberGroup/configFeeIndex', { groupId: group.id, feeIndex: null })
    expect((await detail()).feeIndexes).toEqual([])
  })
  test('switched off with its access: passes rest, and go on when it is on again', async () => {
    const made = await office.aGroup()
    const pass = await office.aPass(made)
    const off = await office.call('/config/memberGroup/disableMemberGroup', {
      id: made.group.id,
      version: made.group.version,
      status: 2,
      suspendAccess: true,
      reason: '整修',
    })
    expect(await office.pass(pass.id)).toMatchObject({ status: 3 })
    expect((await office.call('/pass/quote', { act: 1, groupId: made.group.id, carFeesId: made.plan.id })).code).toBe(41430)
    await office.call('/config/memberGroup/disableMemberGroup', { id: made.group.id, version: off.data.version, status: 1 })
    expect(await office.pass(pass.id)).toMatchObject({ status: 2 })
  })
})

describe('access rules', () => {
  const never = { effect: 2, dayMask: 127, timeFrom: '00:00', timeTo: '00:00' }
  test('a rule that is not in force does nothing; in force it keeps passes and temporary cars out, and says its name', async () => {
    const field = await office.field()
    const made = await office.aGroup({ parks: [field.parkCode] })
    const plate = aPlate()
    await office.aPass(made, { plates: [plate] })
    const rule = (await office.call('/config/accessRule/insertParkAccessRule', { parkCode: field.parkCode, name: '施工', ...never })).data
    expect(rule.status).toBe(0)
    const soon = 1_000
    await field.enters(plate, soon)
    expect(await field.stay(plate)).toMatchObject({ carKindIn: 8 })
    expect((await field.decisions(plate))[0]!.checks.find(({ check, hit }) => check === 6 && hit)!.zh).toContain(made.group.name)
    expect((await office.call('/config/accessRule/updateYes', { id: rule.id, version: rule.version, yes: 1 })).data.status).toBe(1)
    const others = [aPlate(), aPlate()] as const
    await office.aPass(made, { plates: [others[0]] })
    for (const other of others) await field.enters(other, soon + 2)
    for (const other of others) {
      expect(await field.stays(other)).toEqual([])
      expect((await field.decisions(other)).at(-1)!.checks.at(-1)!.zh).toContain('施工')
    }
    const opposite = (await office.call('/config/accessRule/insertParkAccessRule', { parkCode: field.parkCode, name: '放行', ...never, effect: 1 }))
      .data
    expect(await office.call('/config/accessRule/updateYes', { id: opposite.id, version: opposite.version, yes: 1 })).toMatchObject({ code: 41420 })
    await office.call('/config/accessRule/updateParkAccessRule', {
      id: opposite.id,
      version: opposite.version,
      priority: 5,
      memberGroups: [made.group.id],
    })
    expect((await office.call('/config/accessRule/updateYes', { id: opposite.id, version: opposite.version + 1, yes: 1 })).code).toBe(200)
    await field.enters(others[0], soon + 4)
    expect(await field.stay(others[0])).toMatchObject({ carKindIn: 8 })
    expect((await office.call('/config/accessRule/queryOne', { id: rule.id })).data.name).toBe('施工')
    expect((await office.call('/config/accessRule/deleteParkAccessRule', { id: rule.id, version: rule.version + 1 })).code).toBe(200)
  })
  test('it names places that are there, and ends after it begins', async () => {
    const { parkCode } = await office.field()
    const add = (more: object) => office.call('/config/accessRule/insertParkAccessRule', { parkCode, name: '某', ...never, ...more })
    expect(await add({ gates: ['NO-GATE'] })).toMatchObject({ code: 41422 })
    expect(await add({ dateFrom: '2027-02-01', dateTo: '2027-01-01' })).toMatchObject({ code: 41421 })
    expect(await add({ timeFrom: '25:00' })).toMatchObject({ status: 400 })
  })
})
