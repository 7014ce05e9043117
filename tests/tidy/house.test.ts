import { isGuests } from '../../platform/contract/call.ts'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { domains } from '../../apps/server/domains.ts'
import { addressOf } from '../../platform/contract/call.ts'
import { SIGHT } from '../../platform/contract/personal.ts'
import { ORDER } from '../../scripts/dependencies.ts'
import { root } from '../../scripts/sources.ts'

const folders = readdirSync(path.join(root, 'domains')).sort()
const has = (folder: string, file: string) => existsSync(path.join(root, 'domains', folder, file))
const calls = domains.flatMap((domain) => domain.calls.map(({ call }) => ({ ...call, domain: domain.name })))
const twice = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) !== index)

describe('domains', () => {
  test('each has its place in the order, and the server lists them in that order', () => {
    expect(folders.filter((name) => !ORDER.includes(name as never))).toEqual([])
    expect(domains.map(({ name }) => name)).toEqual(ORDER.filter((name) => has(name, 'server/domain.ts')))
  })

  test('each says what it is', () => {
    expect(folders.filter((name) => !has(name, 'README.md'))).toEqual([])
  })
})

describe('calls', () => {
  test('each has an id and an address of its own', () => {
    expect(twice(calls.map(({ id }) => id))).toEqual([])
    expect(twice(calls.map((call) => `${call.method} ${addressOf(call)}`))).toEqual([])
  })

  test('each says who may: a capability, whoever is signed in, guests of one kind, or everybody', () => {
    const table = calls.map(({ id, needs }) => `${id.padEnd(48)} ${needs}`).sort()
    console.log(table.join('\n'))
    expect(
      calls.filter(({ needs }) => !isGuests(needs) && !/^(public|signed-in|[a-z-]+:[a-zA-Z-]+:[a-zA-Z-]+)$/.test(needs)).map(({ id }) => id),
    ).toEqual([])
  })

  test('a call that changes something by POST, PUT or DELETE and reads nothing says that it writes', () => {
    const silent = calls.filter(({ writes, method, id }) => !writes && (method === 'PUT' || method === 'DELETE') && !/query|get|list|find/i.test(id))
    expect(silent.map(({ id }) => id)).toEqual([])
  })

  test('what strangers may ask by a printed code or a plate is heavy: each address asks only so many, and guesses no plates', () => {
    const asked = (input: unknown) =>
      Object.entries((input as { properties?: Record<string, { 'x-zh'?: string; 'x-kind'?: string }> }).properties ?? {})
    const byCode = calls.filter(
      ({ needs, input }) => needs === 'public' && asked(input).some(([name, field]) => name === 'plateNo' || field['x-zh'] === '二维码'),
    )
    expect(byCode.map(({ id }) => id)).toContain('settlement.scan.find')
    expect(byCode.filter(({ heavy }) => !heavy).map(({ id }) => id)).toEqual([])
  })
})

describe('menu', () => {
  const entries = domains.flatMap(({ name, menu = [] }) => menu.map((entry) => ({ ...entry, domain: name })))

  test('each entry has a path of its own, both names, and needs that some call asks for', () => {
    // Whether one sees personal values whole is asked of every answer, and of no call.
    const asked = new Set<string>([...calls.map(({ needs }) => needs), ...Object.values(SIGHT)])
    expect(twice(entries.map((entry) => entry.path))).toEqual([])
    expect(entries.filter(({ name }) => name.some((text) => !text.trim())).map((entry) => entry.path)).toEqual([])
    const needed = entries.flatMap((entry) =>
      [...(entry.needs ?? []), ...(entry.buttons ?? []).map(({ needs }) => needs)].map((needs) => `${entry.path} ${needs}`),
    )
    expect(needed.filter((line) => !asked.has(line.split(' ')[1]!))).toEqual([])
  })

  test("each screen's component is in its domain's web/screens.ts", async () => {
    const missing: string[] = []
    for (const { domain, path: address, component } of entries.filter((entry) => entry.component)) {
      const screens = has(domain, 'web/screens.ts') ? (await import(path.join(root, 'domains', domain, 'web/screens.ts'))).screens : {}
      if (!Object.hasOwn(screens, component!)) missing.push(`${address}: domains/${domain}/web/screens.ts lists no ${component}.`)
    }
    expect(missing).toEqual([])
  })
})
