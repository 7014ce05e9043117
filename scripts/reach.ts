import { execFileSync } from 'node:child_process'
import { readSources, root, type Source } from './sources.ts'

/** The tests that a change can affect. */
export interface Reach {
  /** Test files to run, or null for all of them. */
  files: string[] | null
  /** How the ids of the calls begin that the matrix tries: `parking.`. */
  calls: string[]
  /** Why everything is run. */
  because?: string
}

/** These are the ground under every test. */
const GROUND =
  /^(package(-lock)?\.json|vite(st)?\.config\.ts|tsconfig\.|tests\/support\/|scripts\/|platform\/server\/|platform\/contract\/|apps\/server\/|migrations\/)/
/** Every domain and gateway is put together in `apps`: whoever starts a server would be reached by a change of any. Their own tests, and those above them, are reached without that. */
const isPutTogether = (from: string, to: string) => from.startsWith('apps/') && /^(domains|gateways)\//.test(to)
/** They read the source itself. */
const READERS = /^tests\/(tidy|static)\//
/** They try the calls of every domain; which of them, `calls` says. */
const ALL_CALLS = /^tests\/(matrix\/|money\/retries)/
const isTest = (file: string) => /\.test\.tsx?$/.test(file)
const isBrowser = (file: string) => file.endsWith('.browser.test.ts')
const domainOf = (file: string) => /^domains\/([^/]+)\//.exec(file)?.[1]

/** Which tests a change of these files can reach, by who imports whom. */
export function reachOf(changed: readonly string[], sources: readonly Source[] = readSources()): Reach {
  const names = new Set(sources.map(({ file }) => domainOf(file)))
  const seeds = changed.flatMap((file) => seedOf(file, names))
  const ground = seeds.find((file) => GROUND.test(file))
  if (ground) return { files: null, calls: [''], because: `${ground} is the ground under every test` }
  const reached = closureOf(seeds, sources)
  const domains = [...names].filter((name): name is string => name !== undefined && [...reached].some((file) => file.startsWith(`domains/${name}/`)))
  const calls = domains.filter((name) => reached.has(`domains/${name}/server/domain.ts`)).map((name) => `${name}.`)
  const tests = sources.filter(({ file }) => isTest(file))
  const files = tests.filter(
    (test) =>
      READERS.test(test.file) ||
      reached.has(test.file) ||
      (ALL_CALLS.test(test.file) && calls.length > 0) ||
      (isBrowser(test.file) && (isShell(reached) || opens(test, domains, sources))),
  )
  return { files: files.map(({ file }) => file).sort(), calls }
}

/** The stand-in for a file that nobody imports: for a file of a domain, the domain itself. */
function seedOf(file: string, names: ReadonlySet<string | undefined>): string[] {
  const migrated = /^migrations\/\d+_([a-z]+)/.exec(file)?.[1]
  if (migrated && names.has(migrated)) return [`domains/${migrated}/server/domain.ts`]
  if (/\.(md|png|txt)$/.test(file)) return []
  const name = domainOf(file)
  return /\.tsx?$/.test(file) || !name ? [file] : [`domains/${name}/server/domain.ts`]
}

/** The files, and whatever imports them, directly or not. */
function closureOf(seeds: readonly string[], sources: readonly Source[]): ReadonlySet<string> {
  const importers = new Map<string, string[]>()
  const add = (to: string, from: string) => importers.set(to, [...(importers.get(to) ?? []), from])
  for (const { file, imports } of sources) {
    for (const { to, ours } of imports) if (ours && !isPutTogether(file, to)) add(to, file)
    // A domain's tests enter by its calls.
    const name = domainOf(file)
    if (name && isTest(file)) add(`domains/${name}/server/domain.ts`, file)
  }
  const reached = new Set<string>()
  const next = [...seeds]
  for (let file = next.pop(); file; file = next.pop()) {
    if (reached.has(file)) continue
    reached.add(file)
    next.push(...(importers.get(file) ?? []))
  }
  return reached
}

const isShell = (reached: ReadonlySet<string>) => [...reached].some((file) => /^(apps|platform)\/web\//.test(file))
/** Whether a browser's test opens a screen of these domains: it, or what it imports of the tests, names an address of their menu. */
function opens(test: Source, domains: readonly string[], sources: readonly Source[]): boolean {
  const near = new Set([test.file, ...test.imports.map(({ to }) => to)])
  const text = sources
    .filter(({ file }) => near.has(file) && file.startsWith('tests/'))
    .map((source) => source.text)
    .join('\n')
  const menus = sources.filter(({ file }) => domains.some((name) => file === `domains/${name}/contract/menu.ts`))
  return menus.flatMap((menu) => menu.text.match(/\/[a-z][\w]*\/[\w/]+(?=')/gi) ?? []).some((address) => text.includes(address))
}

/** Files that differ from a commit: committed since, changed or new. */
export function changedSince(commit: string): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  return [...new Set([...git('diff', '--name-only', commit), ...git('ls-files', '--others', '--exclude-standard')])]
}
