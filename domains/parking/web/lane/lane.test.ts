import { describe, expect, it } from 'vitest'
import type { LaneRow } from '../../contract/laneBoard.ts'
import { OpenReason } from '../../contract/gate.ts'
import { PassMode } from '../../contract/stay.ts'
import { calmOf, clockOf, debtOf, dueOf, isGrown, mayReadAgain, mayTypeEntry, needOf, PATIENCE_S, stateOf, waitedOf, whoOf, whyOf } from './lane.ts'
import { actLines, changedSince, insideAlready, isReady, readOf, toSend } from './laneActs.ts'

const NOW = Date.parse('2026-11-20T12:00:00.000Z')
const ago = (seconds: number) => new Date(NOW - seconds * 1000).toISOString() as LaneRow['since']
const aLane = (differs: Partial<LaneRow> = {}) =>
  ({
    gateCode: 'P001-G01',
    parkCode: 'P001',
    name: '入口 1',
    direction: 1,
    status: 1,
    lockedBy: null,
    online: true,
    openAll: false,
    keptOpenUntil: null,
    gateState: 'closed',
    heading: null,
    state: 1,
    since: null,
    stayId: null,
    decisionId: null,
    plateNo: null,
    plateColor: null,
    image: null,
    carKind: null,
    entryTime: null,
    entryMode: null,
    orderId: null,
    payState: null,
    dueFen: 0,
    outcome: null,
    checks: [],
    command: null,
    candidates: [],
    ...differs,
  }) as LaneRow
const tried = (check: number, hit: boolean, zh: string) => ({ check, hit, zh, en: zh }) as LaneRow['checks'][number]

describe('a debt from before', () => {
  it('is named by the card with the way to it, for a car that is let through', () => {
    const checks = [tried(8, true, '欠费 20 元（1 笔），提醒'), tried(10, true, '临时车放行')]
    const lane = aLane({ state: 4, plateNo: '鄂F12345', checks })
    expect(debtOf(lane)).toEqual({
      text: ['欠费 20 元（1 笔），提醒', '欠费 20 元（1 笔），提醒'],
      link: `/userCenter/arrearage/record?plateNo=${encodeURIComponent('鄂F12345')}`,
    })
    expect(whoOf({ ...lane, carKind: 9 }).text[0]).toBe('欠费')
    expect(debtOf({ ...lane, checks: [tried(8, false, '无欠费'), tried(10, true, '临时车放行')] })).toBeUndefined()
  })
})
describe('what a person may put right at a lane', () => {
  const decisionId = 'd1' as LaneRow['decisionId']
  it('the plate of a car that is asked about, or was turned away by it', () => {
    for (const state of [2, 5] as const) expect(mayReadAgain(aLane({ state, decisionId }))).toBe(true)
    expect(mayReadAgain(aLane({ state: 4, decisionId }))).toBe(false)
    expect(mayReadAgain(aLane({ state: 2, decisionId, stayId: 's1' as LaneRow['stayId'] }))).toBe(false)
  })
  it('the entry that nobody saw, or that was typed; not one that a lane has read', () => {
    const at = (differs: Partial<LaneRow>) => mayTypeEntry(aLane({ state: 2, heading: 2, decisionId, ...differs }))
    expect(at({})).toBe(true)
    expect(at({ entryTime: ago(600), entryMode: PassMode.entered })).toBe(true)
    expect(at({ entryTime: ago(600), entryMode: PassMode.camera })).toBe(false)
    expect(at({ state: 3 })).toBe(false)
  })
  it('an unread plate is typed into an empty field', () => {
    expect(['鄂F12345', '无牌车', '无XGUJ8CE', null].map((plateNo) => readOf({ plateNo }))).toEqual(['鄂F12345', '', '', ''])
  })
  it('a plate that is inside is said before the car is let in by it', () => {
    const inside = [{ plateNo: '鄂F12345', entryTime: ago(60) }] as Parameters<typeof insideAlready>[0]
    expect(insideAlready(inside, '鄂F12345', () => '20:02:13')?.[0]).toContain('该车已在场（入场时间 20:02:13）')
    expect(insideAlready(inside, '鄂F12346', String)).toBeUndefined()
  })
  it('“other” wants a note wherever a reason is asked for', () => {
    const exit = aLane({ state: 3, heading: 2, dueFen: 500 as LaneRow['dueFen'] })
    expect(isReady(exit, 'free', { reason: OpenReason.other, remark: ' ' })).toBe(false)
    expect(isReady(exit, 'free', { reason: OpenReason.other, remark: '救护车跟车' })).toBe(true)
    expect(isReady(exit, 'free', { reason: OpenReason.fault })).toBe(true)
  })
})
describe('a lane needs a person', () => {
  it('when it asks, calls or its barrier is blocked, at once', () => {
    expect(needOf(aLane({ state: 2, since: ago(1) }), NOW)?.urgent).toBe(true)
    expect(needOf(aLane({ state: 6, since: ago(1) }), NOW)?.urgent).toBe(true)
    expect(needOf(aLane({ gateState: 'blocked' }), NOW)?.urgent).toBe(true)
  })
  it('when a car has stood there longer than patience lasts, not before', () => {
    expect(needOf(aLane({ state: 3, since: ago(PATIENCE_S) }), NOW)).toBeUndefined()
    expect(needOf(aLane({ state: 3, since: ago(PATIENCE_S + 1) }), NOW)?.urgent).toBe(true)
    expect(needOf(aLane({ state: 1, since: ago(500) }), NOW)).toBeUndefined()
    expect(needOf(aLane({ state: 3, since: ago(500) }), NOW)?.text[0]).toBe('等待过久')
    expect(needOf(aLane({ state: 4, gateState: 'opened', since: ago(500) }), NOW)?.text[0]).toBe('已抬杆，车未走')
  })
  it('not for a car that waited long and was let through just now', () => {
    const told = (seconds: number) => ({ id: '1', method: 'gate.open', state: 3, at: ago(seconds)!, said: null }) as LaneRow['command']
    const through = (seconds: number) => aLane({ state: 4, gateState: 'opened', since: ago(500), command: told(seconds) })
    expect(needOf(through(PATIENCE_S), NOW)).toBeUndefined()
    expect(needOf(through(PATIENCE_S + 1), NOW)?.text[0]).toBe('已抬杆，车未走')
  })
  it('when the barrier was told to open and did not', () => {
    const command = { id: '1', method: 'gate.open', state: 5, at: ago(3)!, said: null } as LaneRow['command']
    expect(needOf(aLane({ state: 4, since: ago(3), command }), NOW)?.urgent).toBe(true)
    expect(needOf(aLane({ command }), NOW)).toBeUndefined()
  })
  it('not for a car that drove out by a barrier that stands open in an emergency', () => {
    expect(needOf(aLane({ state: 4, openAll: true, gateState: 'opened', since: ago(500) }), NOW)).toBeUndefined()
    expect(needOf(aLane({ state: 4, keptOpenUntil: ago(-60), gateState: 'opened', since: ago(500) }), NOW)).toBeUndefined()
    expect(needOf(aLane({ state: 2, openAll: true, since: ago(1) }), NOW)?.urgent).toBe(true)
  })
  it('only mildly when its device is away and no car waits', () => {
    expect(needOf(aLane({ online: false }), NOW)?.urgent).toBe(false)
    expect(needOf(aLane({ online: false, status: 2 }), NOW)).toBeUndefined()
  })
  it('while none does, all is well only where all devices are there', () => {
    const [there, away] = [aLane(), aLane({ online: false })]
    expect(calmOf([there, aLane({ online: false, status: 2 })], NOW)).toEqual({
      text: ['各车道正常', 'All lanes normal'],
      tone: 'success',
    })
    expect(calmOf([], NOW).tone).toBe('default')
    expect(calmOf([there, away], NOW)).toMatchObject({
      text: ['1 条车道设备离线，其余正常', expect.stringContaining('1 lane is offline')],
      tone: 'warning',
    })
    expect(calmOf([away, away], NOW)).toMatchObject({
      text: [expect.stringContaining('各车道设备离线'), expect.stringContaining('not recognised')],
      tone: 'warning',
    })
  })
})

describe('where there are more lanes than cards fit', () => {
  it('a lane is a card while somebody waits there, and a line while nobody does or a car just passes', () => {
    const grown = (differs: Partial<LaneRow>) => isGrown(aLane({ since: ago(2), ...differs }), NOW)
    expect([2, 3, 5, 6].map((state) => grown({ state } as Partial<LaneRow>))).toEqual([true, true, true, true])
    expect([grown({ state: 1 }), grown({ state: 4 }), grown({ online: false })]).toEqual([false, false, false])
    expect([grown({ state: 4, since: ago(PATIENCE_S + 1) }), grown({ gateState: 'blocked' })]).toEqual([true, true])
  })
})

describe('an act at a lane', () => {
  const due = (differs: Partial<LaneRow> = {}) =>
    aLane({
      state: 3,
      plateNo: '鄂F65026',
      stayId: 's1' as LaneRow['stayId'],
      orderId: 'o1' as LaneRow['orderId'],
      dueFen: 1200 as LaneRow['dueFen'],
      ...differs,
    })
  it('is ready once its reason is said, and where money is due what becomes of it', () => {
    expect([isReady(due(), 'open', {}), isReady(due(), 'open', { reason: 1 }), isReady(due(), 'open', { reason: 1, fee: 2 })]).toEqual([
      false,
      false,
      true,
    ])
    expect([isReady(aLane(), 'open', { reason: 1 }), isReady(due(), 'free', { reason: 1 }), isReady(due(), 'entry', {})]).toEqual([true, true, false])
  })
  it('names the plate, the amount and what becomes of it', () => {
    expect(actLines(due(), 'open', { fee: 2 })).toMatchObject({
      title: ['开闸 鄂F65026', 'Open barrier: 鄂F65026'],
      button: ['记欠费 ¥12.00 并开闸', 'Record ¥12.00 as owed and open'],
    })
    expect(actLines(due(), 'cash', {}).button[0]).toBe('确认收现金 ¥12.00')
    // An act is called over its panel as on its button; a car without a plate has no name there.
    expect(actLines(due({ plateNo: '无牌车', entryTime: null }), 'entry', {}).title).toEqual(['补录入场时间', 'Add entry time'])
    expect(actLines(due(), 'cash', { points: 300 }).button).toEqual(['用 300 积分，收现金 ¥9.00', 'Use 300 points, take ¥9.00 in cash'])
    expect(actLines(due(), 'cash', { points: 1200 }).button[1]).toBe('Pay all with 1,200 points')
    expect(toSend(due(), 'cash', {})[1]).toEqual({ id: 'o1', amountFen: 1200 })
    expect(toSend(due(), 'cash', { points: 300 })[1]).toEqual({ id: 'o1', amountFen: 900, points: 300 })
    expect(actLines(due(), 'cash', {}).effect![0]).toContain('自动开闸')
    // Nothing opens a locked lane, money neither.
    expect(actLines(due({ lockedBy: '值班员' }), 'cash', {}).effect![0]).toContain('解锁后才放行')
  })
  it('looks a misread car up by the plate that it carries, once that is another', () => {
    const asks = aLane({ state: 2, direction: 2, plateNo: '鄂A99881', decisionId: 'd1' as LaneRow['decisionId'] })
    expect([{}, { plateNo: ' ' }, { plateNo: '鄂a·99881' }, { plateNo: '鄂F12345' }].map((said) => isReady(asks, 'read', said))).toEqual([
      false,
      false,
      false,
      true,
    ])
    expect(toSend(asks, 'read', { plateNo: '鄂F12345' })[1]).toEqual({ gateCode: 'P001-G01', decisionId: 'd1', answer: 5, plateNo: '鄂F12345' })
    expect(actLines(asks, 'read', {}).button[0]).toBe('按此车牌查找')
  })
  it('at an entrance the plate that it carries is checked anew, and lets nobody in by itself', () => {
    const asks = aLane({ state: 2, heading: 1, plateNo: '无ZRARBML', decisionId: 'd1' as LaneRow['decisionId'] })
    expect(toSend(asks, 'read', { plateNo: '鄂F12345' })[1]).toMatchObject({ answer: 5, plateNo: '鄂F12345' })
    expect(actLines(asks, 'read', {}).button[0]).toBe('按此车牌核对')
  })
  it('lets a car out of a question with a reason and a word on its fee, and in without either', () => {
    const [out, into] = [2, 1].map((heading) =>
      aLane({ state: 2, direction: 3, heading, plateNo: '鄂A99881', decisionId: 'd1' } as Partial<LaneRow>),
    ) as [LaneRow, LaneRow]
    expect([{}, { reason: 1 }, { fee: 1 }, { reason: 1, fee: 1 }].map((said) => isReady(out, 'pass', said as never))).toEqual([
      false,
      false,
      false,
      true,
    ])
    expect(isReady(into, 'pass', {})).toBe(true)
    expect(toSend(out, 'pass', { reason: 2, fee: 1, remark: '断电' })[1]).toEqual({
      gateCode: 'P001-G01',
      decisionId: 'd1',
      answer: 1,
      reason: 2,
      fee: 1,
      remark: '断电',
    })
    expect(toSend(into, 'pass', {})[1]).toEqual({ gateCode: 'P001-G01', decisionId: 'd1', answer: 1 })
    expect(actLines(out, 'pass', { fee: 2 }).button).toEqual(['记欠费并放行', 'Record as owed and let out'])
  })
  it('shows no amount where nobody knows one yet', () => {
    const asks = { state: 2, decisionId: 'd1' } as Partial<LaneRow>
    expect([dueOf(aLane({ ...asks, heading: 2 })), dueOf(aLane({ ...asks, heading: 1 })), dueOf(due({ heading: 2 }))]).toEqual([null, 0, 1200])
  })
  it('ends when another car stands there, or the fee was paid or has grown meanwhile', () => {
    expect(changedSince(due(), due(), 'cash')).toBeUndefined()
    expect(changedSince(due(), due({ dueFen: 0 as LaneRow['dueFen'] }), 'cash')?.[0]).toContain('已缴清')
    expect(changedSince(due(), due({ dueFen: 1500 as LaneRow['dueFen'] }), 'cash')?.[1]).toContain('¥15.00')
    expect(changedSince(due(), due({ plateNo: '鄂F11111' }), 'open')?.[0]).toContain('已变化')
    expect(changedSince(aLane({ decisionId: 'd1' as LaneRow['decisionId'] }), aLane(), 'pass')?.[0]).toContain('已处理')
  })
  it('locks and unlocks the barrier with a reason, whatever car stands there, unless somebody else was first', () => {
    const locked = (lane: LaneRow) => ({ ...lane, lockedBy: '王五' })
    expect([isReady(due(), 'lock', {}), isReady(due(), 'lock', { reason: 2 })]).toEqual([false, true])
    expect(actLines(due(), 'lock', {})).toMatchObject({
      button: ['锁闸', 'Lock barrier'],
      effect: [expect.stringContaining('不能开闸'), expect.any(String)],
    })
    expect([toSend(due(), 'lock', { reason: 2, remark: ' ' })[1], toSend(due(), 'unlock', { reason: 5 })[1]]).toEqual([
      { gateCode: 'P001-G01', action: 4, reason: 2 },
      { gateCode: 'P001-G01', action: 5, reason: 5 },
    ])
    expect(changedSince(due(), due({ plateNo: '鄂F11111' }), 'lock')).toBeUndefined()
    expect(changedSince(due(), locked(due()), 'lock')?.[1]).toContain('王五 has locked')
    expect(changedSince(due(), locked(due()), 'open')?.[0]).toContain('请先解锁')
    expect(changedSince(due(), locked(due()), 'cash')).toBeUndefined()
    expect([changedSince(locked(due()), locked(due()), 'unlock'), changedSince(locked(due()), due(), 'unlock')?.[0]]).toEqual([
      undefined,
      '已由他人解锁',
    ])
  })
})

describe('who is there and why', () => {
  it('is what the deciding check found', () => {
    const checks = [tried(1, false, '开放'), tried(3, true, '黑名单：禁止入场')]
    expect(whoOf(aLane({ checks, carKind: 9 })).text[1]).toBe('Black list')
    expect(whyOf(aLane({ checks }))?.[0]).toBe('黑名单：禁止入场')
  })
  it('is the kind of car when no list decided, and open while the lane asks', () => {
    expect(whoOf(aLane({ checks: [tried(10, true, '临时车放行')], carKind: 9 })).text[1]).toBe('Temporary')
    expect(whoOf(aLane({ state: 2 })).tone).toBe('warning')
  })
  it('says paid once nothing is due any more', () => {
    const checks = [tried(18, true, '应缴 37 元')]
    expect(whyOf(aLane({ checks, outcome: 5, dueFen: 3700 as LaneRow['dueFen'] }))?.[0]).toBe('应缴 37 元')
    expect(whyOf(aLane({ checks, outcome: 5 }))?.[1]).toBe('Paid')
    // The lane let it pass for the payment: the earlier amount is not asked any more.
    expect(whyOf(aLane({ checks, outcome: 1, payState: 2 }))?.[1]).toBe('Paid')
    expect(whyOf(aLane({ checks: [tried(18, true, '费用为 0')], outcome: 1, payState: 3 }))?.[0]).toBe('费用为 0')
  })
  it('of a passage follows what became of the car that the exit stopped', () => {
    const passage = { outcome: 5, direction: 2, status: 2, payState: 1, checks: [tried(18, true, '应缴 37 元')] } as Parameters<typeof stateOf>[0]
    const said = (differs: Partial<typeof passage> = {}) => {
      const { dictionary, value } = stateOf({ ...passage, ...differs })
      return dictionary.entries[value]![0]
    }
    expect(said()).toBe('待缴费')
    expect(said({ payState: 2 })).toBe('已支付')
    expect(said({ status: 3, payState: 4 })).toBe('欠费')
    expect(said({ status: 9, payState: 0 })).toBe('作废')
    expect(said({ outcome: 3, status: 3 })).toBe('已离场')
    // It waits for its earlier debt: its own stay is free.
    expect(said({ checks: [tried(17, true, '欠费 20 元')], payState: 3 })).toBe('待缴费')
    expect(said({ outcome: 1, direction: 1, status: 3, payState: 2 })).toBe('放行')
  })
  it('says beside a fee that nobody saw the car come in, or that its plate was only like another', () => {
    const fee = tried(18, true, '应缴 10 元')
    expect(whoOf(aLane({ checks: [tried(13, true, '无入场记录'), fee], carKind: 9 }))).toMatchObject({
      text: ['无入场', 'No entry'],
      tone: 'warning',
    })
    expect(whoOf(aLane({ checks: [tried(12, true, '自动匹配 鄂F3D5S9'), fee], carKind: 9 })).text[0]).toBe('车牌相近')
    expect(whoOf(aLane({ checks: [tried(12, false, '无相近车牌'), fee], carKind: 9 })).text[0]).toBe('临时车')
  })
})

describe('times in little room', () => {
  it('are minutes and seconds, hours when they are many', () => {
    expect([waitedOf(aLane({ state: 3, since: ago(83) }), NOW), clockOf(83), clockOf(3683)]).toEqual([83, '1:23', '1:01:23'])
  })
})
