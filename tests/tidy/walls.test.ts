import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { breaches } from '../../scripts/dependencies.ts'
import { importsOf, root, type Source } from '../../scripts/sources.ts'
import * as rules from './rules.ts'

/** Each wall is shown to stand: what it forbids is planted, and it must say so. */
const source = (file: string, text: string): Source => ({ file, text, imports: importsOf(file, text) })

const directory = mkdtempSync(path.join(tmpdir(), 'kerbline-walls-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
for (const name of ['base', 'contract', 'server', 'web'])
  cpSync(path.join(root, `tsconfig.${name}.json`), path.join(directory, `tsconfig.${name}.json`))
for (const name of ['.oxlintrc.json', '.prettierrc']) cpSync(path.join(root, name), path.join(directory, name))
symlinkSync(path.join(root, 'node_modules'), path.join(directory, 'node_modules'))
plant('platform/contract/value.ts', 'export const value: number = 1\n')
plant('platform/server/secret.ts', 'export interface Secret {\n  key: string\n}\n')

function plant(file: string, text: string) {
  mkdirSync(path.dirname(path.join(directory, file)), { recursive: true })
  writeFileSync(path.join(directory, file), text)
}

/** A tool's output about the planted house; empty when the tool finds no fault. */
function said(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(root, 'node_modules', program), ...args], {
    cwd: directory,
    encoding: 'utf8',
  })
  return status === 0 ? '' : stdout + stderr
}
const types = (project: string) =>
  said('typescript/bin/tsc', '-p', `tsconfig.${project}.json`, '--tsBuildInfoFile', path.join(directory, `${project}.tsbuildinfo`))

describe('the type check', () => {
  test('lets the page read contracts, and nothing of a server, not even a type', () => {
    plant('platform/web/reader.ts', `import { value } from '../contract/value.ts'\n\nexport const twice = value * 2\n`)
    expect(types('web')).toBe('')
    plant('platform/web/thief.ts', `import type { Secret } from '../server/secret.ts'\n\nexport const stolen: Secret | null = null\n`)
    expect(types('web')).toMatch(/thief\.ts.*server\/secret\.ts' is not listed/)
  })

  test('keeps node and the page out of contracts', () => {
    plant('domains/fee/contract/reads.ts', `import { readFileSync } from 'node:fs'\n\nexport const text: string = readFileSync('x', 'utf8')\n`)
    plant('domains/fee/contract/draws.ts', `export const title: string = document.title\n`)
    const errors = types('contract')
    expect(errors).toMatch(/reads\.ts.*node:fs/)
    expect(errors).toMatch(/draws\.ts.*document/)
  })

  test('keeps the page out of the server', () => {
    plant('platform/server/borrowed.ts', `import { twice } from '../web/reader.ts'\n\nexport const four: number = twice * 2\n`)
    expect(types('server')).toMatch(/borrowed\.ts.*is not listed/)
  })

  test('is strict about what may be missing, and takes only types that can be erased', () => {
    plant(
      'platform/server/loose.ts',
      `export const first = (list: string[]): string => list[0]\nexport enum Kind {\n  A,\n}\nexport const one: { a?: string } = { a: undefined }\n`,
    )
    const errors = types('server')
    expect(errors).toMatch(/loose\.ts\(1,.*undefined/)
    expect(errors).toMatch(/loose\.ts\(2,.*erasableSyntaxOnly/)
    expect(errors).toMatch(/loose\.ts\(5,.*exactOptionalPropertyTypes/)
  })
})

describe('lint and format', () => {
  test('refuse what runs text as code', () => {
    plant('scripts/runs.ts', `export const run = (text: string): unknown => eval(text)\n`)
    expect(said('oxlint/bin/oxlint', 'scripts')).toMatch(/eval/)
  })

  test.each([
    [
      'a pattern that a long text holds up',
      `export const held = (text: string): boolean => /^(\\w+\\s?)*$/.test(text)\n`,
      /no-super-linear-backtracking/,
    ],
    ['a pattern that somebody sends', `export const sent = (text: string): RegExp => new RegExp(text)\n`, /detect-non-literal-regexp/],
    ['text that runs the other way', `export const hidden = 'a\u202e/* b'\n`, /detect-bidi-characters/],
  ])('refuse %s', (_, text, sentence) => {
    plant('platform/server/risky.ts', text)
    expect(said('oxlint/bin/oxlint', '--format', 'unix', 'platform/server/risky.ts')).toMatch(sentence)
  })

  test('refuse another hand', () => {
    plant('scripts/other.ts', `export const a = "x";\n`)
    expect(said('prettier/bin/prettier.cjs', '--check', 'scripts/other.ts')).toMatch(/other\.ts/)
  })
})

describe('the walls between domains', () => {
  test.each([
    ['an inner file of another domain', 'domains/parking/server/stay.ts', `import '../../fee/server/engine.ts'`, /entered through its contract/],
    ['a domain that stands above', 'domains/fee/server/api.ts', `import '../../parking/server/api.ts'`, /fee stands below parking/],
    [
      'a domain in platform',
      'platform/server/serve.ts',
      `import type { Stay } from '../../domains/parking/contract/stay.ts'`,
      /platform knows no domain/,
    ],
    ['a server in the page', 'domains/parking/web/StayScreen.tsx', `import type { Row } from '../server/tables.ts'`, /never a server/],
    ['a page in a server', 'domains/parking/server/stay.ts', `import '../web/screens.ts'`, /never the page/],
    ['a server in a contract', 'domains/parking/contract/stay.ts', `export type { Row } from '../server/tables.ts'`, /contracts only/],
    ['a package in a contract', 'domains/parking/contract/stay.ts', `import dayjs from 'dayjs'`, /typebox is the only package/],
    ['node in the page', 'platform/web/ask.ts', `import { join } from 'node:path'`, /does not run in a browser/],
    [
      'an inner file of a domain in a gateway',
      'gateways/mqtt/gateway.ts',
      `const late = () => import('../../domains/device/server/hear.ts')`,
      /a gateway speaks its protocol/,
    ],
    ['an inner file of a domain in the city', 'city/main.ts', `import '../domains/parking/server/stay.ts'`, /public doors/],
    ['a gateway in a domain', 'domains/device/server/hear.ts', `import '../../../gateways/mqtt/gateway.ts'`, /who puts it together/],
    ['what is made for tests', 'domains/device/server/hear.ts', `import '../../../tests/support/server.ts'`, /only tests use/],
  ])('forbid %s', (_, file, text, sentence) => {
    const [target] = importsOf(file, text)
    const there = target!.ours ? [source(target!.to, '')] : []
    expect(breaches([source(file, text), ...there]).map((breach) => breach.sentence)).toEqual([expect.stringMatching(sentence)])
  })

  test('forbid a circle, and a file that is not there', () => {
    const circle = [source('platform/server/a.ts', `import './b.ts'`), source('platform/server/b.ts', `import './a.ts'`)]
    expect(breaches(circle).map(({ sentence }) => sentence)).toEqual([expect.stringMatching(/circle/)])
    expect(breaches([source('platform/server/a.ts', `import type { B } from './b.ts'`)])).toHaveLength(1)
  })

  test('let through what they are for', () => {
    const allowed = [
      source(
        'domains/parking/server/stay.ts',
        `import { quote } from '../../fee/server/api.ts'\nimport type { Rule } from '../../fee/contract/rule.ts'`,
      ),
      source('domains/fee/server/api.ts', ''),
      source('domains/fee/contract/rule.ts', `import { Unsafe } from 'typebox'`),
      source('domains/fee/web/RuleScreen.tsx', `import { Stay } from '../../parking/contract/stay.ts'`),
      source('domains/parking/contract/stay.ts', ''),
    ]
    expect(breaches(allowed)).toEqual([])
  })
})

describe('the rules over the source', () => {
  test.each([
    ['a line kept from the formatter', rules.formatterStaysOn, `// ${'prettier'}-ignore\nconst a = [1,2]`, /formatter/],
    ['a long function', rules.shortFunctions(new Map()), `export function long() {\n${'  f()\n'.repeat(80)}}`, /82 lines/],
    ['a long file', rules.shortFiles, 'f()\n'.repeat(601), /602 lines/],
    ['a file nobody imports', rules.importedFiles([]), 'export const a = 1', /imported by nobody/],
    ['a barrel', rules.noBarrels, `export * from './a.ts'\nexport { b } from './b.ts'`, /only hands on/],
    ['a word of the workplace', rules.ourOwnWords, '// as in /work/shared/notes', /does not know that place/],
    ['something left for later', rules.nothingLeftOver, '// TODO: later', /do it now/],
    ['a switched-off compiler', rules.typesHold, 'export const a = b as any', /name the type/],
    ['half a pair', rules.wholePairs, `export const label = ['车牌号码']`, /no English/],
  ])('find %s', (_, rule, text, sentence) => {
    expect(rule([source('domains/parking/contract/planted.ts', text)])).toEqual([expect.stringMatching(sentence)])
  })

  test('find a class that is styled in two files, not one that is named within another', () => {
    const sheet = (file: string, text: string) => ({ file, text, imports: [] })
    const [one, two] = [sheet('a.css', '.today {\n  margin: 0;\n}\n'), sheet('b.css', '.page .today {\n  margin: 0;\n}\n')]
    expect(rules.stylesAtHome([one, two])).toEqual([])
    const third = sheet('c.css', '/* .page */\n@media print {\n  nav,\n  .today > a {\n    margin: 0.5px;\n  }\n}\n')
    expect(rules.stylesAtHome([one, two, third])).toEqual([expect.stringMatching(/^\.today has styles in a\.css and c\.css/)])
  })

  test('find a test that is skipped', () => {
    expect(rules.nothingSkipped([source('domains/parking/server/planted.test.ts', `test.skip('later', () => {})`)])).toHaveLength(1)
  })

  test('let whole pairs through, wherever they stand', () => {
    const text = `
      const a = ['车牌号码', 'Plate']; const b = text('车牌号码', 'Plate', { max: 9 }); const c = { zh: '车牌号码', en: 'Plate' }
      const d = english ? 'Plate' : '车牌号码'; const e = (zh = '车牌号码', en = 'Plate') => zh + en; const f = 'Not a plate. 车牌号码不正确。'`
    expect(rules.wholePairs([source('domains/parking/contract/planted.ts', text)])).toEqual([])
  })
})
