import { createHash, webcrypto } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Day, Instant } from '../../../platform/contract/field.ts'
import { dayIn, instantOf, isOfThisCentury } from '../../../platform/contract/time.ts'
import { LINES_IN_ONE_GO, linesIn } from '../../../platform/server/text/lines.ts'
import { refusal } from '../../../platform/server/refusal.ts'

export const BadFile = refusal(
  'arrears.etc-file',
  41240,
  '清分文件不可用：{zh}，未导入任何一行',
  'The clearing file cannot be used: {en}; nothing was imported',
  422,
)
/** The most lines of a file. */
const LINES_MAX = 50_000
const NAME = /^ETC_([A-Za-z0-9]{1,20})_(\d{4}-?\d{2}-?\d{2})_(\d{1,6})(\.csv)?$/

/** Numbers of a deduction and of the issuer's trade, and of the antenna's card: as long as ours may be. */
const NUMBER = /^[!-~]{0,48}$/
const PSAM = /^[!-~]{0,12}$/
/** The kind of a line, and its result: done, failed (1), or disputed (2). */
const CHARGED = 1
const REFUNDED = 2
const DONE = 0
type LineKind = typeof CHARGED | typeof REFUNDED
type LineResult = typeof DONE | 1 | 2

export interface Row {
  row: number
  kind: LineKind
  deductNo: string
  issuerTradeNo: string
  psamNo: string
  psamSeq: number | null
  tradeTime: Instant
  amountFen: number
  feeFen: number
  result: LineResult
  failCode: number | null
}
export interface Cleared {
  fileNo: string
  issuer: string
  clearDate: Day
  seq: number
  digest: string
  rows: Row[]
  chargeFen: number
  refundFen: number
}

/**
 * The issuer's file `ETC_<issuer>_<date>_<seq>`: `H,issuer,clearDate,seq`, a `D` line for each trade, `T,count,chargeFen,refundFen,sha256` over all lines before it.
 * @throws BadFile for whatever is not whole: no end, other sums, other bytes
 */
export async function clearedOf(name: string, bytes: Uint8Array): Promise<Cleared> {
  const named = NAME.exec(name)
  if (!named) throw BadFile({ zh: '文件名应为 ETC_发行方_日期_序号', en: 'its name must be ETC_issuer_date_number' })
  const { lines, digest } = await linesOf(bytes)
  const head = (lines[0] ?? '').split(',')
  const tail = (lines.at(-1) ?? '').split(',')
  if (head[0] !== 'H' || tail[0] !== 'T')
    throw BadFile({ zh: '缺少首行或尾行，文件可能被截断', en: 'its first or last line is missing; it may be truncated' })
  const clearDate = dayIn(`${head[2]}`)
  const same = head[1] === named[1] && clearDate === dayIn(named[2]!) && Number(head[3]) === Number(named[3])
  if (!clearDate || !same) throw BadFile({ zh: '首行与文件名不一致', en: 'its first line does not match its name' })
  const { rows, sha } = await rowsOf(lines)
  const sum = (kind: LineKind) => rows.reduce((total, one) => total + (one.kind === kind && one.result === DONE ? one.amountFen : 0), 0)
  const [chargeFen, refundFen] = [sum(CHARGED), sum(REFUNDED)]
  const whole = Number(tail[1]) === rows.length && Number(tail[2]) === chargeFen && Number(tail[3]) === refundFen && tail[4]?.toLowerCase() === sha
  if (!whole) throw BadFile({ zh: '笔数、金额或校验值与尾行不符', en: 'its line count, amounts or checksum do not match its last line' })
  return { fileNo: name.replace(/\.csv$/, ''), issuer: named[1]!, clearDate, seq: Number(named[3]), digest, rows, chargeFen, refundFen }
}

async function linesOf(bytes: Uint8Array): Promise<{ lines: string[]; digest: string }> {
  const lines: string[] = []
  for await (const some of linesIn(bytes)) {
    lines.push(...some)
    if (lines.length > LINES_MAX) throw BadFile({ zh: `超过 ${LINES_MAX} 行`, en: `more than ${LINES_MAX} lines` })
  }
  return { lines, digest: Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex') }
}
/** The rows between head and tail, and the sum over all that stands before the tail. */
async function rowsOf(lines: readonly string[]): Promise<{ rows: Row[]; sha: string }> {
  const sum = createHash('sha256').update(`${lines[0]}\n`)
  const rows: Row[] = []
  for (let place = 1; place < lines.length - 1; place++) {
    if (place % LINES_IN_ONE_GO === 0) await setImmediate()
    sum.update(`${lines[place]}\n`)
    rows.push(rowOf(lines[place]!, place - 1))
  }
  return { rows, sha: sum.digest('hex') }
}
function rowOf(line: string, place: number): Row {
  const cells = line.split(',')
  const [mark, row, kind, deductNo, issuerTradeNo, psamNo, psamSeq, , , , , tradeTime, amountFen, feeFen, result, failCode] = cells
  const whole = (text: string | undefined) => /^\d{1,12}$/.test(text ?? '')
  const at = instantOf(`${tradeTime}`)
  const right =
    mark === 'D' &&
    at !== undefined &&
    isOfThisCentury(at) &&
    cells.length === 16 &&
    whole(row) &&
    NUMBER.test(deductNo ?? '') &&
    NUMBER.test(issuerTradeNo ?? '') &&
    PSAM.test(psamNo ?? '') &&
    (kind === '1' || kind === '2') &&
    whole(amountFen) &&
    whole(feeFen) &&
    /^[012]$/.test(result ?? '')
  if (!right) throw BadFile({ zh: `第 ${place + 2} 行格式不对`, en: `line ${place + 2} has the wrong format` })
  return {
    row: Number(row),
    kind: Number(kind) as LineKind,
    deductNo: deductNo!,
    issuerTradeNo: issuerTradeNo!,
    psamNo: psamNo!.toUpperCase(),
    psamSeq: whole(psamSeq) ? Number(psamSeq) : null,
    tradeTime: at,
    amountFen: Number(amountFen),
    feeFen: Number(feeFen),
    result: Number(result) as LineResult,
    failCode: /^[1-6]$/.test(failCode ?? '') ? Number(failCode) : null,
  }
}
