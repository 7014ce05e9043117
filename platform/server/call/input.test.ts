import { expect, test } from 'vitest'
import { call, paged, pageOf, searchOf } from '../../contract/call.ts'
import { among, day, dictionary, entity, exact, fen, instant, message, orNone, rich, text, whole } from '../../contract/field.ts'
import { checkerOf, checkerOfSchema } from './input.ts'

const Colour = dictionary('colour', ['颜色', 'Colour'], { 1: ['蓝', 'Blue'], 2: ['绿', 'Green'] })
const check = checkerOfSchema(
  entity({
    name: text('姓名', 'Name', { max: 4 }),
    size: orNone(whole('大小', 'Size', { min: 1, max: 9 })),
    colour: among('颜色', 'Colour', Colour),
  }),
)

test('a row of a sheet is told all that is wrong with it, each field once, in both languages', () => {
  expect(check({ name: '王一', size: null, colour: 1 })).toEqual([])
  expect(check({ size: 12, colour: 3 })).toEqual([
    { field: 'name', texts: ['缺少「姓名」', '“Name” is missing'] },
    { field: 'size', texts: ['「大小」不能大于 9', '“Size” must be at most 9'] },
    { field: 'colour', texts: ['「颜色」只能是 1、2', '“Colour” can only be 1, 2'] },
  ])
  expect(check({ name: 'x'.repeat(900), size: 1, colour: 1 })).toEqual([
    { field: 'name', texts: ['「姓名」最多 4 个字', '“Name” takes at most 4 characters'] },
  ])
})

test('a bound of money is told in yuan, as it is typed', () => {
  const fee = checkerOfSchema(entity({ fee: fen('金额', 'Amount', { min: 1, max: 5_000_000 }) }))
  expect(fee({ fee: 5_000_001 })).toMatchObject([{ texts: ['「金额」不能大于 ¥50000.00', '“Amount” must be at most ¥50000.00'] }])
  expect(fee({ fee: 0 })).toMatchObject([{ texts: ['「金额」不能小于 ¥0.01', '“Amount” must be at least ¥0.01'] }])
  expect(fee({ fee: '100.005' })).toMatchObject([
    { texts: ['「金额」应为数字（元），最多两位小数', '“Amount” must be a number (¥) with at most 2 decimals'] },
  ])
})

const Trip = entity({ day: day('日期', 'Day'), seenAt: instant('时间', 'At') })
const trips = call('trial.trip.list', {
  service: 'basic',
  get: '/trip/list',
  needs: 'signed-in',
  own: true,
  query: paged(searchOf(Trip, { day: 'between', seenAt: 'between' }, { sort: ['day'] })),
  reply: pageOf(Trip),
})
const other = call('trial.trip.add', {
  service: 'basic',
  post: '/trip/add',
  needs: 'signed-in',
  own: true,
  writes: true,
  does: ['试', 'Tried'],
  body: message({}, { day: day('日期', 'Day'), seenAt: instant('时间', 'At') }),
  reply: pageOf(Trip),
})
const asked = (input: object) => checkerOf(trips)({ ...input }) as Record<string, string>

test('search.date-range-expanded: a range of days and one of moments take every form of a day and of a moment', () => {
  for (const form of [
    '2026-03-02',
    '20260302',
    '2026-03-02 00:00:00',
    '2026-03-02 23:59:59',
    '20260302235959',
    '2026-03-01T16:00:00.000Z',
    '2026-03-02T09:00:00+08:00',
  ])
    expect(asked({ dayFrom: form, dayTo: form }), form).toMatchObject({ dayFrom: '2026-03-02', dayTo: '2026-03-02' })
  for (const form of ['2026-03-02', '20260302'])
    expect(asked({ seenAtFrom: form, seenAtTo: form }), form).toMatchObject({
      seenAtFrom: '2026-03-01T16:00:00.000Z',
      seenAtTo: '2026-03-02T15:59:59.999Z',
    })
  expect(asked({ seenAtFrom: '2026-03-02 00:00:00', seenAtTo: '20260302235959' })).toMatchObject({
    seenAtFrom: '2026-03-01T16:00:00.000Z',
    seenAtTo: '2026-03-02T15:59:59.999Z',
  })
})

test('what is no day is refused, and a moment that is no range is not guessed from a day', () => {
  for (const form of ['2026-02-30', '2026-13-01', '20260230', '2026-3-2', 'soon', '2026-03-02 25:00:00'])
    expect(() => asked({ dayTo: form }), form).toThrow()
  expect(() => checkerOf(other)({ seenAt: '2026-03-02' })).toThrow()
  expect(checkerOf(other)({ day: '20260302', seenAt: '20260302080000' })).toEqual({ day: '2026-03-02', seenAt: '2026-03-02T00:00:00.000Z' })
})

const place = call('trial.place.add', {
  service: 'basic',
  post: '/place/add',
  needs: 'signed-in',
  own: true,
  writes: true,
  does: ['试', 'Tried'],
  body: message(
    { name: text('名称', 'Name', { max: 4 }) },
    { remark: orNone(text('备注', 'Remark')), code: text('短码', 'Short code', { min: 3 }), secret: exact(text('密钥', 'Secret')) },
  ),
  reply: pageOf(Trip),
})
const added = (input: object) => checkerOf(place)({ ...input }) as Record<string, string>

test('a needed text of blanks alone, also of those that are not seen, is missing', () => {
  for (const name of ['', ' ', '   ', '\t\n', '\u3000', '\u00a0', '\u200b\u200d', '\ufeff', '\u2060', ' \u3000\u200b '])
    expect(() => added({ name }), JSON.stringify(name)).toThrow(/“Name” is missing/)
  expect(check({ name: '\u3000', size: null, colour: 1 })).toEqual([{ field: 'name', texts: ['缺少「姓名」', '“Name” is missing'] }])
})
test('blanks around a text are cut before it is measured, those inside stay', () => {
  expect(added({ name: ' \u3000东 门\u200b\n', remark: '\t一行\n二行 ' })).toEqual({ name: '东 门', remark: '一行\n二行' })
  expect(added({ name: '    东门AB    ' })).toEqual({ name: '东门AB' })
  expect(added({ name: '东', remark: null })).toEqual({ name: '东', remark: null })
  expect(() => added({ name: '东门ABC' })).toThrow(/at most 4 characters/)
  expect(() => added({ name: '东', code: ' A ' })).toThrow(/“Short code” takes at least 3 characters/)
})
test('a secret, and what was signed, stay as they were sent', () => {
  expect(added({ name: '东', secret: ' pass word ' })).toEqual({ name: '东', secret: ' pass word ' })
  const signed = call('trial.place.notice', {
    service: 'basic',
    post: '/place/notice',
    needs: 'public',
    own: true,
    body: exact(message({ name: text('名称', 'Name') }, { remark: orNone(text('备注', 'Remark')) })),
    reply: pageOf(Trip),
  })
  expect(checkerOf(signed)({ name: ' 东 ', remark: ' ' })).toEqual({ name: ' 东 ', remark: ' ' })
})
test('a long run of blanks inside a text is read once', () => {
  expect(() => added({ name: `东${' '.repeat(1_000_000)}门` })).toThrow(/at most 4 characters/)
})

test('formatted text that would hold the process is refused with what to do, and is cleaned where it would not', () => {
  const News = message({ content: rich('内容', 'Content') })
  const read = checkerOf(
    call('test.news.add', {
      service: 'basic',
      post: '/news/add',
      needs: 'signed-in',
      writes: true,
      does: ['试', 'Tried'],
      own: true,
      body: News,
      reply: message({}),
    }),
  )
  expect(read({ content: '<p onclick="x()">好</p>' })).toEqual({ content: '<p>好</p>' })
  expect(() => read({ content: '<b><i>'.repeat(33_000) })).toThrow(/more than 6000 formatting marks; clear the formatting/)
})

test('nobody types a sentence of the platform', () => {
  const refused = check({ name: '⟦a⟧', size: 1, colour: 1 })
  expect(refused).toEqual([{ field: 'name', texts: ['「姓名」含有符号 ⟦ ⦀ ⟧，请删除', '“Name” contains ⟦, ⦀ or ⟧: remove these signs'] }])
  expect(check({ name: '[a]', size: 1, colour: 1 })).toEqual([])
})
