import { afterEach, expect, test, vi } from 'vitest'
import { inTime, loaderOf, ModuleNotFound, PART_TIMEOUT_MS } from './load.ts'

afterEach(() => void vi.useRealTimers())

test('error.chunk-timeout: a part that has not come after 120 seconds has failed', async () => {
  vi.useFakeTimers()
  const never = inTime(() => new Promise(() => {}))()
  const failed = expect(never).rejects.toThrow('120')
  await vi.advanceTimersByTimeAsync(PART_TIMEOUT_MS - 1)
  await vi.advanceTimersByTimeAsync(1)
  await failed
  expect(PART_TIMEOUT_MS).toBe(120_000)
})
test('menu.missing-module: a screen that does not exist is a module not found', async () => {
  await expect(loaderOf('NoSuchScreen')()).rejects.toThrow(ModuleNotFound)
})
