import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { root } from '../../scripts/sources.ts'

/**
 * The parts of the driver's query that `ScopedQuery` of database.ts overrides, calls, or relies on: the driver promises none of
 * them. Each has the digest of its text as it was when it was compared with ours.
 */
const READ = {
  Query: {
    constructor: 'a709b7ddf5ea',
    requiresPreparation: '09c87cd3d3bf',
    submit: '1a5a16c22fbb',
    hasBeenParsed: 'e6afbc00b4b2',
    prepare: '0583a8bdc760',
    _getRows: '86879fbed140',
    _checkForMultirow: '6c0067cc18af',
    handleRowDescription: 'bdb33fc35a29',
    handleDataRow: '77ad9cb07ecc',
    handleCommandComplete: 'd9a9117cdc50',
    handleReadyForQuery: 'ba27e436cb35',
    handleError: '4fd8fb87c6e8',
  },
  Result: { constructor: '6ad240bf31af', addFields: 'f6578a04f8c6', addCommandComplete: 'ac8338b2467d' },
  Connection: { bind: '7cc0e537695b', execute: '96578cd556ce', describe: '2f67be7dca7c', parse: '9e2a324e9d8b', sync: 'c3ab01942b98' },
  Client: {
    query: '15395bd933d5',
    _pulseQueryQueue: '8ebce0cc040c',
    _pulsePipelinedQueryQueue: 'e69b8dcfe070',
    _handleRowDescription: 'd7a141a546a6',
    _handleDataRow: '55a92885ad9a',
    _handleCommandComplete: '646be36f82da',
    _handleParseComplete: '3b60c2e513e8',
    _handleReadyForQuery: 'faf76d24b323',
    _handleErrorMessage: '1e81f13d045f',
  },
} as const

const classes = pg as unknown as Record<keyof typeof READ, { prototype: Record<string, unknown> }>
/** A class says its constructor's text with everything else in it. */
const textOf = (of: keyof typeof READ, part: string) =>
  part === 'constructor' ? /constructor\([\s\S]*?\n {2}\}/.exec(String(classes[of]))![0] : String(classes[of].prototype[part])
const digestOf = (text: string) => hash('sha256', text.replaceAll(/\s+/g, ' ')).slice(0, 12)

test.each(Object.entries(READ).flatMap(([of, parts]) => Object.entries(parts).map(([part, digest]) => [`${of}.${part}`, of, part, digest] as const)))(
  'the driver’s %s is as it was read: where it is not, read it beside ScopedQuery, try database.test.ts, and write its new digest here',
  (_, of, part, digest) => expect(digestOf(textOf(of as keyof typeof READ, part))).toBe(digest),
)

test('whatever our query overrides, or calls of the driver’s own, is among what was read', () => {
  const source = readFileSync(path.join(root, 'platform/server/database.ts'), 'utf8')
  const ours = /^class ScopedQuery[\s\S]*?^\}/m.exec(source)![0]
  const overridden = [...ours.matchAll(/^ {2}(\w+)\(/gm)].map(([, name]) => name!)
  const called = [...ours.matchAll(/\b(?:super|this)\.(\w+)\(/g)].map(([, name]) => name!)
  expect(overridden.length).toBeGreaterThan(4)
  expect([...overridden, ...called].filter((name) => name !== 'callback' && !(name in READ.Query))).toEqual([])
})

test('a query of the driver’s has the fields that ours fills in by itself', () => {
  const query = new (pg as unknown as { Query: new (...args: unknown[]) => Record<string, any> }).Query({ text: 'select 1' }, undefined, () => {})
  expect(Object.keys(query)).toEqual(expect.arrayContaining(['text', 'name', 'values', 'queryMode', 'callback', '_result', '_results']))
  expect(query['_results']).toBe(query['_result'])
  expect(Object.keys(query['_result'])).toEqual(expect.arrayContaining(['rows', 'fields', '_parsers']))
})
