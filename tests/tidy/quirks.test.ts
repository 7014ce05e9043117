import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/sources.ts'

const LISTED = /→ `([^`]+)`: (.+)$/gm

test('what piles of the street do is tried where gateways/ocpp/README.md says so', () => {
  const listed = [...readFileSync(path.join(root, 'gateways/ocpp/README.md'), 'utf8').matchAll(LISTED)].map(([, file, title]) => ({
    file: file!,
    title: title!,
  }))
  expect(listed.length).toBeGreaterThan(40)
  const isThere = ({ file, title }: { file: string; title: string }) =>
    existsSync(path.join(root, file)) && readFileSync(path.join(root, file), 'utf8').includes(`('${title}'`)
  expect(listed.filter((one) => !isThere(one))).toEqual([])
})
