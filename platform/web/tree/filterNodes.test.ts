import { expect, test } from 'vitest'
import { checkedAfter, keysIn, matching, openFor } from './filterNodes.ts'

const city = [
  {
    key: '42',
    words: '湖北省',
    children: [
      {
        key: '4206',
        words: '襄阳市',
        children: [
          { key: '420606', words: '樊城区' },
          { key: '420607', words: '襄州区' },
        ],
      },
      { key: '4201', words: '武汉市', children: [{ key: '420106', words: '武昌区' }] },
    ],
  },
  { key: '44', words: '广东省 Guangdong' },
]

test('a match shows with all above it and everything below it', () => {
  expect(keysIn(matching(city, '襄州'))).toEqual(['42', '4206', '420607'])
  expect(keysIn(matching(city, '襄'))).toEqual(['42', '4206', '420606', '420607'])
  expect(keysIn(matching(city, ' guangDONG '))).toEqual(['44'])
  expect(matching(city, '没有')).toEqual([])
  expect(matching(city, '  ')).toBe(city)
})
test('what lies above a match is open, a match itself is not opened by it', () => {
  expect(openFor(matching(city, '襄州'), '襄州')).toEqual(['42', '4206'])
  expect(openFor(matching(city, '武汉'), '武汉')).toEqual(['42'])
})
test('ticks that the filter hides stay, and a branch of which only a part is seen is not ticked whole', () => {
  const seen = matching(city, '襄州')
  expect(checkedAfter(['420106', '420606'], ['42', '4206', '420607'], seen, true).sort()).toEqual(['420106', '420606', '420607'])
  expect(checkedAfter(['420106'], ['4206'], matching(city, '襄'), false).sort()).toEqual(['420106', '4206'])
})
