import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call } from '../../platform/contract/call.ts'
import { columnsOf, type ExportCall, type ImportCall, type ImportReport } from '../../platform/contract/sheet.ts'
import { bearer } from './checks.ts'
import { calls, openWorld, tried, whole, type World } from './world.ts'

/** Exports can be imported again: every column is found by its name, and every row is reported as already there. */
let world: World
let parkOf: Record<string, string>
beforeAll(async () => {
  world = await openWorld()
  const { rows } = await world.owner.query<{ park: string }>(
    'select park_code as park from roadside.berth where enterprise_id = 1 and not deleted group by 1 order by count(*) desc limit 1',
  )
  // Nobody in the demo has typed in the antennas of ETC.
  const antenna = '设备编号,车道号,车场编号,PSAM 号,厂商\nANT-1,L1,P001,0102030405AB,万集\n'
  const added = await world.ask(
    calls.filter(isImport).find(({ id }) => id.startsWith('device.etc.'))!,
    { file: { text: antenna } },
    bearer(world.tokens.admin),
  )
  expect(added.status, added.text).toBe(200)
  parkOf = { 'roadside.berth': rows[0]!.park }
})
afterAll(() => world.close())

const isExport = (call: Call<any, any>): call is ExportCall<any> => 'columns' in call
const isImport = (call: Call<any, any>): call is ImportCall<any> => 'row' in call
/** Nouns that share a call's second word are told apart by the end of it. */
const SHARED = 'member.excel'
const nounOf = ({ id }: Call<any, any>) => (id.startsWith(SHARED) ? id.replace(/(?:import|export)-/, '') : id.split('.').slice(0, 2).join('.'))
const imports = tried.filter(isImport)
/** Compared by the tests of their own domain: what a customer pays is no column of a row that is there. */
const OWN = ['member.excel.member', 'member.excel.white', 'member.excel.black']
/** Exports beside a noun that hold another thing: the shifts of collectors. */
const BESIDE = ['staff.toll.shift-export']

const pairs = imports.flatMap((taken) => {
  const given = calls.filter(isExport).filter((call) => nounOf(call) === nounOf(taken) && !OWN.includes(nounOf(call)) && !BESIDE.includes(call.id))
  return given.map((one) => ({ noun: nounOf(taken), taken, given: one }))
})

async function comesBack(given: ExportCall<any>, taken: ImportCall<any>, noun: string) {
  const headers = bearer(world.tokens.admin)
  const park = parkOf[noun] ? { parkCode: parkOf[noun] } : {}
  const file = await world.ask(given, { ...park, format: 'csv' }, headers)
  expect(file.status, `${given.id}: ${file.text.slice(0, 300)}`).toBe(200)
  const form = { ...park, dryRun: 'true', file: { name: 'back.csv', text: file.text } }
  const answer = await world.ask(taken, form, headers)
  expect(answer.status, `${taken.id}: ${answer.text.slice(0, 300)}`).toBe(200)
  return (JSON.parse(answer.text) as { data: ImportReport }).data
}

test('the sheets of all nouns that have both are compared', () => {
  expect(pairs.length).toBeGreaterThan(whole ? 12 : -1)
})
test.each(pairs)('$noun', async ({ noun, given, taken }) => {
  const report = await comesBack(given, taken, noun)
  const lacking = columnsOf(taken.row)
    .filter(({ name }) => report.mapping[name] === -1)
    .map(({ name }) => name)
  expect({ lacking, guessed: report.guessed }).toEqual({ lacking: [], guessed: [] })
  expect(report.rows).toBeGreaterThan(0)
  expect(report.errors).toEqual([])
  expect(report).toMatchObject({ added: 0, changed: 0, same: report.rows, bad: 0 })
})
