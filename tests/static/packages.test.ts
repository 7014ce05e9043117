import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { judge } from '../../scripts/advisories.ts'
import { root } from '../../scripts/sources.ts'
import { tally } from '../../scripts/tally.ts'
import { readList } from './lists.ts'

interface Package {
  version?: string
  resolved?: string
  integrity?: string
  license?: string
  link?: boolean
  dev?: boolean
  hasInstallScript?: boolean
}
const read = <T>(name: string): T => JSON.parse(readFileSync(path.join(root, name), 'utf8')) as T
const lock = read<{ lockfileVersion: number; packages: Record<string, Package> }>('package-lock.json')
const own = read<{
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  optionalDependencies: Record<string, string>
  allowScripts: Record<string, boolean>
}>('package.json')
const packages = Object.entries(lock.packages).filter(([place]) => place !== '')
const nameOf = (place: string) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)

test('our own dependencies are pinned, and the lock file holds the very bytes of each package', () => {
  const all = { ...own.dependencies, ...own.devDependencies, ...own.optionalDependencies }
  expect(Object.entries(all).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  expect(Object.entries(all).filter(([name, version]) => lock.packages[`node_modules/${name}`]?.version !== version)).toEqual([])
  expect(packages.filter(([, { version }]) => !version).map(([place]) => place)).toEqual([])
  expect(packages.filter(([, { integrity }]) => !/^sha512-[\w+/=]{88}$/.test(integrity ?? '')).map(([place]) => place)).toEqual([])
  tally({ check: 'static: packages', numbers: { packages: packages.length, production: packages.filter(([, { dev }]) => !dev).length } })
})

test('the runtime is of one version on every machine, and its very bytes are in the lock file too', () => {
  const runtimes = packages.filter(([place]) => /^node_modules\/node-(bin-)?(linux|darwin|win)-\w+$/.test(place))
  expect(runtimes.map(([place]) => nameOf(place))).toContain(`node-linux-${process.arch}`)
  expect(new Set(runtimes.map(([, { version }]) => `v${version}`))).toEqual(new Set([process.version]))
})

test('nothing comes from anywhere but the registry: no address, folder or repository stands in the lock file', () => {
  const foreign = packages.filter(([, { resolved, link }]) => link || resolved !== undefined)
  expect(foreign.map(([place, { resolved }]) => `${place} ${resolved}`)).toEqual([])
})

test('only packages that are allowed to run something at their installation do', () => {
  const running = [...new Set(packages.filter(([, one]) => one.hasInstallScript).map(([place]) => nameOf(place)))]
  const optional = readList('install-scripts.txt')
  expect(running.filter((name) => !own.allowScripts[name] && !optional.has(name))).toEqual([])
})

test('every package that ships has a licence from the list', () => {
  const allowed = readList('licences.txt')
  const fits = (name: string, licence: string) =>
    allowed.has(licence) || [...allowed.keys()].some((one) => one.endsWith('*') && `${licence} ${name}`.startsWith(one.slice(0, -1)))
  const shipped = packages.filter(([, { dev }]) => !dev)
  expect(
    shipped.filter(([place, { license = 'none' }]) => !fits(nameOf(place), license)).map(([place, { license }]) => `${nameOf(place)}: ${license}`),
  ).toEqual([])
})

test('an advisory about what ships is a failure when it is grave; a registry that keeps none is said', () => {
  const hole = (severity: string) => ({ severity, range: '<2', via: ['x', { title: 'Reads any file', url: 'https://example.org/1' }] })
  expect(judge({ vulnerabilities: { mild: hole('moderate'), bad: hole('high'), worst: hole('critical') } }).holes).toEqual([
    'bad <2: high: x; Reads any file https://example.org/1',
    'worst <2: critical: x; Reads any file https://example.org/1',
  ])
  expect(judge({ vulnerabilities: {} })).toEqual({ holes: [] })
  expect(judge({ message: '405 Method Not Allowed' })).toEqual({ holes: [], unasked: '405 Method Not Allowed' })
})
