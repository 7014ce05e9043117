import { expect, test } from 'vitest'
import { read } from './protocol.ts'

const told = (type: string, body: object) =>
  read('SN1', 'v1/devices/SN1/event', Buffer.from(JSON.stringify({ mid: 'm1', ts: 1_780_000_000_000, type, ...body })), 1_780_000_000_000)

test.each([{}, { plate: '' }, { plate: null }, { plate: '_无_' }, { plate: 'unknown' }])(
  'a car whose plate was not read, told as %j, is heard',
  (body) => {
    expect(told('plate', body)).toMatchObject({ heard: { type: 'plate', body: { plate: (body as { plate?: string | null }).plate ?? '' } } })
    expect(told('occupied', body)).toMatchObject({ heard: { type: 'occupied' } })
  },
)
test('what is no text, or longer than any plate, is none', () => {
  for (const plate of [17, {}, '鄂'.repeat(17)]) expect(told('plate', { plate })).toMatchObject({ reject: 'form' })
  expect(told('plate', { plate: '鄂F12345' })).toMatchObject({ heard: { body: { plate: '鄂F12345' } } })
})
