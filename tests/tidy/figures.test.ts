import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { domains } from '../../apps/server/domains.ts'
import { ARREARS_FIGURES, ETC } from '../../domains/arrears/contract/figures.ts'
import { CHARGED, CHARGED_MONTH, GUNS, HAZARDS, LOADS, PREPAID, USED } from '../../domains/charging/contract/figures.ts'
import { CAR_COUPONS, COUPONS, MERCHANT_MONEY, POINTS } from '../../domains/coupon/contract/figures.ts'
import { PASS_MONEY, PASSES } from '../../domains/member/contract/figures.ts'
import { OWNERS, OWNERS_OVER_TIME, STORED_VALUE } from '../../domains/owner/contract/figures.ts'
import { ROAD, ROAD_BERTHS } from '../../domains/roadside/contract/figures.ts'
import { ATTENDANCE, COLLECTED, DUTY, STAFF } from '../../domains/staff/contract/figures.ts'
import { CLEARING_FIGURES, INCOME, ORDERED } from '../../domains/settlement/contract/figures.ts'
import { WAITING } from '../../domains/settlement/contract/waiting.ts'
import { Traffic, TRAFFIC } from '../../domains/parking/contract/figures.ts'
import { FEEDBACK, WORK_ORDERS } from '../../domains/after-sale/contract/figures.ts'
import { PATROLS } from '../../domains/inspection/contract/figures.ts'
import { CONSOLE_USE, SERVER_ALARMS } from '../../domains/system/contract/figures.ts'
import { MESSAGES } from '../../domains/message/contract/figures.ts'
import { RESERVED } from '../../domains/share/contract/figures.ts'
import { LAMP_ENERGY, LAMPS } from '../../domains/street-lamp/contract/figures.ts'
import { ASSETS, UNPAID_EXITS } from '../../domains/dashboard/contract/figures.ts'
import type { Call } from '../../platform/contract/call.ts'
import { explained, type Figure } from '../../platform/contract/figure.ts'
import { readSources, root } from '../../scripts/sources.ts'

const SETS: Readonly<Record<string, Readonly<Record<string, Figure>>>> = {
  INCOME,
  ORDERED,
  CLEARING_FIGURES,
  WAITING,
  TRAFFIC,
  UNPAID_EXITS,
  ASSETS,
  CHARGED,
  CHARGED_MONTH,
  PREPAID,
  USED,
  LOADS,
  GUNS,
  HAZARDS,
  COUPONS,
  CAR_COUPONS,
  MERCHANT_MONEY,
  POINTS,
  PASS_MONEY,
  PASSES,
  STORED_VALUE,
  OWNERS,
  OWNERS_OVER_TIME,
  ARREARS_FIGURES,
  ETC,
  ROAD_BERTHS,
  ROAD,
  ATTENDANCE,
  STAFF,
  DUTY,
  COLLECTED,
  PATROLS,
  WORK_ORDERS,
  FEEDBACK,
  MESSAGES,
  RESERVED,
  LAMPS,
  LAMP_ENERGY,
  CONSOLE_USE,
  SERVER_ALARMS,
}
const DECLARED: readonly Figure[] = Object.values(SETS).flatMap((set) => Object.values(set))
const sources = readSources().filter(({ file }) => /^(domains|apps)\/.*\.tsx$/.test(file) && !file.includes('/web/gallery/'))

/** Counts figures that nobody has declared: a tile by a name, a wall’s figure by a name, a chart or a part that names none. */
function undeclared(text: string): number {
  const opened = (tag: string) =>
    text
      .split(new RegExp(`<${tag}\\b`))
      .slice(1)
      .map((rest) => rest.slice(0, endOfTag(rest)))
  const tiles = opened('Tile').filter((tag) => !/\bfigure=/.test(tag)).length
  const parts = [...opened('Part'), ...opened('Chart')].filter((tag) => /\btitle=/.test(tag) && !/\bfigures=/.test(tag)).length
  return tiles + parts
}
/** The tiles of a page where a park is chosen whose lists could be of that park, and open all parks'. */
function ofAllParks(text: string): string[] {
  if (!text.includes('<ParkSelect')) return []
  return text
    .split(/<Tile\b/)
    .slice(1)
    .map((rest) => rest.slice(0, endOfTag(rest)))
    .filter((tag) => !/\b(within|to)=/.test(tag))
    .flatMap((tag) => {
      const [, set = '', name = ''] = /\bfigure=\{(\w+)\.(\w+)\}/.exec(tag) ?? []
      const filter = SETS[set]?.[name]?.opens?.filter({ from: '2026-11-01', to: '2026-11-02', parkCode: 'P001' })
      return filter && 'parkCode' in filter ? [`${set}.${name}`] : []
    })
}
/** Which of a page's lists is shown is the page's own. */
const VIEWS = ['view', 'tab']
/** Where a tag's own `>` stands: behind braces that are closed again. */
function endOfTag(text: string): number {
  let deep = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') deep++
    else if (text[at] === '}') deep--
    else if (text[at] === '>' && deep === 0) return at
  }
  return text.length
}

test('a tile or chart takes name, explanation and list from a declared figure; those that do not yet only grow fewer', () => {
  const left = readFileSync(path.join(root, 'tests', 'tidy', 'figures.txt'), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
  const found = sources.flatMap(({ file, text }) => (undeclared(text) > 0 ? [`${file} | ${undeclared(text)}`] : []))
  expect(found.toSorted()).toEqual(left.toSorted())
})

test('a tag that shows a figure without a declaration is found, and one with it is not', () => {
  expect(undeclared(`<Tile name={['实收', 'Paid']} value={a > b ? 1 : 2} />`)).toBe(1)
  expect(undeclared(`<Tile figure={INCOME.paidFen} value={of && <Money fen={1} />} />`)).toBe(0)
  expect(undeclared(`<Part title={A} call={b}>{(x) => <Chart kind="bar" />}</Part>`)).toBe(1)
  expect(undeclared(`<Part title={A} figures={[B]} call={b}>`)).toBe(0)
})

test('where a park is chosen, a tile opens the list of that park', () => {
  expect(sources.flatMap(({ file, text }) => ofAllParks(text).map((figure) => `${file}: ${figure}`))).toEqual([])
  expect(ofAllParks(`<ParkSelect /><Tile figure={STAFF.warnings} value={1} /><Tile figure={STAFF.checkedIn} value={1} />`)).toEqual([
    'STAFF.warnings',
  ])
  expect(ofAllParks(`<ParkSelect /><Tile figure={STAFF.warnings} within={{ parkCode }} value={1} />`)).toEqual([])
})

test('each declared figure has a title of its own, is explained in both languages, and its list takes its filter', () => {
  const titles = DECLARED.map(({ title }) => title)
  expect(new Set(titles.map(([zh]) => zh)).size).toBe(DECLARED.length)
  expect(new Set(titles.map(([, en]) => en)).size).toBe(DECLARED.length)
  const lists = new Set(domains.flatMap(({ calls }) => calls.map(({ call }) => call as Call<any, any>)))
  for (const figure of DECLARED) {
    const [zh, en] = explained(figure)
    expect(zh, figure.title[1]).toMatch(/^[^A-Za-z]+。$/)
    expect(en, figure.title[1]).toMatch(/^[\x20-\x7e’÷−]+\.$/)
    if (!figure.opens) continue
    expect(lists.has(figure.opens.call), figure.title[1]).toBe(true)
    const asked = Object.keys((figure.opens.call.input as unknown as { properties: object }).properties)
    const filter = figure.opens.filter({ from: '2026-11-01', to: '2026-11-02', parkCode: 'P001' })
    expect(
      Object.keys(filter).filter((name) => !VIEWS.includes(name) && !asked.includes(name)),
      figure.title[1],
    ).toEqual([])
  }
})

test('what comes in before refunds says so, and what is left after them too', () => {
  expect(DECLARED.filter(({ refunds }) => refunds).map(({ title }) => title[0])).toEqual([
    '停车实收',
    '停车净收',
    '停车订单实收',
    '充电实收',
    '充电净收',
    '月卡实收',
    '月卡净收',
    '今日净收',
    '路内今日实收',
    '收银实收',
    '收银现金',
    '收银扫码',
    '收银净收',
  ])
})

/** A rate of thousandths is made in one place, so that two figures of the same thing are never rounded two ways. */
const OWN_RATE = /(floor|round|trunc)\(\(\(?[\w. -]+\)? \* 1000\) \/|\* 1000 \/ nullif/
test('a rate is rounded in one place', () => {
  const servers = readSources().filter(({ file }) => /^domains\/[\w-]+\/server\//.test(file) && !file.endsWith('.test.ts'))
  const own = servers.flatMap(({ file, text }) =>
    text
      .split('\n')
      .filter((line) => OWN_RATE.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
  // A growth is signed, and is no part of a whole.
  expect(own.filter((line) => !line.startsWith('domains/charging/server/span.ts: export const ratioOf'))).toEqual([])
  expect('Math.floor(((total - open) * 1000) / total)').toMatch(OWN_RATE)
})

/** Figures of the same name in answers of every domain. */
function namedIn(schema: unknown, seen = new Set<unknown>()): [zh: string, en: string][] {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return []
  seen.add(schema)
  const { 'x-zh': zh, 'x-en': en, 'x-unit': unit } = schema as Record<string, string>
  const own: [string, string][] = zh && en && unit === 'fen' ? [[zh, en]] : []
  return [...own, ...Object.values(schema).flatMap((part) => namedIn(part, seen))]
}
test('an amount that is called as a declared figure in Chinese is called so in English too', () => {
  const names = new Map([...Object.values(INCOME), ...Object.values(ORDERED)].map(({ name }) => name))
  const seen = new Set<unknown>()
  const differing = domains.flatMap(({ calls }) =>
    calls.flatMap(({ call }) =>
      namedIn((call as Call<any, any>).reply, seen)
        .filter(([zh, en]) => names.has(zh) && names.get(zh) !== en)
        .map(([zh, en]) => `${call.id}: ${zh} ${en}`),
    ),
  )
  expect(differing).toEqual([])
  expect(Object.values(Traffic).length).toBe(Object.keys(TRAFFIC).length)
})
