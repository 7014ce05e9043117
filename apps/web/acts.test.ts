import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/sources.ts'

test('what a person may do on the pages of any domain is found by its name', () => {
  const domains = readdirSync(path.join(root, 'domains')).filter((name) => existsSync(path.join(root, 'domains', name, 'contract/menu.ts')))
  const source = readFileSync(path.join(import.meta.dirname, 'acts.ts'), 'utf8')
  expect(domains.filter((name) => !source.includes(`domains/${name}/contract/menu.ts`))).toEqual([])
  expect(domains.length).toBeGreaterThan(20)
})
