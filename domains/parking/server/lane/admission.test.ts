import { describe, expect, test } from 'vitest'
import type { Instant } from '../../../../platform/contract/field.ts'
import { admit, type AtEntrance, isOpen } from './admission.ts'
import { judgeExit } from './leaving.ts'

const at = '2026-03-02T02:00:00.000Z' as Instant // ten in the morning of the city
const park: AtEntrance['park'] = {
  status: 1,
  openFrom: '00:00',
  openTo: '00:00',
  openAllFrom: null,
  fullPolicy: 1,
  tempAllowed: true,
  dupEntry: 1,
  entryArrears: 3,
  entryArrearsFen: 20_000 as never,
  entryArrearsCount: 5,
}
const decide = ({ park: policies, ...car }: Partial<Omit<AtEntrance, 'park'>> & { park?: Partial<AtEntrance['park']> } = {}) =>
  admit({
    gateStatus: 1,
    gateCode: 'G1',
    at,
    plateNo: '鄂F12345',
    plateColor: 0,
    standing: {},
    open: undefined,
    debts: { count: 0, amountFen: 0 },
    remaining: 5,
    leaving: 0,
    ...car,
    park: { ...park, ...policies },
  })
/** The check that decided. */
const hit = (verdict: ReturnType<typeof admit>) => verdict.checks.filter((one) => one.hit).map(({ check }) => check)
const allDay = { pass: { passId: 'p', allDay: true, full: false } }
const inside = (minutesAgo: number, entryGate = 'G1') => ({
  id: 's' as never,
  entryGate,
  status: 1 as const,
  entryTime: new Date(Date.parse(at) - minutesAgo * 60_000).toISOString() as Instant,
})
const PASS = 1
const REFUSE = 2
const ASK = 3
const IGNORE = 4

describe('admission: the first check that hits decides', () => {
  test('a temporary car with room is let in, and every check before is on record', () => {
    const verdict = decide()
    expect(verdict).toMatchObject({ outcome: PASS, carKind: 9 })
    expect(verdict.checks.map(({ check }) => check)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(hit(verdict)).toEqual([10])
  })
  test.each([
    ['a disabled gate', { gateStatus: 2 }],
    ['a disabled park', { park: { status: 2 } }],
    ['closed hours', { park: { openFrom: '12:00', openTo: '20:00' } }],
  ] as const)('1: %s refuses, but not a pass for all hours', (_, car) => {
    expect(decide(car)).toMatchObject({ outcome: REFUSE })
    expect(decide({ ...car, standing: allDay })).toMatchObject({ outcome: PASS, carKind: 8 })
  })
  test('2: a special vehicle comes before the black list', () => {
    const black = { black: { action: 1, zh: '逃费', en: 'escape' } } as const
    expect(decide({ standing: { special: true, ...black } })).toMatchObject({ outcome: PASS, carKind: 5 })
    expect(decide({ plateNo: '鄂F0012警', plateColor: 2, standing: black })).toMatchObject({ outcome: PASS, carKind: 5 })
  })
  test('3: the black list refuses, lets in, or only warns; black wins over white', () => {
    const black = (action: 1 | 2 | 3) => ({ black: { action, zh: '套牌', en: 'false plate' } })
    expect(decide({ standing: black(1) })).toMatchObject({ outcome: REFUSE })
    expect(decide({ standing: black(2) })).toMatchObject({ outcome: PASS, carKind: 9 })
    expect(decide({ standing: { ...black(3), white: true } })).toMatchObject({ outcome: PASS, carKind: 9 })
  })
  test('4: the same car at the same lane within a minute is one arrival', () => {
    expect(decide({ open: inside(0.9) })).toMatchObject({ outcome: IGNORE, keepsOpen: true })
    expect(decide({ open: inside(0.9, 'G2') })).toMatchObject({ outcome: PASS, closesOpen: true })
    expect(decide({ open: inside(0.9), standing: { special: true } })).toMatchObject({ outcome: IGNORE })
  })
  test('4: a car inside already: close the old, keep the old, or ask', () => {
    expect(decide({ open: inside(60) })).toMatchObject({ outcome: PASS, closesOpen: true, keepsOpen: false })
    expect(decide({ open: inside(60), park: { dupEntry: 2 } })).toMatchObject({ outcome: PASS, closesOpen: false, keepsOpen: true })
    expect(decide({ open: inside(60), park: { dupEntry: 3 } })).toMatchObject({ outcome: ASK, closesOpen: false })
  })
  test('5, 6, 7: white list, pass and reservation in this order, none of them minding a full park', () => {
    const all = { white: true, ...allDay, reserve: { reserveId: 'r' } }
    expect(decide({ standing: all, remaining: 0 })).toMatchObject({ outcome: PASS, carKind: 1 })
    expect(decide({ standing: { ...all, white: false }, remaining: 0 })).toMatchObject({ outcome: PASS, carKind: 8 })
    expect(decide({ standing: { reserve: all.reserve }, remaining: 0 })).toMatchObject({ outcome: PASS, carKind: 2 })
  })
  test('6: all seats of a pass taken: a temporary car', () =>
    expect(decide({ standing: { pass: { ...allDay.pass, full: true } } })).toMatchObject({ outcome: PASS, carKind: 9 }))
  test('8: arrears refuse at the amount or at the number, remind below, and are not looked at where the park says so', () => {
    expect(decide({ debts: { count: 1, amountFen: 20_000 } })).toMatchObject({ outcome: REFUSE })
    expect(decide({ debts: { count: 5, amountFen: 500 } })).toMatchObject({ outcome: REFUSE })
    expect(decide({ debts: { count: 4, amountFen: 19_999 } })).toMatchObject({ outcome: PASS })
    expect(decide({ debts: { count: 9, amountFen: 99_999 }, park: { entryArrears: 2 } })).toMatchObject({ outcome: PASS })
    expect(decide({ debts: { count: 9, amountFen: 99_999 }, park: { entryArrears: 1 } })).toMatchObject({ outcome: PASS })
  })
  test('8: whoever is reminded reads it on the sign, and the board finds it among the checks', () => {
    const owing = decide({ debts: { count: 4, amountFen: 19_950 } })
    expect(owing.says).toEqual(['鄂F12345', '欢迎光临', '有欠费 199.5 元'])
    expect(owing.checks).toContainEqual({ check: 8, hit: true, zh: '欠费 199.5 元（4 笔），提醒', en: 'Owes ¥199.5, 4 unpaid: reminded' })
    expect(decide().says).toEqual(['鄂F12345', '欢迎光临'])
    expect(decide({ debts: { count: 4, amountFen: 19_950 }, park: { entryArrears: 1 } }).says).toEqual(['鄂F12345', '欢迎光临'])
  })
  test('9: a full park refuses, lets one in for one that leaves, or lets in', () => {
    expect(decide({ remaining: 0 })).toMatchObject({ outcome: REFUSE })
    expect(decide({ remaining: 0, leaving: 1, park: { fullPolicy: 2 } })).toMatchObject({ outcome: PASS })
    expect(decide({ remaining: -1, leaving: 1, park: { fullPolicy: 2 } })).toMatchObject({ outcome: REFUSE })
    expect(decide({ remaining: -9, park: { fullPolicy: 3 } })).toMatchObject({ outcome: PASS })
  })
  test('10: no temporary cars, no plate or half a plate ask a person; a person who has looked lets in', () => {
    expect(decide({ park: { tempAllowed: false } })).toMatchObject({ outcome: ASK })
    expect(decide({ plateNo: '无1234567', plateColor: null })).toMatchObject({ outcome: ASK, carKind: 6 })
    expect(decide({ plateNo: 'F12', plateColor: null })).toMatchObject({ outcome: ASK })
    expect(decide({ plateNo: '无1234567', plateColor: null, decided: true })).toMatchObject({ outcome: PASS, carKind: 6 })
    expect(decide({ remaining: 0, decided: true })).toMatchObject({ outcome: PASS })
  })
})

test.each([
  ['00:00', '00:00', true],
  ['09:00', '18:00', true],
  ['10:00', '18:00', true],
  ['10:01', '18:00', false],
  ['09:00', '10:00', false],
  ['22:00', '10:01', true],
  ['22:00', '10:00', false],
])('open from %s to %s at ten: %s', (from, to, open) => expect(isOpen(from, to, at)).toBe(open))

test('whoever is let in all the same is welcomed, and it is told what would have kept it out', () => {
  const full = { remaining: 0, decided: true }
  expect(decide(full)).toMatchObject({ outcome: PASS, says: ['鄂F12345', '欢迎光临'] })
  expect(decide(full).checks.at(-1)).toEqual({ check: 9, hit: true, zh: '车位已满，仍放行', en: 'Full: let in all the same' })
  expect(decide({ remaining: 0 })).toMatchObject({ outcome: REFUSE, says: ['鄂F12345', '车位已满'] })
  // Behind a barrier that stands open nobody is kept out: it is in, and its record says so.
  expect(decide({ remaining: 0, park: { openAllFrom: at } })).toMatchObject({ outcome: PASS, says: ['鄂F12345', '欢迎光临'] })
  expect(decide({ open: inside(0), park: { openAllFrom: at } }).outcome).toBe(IGNORE)
})

test('an exit that reminds says what is owed from before, also to a car that has nothing to pay', () => {
  const leaves = (exitArrears: 1 | 2) =>
    judgeExit({
      park: { openAllFrom: null, exitArrears },
      stay: { plateNo: '鄂F12345', entryTime: null, graceUntil: null, settledFen: 0, paidFen: 0, carKindIn: 9 } as never,
      at: '2026-11-20T00:00:00.000Z' as Instant,
      standing: {},
      debts: { count: 2, amountFen: 2_000 },
      bill: { receivableFen: 0, discountFen: 0 },
    })
  expect(leaves(2)).toMatchObject({ outcome: PASS, says: ['鄂F12345', '', '一路平安', '有欠费 20 元'] })
  expect(leaves(1).says).toEqual(['鄂F12345', '', '一路平安'])
})
test('the black list keeps a car at an exit, except in an emergency', () => {
  const leaves = (openAllFrom: Instant | null, byPerson = false) =>
    judgeExit({
      byPerson,
      park: { openAllFrom, exitArrears: 1 },
      stay: { plateNo: '鄂F12345', entryTime: null, settledFen: 0, paidFen: 0, carKindIn: 9 } as never,
      at: '2026-11-20T00:00:00.000Z' as Instant,
      standing: { black: { action: 2, zh: '欠费', en: 'arrears' } },
      debts: { count: 0, amountFen: 0 },
      bill: undefined,
    })
  expect(leaves(null)).toMatchObject({ outcome: ASK, says: ['鄂F12345', '请稍候 人工确认'] })
  // No rule says what it costs: for a person, who lets it go.
  expect(leaves(null, true)).toMatchObject({ outcome: PASS, says: ['鄂F12345', '一路平安'] })
  expect(leaves('2026-11-19T00:00:00.000Z' as Instant)).toMatchObject({ outcome: PASS, dueFen: 0 })
})
