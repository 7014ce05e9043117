import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { NOTES } from '../../city/office/laws.ts'
import { PRODUCT_VERSION } from './version.ts'

test('the package, the console’s foot and the newest release note of the demo name one version', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
  expect([version, NOTES[0]!.release]).toEqual([PRODUCT_VERSION, PRODUCT_VERSION])
})
