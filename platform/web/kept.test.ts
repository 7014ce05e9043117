import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const storage = new Map<string, string>()
beforeEach(() => {
  storage.clear()
  vi.useFakeTimers()
  vi.stubGlobal('document', { cookie: 'uuid=p-1' })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
    removeItem: (key: string) => void storage.delete(key),
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A page that begins: its modules anew, told what the server keeps. */
async function page(values: Record<string, unknown>, put: (name: string, value: unknown) => Promise<unknown>) {
  vi.resetModules()
  const { kept, keepOnServer } = await import('./kept.ts')
  keepOnServer(new Map(Object.entries(values)), put)
  return kept('view/list', '', (value) => (typeof value === 'string' ? value : undefined), { everywhere: true })
}
const told = vi.fn((_name: string, _value: unknown) => Promise.resolve())

test('a choice holds on the next page even when that one begins before the server has heard it, and the server hears it then', async () => {
  const before = await page({ 'view/list': 'v-old' }, () => new Promise(() => {}))
  expect(before.get()).toBe('v-old')
  before.set('v-new')
  await vi.runAllTimersAsync()
  const after = await page({ 'view/list': 'v-old' }, told)
  expect(after.get()).toBe('v-new')
  await vi.runAllTimersAsync()
  expect(told.mock.calls).toEqual([['view/list', 'v-new']])
  // Heard: from now on what the server says holds, from whichever browser.
  expect((await page({ 'view/list': 'v-elsewhere' }, told)).get()).toBe('v-elsewhere')
})

test('a choice that was forgotten stays forgotten', async () => {
  const before = await page({ 'view/list': 'v-old' }, () => Promise.reject(new Error('The server is away.')))
  before.reset()
  await vi.runAllTimersAsync()
  expect((await page({ 'view/list': 'v-old' }, told)).get()).toBe('')
})

test('what is not heard of one person is not said for another', async () => {
  const before = await page({}, () => new Promise(() => {}))
  before.set('v-new')
  vi.stubGlobal('document', { cookie: 'uuid=p-2' })
  expect((await page({ 'view/list': 'v-theirs' }, told)).get()).toBe('v-theirs')
})

test.each([
  ['data.storage-namespace: a value lies under the version and whose it is', 'uuid=p-1', '1.0.0/p-1/size'],
  ['data.storage-guest: without an identity it lies under the guest', '', '1.0.0/guest/size'],
])('%s', async (_, cookie, key) => {
  vi.stubGlobal('document', { cookie })
  vi.resetModules()
  const { kept } = await import('./kept.ts')
  kept('size', '', (value) => (typeof value === 'string' ? value : undefined)).set('large')
  expect([...storage]).toEqual([[key, JSON.stringify('large')]])
})
