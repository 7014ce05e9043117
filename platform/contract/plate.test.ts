import { describe, expect, test } from 'vitest'
import {
  colorsAgree,
  impliedColor,
  isOfficialPlate,
  isPlate,
  isSpecialPlate,
  normalizePlate,
  parsePlate,
  plateColorOf,
  plateDistance,
  plateKind,
  readsAsUnplated,
  unplatedToken,
  vehicleClassOf,
} from './plate.ts'

describe('which texts are plates', () => {
  test.each([
    ['京A12345', 'ordinary'],
    ['鄂F8K866', 'ordinary'],
    ['京AF0236', 'ordinary'],
    ['粤BD12345', 'newEnergySmall'],
    ['浙ADR0001', 'newEnergySmall'],
    ['粤BB12345', 'newEnergySmall'],
    ['川AK12345', 'newEnergySmall'],
    ['川A12345D', 'newEnergyLarge'],
    ['粤B12345G', 'newEnergyLarge'],
    ['鄂F0012警', 'police'],
    ['粤BA123学', 'coach'],
    ['川XD012应急', 'emergency'],
    ['鲁B98A5挂', 'trailer'],
    ['粤Z1234澳', 'hongKongMacao'],
    ['粤ZK88D澳', 'hongKongMacao'],
    ['使224578', 'embassy'],
    ['224578使', 'embassy'],
    ['京A1234领', 'consulate'],
    ['WJ粤12345', 'armedPolice'],
    ['WJ京1234J', 'armedPolice'],
    ['WJ鲁0001X', 'armedPolice'],
    ['NA00001', 'army'],
    ['KA00128', 'army'],
  ] as const)('%s is a plate: %s', (text, kind) => expect(plateKind(text)).toBe(kind))

  test.each([
    '鄂FD0A123',
    '鄂F123学',
    '粤ZG96港',
    '京Z1234港',
    '使12345',
    'WJ粤123',
    '京a12345',
    '美A12345',
    '京A1234',
    '川A123456',
    '川AD123456',
    '京AO2345',
    '京ADO1234',
    '京AD1234A',
    '京AZ12345',
    '京D1234',
    '京京A1234',
    '粵B12345',
    '警A12345',
    '挂A12345',
    '京A12345应急',
    '京X123应急',
    '无牌车',
    '_无_',
    '123456',
    "京A12345' OR '1'='1",
    '',
    '京A12345 京A12345',
  ])('%s is none', (text) => expect(isPlate(text)).toBe(false))

  test.each(['京A1234临', '鄂F00001临', '京A1234超', '海A12345', '粤12345领', '京A12345应急'])('%s can be kept as a special plate', (text) =>
    expect(isSpecialPlate(text)).toBe(true),
  )
  test.each(["京A12345' OR '1'='1", '无牌车', '123456', '<b>京A12345'])('%s cannot', (text) => expect(isSpecialPlate(text)).toBe(false))
})

describe('the normal form', () => {
  test.each([
    ['京Ａ１２３４５', '京A12345'],
    ['京A12345 ', '京A12345'],
    ['京A•12345', '京A12345'],
    ['京A\u00a012345', '京A12345'],
    ['京A\t12345', '京A12345'],
    ['粤b·d12345', '粤BD12345'],
    ['鄂Ｆ·Ｄ１２３４５', '鄂FD12345'],
    ['京A-12345', '京A12345'],
    ['鄂F　12345', '鄂F12345'],
    ['京A\u200b12345', '京A12345'],
  ])('%j is stored as %s', (typed, stored) => expect(parsePlate(typed)).toBe(stored))

  test('is its own normal form', () => expect(normalizePlate(normalizePlate(' 粤b·d12345'))).toBe('粤BD12345'))
  test('a quote is kept, so that it stays no plate', () => expect(parsePlate("京A12345'")).toBeUndefined())
})

describe('colour and class', () => {
  test.each([
    ['blue', 0],
    ['yellow', 1],
    ['yellow_green', 5],
    ['Yellow-Green', 5],
    ['绿', 4],
    [3, 3],
    ['mauve', null],
    [9, null],
    [undefined, null],
  ] as const)('a device says %s: %s', (said, code) => expect(plateColorOf(said)).toBe(code))
  test('the form tells the colour only where it can', () =>
    expect(['京AD12345', '川A12345D', '鄂F0012警', '京A12345'].map(impliedColor)).toEqual([4, 5, 2, null]))
  test.each([
    ['京A12345', 0, 1],
    ['京A12345', 1, 3],
    ['京AD12345', null, 5],
    ['川A12345D', 5, 6],
    ['鲁B98A5挂', 1, 3],
    ['鄂F0012警', 2, 1],
    ['京A1234临', 7, 9],
  ] as const)('%s, colour %s, is of class %s', (text, color, kind) => expect(vehicleClassOf(text, color)).toBe(kind))
  test('an unknown colour agrees with all, two known ones only with themselves', () =>
    expect([colorsAgree(null, 4), colorsAgree(0, 0), colorsAgree(0, 4)]).toEqual([true, true, false]))
  test('cars of the state', () => expect(['鄂F0012警', 'WJ粤12345', 'KA00128', '京A12345'].map(isOfficialPlate)).toEqual([true, true, true, false]))
})

describe('how far a reading is from a plate', () => {
  test.each([
    ['京A12345', '京A12345', 0],
    ['京A12340', '京A1234D', 0.5],
    ['鄂F12345', '京F12345', 0.5],
    ['鄂F12345', '鄂E12345', 0.5],
    ['鄂F18888', '鄂FI8888', 0.5],
    ['鄂F12345', '鄂F12346', 1],
    ['鄂F12345', '鄂F1234', 1],
    ['鄂F12345', '鄂F12354', 2],
    ['鄂F8B888', '鄂FB8888', 1],
    ['鄂F12345', '京E12345', 1],
  ])('%s and %s: %s', (a, b, far) => expect([plateDistance(a, b), plateDistance(b, a)]).toEqual([far, far]))
})

describe('cars without a plate', () => {
  test('what cameras send', () => {
    for (const said of ['', '无牌车', '_无_', '无车牌', '未识别', 'unknown', 'null', 'no plate', 'unlicensed'])
      expect(readsAsUnplated(said), said).toBe(true)
    for (const said of ['京A12345', '无XGUJ8CE', '鄂F']) expect(readsAsUnplated(said), said).toBe(false)
  })
  test('get a name that is a plate of its own kind', () => expect(plateKind(unplatedToken())).toBe('unplated'))
})
