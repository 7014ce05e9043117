import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { breaches } from '../../scripts/dependencies.ts'
import { filesUnder, readSources, root } from '../../scripts/sources.ts'
import { namedCodes } from './codes.ts'
import { newestForms, refusalNumbers } from './conventions.ts'
import * as rules from './rules.ts'

const sources = readSources()
const scripts = Object.values((JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }).scripts)
const linesOf = (list: string) =>
  readFileSync(path.join(root, 'tests', 'tidy', list), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
const countsOf = (list: string) =>
  new Map(
    linesOf(list)
      .map((line) => line.split(' | '))
      .map(([place, count]) => [place!, Number(count)]),
  )
const castsLeft = countsOf('casts.txt')
const chineseLeft = countsOf('chinese.txt')
const longLeft = countsOf('long-functions.txt')
const fullLeft = countsOf('full-folders.txt')
/** Programs that `npm run` starts, and those that a page names. */
const programs = scripts.flatMap((script) => script.match(/[\w./-]+\.tsx?/g) ?? [])

test('dependencies go only through the doors between domains, downwards, and in no circle', () => {
  expect(breaches(sources).map(({ at, sentence }) => `${at} ${sentence}`)).toEqual([])
})

test.each([
  ['functions fit a screen', rules.shortFunctions(longLeft)],
  ['the formatter writes every line', rules.formatterStaysOn],
  ['files are about one thing', rules.shortFiles],
  ['folders show what is in them', rules.smallFolders(fullLeft)],
  ['every file is used', rules.importedFiles(programs)],
  ['no file only hands on others', rules.noBarrels],
  ['every test runs', rules.nothingSkipped],
  ['nothing is left for later', rules.nothingLeftOver],
  ['the product speaks of itself', rules.ourOwnWords],
  ['what is typed in a dialog is not lost unasked', rules.guardedDialogs],
  ['a choice can name what was chosen', rules.namedChoices],
  ['written words wrap on a telephone', rules.writtenWordsWrap],
  ['the page’s policy lets every style in', rules.noWrittenStyles],
  ['a button says the sum that it moves', rules.sumsOnButtons],
  ['a page is guarded by its entry of the menu', rules.guardedByTheMenu],
  ['an error does not look like an empty list', rules.emptyMeansNone],
  ['the compiler is not switched off', rules.typesHold],
  ['rows of money are held so that a new payment does not wait for them', rules.moneyHeldLightly],
  ['casts only grow fewer', rules.castsOnlyFall(castsLeft)],
  ['every text is a pair', rules.wholePairs],
  ['what the platform writes into rows is said in both languages', rules.saidInBoth(chineseLeft)],
  ['every refusal has a number of its own', refusalNumbers],
  ['rows are written in one way, and closed lists name their members', newestForms],
  ['codes are called by their names', namedCodes],
])('%s', (_, rule) => {
  expect(rule(sources)).toEqual([])
})

test('documents speak of the product alone', () => {
  const papers = [
    ...filesUnder(root, 'docs'),
    ...filesUnder(root, 'domains'),
    ...filesUnder(root, 'bench'),
    ...filesUnder(root, 'migrations'),
    ...readdirSync(root),
  ]
  const read = papers
    .filter((file) => /\.(md|sql)$/.test(file))
    .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8'), imports: [] }))
  expect([...rules.ourOwnWords(read), ...rules.nothingLeftOver(read)]).toEqual([])
})

test('a class has its styles in one file', () => {
  const sheets = ['apps', 'domains', 'platform'].flatMap((folder) => filesUnder(root, folder)).filter((file) => file.endsWith('.css'))
  expect(sheets.length).toBeGreaterThan(10)
  expect(rules.stylesAtHome(sheets.map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8'), imports: [] })))).toEqual([])
})

test('migrations have a number each, four digits, and a name', () => {
  const names = readdirSync(path.join(root, 'migrations')).sort()
  expect(names.filter((name) => !/^\d{4}_[a-z0-9_]+\.sql$/.test(name))).toEqual([])
  const numbers = names.map((name) => name.slice(0, 4))
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([])
})
