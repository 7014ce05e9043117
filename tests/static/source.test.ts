import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { filesUnder, readSources, root } from '../../scripts/sources.ts'
import { tally } from '../../scripts/tally.ts'
import { readList } from './lists.ts'
import { builtFromValues } from './raw-sql.ts'

const sources = readSources()
const product = sources.filter(
  ({ file }) => /^(platform|domains|gateways|apps)\//.test(file) && !/\.test\.tsx?$|\/(testing|factories)\.ts$/.test(file),
)

test('no SQL is built from values: what a person could send is a parameter', () => {
  const allowed = readList('raw-sql.txt')
  // Code for a browser reaches no database (tests/tidy/walls): a sentence there that begins with Set or Merge is no statement.
  const found = product.filter(({ file }) => !/\/web\//.test(file)).flatMap((source) => builtFromValues(source))
  expect(found.filter((place) => !allowed.has(place))).toEqual([])
  expect([...allowed.keys()].filter((place) => !found.includes(place))).toEqual([]) // no leave outlives its reason
  tally({ check: 'static: SQL', numbers: { files: product.length, excused: allowed.size } })
})

test('the rule sees SQL that is built from what was sent', () => {
  const planted = (text: string) => builtFromValues({ file: 'a.ts', text, imports: [] })
  expect(planted('export const q = (input) => run(`select * from t order by ${input.orderByColumn}`)')).toHaveLength(1)
  expect(planted('export const q = (input) => sql`select * from t order by ${sql.raw(input.orderByColumn)}`')).toHaveLength(1)
  expect(planted("export const q = (name) => client.query(`delete from t where name = '${name}'`)")).toHaveLength(1)
  expect(planted('const COLUMNS = "a, b"; export const q = (input) => run(`select ${COLUMNS} from t where a = $1`, [input.a])')).toEqual([])
  expect(planted('export const q = (input) => sql`select * from t where a = ${input.a}`')).toEqual([])
})

/** Patterns of secrets: keys and tokens by their form, and passwords by their name. */
const SECRETS: [name: string, pattern: RegExp][] = [
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
  ['a cloud key', /\b(AKIA|ASIA)[0-9A-Z]{16}\b/],
  ['a token of a code host', /\b(gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{40,}|glpat-[\w-]{20})\b/],
  ['a token of a chat', /\bxox[abprs]-[\w-]{10,}/],
  ['an API key', /\b(sk|pk|rk)[-_](live|test|proj|ant)[-_]\w{16,}|\bAIza[\w-]{35}\b/],
  ['a web token', /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/],
  [
    'an address with a password',
    /\b(postgres(ql)?|mysql|redis|amqp|mqtts?|https?):\/\/[^\s:/@'"`${}]+:(?!secret\b|password\b|pw\b)[^\s@'"`${}]{6,}@/,
  ],
  ['a written password', /\b(password|passwd|secret|api_?key|access_?key)['"]?\s*[:=]\s*['"][^'"\s${}<>]{12,}['"]/i],
]

test('no secret stands in the tree', () => {
  const allowed = readList('secrets.txt')
  const places = ['platform', 'domains', 'gateways', 'apps', 'city', 'bench', 'tests', 'scripts', 'migrations', 'docs', '.ci'].flatMap((place) =>
    filesUnder(root, place),
  )
  const files = [...places, 'README.md', 'package.json'].filter(
    (file) => !/\.(png|jpe?g|webp|gif|woff2?|ico)$/.test(file) && file !== 'tests/static/source.test.ts',
  )
  const found = files.flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8')
    // Tests and benches make up passwords for databases that live a minute; a real key would be one there too.
    const looked = /^(tests|bench)\/|\.test\.tsx?$/.test(file) ? SECRETS.filter(([name]) => !name.includes('password')) : SECRETS
    return looked.flatMap(([name, pattern]) => (pattern.test(text) ? [`${file}: ${name}`] : []))
  })
  expect(found.filter((place) => !allowed.has(place))).toEqual([])
  expect([...allowed.keys()].filter((place) => !found.includes(place))).toEqual([])
  tally({ check: 'static: secrets', numbers: { files: files.length, patterns: SECRETS.length } })
})

test('the scan sees secrets', () => {
  const seen = (text: string) => SECRETS.filter(([, pattern]) => pattern.test(text)).map(([name]) => name)
  expect(seen(`${'-'.repeat(5)}BEGIN RSA PRIVATE KEY${'-'.repeat(5)}`)).toEqual(['a private key'])
  expect(seen(`key: AKIA${'Q'.repeat(16)}`)).toEqual(['a cloud key'])
  expect(seen(`const password = 'correct-horse-battery'`)).toEqual(['a written password'])
  expect(seen('postgres://kerbline:hunter2hunter2@db/x')).toEqual(['an address with a password'])
})

/** Switched off, each lets a kind of mistake through. */
const STRICT = [
  'strict',
  'noUncheckedIndexedAccess',
  'exactOptionalPropertyTypes',
  'noImplicitOverride',
  'noFallthroughCasesInSwitch',
  'erasableSyntaxOnly',
  'verbatimModuleSyntax',
]
test('the compiler is as strict as it can be, in every part', () => {
  const read = (name: string) =>
    JSON.parse(readFileSync(path.join(root, name), 'utf8').replace(/^\s*\/\/.*$/gm, '')) as {
      compilerOptions?: Record<string, unknown>
      extends?: string
    }
  const { compilerOptions = {} } = read('tsconfig.base.json')
  expect(STRICT.filter((flag) => compilerOptions[flag] !== true)).toEqual([])
  for (const name of ['contract', 'server', 'web', 'tests'].map((part) => `tsconfig.${part}.json`)) {
    const part = read(name)
    expect([name, part.extends]).toEqual([name, './tsconfig.base.json'])
    expect([name, [...STRICT, 'noImplicitAny', 'strictNullChecks'].filter((flag) => part.compilerOptions?.[flag] === false)]).toEqual([name, []])
  }
})

/** Tags made from a list and handed straight to a cell or a fragment: nothing keeps them apart. */
const TOUCHING = /(<>\s*\{|[?:] )[\w.]+\.map\(\(\w+\) => \(?\s*<Tag\b/
test('the tags of one list stand in a row with a gap', () => {
  expect(product.filter(({ text }) => TOUCHING.test(text)).map(({ file }) => file)).toEqual([])
})
