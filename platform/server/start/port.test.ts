import { expect, test } from 'vitest'
import { freePort } from './port.ts'

test('ports that were given out and are not taken yet are given to nobody else', async () => {
  const rows = await Promise.all(Array.from({ length: 200 }, () => freePort(8)))
  const ports = rows.flatMap((port) => Array.from({ length: 9 }, (_, i) => port + i))
  expect(new Set(ports).size).toBe(ports.length)
})
