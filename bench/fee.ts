import { type TableRule, tariffOfTables } from '../domains/fee/server/catalogue.ts'
import { civilOf } from '../domains/fee/server/civil.ts'
import { compile, type Compiled } from '../domains/fee/server/compiled.ts'
import { type Part, price } from '../domains/fee/server/engine.ts'
import { tariffOfPublished } from '../domains/fee/server/published.ts'
import { sizeOf } from './size.ts'
import { median, print, type Row, share } from './table.ts'

/*
 * How many stays one core prices in a second. The stay is a day long and meets both bands; entries differ by a minute so that no answer is the last one's.
 * The floor is the least that any engine has to do for it: find the band of every unit of the stay by arithmetic and add its price up.
 */

const PER_SECOND_LEAST = 500_000
const ROUNDS = sizeOf('rounds', 5, 1)
const STAYS = sizeOf('stays', 300_000, 1_000)

const day = { dayType: 7, capFen: null }
const tables: TableRule = {
  freeMin: 30,
  freeMode: 1,
  freeTimesPerDay: 0,
  dayUnit: 1,
  dayCutMin: 0,
  dayCapFen: 3000,
  sessionCapFen: null,
  unitAnchor: 1,
  secondRule: 1,
  segments: [
    { ...day, fromMin: 480, toMin: 1200, price: { mode: 2, firstMin: null, firstFen: null, unitMin: 30, unitFen: 200 } },
    { ...day, fromMin: 1200, toMin: 480, price: { mode: 2, firstMin: null, firstFen: null, unitMin: 60, unitFen: 100 }, capFen: 500 },
  ],
}
const published = {
  free: { minutes: 30, inclusive: true, mode: 'grace' },
  segments: [
    {
      from: '07:00',
      to: '20:00',
      tiers: [
        { toMin: 60, unitMin: 60, price: 4 },
        { toMin: null, unitMin: 30, price: 2 },
      ],
    },
    { from: '20:00', to: '07:00', tiers: [{ toMin: null, unitMin: 120, price: 1 }] },
  ],
  tierClock: 'segment',
  cycle: { type: 'rolling24h', caps: [30] },
}
const first = civilOf('2026-03-02 07:13:00')!
const LENGTH = 24 * 3600

function floor(entry: number, exit: number) {
  let sum = 0
  for (let at = entry; at < exit;) {
    const minute = (at / 60) % 1440
    const isDay = minute >= 480 && minute < 1200
    sum += isDay ? 200 : 100
    at += isDay ? 1800 : 3600
  }
  return sum
}

function perSecond(work: (entry: number) => number) {
  let kept = 0
  const began = process.hrtime.bigint()
  for (let i = 0; i < STAYS; i++) kept += work(first + (i % 10_000) * 60)
  const seconds = Number(process.hrtime.bigint() - began) / 1e9
  if (!(kept > 0)) throw new Error('nothing was priced')
  return STAYS / seconds
}

/** Quotes a second, by rules of both kinds, with and without the lines that say why. */
export function fee(): Row[] {
  const priced = (compiled: Compiled) => ({
    amount: (entry: number) => price(compiled, { entry, exit: entry + LENGTH }).total,
    'amount and lines': (entry: number) => {
      const parts: Part[] = []
      return price(compiled, { entry, exit: entry + LENGTH }, parts).total + parts.length
    },
  })
  const measured = (work: (entry: number) => number) => median(Array.from({ length: ROUNDS }, () => perSecond(work)))
  const least = measured((entry) => floor(entry, entry + LENGTH))
  const rows: Row[] = [{ what: 'fee: units of a two-band day added up, no caps, no reasons (floor), /s', value: shown(least) }]
  const rules = { 'by tables': compile(tariffOfTables(tables)), 'as published': compile(tariffOfPublished(published)) }
  for (const [kind, compiled] of Object.entries(rules))
    for (const [what, work] of Object.entries(priced(compiled))) {
      const figure = measured(work)
      const target = `${shown(PER_SECOND_LEAST)}/s`
      rows.push({
        what: `fee: two-band stay of one day, rule ${kind}, ${what}, /s`,
        value: `${shown(figure)} (${share(figure, least)})`,
        target,
        kept: figure >= PER_SECOND_LEAST,
      })
    }
  return rows
}
const shown = (figure: number) => Math.round(figure).toLocaleString('en')

if (import.meta.main) {
  const rows = fee()
  print(rows)
  process.exitCode = rows.some(({ kept }) => kept === false) ? 1 : 0
}
