import { expect, test } from 'vitest'
import { among, day, fen, message, text, whole } from '../../contract/field.ts'
import { PlateColor } from '../../contract/plate.ts'
import { columnsOf } from '../../contract/sheet.ts'
import { headIn, mappingBy } from './heads.ts'

const Row = message(
  {
    name: text('姓名', 'Name'),
    phone: text('手机', 'Phone'),
    plateNo: text('车牌', 'Plate'),
    groupName: text('分组', 'Pass'),
    startAt: day('开始', 'From'),
    endAt: day('结束', 'To'),
  },
  {
    kind: text('类型', 'Kind'),
    address: text('地址', 'Address'),
    plateColor: among('颜色', 'Colour', PlateColor),
    paidFen: fen('实收', 'Paid'),
    seats: whole('车位数', 'Bays'),
    energy: whole('电量', 'Energy', { unit: 'watt-hour' }),
  },
)
const columns = columnsOf(Row)
const rowsOf = (...lines: string[][]) => lines.map((cells, i) => ({ row: i + 1, cells }))
const HEADS = ['姓名', '手机', '车牌', '分组', '开始', '结束']
const PERSON = ['张三', '13900001111', '鄂F12345', '月卡', '2026-11-01', '2026-11-30']

test('the heads are found below a title, a date and a remark, and stay in the first row where they stand there', () => {
  expect(headIn(rowsOf(HEADS, PERSON), columns, undefined)).toMatchObject({ row: 1, at: 0 })
  expect(headIn(rowsOf(['阳光小区月卡客户登记表'], HEADS, PERSON), columns, undefined)).toMatchObject({ row: 2, at: 1, cells: HEADS })
  expect(headIn(rowsOf(['登记表'], ['填表人：王五', '', '日期：2026-11-01'], HEADS, PERSON), columns, undefined)).toMatchObject({ row: 3 })
  // Rows of blanks are no rows: the numbers go on.
  expect(
    headIn(
      [
        { row: 2, cells: ['登记表'] },
        { row: 4, cells: HEADS },
        { row: 5, cells: PERSON },
      ],
      columns,
      undefined,
    ),
  ).toMatchObject({ row: 4, at: 1 })
  // Nothing that is known anywhere: the first row, and a person chooses.
  expect(headIn(rowsOf(['a', 'b'], ['c', 'd']), columns, undefined)).toMatchObject({ row: 1 })
  expect(headIn(rowsOf(['a', 'b'], ['c', 'd']), columns, 2)).toMatchObject({ row: 2, cells: ['c', 'd'] })
  expect(() => headIn(rowsOf(HEADS, PERSON), columns, 9)).toThrow()
})

test('a head merged over two rows is read from the upper one', () => {
  const two = rowsOf(['登记表'], ['姓名', '手机', '车牌', '分组', '有效期'], ['', '', '', '', '开始', '结束'], PERSON)
  expect(headIn(two, columns, undefined)).toMatchObject({ row: 3, cells: HEADS })
})

test('heads are the same with stars, brackets, blanks, full-width signs and in either language', () => {
  const { mapping } = mappingBy(
    ['姓 名＊', '手机（必填）', 'Plate *', 'groupName', '开始(UTC+8)', '结束：', '实收（元）', 'energy (kWh)'],
    columns,
    false,
  )
  expect(mapping).toMatchObject({ name: 0, phone: 1, plateNo: 2, groupName: 3, startAt: 4, endAt: 5, paidFen: 6, energy: 7, kind: -1 })
})

test('near names are guessed and said to be guesses; without leave nothing is guessed', () => {
  const heads = ['车主姓名', '手机号码', '车牌号', '月卡类型', '开始日期', '到期日期', '已缴金额', '住址', '车牌颜色', '车位数量']
  const { mapping, guessed } = mappingBy(heads, columns, true)
  expect(mapping).toMatchObject({
    name: 0,
    phone: 1,
    plateNo: 2,
    groupName: 3,
    startAt: 4,
    endAt: 5,
    paidFen: 6,
    address: 7,
    plateColor: 8,
    seats: 9,
    kind: -1,
  })
  expect(new Set(guessed)).toEqual(
    new Set(['name', 'phone', 'plateNo', 'groupName', 'startAt', 'endAt', 'paidFen', 'address', 'plateColor', 'seats']),
  )
  expect(mappingBy(heads, columns, false)).toMatchObject({ mapping: { name: -1, paidFen: -1 }, guessed: [] })
})

test('a head that is some column by name is no guess for another, and a number in another unit is none', () => {
  expect(mappingBy(['手机', '联系电话', '电量(Wh)'], columns, true)).toMatchObject({ mapping: { phone: 0, energy: -1 }, guessed: [] })
})
