import { expect, test } from 'vitest'
import type { Day, Fen } from '../../../platform/contract/field.ts'
import { CheckResult, CheckState, Closing } from '../contract/liquidation.ts'
import { closingOf, settlingOf } from './clearingWords.ts'

const fen = (of: number) => of as Fen
const aDay = (checkDate: string, state: number = CheckState.even) =>
  ({ checkDate: checkDate as Day, channel: 'wechat', state, chanFen: fen(1234), chanRefundFen: fen(200) }) as Parameters<typeof closingOf>[0]
const [FIRST, LATER] = ['2026-11-26', '2026-11-28']
const nothing = { count: 0, fen: fen(0), from: null, first: null }

test('a day that is next in order is closed with its amounts in the question', () => {
  expect(closingOf(aDay(LATER), nothing)).toMatchObject({
    of: { checkDate: LATER },
    begins: false,
    closes: true,
    question: [expect.stringContaining('收款 ¥12.34，退款 ¥2.00'), expect.stringContaining('¥12.34')],
    act: [`关账 ${LATER}`, `Close ${LATER}`],
  })
})

test('where an earlier day stands open and balanced, that one is named and closed', () => {
  const asked = closingOf(aDay(LATER), { ...nothing, first: aDay(FIRST) })
  expect(asked).toMatchObject({ of: { checkDate: FIRST }, closes: true, act: [`关账 ${FIRST}`, `Close ${FIRST}`] })
  expect(asked.detail![0]).toContain(`${FIRST} 尚未关账，关账后才能关 ${LATER}`)
})

test('where an earlier day has differences, it is named and looked at, and nothing is closed', () => {
  const asked = closingOf(aDay(LATER), { ...nothing, count: 5, first: aDay(FIRST, CheckState.differs) })
  expect(asked).toMatchObject({ of: { checkDate: FIRST }, closes: false, begins: false, act: [`查看 ${FIRST}`, `View ${FIRST}`] })
  expect(asked.question[0]).toContain('有差异')
})

test('a channel’s first closing begins with the first open day, and tells of what lies before that day', () => {
  const asked = closingOf(aDay(LATER), { count: 5, fen: fen(700), from: '2026-09-01' as Day, first: aDay(FIRST) })
  expect(asked).toMatchObject({ of: { checkDate: FIRST }, closes: true, begins: true })
  expect(asked.detail![0]).toContain(`${FIRST} 之前 5 笔交易未对账（净额 ¥7.00，最早 2026-09-01）`)
})

test('a reviewer reads the difference, who settled it and why', () => {
  const said = settlingOf({
    ...{ channel: 'wechat', result: CheckResult.amount, platFen: fen(200), chanFen: fen(400), diffFen: fen(200) },
    ...{ closing: Closing.overShort, settledName: '王经办', note: '渠道多收' },
  })
  expect(said.question[0]).toBe('微信 金额不符 ¥2.00（平台 ¥2.00，渠道 ¥4.00），按「长短款」平账？')
  expect(said.detail).toEqual(['王经办 提交，说明：渠道多收', 'Submitted by 王经办: 渠道多收'])
})
