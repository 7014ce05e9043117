import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Civil, civilOf, civilText } from './civil.ts'
import { calendarOf, type Compiled, compile } from './compiled.ts'
import { type Part, price } from './engine.ts'
import { BadTariff, holidaysOfPublished, listAt, objectAt, tariffOfPublished } from './published.ts'

/*
 * `npm run --silent fee:quote -- FILE [--json] [--lines]`: prices every case of a file of published tariffs and compares with what it expects.
 * 0: all as expected, or --json, whose reader compares; 1: some differ; 2: the file cannot be read.
 */

interface Quoted {
  id: string
  amount: number
  expected: number | null
  lines: Line[]
}
/** One part of an amount in the currency of the file. The amounts add up to the case's. */
interface Line {
  kind: Part['kind']
  from: string
  to: string
  segment: string | null
  units: number
  unitMin: number
  unitPrice: number
  full: number
  amount: number
  cappedBy: Part['cappedBy']
}

/** Amounts compare equal within half of the smallest part that any currency or proportional rate of the file shows. */
const TOLERANCE = 0.000_05

function main() {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' }, lines: { type: 'boolean' } } })
  const [file] = positionals
  if (!file) throw new BadTariff('fee:quote', '请给出文件名', 'name a file of tariffs: npm run --silent fee:quote -- FILE [--json] [--lines]')
  const quoted = quoteFile(parsed(file))
  const wrong = quoted.filter(({ amount, expected }) => expected !== null && Math.abs(amount - expected) > TOLERANCE)
  if (values.json) process.stdout.write(`${JSON.stringify(quoted)}\n`)
  else for (const one of quoted) process.stdout.write(shown(one, values.lines ?? false))
  process.stderr.write(`${quoted.length} quoted, ${wrong.length} differ${wrong.length ? `: ${wrong.map(({ id }) => id).join(', ')}` : ''}\n`)
  process.exitCode = wrong.length && !values.json ? 1 : 0
}

function parsed(file: string): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new BadTariff(file, '无法读取', `cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new BadTariff(file, '不是 JSON', `is not JSON (${(error as Error).message})`)
  }
}

/** Every case of every tariff of a file, in order. Throws BadTariff. */
export function quoteFile(file: unknown): Quoted[] {
  const tariffs = Array.isArray(file) ? file : listAt(objectAt(file, 'file')['tariffs'], 'tariffs')
  return tariffs.flatMap((one, i) => quoteTariff(objectAt(one, `tariffs[${i}]`), `tariffs[${i}]`))
}

function quoteTariff(tariff: Record<string, unknown>, where: string): Quoted[] {
  const at = typeof tariff['id'] === 'string' ? tariff['id'] : where
  const written = objectAt(tariff['rules'], `${at}.rules`)
  const calendar = written['_calendar'] === undefined ? undefined : calendarOf(holidaysOfPublished(written['_calendar'], `${at}._calendar`))
  const rules = new Map<string, Compiled>()
  for (const [name, rule] of Object.entries(written))
    if (!name.startsWith('_'))
      rules.set(name, compile(tariffOfPublished(rule, String(tariff['currency'] ?? 'CNY'), `${at}.rules.${name}`, { beside: written })))
  const cases = tariff['cases'] === undefined ? (tariff['example'] === undefined ? [] : [tariff['example']]) : listAt(tariff['cases'], `${at}.cases`)
  return cases.map((one, i) => quoteCase(rules, objectAt(one, `${at}.cases[${i}]`), `${at}.cases[${i}]`, calendar))
}

function quoteCase(
  rules: Map<string, Compiled>,
  written: Record<string, unknown>,
  where: string,
  calendar: ReturnType<typeof calendarOf> | undefined,
): Quoted {
  const id = typeof written['id'] === 'string' || typeof written['id'] === 'number' ? String(written['id']) : where
  const name = written['rule'] === undefined && rules.size === 1 ? [...rules.keys()][0]! : String(written['rule'])
  const rule = rules.get(name)
  if (!rule) throw new BadTariff(`${id}.rule`, `没有此规则：${name}`, `no such rule: ${name}`)
  const parts: Part[] = []
  const { total } = price(rule, { entry: timeAt(written['entry'], `${id}.entry`), exit: timeAt(written['exit'], `${id}.exit`), calendar }, parts)
  const expected = typeof written['expected'] === 'number' ? written['expected'] : null
  return { id, amount: inCurrency(rule, total), expected, lines: parts.map((part) => lineOf(rule, part)) }
}
function timeAt(written: unknown, where: string): Civil {
  const found = typeof written === 'string' ? civilOf(written) : undefined
  if (found === undefined) throw new BadTariff(where, '不是时间', `not a time: ${JSON.stringify(written)}`)
  return found
}

const inCurrency = ({ scale }: Compiled, money: number) => money / (10_000 * scale)

function lineOf(rule: Compiled, { kind, from, to, band, units, unitSec, price: rate, full, amount, cappedBy }: Part): Line {
  // A proportional part counts seconds inside; people read minutes.
  const perUnit = kind === 'rate' ? rate * unitSec : rate
  return {
    kind,
    from: civilText(from),
    to: civilText(to),
    segment: band < 0 ? null : segmentName(rule, band),
    units: kind === 'rate' ? units / unitSec : units,
    unitMin: unitSec / 60,
    unitPrice: inCurrency(rule, perUnit),
    full: inCurrency(rule, full),
    amount: inCurrency(rule, amount),
    cappedBy,
  }
}
function segmentName({ written }: Compiled, band: number) {
  const { name, fromMin, toMin } = written[band]!
  return name ?? `${clock(fromMin)}-${clock(toMin)}`
}
const clock = (minutes: number) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

function shown({ id, amount, expected, lines }: Quoted, withLines: boolean) {
  const verdict = expected === null ? '' : Math.abs(amount - expected) > TOLERANCE ? `  expected ${expected}  DIFFERS` : `  expected ${expected}  ok`
  const why = lines.map(
    (line) =>
      `    ${line.from} – ${line.to}  ${line.kind}${line.segment ? ` ${line.segment}` : ''}  ${line.units ? `${line.units} × ${line.unitPrice} = ${line.full}  ` : ''}${line.amount}${line.cappedBy ? ` (cap of the ${line.cappedBy})` : ''}\n`,
  )
  return `${id}  ${amount}${verdict}\n${withLines ? why.join('') : ''}`
}

if (import.meta.main)
  try {
    main()
  } catch (error) {
    const known = error instanceof BadTariff || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') || error instanceof RangeError
    if (!known) throw error
    process.stderr.write(`${(error as Error).message.split('\n')[0]}\n`)
    process.exitCode = 2
  }
