import { expect, test } from 'vitest'
import { among, dictionary, entity, fen, listOf, minutes, shaped, text, whole } from '../contract/field.ts'
import type { Say } from './text.ts'
import { toldWords } from './toldWords.ts'

const zh: Say = ([words]) => words
const en: Say = ([, words]) => words
const told = (field: object, value: unknown, say = zh) => toldWords(value, field, say)
const Kind = dictionary('told_kind', ['方式', 'Way'], { 1: ['调光', 'Dim'], 2: ['关灯', 'Off'] })
const Step = entity({
  at: text('时刻', 'At'),
  kind: among('方式', 'Way', Kind),
  dim: whole('亮度', 'Dim level', { unit: 'percent' }),
  waits: minutes('等待', 'Waits'),
  costs: fen('费用', 'Cost'),
})
const steps = shaped('动作', 'Actions', listOf(Step))

test('a list of objects says what each is made of, in words, never what a program calls it', () => {
  const value = [
    { at: '18:00', kind: 1, dim: 100, waits: 5 },
    { at: '23:00', kind: 2, dim: 40, waits: null, costs: 330 },
  ]
  expect(told(steps, value)).toBe('时刻 18:00，方式 调光，亮度 100%，等待 5分钟；时刻 23:00，方式 关灯，亮度 40%，费用 ¥3.30')
  expect(told(steps, value, en)).toBe('At 18:00, Way Dim, Dim level 100%, Waits 5 min; At 23:00, Way Off, Dim level 40%, Cost ¥3.30')
  expect(told(Step, { at: '18:00', dim: 100 })).toBe('时刻 18:00，亮度 100%')
  // Of what nobody has told the names.
  expect(told({}, [{ url: '/a.jpg', at: 1 }, { url: '/b.jpg' }])).toBe('url /a.jpg，at 1；url /b.jpg')
  expect(told({}, [['a', 'b'], { of: { deep: [1, 2] } }])).toBe('a、b；of deep 1、2')
  expect([told(steps, []), told({}, {}), told({}, ['甲', '乙'])]).toEqual(['', '', '甲、乙'])
})

test('days of the week kept as one number are told as days, numbers kept in parts as whole ones', () => {
  const days = whole('星期', 'Weekdays', { unit: 'weekdays' })
  expect([127, 31, 5].map((mask) => told(days, mask))).toEqual(['每天', '周一至周五', '周一、周三'])
  expect([told(whole('速度', 'Speed', { unit: 'tenth-km/h' }), 288), told(whole('电价', 'Price', { unit: 'yuan-e4/kWh' }), 3420)]).toEqual([
    '28.8km/h',
    '0.3420元/度',
  ])
})

test('one of a unit is told in the singular, and a unit that is one letter stays', () => {
  const english = (unit: string, number: number) => told(whole('时长', 'Time', { unit }), number, en)
  expect([english('day', 1), english('day', 2), english('month', 1)]).toEqual(['1 day', '2 days', '1 month'])
  expect([english('second', 1), english('second', 3), english('hour', 1)]).toEqual(['1 s', '3 s', '1 h'])
})
