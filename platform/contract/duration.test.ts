import { expect, test } from 'vitest'
import { lasting } from './duration.ts'

test('how long something lasts is said by its days, hours and minutes', () => {
  expect(lasting(2 * 1440 + 3 * 60 + 5)).toEqual(['2天3小时5分', '2 d 3 h 5 min'])
  expect(lasting(1501)).toEqual(['1天1小时1分', '1 d 1 h 1 min'])
  expect(lasting(95)).toEqual(['1小时35分', '1 h 35 min'])
})
test('parts that are none are left out, and minutes alone are said in full', () => {
  expect([1440, 1445, 120, 35, 1].map((minutes) => lasting(minutes))).toEqual([
    ['1天', '1 d'],
    ['1天5分', '1 d 5 min'],
    ['2小时', '2 h'],
    ['35分钟', '35 min'],
    ['1分钟', '1 min'],
  ])
})
test('seconds are said where they are counted', () => {
  expect([83, 60, 9, 3_600, 90_061].map((seconds) => lasting(seconds, 'second'))).toEqual([
    ['1分23秒', '1 min 23 s'],
    ['1分钟', '1 min'],
    ['9秒', '9 s'],
    ['1小时', '1 h'],
    ['1天1小时1分1秒', '1 d 1 h 1 min 1 s'],
  ])
})
test('nothing is 0, a clock that is late is minus, a part of a minute is not said', () => {
  expect(lasting(0)).toEqual(['0分钟', '0 min'])
  expect(lasting(0, 'second')).toEqual(['0秒', '0 s'])
  expect(lasting(-3, 'second')).toEqual(['-3秒', '-3 s'])
  expect(lasting(59.9)).toEqual(['59分钟', '59 min'])
})
