import { plural } from '../../../../platform/contract/plural.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Fen } from '../../../../platform/contract/field.ts'
import { duration, minutesOf, time } from '../../../../platform/web/format.ts'
import { can } from '../../../../platform/web/person.ts'
import { type Say, type Text, useText } from '../../../../platform/web/text.ts'
import { Money } from '../../../../platform/web/value.tsx'
import { CELL, GROUP, HEAD, ROW, TABLE } from '../../../../platform/web/list/tableRoles.ts'
import { CappedBy, FreeReason, LineKind, type QuoteLineOf, type QuoteOf } from '../../contract/quote.ts'
import { isAdjusting, isCostless, lineInWords } from '../../contract/words.ts'
import { huesOf, type Hue, type Stretch, stretchesOf, ticksBetween, timeLines } from '../bands.ts'
import '../fee.css'

interface Named {
  zh: string
  en: string
  amountFen: number
}
interface Explained {
  quote: QuoteOf
  /** Taken off after the fee: coupons and the like. */
  discountFen?: number
  /** Those of them that have a name. */
  discounts?: readonly Named[] | undefined
  /** Say until when the amount stays so: for a car that has not left. */
  until?: boolean
}
const RULES = '/appManage/toll/ordinary'

/** Why a stay costs what it costs: the stay as a bar of time, a line for every part, the sum, and the rule it follows from. */
export function FeeExplanation({ quote, discountFen = 0, discounts = [], until = false }: Explained) {
  const hues = huesOf(quote.lines)
  return (
    <div className="fee-why">
      <Rule quote={quote} until={until} />
      {timeLines(quote.lines).length > 0 && <TimeBar quote={quote} hues={hues} />}
      <Lines quote={quote} hues={hues} discountFen={discountFen} discounts={discounts} />
    </div>
  )
}

function Rule({ quote, until }: { quote: QuoteOf; until: boolean }) {
  const say = useText()
  const { ruleName, ruleVersionNo, ruleVersionId, freeReason, validUntil, holidaysUnknown } = quote
  const name = `${ruleName} · ${say(['第', 'version '])}${ruleVersionNo}${say(['版', ''])}`
  return (
    <p className="fee-facts">
      {ruleVersionId && (can('fee:rule:view') ? <Link to={`${RULES}/${ruleVersionId}`}>{name}</Link> : <span>{name}</span>)}
      {freeReason && <span className="state success">{say(FreeReason.entries[freeReason])}</span>}
      {until && validUntil && (
        <span className="soft">
          {say(['金额保持到', 'Unchanged until'])} {time(validUntil)}
        </span>
      )}
      {holidaysUnknown && (
        <span className="state warning">
          {say(['该年节假日尚未公布，按平日计', 'Holidays of that year are not published yet: billed as ordinary days'])}
        </span>
      )}
    </p>
  )
}

/** Width is time, colour is the band, hatching costs nothing, a flag stands where a cap was reached. */
function TimeBar({ quote, hues }: { quote: QuoteOf; hues: Map<number, Hue> }) {
  const say = useText()
  const stretches = stretchesOf(quote.lines)
  const start = stretches[0]!.from
  const end = Math.max(stretches.at(-1)!.to, start + 1)
  const place = (moment: number) => `${((moment - start) / (end - start)) * 100}%`
  const flags = flagsOf(stretches, (moment) => (moment - start) / (end - start))
  const hueOf = ({ line }: Stretch) => hues.get(line.segmentNo) ?? 'day'
  return (
    <figure className="fee-bar" aria-label={say(['停车时段', 'Stay timeline'])}>
      <div className="fee-flags">
        {flags.map(({ at, line, leans, said }) => {
          const name = line.cappedBy ? say(CappedBy.entries[line.cappedBy]) : ''
          return (
            <span key={at} className={leans ? 'end' : ''} style={{ left: place(at) }} title={`${name} ${clock(at)}`}>
              {said && name}
            </span>
          )
        })}
      </div>
      <div className="fee-bands">
        {stretches.map((one) => (
          <i
            key={`${one.from} ${one.look}`}
            className={`${one.look === 'free' ? 'free' : hueOf(one)}${one.look === 'capped' ? ' capped' : ''}`}
            style={{ left: place(one.from), width: `calc(${((one.to - one.from) / (end - start)) * 100}% - 1px)` }}
            title={`${nameOf(one.line, say)}  ${clock(one.from)} – ${clock(one.to)}`}
          />
        ))}
      </div>
      <div className="fee-ticks">
        {ticksBetween(start, end).map((moment) => (
          <Tick key={moment} moment={moment} share={(moment - start) / (end - start)} />
        ))}
      </div>
      <Legend stretches={stretches} hueOf={hueOf} />
    </figure>
  )
}
const clock = (moment: number) => time(new Date(moment)).slice(5, 16)

/** A label near an end of the bar leans inwards, so that it is not cut. */
function Tick({ moment, share }: { moment: number; share: number }) {
  const label = time(new Date(moment))
  const midnight = label.slice(11, 16) === '00:00'
  const edge = share < 0.03 ? ' first' : share > 0.97 ? ' last' : ''
  return (
    <span className={`${midnight ? 'midnight' : ''}${edge}`} style={{ left: `${share * 100}%` }}>
      {midnight ? label.slice(5, 10) : label.slice(11, 16)}
    </span>
  )
}

/** As much of the bar as the longest flag's word takes. */
const FLAG_SHARE = 0.13
/** The first stretch under a cap has the flag; the next ones under the same cap are hatched only. A word that would run into the next flag is left to its title. */
function flagsOf(stretches: readonly Stretch[], shareOf: (moment: number) => number) {
  const flags = stretches.filter(
    (one, i) => one.look === 'capped' && !(stretches[i - 1]?.look === 'capped' && stretches[i - 1]!.line.cappedBy === one.line.cappedBy),
  )
  return flags.map(({ from, line }, i) => {
    const share = shareOf(from)
    const leans = share > 1 - FLAG_SHARE
    const before = i > 0 ? share - shareOf(flags[i - 1]!.from) : share
    const after = i + 1 < flags.length ? shareOf(flags[i + 1]!.from) - share : 1
    return { at: from, line, leans, said: leans ? before > FLAG_SHARE * 2 : after > FLAG_SHARE }
  })
}

function Legend({ stretches, hueOf }: { stretches: readonly Stretch[]; hueOf: (one: Stretch) => Hue }) {
  const say = useText()
  const bands = new Map(stretches.filter(({ look }) => look !== 'free').map((one) => [hueOf(one), nameOf(one.line, say)]))
  return (
    <figcaption>
      {[...bands].map(([hue, name]) => (
        <span key={hue}>
          <i className={hue} />
          {name}
        </span>
      ))}
      {stretches.some(({ look }) => look === 'capped') && (
        <span>
          <i className="capped plain" />
          {say(['已封顶', 'Capped'])}
        </span>
      )}
      {stretches.some(({ look }) => look === 'free') && (
        <span>
          <i className="free" />
          {say(['不计费', 'Free'])}
        </span>
      )}
    </figcaption>
  )
}

const nameOf = (line: QuoteLineOf, say: Say) => (isCostless(line) || line.segment === null ? say(LineKind.entries[line.kind]) : line.segment)

/** More lines than this wait behind a button: a stay of weeks repeats itself. */
const LINES_OPEN = 12
function Lines({ quote, hues, ...off }: { quote: QuoteOf; hues: Map<number, Hue>; discountFen: number; discounts: readonly Named[] }) {
  const say = useText()
  const [all, setAll] = useState(false)
  const { lines } = quote
  const shown = all || lines.length <= LINES_OPEN + 2 ? lines : lines.slice(0, LINES_OPEN)
  return (
    <table {...TABLE} className="lines stacked fee-lines">
      <thead {...GROUP}>
        <tr {...ROW}>
          <th {...HEAD}>{say(['时段', 'Band'])}</th>
          <th {...HEAD}>{say(FROM_TO)}</th>
          <th {...HEAD} className="right">
            {say(LENGTH)}
          </th>
          <th {...HEAD} className="right">
            {say(UNITS)}
          </th>
          <th {...HEAD} className="right">
            {say(AMOUNT)}
          </th>
        </tr>
      </thead>
      <tbody {...GROUP}>
        {shown.map((line, i) => (
          <LineRow key={`${line.from}${line.kind}${i}`} line={line} hue={hues.get(line.segmentNo)} />
        ))}
        {shown.length < lines.length && (
          <tr {...ROW}>
            <td {...CELL} colSpan={5}>
              <Button type="link" size="small" onClick={() => setAll(true)}>
                {say([`显示全部 ${lines.length} 行`, `Show all ${lines.length} ${plural(lines.length, 'line')}`])}
              </Button>
            </td>
          </tr>
        )}
      </tbody>
      <Sum quote={quote} {...off} />
    </table>
  )
}

const FROM_TO: Text = ['起止', 'From – to']
const LENGTH: Text = ['时长', 'Duration']
const UNITS: Text = ['单元 × 单价', 'Units × price']
const AMOUNT: Text = ['金额', 'Amount']
function LineRow({ line, hue }: { line: QuoteLineOf; hue: Hue | undefined }) {
  const say = useText()
  const { kind, from, to, units, fullFen, amountFen, cappedBy } = line
  const adjusts = isAdjusting(line)
  const costless = isCostless(line) || kind === LineKind.unitCharged
  const sameDay = time(from).slice(0, 10) === time(to).slice(0, 10)
  return (
    <tr {...ROW} className={costless ? 'costless' : ''}>
      <td {...CELL}>
        {!adjusts && <i className={isCostless(line) ? 'free' : (hue ?? 'day')} />}
        {adjusts ? say(LineKind.entries[kind]) : nameOf(line, say)}
        {kind === LineKind.unitCharged && <span className="faint"> {say(LineKind.entries[LineKind.unitCharged])}</span>}
      </td>
      <td {...CELL} data-name={say(FROM_TO)}>
        {!adjusts && `${time(from).slice(5, 16)} – ${time(to).slice(sameDay ? 11 : 5, 16)}`}
      </td>
      <td {...CELL} className="right" data-name={say(LENGTH)}>
        {!adjusts && duration(Math.max(1, minutesOf(Date.parse(to) - Date.parse(from))), say)}
      </td>
      <td {...CELL} className="right" data-name={say(UNITS)}>
        {units > 0 && !adjusts ? <Units line={line} /> : <span className="faint">--</span>}
      </td>
      <td {...CELL} className="right" data-name={say(AMOUNT)}>
        {cappedBy && <em className="fee-cap">{say(CappedBy.entries[cappedBy])}</em>}
        {fullFen > amountFen && cappedBy && (
          <s>
            <Money fen={fullFen} />
          </s>
        )}
        <Money fen={amountFen} />
      </td>
    </tr>
  )
}
/** `4 × ¥2.00/30分钟`; a price below a fen keeps its four decimals. */
function Units({ line: { kind, units, unitMin, unitFen, unitE4 } }: { line: QuoteLineOf }) {
  const say = useText()
  const per =
    kind === LineKind.byUnit || kind === LineKind.inProportion
      ? `/${unitMin}${say(['分钟', ' min'])}`
      : kind === LineKind.byVisit
        ? say(['/次', ' per visit'])
        : kind === LineKind.wholeDay
          ? say(['/24 小时', ' per 24 h'])
          : ''
  const price = unitE4 === unitFen * 100 ? <Money fen={unitFen} /> : <span className="money">{`¥${(unitE4 / 10_000).toFixed(4)}`}</span>
  if (kind === LineKind.byLength) return price
  return (
    <>
      {units} × {price}
      <span className="soft">{per}</span>
    </>
  )
}

function Sum({ quote: { totalFen, paidFen, payableFen }, discountFen, discounts }: Explained & { discountFen: number; discounts: readonly Named[] }) {
  const say = useText()
  const unnamed = unnamedOf(discountFen, discounts)
  const less = (zh: string, en: string, fen: number) => (
    <tr {...ROW} key={zh}>
      <td {...CELL} colSpan={4}>
        {say([zh, en])}
      </td>
      <td {...CELL} className="right">
        −<Money fen={fen as Fen} />
      </td>
    </tr>
  )
  const due = Math.max(0, payableFen - discountFen)
  return (
    <tfoot {...GROUP}>
      <tr {...ROW} className="sum">
        <td {...CELL} colSpan={4}>
          {say(['合计', 'Total'])}
        </td>
        <td {...CELL} className="right">
          <Money fen={totalFen} />
        </td>
      </tr>
      {paidFen > 0 && less('已付', 'Already paid', paidFen)}
      {discounts.map(({ zh, en, amountFen }) => less(zh, en, amountFen))}
      {unnamed > 0 && less('优惠', 'Discount', unnamed)}
      {due !== totalFen && (
        <tr {...ROW} className="fee-due">
          <td {...CELL} colSpan={4}>
            {say(['应付', 'To pay'])}
          </td>
          <td {...CELL} className="right">
            <Money fen={due} />
          </td>
        </tr>
      )}
    </tfoot>
  )
}

/** Returns the discount that has no name of its own. */
const unnamedOf = (discountFen: number, discounts: readonly Named[]) =>
  Math.max(0, discountFen - discounts.reduce((sum, { amountFen }) => sum + amountFen, 0))

/** The same for the driver's print, in plain words: the charged times, and those that were not. */
export function FeeInWords({ quote, discountFen = 0, discounts = [] }: Explained) {
  const say = useText()
  const unnamed = unnamedOf(discountFen, discounts)
  const line = (key: string, label: string, fen: number) => (
    <div key={key}>
      <dt>{label}</dt>
      <dd>
        <Money fen={fen} />
      </dd>
    </div>
  )
  return (
    <>
      <dl>
        {quote.lines.map((one, i) => line(`${i}`, inWords(one, say), one.amountFen))}
        {discounts.map(({ zh, en, amountFen }) => line(zh, say([zh, en]), -amountFen))}
        {unnamed > 0 && line('discount', say(['优惠', 'Discount']), -unnamed)}
        {line('sum', say(['应付', 'To pay']), Math.max(0, quote.totalFen - discountFen))}
      </dl>
      {quote.ruleName && (
        <p>
          {say(['收费规则：', 'Fee rule: '])}
          {quote.ruleName}
          {say([`，第${quote.ruleVersionNo}版`, `, version ${quote.ruleVersionNo}`])}
        </p>
      )}
    </>
  )
}
function inWords(line: QuoteLineOf, say: Say): string {
  const words = say(lineInWords(line))
  return isAdjusting(line) ? words : `${time(line.from).slice(5, 16)} – ${time(line.to).slice(5, 16)}${say(['，', ', '])}${words}`
}
