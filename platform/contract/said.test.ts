import { expect, test } from 'vitest'
import { bothOf, isSaid, paired, plainJson, saying, sentences, spoken, spokenJson, spokenOf, SYSTEM } from './said.ts'

const Said = sentences('test-said', {
  rest: ['余款"退回"', 'The rest is "refunded"'],
  returned: ['退卡：{why}', 'Pass returned: {why}'],
  from: ['{plate} 自 {at} 起停 {count} 次', '{count} × {plate} since {at}'],
  left: ['还剩 {days} 天', '{days:day} left'],
})

test('a sentence is kept as its name and what it tells of, and is read in either language', () => {
  expect(Said.rest).toBe('⟦test-said.rest⟧')
  expect(bothOf(Said.rest)).toEqual({ zh: '余款"退回"', en: 'The rest is "refunded"' })
  expect(bothOf(Said.from({ plate: '鄂F12345', at: '2026-11-01T04:00:00.000Z', count: 2 }))).toEqual({
    zh: '鄂F12345 自 2026-11-01 12:00:00 起停 2 次',
    en: '2 × 鄂F12345 since 2026-11-01 12:00:00',
  })
  expect(spoken(SYSTEM, 1)).toBe('System')
  expect(bothOf(Said.returned({ why: paired(['已满', 'It is full']) }))).toEqual({ zh: '退卡：已满', en: 'Pass returned: It is full' })
})

test('a sentence may tell of another, and stand within a text', () => {
  expect(spoken(`A ${Said.returned({ why: Said.rest })} B`, 1)).toBe('A Pass returned: The rest is "refunded" B')
})

test('what a person typed stays as it is, and what nobody declared too', () => {
  expect(spoken('退卡：搬家', 1)).toBe('退卡：搬家')
  expect(spoken('⟦test-said.gone⟧', 1)).toBe('⟦test-said.gone⟧')
  expect([isSaid(Said.rest), isSaid('搬家')]).toEqual([true, false])
})

test('an answer stays JSON, whatever signs a sentence and its parameters have', () => {
  const row = { reason: Said.returned({ why: 'a "b"\n\\' }), rest: [Said.rest] }
  expect(JSON.parse(spokenJson(JSON.stringify(row), 1))).toEqual({ reason: 'Pass returned: a "b"\n\\', rest: ['The rest is "refunded"'] })
  expect(spokenOf(row, 0)).toEqual({ reason: '退卡：a "b"\n\\', rest: ['余款"退回"'] })
})

test('a sentence never begins in one text of an answer and ends in another, whoever wrote its signs there', () => {
  const rows = [{ text: '⟦test-said.returned⦀' }, { text: 'between' }, { text: '⟧' }]
  expect(spokenOf(rows, 0)).toEqual(rows)
  expect(spokenOf([...rows, { text: Said.rest }], 1)).toEqual([...rows, { text: 'The rest is "refunded"' }])
})

test('a device reads the words of a sentence, and no sign that came by another way', () => {
  expect(JSON.parse(plainJson({ text: Said.returned({ why: Said.rest }), lines: ['鄂A⟦1⦀2⟧'] }))).toEqual({
    text: '退卡：余款"退回"',
    lines: ['鄂A12'],
  })
})

test('one within another is read however deep they lie', () => {
  const deep = Array.from({ length: 9 }).reduce<string>((why) => Said.returned({ why }), Said.rest)
  expect(spoken(deep, 0)).toBe(`${'退卡：'.repeat(9)}余款"退回"`)
})

test('a count says its noun with it in English', () => {
  expect([1, 2].map((days) => spoken(Said.left({ days }), 1))).toEqual(['1 day left', '2 days left'])
})

test('words find the sentences that have them, in either language', () => {
  expect(saying('REFUNDED')).toContain('⟦test-said.rest⟧')
  expect(saying('退卡')).toContain('⟦test-said.returned⦀')
  // As it is read, with what it tells of.
  expect([saying('退卡：搬家'), saying('pass returned: 搬家')].map((all) => all.includes('⟦test-said.returned⦀搬家'))).toEqual([true, true])
  expect(saying(' ')).toEqual([])
})

test('both languages of a sentence tell of the same things', () => {
  expect(() => sentences('test-said', { wrong: ['退卡 {no}', 'Returned'] })).toThrow('test-said.wrong')
})
