import { expect, test } from 'vitest'
import { degrees, dictionary, fen, among, minutes, permille, whole, yes } from '../../contract/field.ts'
import { PlateColor } from '../../contract/plate.ts'
import { isUnit } from '../../contract/units.ts'
import { drawingsOf, drawn, valueOf } from './cells.ts'

const column = (field: ReturnType<typeof whole>) => ({ name: 'it', label: [field['x-zh'], field['x-en']] as const, field })
/** Its head in both languages and how a value stands below it. */
async function cellOf(field: any, value: number) {
  const drawing = async (speech: 0 | 1) => (await drawingsOf(undefined as never, [column(field)], speech, []))[0]!
  const [zh, en] = [await drawing(0), await drawing(1)]
  return [zh.label, en.label, drawn(zh, value)]
}

test('the head of a column says the unit, the cell the number in that unit', async () => {
  const of = (zh: string, unit: string) => whole(zh, 'It', { unit })
  expect(
    await Promise.all([
      cellOf(minutes('停车时长', 'Time parked'), 679),
      cellOf(fen('实收', 'Paid'), 330),
      cellOf(permille('占比', 'Share'), 285),
      cellOf(of('电量', 'watt-hour'), 46_333),
      cellOf(of('速度', 'tenth-km/h'), 288),
      cellOf(of('电价', 'yuan-e4/kWh'), 3420),
      cellOf(of('日均次数', 'tenth'), 3),
      cellOf(of('里程', 'metre'), 14_200),
      cellOf(of('心跳间隔', 'second'), 60),
      cellOf(of('亮灯时长', 'hour'), 4729),
      cellOf(of('额定功率', 'watt'), 120),
      cellOf(of('读数', 'hundredth-kWh'), 12_345),
      cellOf(whole('功率(W)', 'Power (W)', { unit: 'watt' }), 7),
      cellOf(of('方向', 'degree'), 90),
      cellOf(degrees('经度', 'Longitude'), 112.3),
      cellOf(whole('数量', 'Count'), 5),
    ]),
  ).toEqual([
    ['停车时长(分钟)', 'Time parked (min)', 679],
    ['实收(元)', 'Paid (¥)', 3.3],
    ['占比(%)', 'Share (%)', 28.5],
    ['电量(kWh)', 'It (kWh)', 46.333],
    ['速度(km/h)', 'It (km/h)', 28.8],
    ['电价(元/度)', 'It (yuan/kWh)', 0.342],
    ['日均次数', 'It', 0.3],
    ['里程(m)', 'It (m)', 14_200],
    ['心跳间隔(秒)', 'It (sec)', 60],
    ['亮灯时长(小时)', 'It (hours)', 4729],
    ['额定功率(W)', 'It (W)', 120],
    ['读数(kWh)', 'It (kWh)', 123.45],
    ['功率(W)', 'Power (W)', 7],
    ['方向(°)', 'It (°)', 90],
    ['经度(WGS-84)', 'Longitude (WGS-84)', 112.3],
    ['数量', 'Count', 5],
  ])
  expect(['minute', 'tenth-km/h', 'parsec'].map(isUnit)).toEqual([true, true, false])
})

test('money is read as people write it, and what is finer than a fen is left for the check to name', () => {
  const paid = fen('实收', 'Paid')
  const read = (typed: string) => valueOf(paid, typed)
  for (const typed of ['100.01', '￥100.01', '¥100.01', '100.01元', '１００.０１', '100.010', ' 100.01 ']) expect(read(typed), typed).toBe(10_001)
  expect(['1,234.50', '1，234.5元', '-3', '¥-3', '-¥3', '0', '19.9'].map(read)).toEqual([123_450, 123_450, -300, -300, -300, 0, 1990])
  for (const typed of ['100.005', '一百', '1e3', '￥', '元', '12.', '.5', '1.2.3']) expect(read(typed), typed).toBe(typed)
})

test('other numbers take their own unit and no other', () => {
  expect([
    valueOf(minutes('时长', 'Time'), '30分钟'),
    valueOf(minutes('时长', 'Time'), '30 min'),
    valueOf(minutes('时长', 'Time'), '30小时'),
  ]).toEqual([30, 30, '30小时'])
  expect([
    valueOf(permille('占比', 'Share'), '28.5%'),
    valueOf(permille('占比', 'Share'), '28.5％'),
    valueOf(permille('占比', 'Share'), '28.55'),
  ]).toEqual([285, 285, '28.55'])
  expect([valueOf(degrees('经度', 'Longitude'), '112.3005'), valueOf(degrees('经度', 'Longitude'), '北纬三十度')]).toEqual([112.3005, '北纬三十度'])
})

test('a word of a closed list is known by what is left without its tail, where that is one alone', () => {
  const color = among('颜色', 'Colour', PlateColor)
  expect(['蓝', '蓝色', '蓝牌', '黄绿色', '绿 色', 'Blue', '0', '蓝白渐变色'].map((typed) => valueOf(color, typed))).toEqual([0, 0, 0, 5, 4, 0, 0, 6])
  for (const typed of ['蓝白', '粉色', '色', '牌', '车牌']) expect(valueOf(color, typed), typed).toBe(typed)
  const Two = dictionary('two_alike', ['两', 'Two'], { 1: ['黄', 'A'], 2: ['黄牌', 'B'] })
  expect(['黄', '黄牌', '黄色'].map((typed) => valueOf(among('两', 'Two', Two), typed))).toEqual([1, 2, '黄色'])
})

test('yes and no as people tick them', () => {
  expect(['是', 'Y', '√', '有', '否', 'n', '×', '也许'].map((typed) => valueOf(yes('启用', 'On'), typed))).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    false,
    '也许',
  ])
})
