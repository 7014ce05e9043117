import { expect, test } from 'vitest'
import { SECRET, TELLS } from './PileTell.tsx'

test('of a new secret nobody is told that it was sent to the pile; commands are sent', () => {
  expect(SECRET.done).toEqual(['新密钥已生成', 'New secret generated'])
  expect(TELLS.filter(({ done }) => done !== undefined)).toEqual([])
})
