import { readSources, type Source } from './sources.ts'

/**
 * The order between domains, from the ground up. A domain calls `server/api.ts` of those before it; what it has to tell those after it goes by an event or as the
 * answer to a question. Add a new domain where its needs put it; change the list when the code shows a better one.
 */
export const ORDER = [
  'system',
  'identity',
  'message',
  'ledger',
  'settlement',
  'fee',
  'device',
  'parking',
  'roadside',
  'arrears',
  'charging',
  'owner',
  'merchant',
  'coupon',
  'member',
  'share',
  'street-lamp',
  'after-sale',
  'fleet',
  'rent',
  'staff',
  'inspection',
  'dashboard',
] as const

/** A dependency that a wall forbids: where it is, and what to do instead. */
export interface Breach {
  at: string
  sentence: string
}

interface Place {
  /** platform, domains, gateways, apps, city, bench, tests, scripts, or '' for the root. */
  area: string
  /** Of a domain or a gateway. */
  name: string
  /** contract, server or web. */
  side: string
  file: string
}

function placeOf(file: string): Place {
  const [area = '', second = '', third = ''] = file.split('/')
  if (area === 'domains') return { area, name: second, side: third, file }
  if (area === 'gateways') return { area, name: second, side: 'server', file }
  if (area === 'platform' || area === 'apps') return { area, name: '', side: second, file }
  return { area: file.includes('/') ? area : '', name: '', side: 'server', file }
}

/** Tests, and what is written beside them for them alone. */
const isTest = (file: string) => /(\.test\.tsx?|\/(testing|factory)\.ts)$|^tests\//.test(file)
/** Drawings of one domain that other domains' pages show as they are lie in its `web/api`. */
const isOffered = (file: string) => file.includes('/web/api/')
/** Every page names parks and gates, those of domains below parking too. */
const NAMES = 'domains/parking/web/api/names.tsx'
const isPublic = ({ side, file }: Place) => side === 'contract' || file.endsWith('/server/api.ts') || isOffered(file)

/** A wall: the sentence for a dependency that it forbids, or nothing. */
type Wall = (from: Place, to: Place) => string | undefined

const walls: Wall[] = [
  (from, to) =>
    from.area === 'platform' && to.area !== 'platform' && !isTest(from.file)
      ? 'platform knows no domain: move what it needs into platform, or hand it in.'
      : undefined,
  (from, to) =>
    from.side === 'contract' && to.side !== 'contract' && !isTest(from.file)
      ? 'a contract is read by both sides: it may import contracts only.'
      : undefined,
  (from, to) =>
    from.side === 'web' && to.side === 'server' && !isTest(from.file) ? 'the page sees contracts, never a server: say it in a contract.' : undefined,
  (from, to) =>
    from.side === 'server' && to.side === 'web' && !isTest(from.file) ? 'a server sees contracts, never the page: say it in a contract.' : undefined,
  (from, to) =>
    from.area === 'domains' && to.area === 'domains' && from.name !== to.name && !isPublic(to) && !isTest(to.file)
      ? `another domain is entered through its contract/ or its server/api.ts: offer it in domains/${to.name}/server/api.ts, or what a page draws in its web/api.`
      : undefined,
  (from, to) => {
    if (from.area !== 'domains' || to.area !== 'domains' || from.name === to.name || isTest(from.file)) return
    // A page may ask any call; what it draws of another domain goes by the order.
    if (from.side === 'web' && (to.side === 'contract' || to.file === NAMES)) return
    const [mine, theirs] = [from.name, to.name].map((name) => ORDER.indexOf(name as never))
    if (mine === -1) return `${from.name} has no place in ORDER of scripts/dependencies.ts: give it one.`
    if (theirs! < mine!) return
    return `${from.name} stands below ${to.name}: announce an event or ask a question that ${to.name} answers, or change ORDER in scripts/dependencies.ts.`
  },
  (from, to) =>
    from.area === 'gateways' &&
    !isTest(from.file) &&
    ((to.area === 'domains' && !isPublic(to)) || (to.area === 'gateways' && to.name !== from.name) || to.area === 'apps')
      ? 'a gateway speaks its protocol and calls server/api.ts of a domain; nothing else of it.'
      : undefined,
  (from, to) =>
    from.area === 'city' && !isTest(from.file) && ((to.area === 'domains' && !isPublic(to)) || (to.area === 'apps' && to.side === 'server'))
      ? 'the city comes through public doors: HTTP, MQTT, contracts and server/api.ts.'
      : undefined,
  (from, to) =>
    from.area === 'domains' && ['apps', 'gateways', 'city', 'bench'].includes(to.area) && !isTest(from.file)
      ? 'a domain does not know who puts it together or carries its messages.'
      : undefined,
  (from, to) =>
    !isTest(from.file) && isTest(to.file) && from.area !== 'tests' && from.area !== '' ? 'only tests use what is made for tests.' : undefined,
]

const PACKAGES: { side: string; mayNot: RegExp; sentence: string }[] = [
  { side: 'contract', mayNot: /^(?!typebox($|\/))/, sentence: 'a contract runs everywhere: typebox is the only package it may use.' },
  { side: 'web', mayNot: /^(node:|pg$|fastify|kysely|graphile-worker)/, sentence: 'this package does not run in a browser.' },
  { side: 'server', mayNot: /^(react|antd|@ant-design|echarts)/, sentence: 'this package belongs to the page.' },
]

/** Every dependency that a wall forbids, every import of a file that is not there, and every circle. */
export function breaches(sources: readonly Source[]): Breach[] {
  const known = new Set(sources.map(({ file }) => file))
  const found: Breach[] = []
  for (const source of sources) {
    const from = placeOf(source.file)
    for (const { to, ours, line } of source.imports) {
      const at = `${source.file}:${line}`
      const sentences = ours ? walls.map((wall) => wall(from, placeOf(to))) : packageWall(from, to)
      for (const sentence of sentences) if (sentence) found.push({ at, sentence: `imports ${to}: ${sentence}` })
      if (ours && /\.tsx?$/.test(to) && !known.has(to)) found.push({ at, sentence: `imports ${to}, which is not there.` })
    }
  }
  return [...found, ...circles(sources)]
}

const packageWall = ({ side, file }: Place, to: string) =>
  isTest(file) ? [] : PACKAGES.filter((wall) => wall.side === side && wall.mayNot.test(to)).map(({ sentence }) => sentence)

/** Files that need each other when the program runs. One circle is reported once, at its first file. */
function circles(sources: readonly Source[]): Breach[] {
  const next = new Map(sources.map(({ file, imports }) => [file, imports.filter(({ ours, typeOnly }) => ours && !typeOnly).map(({ to }) => to)]))
  const state = new Map<string, 'open' | 'done'>()
  const found: Breach[] = []
  const walk = (file: string, path: readonly string[]) => {
    if (state.get(file) === 'done') return
    if (state.get(file) === 'open') {
      const circle = [...path.slice(path.indexOf(file)), file]
      found.push({ at: file, sentence: `is in a circle, ${circle.join(' > ')}: move what both need into a third file.` })
      return
    }
    state.set(file, 'open')
    for (const to of next.get(file) ?? []) walk(to, [...path, file])
    state.set(file, 'done')
  }
  for (const { file } of sources) walk(file, [])
  return found
}

if (import.meta.main) {
  const found = breaches(readSources())
  for (const { at, sentence } of found) console.error(`${at} ${sentence}`)
  process.exit(found.length ? 1 : 0)
}
