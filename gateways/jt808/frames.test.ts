import { expect, test } from 'vitest'
import { openSplitter, readFrame, writeFrame } from './frames.ts'
import { againBody, readBatch, readCode, readPosition, readRegistration, timeBody } from './messages.ts'
import { openParts } from './parts.ts'

const framesOf = (hex: string) => openSplitter()(Buffer.from(hex, 'hex')).map((bytes) => readFrame(bytes))
const one = (hex: string) => framesOf(hex)[0]!

test('frames of other people’s terminals are read as they read them', () => {
  expect(one('7e0002000001234567890100008a7e')).toMatchObject({ id: 2, phone: '012345678901', serial: 0, is2019: false, encrypted: false })
  const registers = one('7e0100002c0123456789010000001f007363640000007777772e3830382e636f6d0000000000000000003736353433323101b2e24131323334cc7e')
  expect(readRegistration(registers.body, registers.is2019)).toEqual({ terminalId: '7654321', car: '测A1234' })
  const signs = one('7e0102000b01234567890100003137323939383431373338b57e')
  expect(readCode(signs.body, signs.is2019)).toBe('17299841738')
  const drives = one('7e0200002a013833501744001900000000000000c201597fa806cc01580080000000081508180721210104000002f502020000030200009f7e')
  expect(readPosition(drives.body)).toMatchObject({
    deviceTime: '2015-08-17T23:21:21.000Z',
    lat: 22.6426,
    lng: 114.032984,
    alt: 128,
    speed: 0,
    heading: 8,
    acc: false,
    fixed: true,
    mileageM: 75_700,
    statusBits: 194,
    alarmBits: 0,
  })
  const batch = one(
    '7e0704003f0123456789010000000200001c000004000000080007203b7d0202633df7013800030063241001235959001c000004000000080007203b7d0202633df7013800030063241001235959b67e',
  )
  expect(readBatch(batch.body)).toMatchObject({
    blind: false,
    positions: [{ alt: 312, speed: 3, heading: 99, fixed: false }, { deviceTime: '2024-10-01T15:59:59.000Z' }],
  })
})

test('what is written is read again, of both versions, whatever bytes it holds', () => {
  for (const is2019 of [false, true])
    for (let length = 0; length < 400; length += 37) {
      const body = Buffer.from(Array.from({ length }, (_, at) => [0x7e, 0x7d, at & 0xff][at % 3]!))
      const wire = writeFrame({ id: 0x0200, phone: '13807100001', is2019, serial: 65_535, body })
      const [read] = openSplitter()(wire).map((bytes) => readFrame(bytes))
      expect(read).toMatchObject({ id: 0x0200, is2019, serial: 65_535, phone: '13807100001'.padStart(is2019 ? 20 : 12, '0') })
      expect(read!.body.equals(body)).toBe(true)
    }
})

test('a frame that comes byte by byte, behind garbage, and shares its mark with the next', () => {
  const first = writeFrame({ id: 2, phone: '13807100001', is2019: false, serial: 1, body: Buffer.alloc(0) })
  const second = writeFrame({ id: 2, phone: '13807100001', is2019: false, serial: 2, body: Buffer.alloc(0) })
  const split = openSplitter()
  const all = Buffer.concat([Buffer.from('nonsense'), first, second.subarray(1), Buffer.from([0x7e, 0x7e])])
  const found = [...all].flatMap((byte) => split(Buffer.from([byte]))).map((bytes) => readFrame(bytes))
  expect(found.map((frame) => frame?.serial)).toEqual([1, 2])
})

test('a wrong check, a wrong escape or a wrong length drops that frame alone', () => {
  const good = writeFrame({ id: 2, phone: '13807100001', is2019: false, serial: 7, body: Buffer.alloc(0) })
  const bad = Buffer.from(good)
  bad[bad.length - 2]! ^= 1
  const escape = Buffer.from('7e7d037e', 'hex')
  const found = openSplitter()(Buffer.concat([bad, escape, good])).map((bytes) => readFrame(bytes))
  expect(found.filter(Boolean)).toHaveLength(1)
  expect(found.filter(Boolean)[0]!.serial).toBe(7)
})

test('a hundred thousand bytes of anything end in no error and no memory', () => {
  let seed = 7
  const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648)
  const split = openSplitter()
  for (let round = 0; round < 200; round++) {
    const bytes = Buffer.from(Array.from({ length: 500 }, () => (random() >> 8) & 0xff))
    for (const frame of split(bytes).map((one) => readFrame(one))) if (frame) readBatch(frame.body)
  }
  const good = writeFrame({ id: 2, phone: '13807100001', is2019: false, serial: 3, body: Buffer.alloc(0) })
  expect(split(Buffer.concat([Buffer.from([0x7e]), good])).map((one) => readFrame(one)?.serial)).toContain(3)
  for (let length = 0; length < 80; length++) {
    const body = Buffer.from(Array.from({ length }, () => (random() >> 8) & 0xff))
    readPosition(body)
    readBatch(body)
    readRegistration(body, length % 2 === 0)
    readCode(body, length % 2 === 0)
  }
})

test('an item that is cut off costs the items behind it, not the position', () => {
  const body = Buffer.from('00000000000000c201597fa806cc01580080000000081508180721210104000002f5e0ff01', 'hex')
  expect(readPosition(body)).toMatchObject({ mileageM: 75_700, lat: 22.6426 })
})

test('a message in parts is put together in whatever order they come', () => {
  const parts = openParts()
  const of = (number: number, text: string) => ({
    id: 0x0704,
    phone: '1',
    is2019: false,
    serial: number,
    encrypted: false,
    part: { total: 3, number },
    body: Buffer.from(text),
  })
  expect([parts.whole(of(3, 'c')), parts.whole(of(1, 'a')), parts.whole(of(9, 'x'))]).toEqual([undefined, undefined, undefined])
  expect(parts.whole(of(2, 'b'))!.body.toString()).toBe('abc')
})

test('parts of two messages are never mixed; what was lost is asked for, and completes its own', () => {
  let now = 0
  const parts = openParts(() => now)
  const of = (first: number, number: number, text: string, id = 0x0704) => ({
    id,
    phone: '1',
    is2019: false,
    serial: (first + number - 1) & 0xffff,
    encrypted: false,
    part: { total: 3, number },
    body: Buffer.from(text),
  })
  expect([parts.whole(of(65_535, 1, 'a')), parts.whole(of(65_535, 3, 'c'))]).toEqual([undefined, undefined])
  expect(parts.unfinished()).toEqual([{ id: 0x0704, serial: 65_535, first: Buffer.from('a'), missing: [2] }])
  expect(parts.unfinished()).toEqual([])
  expect([parts.whole(of(7, 1, 'x')), parts.whole(of(7, 2, 'y'))]).toEqual([undefined, undefined])
  now += 5_001
  expect(parts.unfinished().map(({ serial, missing }) => [serial, missing])).toEqual([
    [65_535, [2]],
    [7, [3]],
  ])
  expect(parts.whole(of(7, 3, 'z'))!.body.toString()).toBe('xyz')
  expect(parts.whole(of(65_535, 2, 'b'))!.body.toString()).toBe('abc')
})

test('parts are asked for by the number of the first, of a picture by its own, as each version counts them', () => {
  const of = { serial: 0x0102, first: Buffer.from('000000070000', 'hex'), missing: [2, 300] }
  const asked = (id: number, is2019: boolean, first: Buffer | undefined = of.first) => {
    const { id: said, body } = againBody({ ...of, id, first }, is2019)
    return [said, body.toString('hex')]
  }
  expect(asked(0x0704, false)).toEqual([0x8003, '0102020002012c'])
  expect(asked(0x0704, true)).toEqual([0x8003, '010200020002012c'])
  expect(asked(0x0801, true)).toEqual([0x8800, '00000007020002012c'])
  expect(asked(0x0801, false, Buffer.alloc(0))).toEqual([0x8003, '0102020002012c'])
})

test('who asks for the time is told it, by UTC', () => {
  expect(timeBody('2026-11-30T16:05:09.123Z' as never, true).toString('hex')).toBe('261130160509')
  expect([...timeBody('2026-11-30T16:05:09.123Z' as never, false)]).toEqual([0x07, 0xea, 11, 30, 16, 5, 9])
})

test('a clock that says no date says nothing; what a terminal does not know of its odometer is no reading', () => {
  const at = (bcd: string, mileage: string) => readPosition(Buffer.from(`00000000000000c201597fa806cc0158008000000081${bcd}0104${mileage}`, 'hex'))
  for (const bcd of ['000000000000', 'ffffffffffff', '260230100000', '261301100000', '261130250000'])
    expect(at(bcd, '000002f5')).toMatchObject({ deviceTime: null, lat: 22.6426, mileageM: 75_700 })
  expect(at('260228100000', 'ffffffff')).toMatchObject({ deviceTime: '2026-02-28T02:00:00.000Z', mileageM: null })
})
