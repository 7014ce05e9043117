import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call } from '../../platform/contract/call.ts'
import type { ExportCall } from '../../platform/contract/sheet.ts'
import { each, tally } from '../../scripts/tally.ts'
import { ListType } from '../../domains/member/contract/whiteBlack.ts'
import { DataScope } from '../../domains/identity/contract/role.ts'
import { bearer } from './checks.ts'
import { secretsOf } from './foreign.ts'
import { inputFor, type Victim, victimOf } from './inputs.ts'
import { PARKS, type ScopeCode, scopePeople } from './scopePeople.ts'
import { calls, openWorld, tried, whole, type World } from './world.ts'

let world: World
let victim: Victim
let tokens: Map<number, string>
/** Words of other parks, and of a department beside one's own. */
let secrets: ReadonlySet<string>

const SCOPES = Object.keys(PARKS).map(Number) as ScopeCode[]
/** These show all parks or all departments. */
const NARROW = SCOPES.filter((scope) => PARKS[scope] !== null)
const IN_BOTH = ['P001', 'P002'].map((code) => `'${code}'`).join(', ')

beforeAll(async () => {
  world = await openWorld()
  let departments: Record<string, string>
  ;({ departments, tokens } = await scopePeople(world))
  victim = await victimOf(world.owner, 1, 'P003')
  const elsewhere = await secretsOf(world.owner, `enterprise_id = 1 and park_code not in (${IN_BOTH})`)
  const { rows } = await world.owner.query<{ word: string }>(
    'select unnest(array[p.username, p.name, p.id::text]) as word from identity.person p where department_id = $1',
    [departments['西区']],
  )
  secrets = new Set([...elsewhere, ...rows.map(({ word }) => word)])
})
afterAll(() => world.close())

const isExport = (call: Call<any, any>): call is ExportCall<any> => 'columns' in call
/** Of a list that no call answers, lines of one bill say, strangers' own columns tell. */
/** Its list is thinned for a map, and asks for one vehicle. */
const OF_ONE = 'fleet.track.export'
const exported = tried.filter(isExport).filter(({ id, of }) => id !== OF_ONE && calls.some((one) => one.id === of))
const imported = tried.filter((call) => 'row' in call)
/** Sheets of a part of their list, by what says so there. */
const PART: Record<string, object> = {
  'member.excel.export-white': { listType: [ListType.white] },
  'member.excel.export-black': { listType: [ListType.black] },
}
const listOf = ({ of }: ExportCall<any>) => calls.find(({ id }) => id === of)!

/** Cells of a CSV file, line by line; a quoted cell may hold line ends. */
function linesOf(text: string): string[][] {
  const lines: string[][] = [[]]
  for (const [, quoted, plain, end] of text.replace(/^\ufeff/, '').matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    lines.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end !== ',') lines.push([])
  }
  return lines.filter((cells) => cells.some((cell) => cell !== ''))
}

/** How many rows somebody gets as a list and as a sheet of the same criteria, and what is wrong with that. Logs grow by being asked: a sheet lies between two counts. */
async function rowsTwice(call: ExportCall<any>, token: string): Promise<{ rows: number; wrong?: string }> {
  const { current: _, limit: __, queryMode: ___, ...criteria } = { ...inputFor(listOf(call), victim), ...PART[call.id] } as Record<string, unknown>
  const count = async () => {
    const counted = await world.ask(listOf(call), { ...criteria, queryMode: 'total' }, bearer(token))
    // Figures that are worked out are one page, and have no other mode.
    const { status, text } = counted.status === 400 ? await world.ask(listOf(call), criteria, bearer(token)) : counted
    return status === 200 ? (JSON.parse(text) as { data: { total: number } }).data.total : text
  }
  const before = await count()
  const { status, text } = await world.ask(call, { ...criteria, format: 'csv' }, bearer(token))
  const after = await count()
  const rows = status === 200 ? linesOf(text).length - 1 : text
  const fits =
    typeof rows === 'number' && typeof before === 'number' && typeof after === 'number'
      ? before <= rows && rows <= after
      : status === 404 || status === 403
  return { rows: typeof rows === 'number' ? rows : 0, ...(!fits && { wrong: `${before} in the list, ${rows} in the sheet` }) }
}

/** So many exports hold rows for whoever may see all, and fewer for the others: else the comparison compares nothing with nothing. */
const FILLED_SHARE = 0.5
const NARROWED_SHARE = 0.25
test('an export holds the rows that its list counts, under every kind of scope', async () => {
  const wrong: string[] = []
  const [filled, narrowed] = [new Set<string>(), new Set<string>()]
  for (const call of exported) {
    let all = 0
    for (const scope of SCOPES) {
      const found = await rowsTwice(call, tokens.get(scope)!)
      if (found.wrong) wrong.push(`${call.id} under scope ${scope}: ${found.wrong}`)
      if (scope === DataScope.all) all = found.rows
      if (all > 0) filled.add(call.id)
      if (found.rows < all) narrowed.add(call.id)
    }
  }
  expect(wrong).toEqual([])
  expect(filled.size).toBeGreaterThan(whole ? exported.length * FILLED_SHARE : 0)
  expect(narrowed.size).toBeGreaterThan(whole ? exported.length * NARROWED_SHARE : -1)
  tally({ check: 'sheets: exports', calls: each(exported, SCOPES.length), numbers: { filled: filled.size, narrowed: narrowed.size } })
}, 600_000)

const foreign = (text: string, asked: string) => [...secrets].filter((word) => text.includes(word) && !asked.includes(word))

test('neither the template of an import nor what is said of a sheet before it is taken tells anything from elsewhere', async () => {
  const wrong: string[] = []
  let taken = 0
  for (const call of imported)
    for (const scope of NARROW) {
      const headers = bearer(tokens.get(scope)!)
      const input = { ...inputFor(call, victim), dryRun: 'true' }
      const asked = JSON.stringify([input, ...victim.rows.values(), victim.fields])
      const preview = await world.ask(call, input, headers)
      const template = await world.send('GET', `/lbs/basic/sysExport/template?call=${call.id}&format=csv`, { headers })
      for (const { status, text } of [preview, template]) {
        if (status === 200) taken++
        if (status >= 500) wrong.push(`${call.id} under scope ${scope}: ${status} ${text.slice(0, 150)}`)
        for (const word of foreign(text, asked)) wrong.push(`${call.id} under scope ${scope} says ${word}`)
      }
    }
  expect(wrong).toEqual([])
  expect(taken).toBeGreaterThan(imported.length * NARROW.length)
  tally({ check: 'sheets: templates and previews', calls: each(imported, NARROW.length * 2), numbers: { taken, secrets: secrets.size } })
}, 600_000)
