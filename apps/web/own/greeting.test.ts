import { expect, test } from 'vitest'
import { greetingAt } from './greeting.ts'

const said = (from: number, to: number) => new Set(Array.from({ length: to - from + 1 }, (_, i) => greetingAt(from + i).join()))

test('shell.greeting-morning: hours 0 to 10', () => expect([...said(0, 10)]).toEqual(['早上好,Good morning']))
test('shell.greeting-noon: hours 11 to 14', () => expect([...said(11, 14)]).toEqual(['中午好,Good day']))
test('shell.greeting-afternoon: hours 15 to 18', () => expect([...said(15, 18)]).toEqual(['下午好,Good afternoon']))
test('shell.greeting-evening: hours 19 to 24', () => expect([...said(19, 24)]).toEqual(['晚上好,Good evening']))
