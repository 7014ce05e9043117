import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../tests/support/server.ts'
import { sizeOf } from './demoSize.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

test('what was begun in one size keeps it, and a start that is asked for another says so in one sentence', async () => {
  const said: string[] = []
  const asked = (demo: 'small' | 'city' | 'none') => sizeOf({ ...server.house, config: { ...server.house.config, demo } }, (line) => said.push(line))
  expect(await asked('small')).toBe('small')
  expect(await asked('small')).toBe('small')
  expect(said).toEqual([])
  expect(await asked('city')).toBe('small')
  expect(await asked('none')).toBe('small')
  expect(said).toEqual([expect.stringContaining('DEMO=small and stays so; for DEMO=city'), expect.stringContaining('for DEMO=none')])
})
