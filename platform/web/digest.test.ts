import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { digestOf, sha256 } from './digest.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

test('the digest is SHA-256 of the lower-case name, a colon and the password', async () => {
  const expected = createHash('sha256').update('admin:Kérb-城2026').digest('hex')
  expect(await digestOf('Admin', 'Kérb-城2026')).toBe(expected)
})
test('where the browser keeps its own digest from the page, ours gives the same', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(hex(sha256(bytes))).toBe(createHash('sha256').update(bytes).digest('hex'))
    }),
    { numRuns: 300 },
  )
})
