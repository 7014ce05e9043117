import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { BadTariff, tariffOfPublished } from './published.ts'
import { quoteFile } from './quote.ts'

const HERE = import.meta.dirname
const FILE = join(HERE, 'published-tariffs.json')
const file = JSON.parse(readFileSync(FILE, 'utf8')) as { tariffs: { id: string; cases: { id: string }[] }[] }
const run = promisify(execFile)
const cli = (args: string[], env: Record<string, string> = {}) =>
  run(process.execPath, [join(HERE, 'quote.ts'), ...args], { env: { ...process.env, ...env } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )

describe('tariffs as cities publish them, with stays worked out by hand', () => {
  test.each(file.tariffs.map((one) => [one.id, one] as const))('%s', (_id, one) => {
    for (const { id, amount, expected, lines } of quoteFile({ tariffs: [one] })) {
      expect(amount, id).toBeCloseTo(expected!, 6)
      expect(
        lines.reduce((sum, line) => sum + line.amount, 0),
        id,
      ).toBeCloseTo(amount, 6)
    }
  })
  test('every tariff has several stays', () => expect(file.tariffs.filter(({ cases }) => cases.length < 2)).toEqual([]))
})

describe('fee:quote', () => {
  const quoted = quoteFile(file)
  test('prints one array, the same in every zone', async () => {
    const zones = await Promise.all(['UTC', 'Asia/Shanghai', 'America/New_York'].map((TZ) => cli([FILE, '--json'], { TZ })))
    expect(JSON.parse(zones[0]!.stdout)).toEqual(quoted)
    expect(zones[1]!.stdout).toBe(zones[0]!.stdout)
    expect(zones[2]!.stdout).toBe(zones[0]!.stdout)
    expect(zones[0]!.stderr).toContain(`${quoted.length} quoted, 0 differ`)
  })

  const written = (content: string) => {
    const path = join(mkdtempSync(join(tmpdir(), 'tariffs-')), 'file.json')
    writeFileSync(path, content)
    return path
  }
  const tariff = (rule: object, more: object = {}) =>
    JSON.stringify({
      tariffs: [
        {
          id: 'T',
          rules: { r: rule },
          example: { id: 'T-1', rule: 'r', entry: '2026-03-04 09:00:00', exit: '2026-03-04 10:00:00', expected: 1, ...more },
        },
      ],
    })
  const hourly = { segments: [{ from: '00:00', to: '24:00', tiers: [{ toMin: null, unitMin: 60, price: 5 }] }], tierClock: 'stay' }

  test('a case that differs ends it with 1, and is named', async () => {
    const answer = await cli([written(tariff(hourly))])
    expect(answer).toMatchObject({ code: 1, stdout: expect.stringContaining('T-1  5  expected 1  DIFFERS') })
  })
  test.each([
    ['no such file', '/nowhere/tariffs.json', 'cannot be read (ENOENT)'],
    ['no JSON', () => written('{"tariffs": ['), 'is not JSON'],
    ['no list', () => written('{}'), 'tariffs: must be a list'],
    [
      'a time of day that is none',
      () => written(tariff({ ...hourly, segments: [{ ...hourly.segments[0], from: '25:00' }] })),
      'T.rules.r.segments[0].from: not a time of day: "25:00"',
    ],
    [
      'a price that is none',
      () => written(tariff({ ...hourly, segments: [{ from: '00:00', to: '24:00', perEntry: -1 }] })),
      'perEntry: not a price: -1',
    ],
    ['a field nobody knows', () => written(tariff({ ...hourly, capp: 3 })), 'T.rules.r.capp: is not a known field'],
    ['a rule that is not there', () => written(tariff(hourly, { rule: 'x' })), 'T-1.rule: no such rule: x'],
    ['a time that is none', () => written(tariff(hourly, { exit: '2026-02-30 10:00:00' })), 'T-1.exit: not a time'],
  ])('%s gets one clear line', async (_name, path, line) => {
    const answer = await cli([typeof path === 'string' ? path : path(), '--json'])
    expect(answer).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(line) })
    expect(answer.stderr.trim().split('\n')).toHaveLength(1)
  })
})

test('a rule without segments says where', () => expect(() => tariffOfPublished({}, 'CNY', 'zone1')).toThrow(BadTariff))
