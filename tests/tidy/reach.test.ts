import { expect, test } from 'vitest'
import { reachOf } from '../../scripts/reach.ts'

test('a change in a domain reaches its own tests, those above that use it, the screens it draws and its calls in the matrix', () => {
  const { files, calls } = reachOf(['domains/parking/server/place/gate.ts'])
  expect(files).toEqual(
    expect.arrayContaining([
      'domains/parking/server/lane/lane.test.ts',
      'tests/matrix/strangers.test.ts',
      'tests/journeys/parking.browser.test.ts',
      'tests/tidy/source.test.ts',
    ]),
  )
  expect(files).not.toContain('domains/fee/server/engine.test.ts')
  expect(files).not.toContain('domains/identity/server/signIn/session.test.ts')
  expect(calls).toContain('parking.')
  expect(calls).not.toContain('identity.')
})

test('a domain below reaches those that call it', () => {
  const { files, calls } = reachOf(['domains/fee/server/engine.ts'])
  expect(files).toContain('domains/parking/server/lane/lane.test.ts')
  expect(calls).toEqual(expect.arrayContaining(['fee.', 'parking.']))
})

test('a table reaches as far as its domain, a screen no server', () => {
  expect(reachOf(['migrations/0090_parking.sql'])).toEqual(reachOf(['domains/parking/server/domain.ts']))
  const { files } = reachOf(['domains/parking/web/lane/GateScreen.tsx'])
  expect(files).toContain('tests/journeys/parking.browser.test.ts')
  expect(files).not.toContain('domains/parking/server/lane/lane.test.ts')
  expect(files).not.toContain('tests/matrix/strangers.test.ts')
})

test('what every test stands on reaches every test', () => {
  for (const file of ['package.json', 'platform/server/serve.ts', 'tests/support/server.ts', 'migrations/0010_platform.sql'])
    expect(reachOf([file]).files, file).toBeNull()
})

test('a word in a document reaches what reads the documents', () => {
  const { files, calls } = reachOf(['docs/glossary.md'])
  expect(files!.every((file) => /^tests\/(tidy|static)\//.test(file))).toBe(true)
  expect(calls).toEqual([])
})
