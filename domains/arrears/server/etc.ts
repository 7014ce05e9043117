import type { Instant, Of } from '../../../platform/contract/field.ts'
import { permilleOf } from '../../../platform/contract/rate.ts'
import { DAY_MS, msOf, startOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { phased, serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { RefundState } from '../../settlement/contract/refund.ts'
import { applyRefund, approveRefund, holdChannel, holdOrder, holdPayments, openDay, rejectRefund, takeFile } from '../../settlement/server/api.ts'
import {
  etc,
  EtcFailCode,
  type EtcFigures,
  EtcFile,
  etcFileSearch,
  EtcPassage,
  type EtcPark,
  EtcRefund,
  etcRefundSearch,
  EtcState,
  passageSearch,
  Verdict,
} from '../contract/etc.ts'
import { EtcStatus } from '../../device/contract/etc.ts'
import { ArrearsState } from '../contract/file.ts'
import { fail, lockDeduct, succeed, tradeNoOf } from './deduct.ts'
import { BadFile, type Cleared, clearedOf, type Row } from './etcFile.ts'
import './tables.ts'

const NotCleared = refusal(
  'arrears.etc-not-cleared',
  41241,
  '发行方尚未清分该笔扣费，导入清分文件后再审核',
  'The issuer has not cleared this deduction yet: import the clearing file first',
  422,
)
const Taken = refusal(
  'arrears.etc-file-taken',
  41242,
  '已导入过同名但内容不同的文件 {fileNo}；请核对后改名导入',
  'A different file named {fileNo} has already been imported: check it and import it under another name',
)
const passages = listOver(EtcPassage, 'arrears.etcPassage', passageSearch, { sums: ['amountFen', 'owedFen'] })
/** Neither paid nor refunded, and its car has left. */
const ESCAPED = `etc_state in (${EtcState.failed}, ${EtcState.unknown}, ${EtcState.manual}) and arrears_no is not null`
const escapes = listOver(EtcPassage, 'arrears.etcPassage', passageSearch, {
  sums: ['amountFen', 'owedFen'],
  only: ESCAPED,
})
const refunds = listOver(EtcRefund, 'arrears.etcRefund', etcRefundSearch, { sums: ['amountFen'] })
const clearings = listOver(EtcFile, 'arrears.etcFile', etcFileSearch)
type Person = { userId: string; userName: string }

export const calls = serve(etc, {
  escape: ({ tx, input }) => page(tx, escapes, input),
  escapeExport: exporting(etc.escapeExport, escapes),
  deduct: ({ tx, input }) => page(tx, passages, input),
  deductExport: exporting(etc.deductExport, passages),
  refund: ({ tx, input }) => page(tx, refunds, input),
  refundExport: exporting(etc.refundExport, refunds),
  async refundVerify({ tx, input, actor, at }) {
    const found = await find(tx, refunds, input.id)
    if (!found) throw NotFound()
    if (input.result === Verdict.granted && !found.matched) throw NotCleared()
    const which = { id: found.id, version: found.version, ...(input.verdict !== undefined && { verdict: input.verdict }) }
    await (input.result === Verdict.granted ? approveRefund : rejectRefund)(tx, which, actor, at)
  },
  async refundApply({ tx, input, actor, at }) {
    const [deduct] = (await page(tx, passages, { deductNo: input.deductNo, queryMode: 'rows', limit: 1 })).records
    if (!deduct) throw NotFound()
    if (deduct.etcState !== EtcState.done) throw IllegalMove({ etcState: deduct.etcState })
    await holdOrder(tx, deduct.orderId)
    const made = await applyRefund(tx, { orderId: deduct.orderId, channel: CHANNEL, amountFen: input.amountFen, reason: input.note, actor, at })
    await run(tx, { sql: REASON }, [made.id, made.parkCode, input.reason])
  },
  overview: ({ tx, input }) => overview(tx, input),
  fileImport: phased(async ({ input: { file }, actor, at, write }) => {
    const cleared = await clearedOf(file.name, file.bytes)
    return write((tx) => importFile(tx, cleared, actor, at))
  }),
  fileList: ({ tx, input }) => page(tx, clearings, input),
})
const REASON = 'insert into arrears.etc_reason (refund_id, park_code, reason) values ($1, $2, $3)'

async function importFile(tx: Tx, file: Cleared, { userName }: Person, at: Instant): Promise<Of<typeof EtcFile>> {
  await run(tx, { sql: `select pg_advisory_xact_lock(hashtextextended('arrears.etc-file ' || $1, scope_enterprise()))` }, [file.fileNo])
  const [earlier] = (await page(tx, clearings, { fileNo: file.fileNo, queryMode: 'rows', limit: 1 })).records
  if (earlier) {
    const [same] = await run(tx, { sql: 'select 1 from arrears.etc_file where enterprise_id = scope_enterprise() and id = $1 and digest = $2' }, [
      earlier.id,
      file.digest,
    ])
    if (!same) throw Taken({ fileNo: file.fileNo })
    return earlier
  }
  const count = { matched: 0, settled: 0, failed: 0, differing: 0, surplus: 0 }
  await holdChannel(tx, CHANNEL)
  await holdDeducts(tx, file.rows)
  const open = await openDay(tx, { channel: CHANNEL, checkDate: file.clearDate })
  for (const row of file.rows) if (row.kind === CHARGE) count[await clear(tx, row, file.fileNo, open, at)] += 1
  await compare(tx, file, userName, at)
  const values = [
    file.fileNo,
    file.issuer,
    file.clearDate,
    file.seq,
    file.digest,
    file.rows.length,
    file.chargeFen,
    file.refundFen,
    count.matched,
    count.settled,
    count.failed,
    count.differing,
    count.surplus,
    userName,
    at,
  ]
  const [made] = await run<{ id: string }>(tx, { sql: FILE }, values)
  const kept = await find(tx, clearings, made!.id)
  if (!kept) throw NotFound()
  return kept
}
const CHANNEL = 'etc'
const CHARGE = 1
const FILE = `insert into arrears.etc_file (file_no, issuer, clear_date, seq, digest, rows, charge_fen, refund_fen, matched, settled, failed, differing, surplus, imported_name, imported_at, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, $15) returning id`
const DONE = 0
const FAILED = 1

/**
 * One trade as the issuer has it: a deduction that failed, was unknown or a person's is done now, and repays its debt; an unknown one that the file denies has failed.
 * Only a trade that both sides tell alike is cleared: money that the issuer denies or disputes is never given back.
 */
async function clear(tx: Tx, row: Row, fileNo: string, open: Open, at: Instant): Promise<'matched' | 'settled' | 'failed' | 'differing' | 'surplus'> {
  const [found] = await run<{ deductNo: string }>(tx, { sql: OF_ROW }, [row.psamNo, row.psamSeq, row.deductNo])
  const deduct = found && (await lockDeduct(tx, found.deductNo))
  if (!deduct) return 'surplus'
  const agrees = (row.result === DONE && deduct.amountFen === row.amountFen) || (row.result === FAILED && deduct.etcState !== EtcState.done)
  await run(tx, { sql: MATCH }, [deduct.id, row.issuerTradeNo, row.feeFen, fileNo, row.psamSeq, agrees])
  if (!agrees) return 'differing'
  if (row.result === DONE && deduct.etcState !== EtcState.done) {
    await succeed(tx, { ...deduct, psamSeq: row.psamSeq ?? deduct.psamSeq }, paidOn(row, open, at), at)
    return 'settled'
  }
  if (row.result === FAILED && (deduct.etcState === EtcState.unknown || deduct.etcState === EtcState.running)) {
    await fail(tx, deduct, row.failCode ?? EtcFailCode.silent, at)
    return 'failed'
  }
  return 'matched'
}
type Open = Awaited<ReturnType<typeof openDay>>
/** When the card was charged, as far as the clearing looks for it: a file that tells of an older trade, or of one of a closed day, pays it on the day to which its rows go. */
function paidOn({ tradeTime }: Row, { checkDate, from }: Open, at: Instant): Instant {
  const first = startOf(checkDate)
  const when = msOf(tradeTime) >= msOf(from) && msOf(tradeTime) < msOf(first) + DAY_MS ? tradeTime : first
  return msOf(when) < msOf(at) ? when : at
}

/**
 * Compares the file's charges and refunds with ours in the clearing of the channel: a difference finds its owner there, and a day that is even goes into the bank.
 * If this file denies or disputes a charge that an earlier file has told, the issuer takes it back: that may be in the bank by now, so it is a difference of this file's day.
 */
async function compare(tx: Tx, { rows, clearDate, digest, fileNo, issuer }: Cleared, importedName: string, at: Instant): Promise<void> {
  const told = rows.map((row) => ({ row, kind: row.kind, tradeNo: row.kind === CHARGE ? tradeNoOf(row) : row.issuerTradeNo }))
  const done = told.filter(({ row }) => row.result === DONE)
  const charged = new Set(done.map(({ kind, tradeNo }) => `${kind} ${tradeNo}`))
  if (charged.size !== done.length) throw BadFile({ zh: '同一笔交易出现两次', en: 'a transaction appears twice' })
  const trades = done.map(({ row: { deductNo, amountFen, feeFen, tradeTime }, kind, tradeNo }) => ({
    kind,
    tradeNo,
    number: kind === CHARGE ? deductNo : tradeNo,
    amountFen,
    feeFen,
    at: tradeTime,
  }))
  const not = told.filter(({ kind, row, tradeNo }) => kind === CHARGE && row.result !== DONE && !charged.has(`${kind} ${tradeNo}`))
  const denied = new Map(not.map(({ tradeNo, row }) => [tradeNo, row.tradeTime]))
  const named = told.map(({ tradeNo }) => tradeNo)
  const which = { checkDate: clearDate, channel: CHANNEL, fileName: fileNo, importedName, mchId: issuer }
  await takeFile(tx, { ...which, file: { digest, trades }, named, denied, at })
}

/** All of a file's deductions and their money, before any of them changes: a payment of one, or the settling of its difference, waits or is waited for, never both. */
async function holdDeducts(tx: Tx, rows: readonly Row[]): Promise<void> {
  const charged = rows.filter(({ kind }) => kind === CHARGE)
  const held = await run<{ paymentId: string }>(tx, { sql: HOLD }, [
    charged.map(({ psamNo }) => psamNo),
    charged.map(({ psamSeq }) => psamSeq),
    charged.map(({ deductNo }) => deductNo),
  ])
  await holdPayments(
    tx,
    held.map(({ paymentId }) => paymentId),
  )
}
const HOLD = `select payment_id from arrears.etc_deduct where enterprise_id = scope_enterprise() and id in (
    select d.id from unnest($1::text[], $2::bigint[]) r (psam_no, psam_seq) join arrears.etc_deduct d on d.enterprise_id = scope_enterprise() and d.psam_no = r.psam_no and d.psam_seq = r.psam_seq
    union select d.id from arrears.etc_deduct d where d.enterprise_id = scope_enterprise() and d.deduct_no = any ($3)) order by id for update`
const OF_ROW = `select deduct_no from arrears.etc_deduct where enterprise_id = scope_enterprise() and ((psam_no = $1 and psam_seq = $2::bigint) or deduct_no = $3)
  order by (psam_no = $1 and psam_seq is not distinct from $2::bigint) desc limit 1`
const MATCH = `update arrears.etc_deduct set matched = $6, issuer_trade_no = $2, fee_fen = $3, file_no = $4, psam_seq = coalesce(psam_seq, $5::bigint) where enterprise_id = scope_enterprise() and id = $1`

type Filter = Of<typeof etc.overview.input>
async function overview(tx: Tx, { parkCode, dayFrom, dayTo }: Filter): Promise<Of<typeof etc.overview.reply>> {
  const values = [parkCode ?? null, dayFrom ?? '2000-01-01', dayTo ?? '9999-12-31']
  const [[sums], parks] = await Promise.all([
    run<Omit<Of<typeof EtcFigures>, `${string}Rate`>>(tx, { sql: FIGURES }, values),
    run<Of<typeof EtcPark>>(tx, { sql: PARKS }, values),
  ])
  const { attempts, success, unknown, reads, exits, successFen, attemptsFen, escapedFen, recoveredFen, refundFen } = sums!
  return {
    ...sums!,
    successRate: permilleOf(success, attempts - unknown),
    readRate: permilleOf(reads, exits),
    escapeRate: permilleOf(escapedFen, attemptsFen),
    recoverRate: permilleOf(recoveredFen, escapedFen),
    refundRate: permilleOf(refundFen, successFen),
    parks,
  }
}
const WITHIN = `where enterprise_id = scope_enterprise() and ($1::text is null or park_code = $1) and trade_time >= ($2::date)::timestamp at time zone 'Asia/Shanghai'
  and trade_time < ($3::date)::timestamp at time zone 'Asia/Shanghai' + case when $3::date = '9999-12-31' then interval '0' else interval '1 day' end`
const SUCCESS = `etc_state in (${EtcState.done}, ${EtcState.refunded})`
const FAIL = `etc_state = ${EtcState.failed}`
const UNKNOWN = `etc_state = ${EtcState.unknown}`
const MANUAL = `etc_state = ${EtcState.manual}`
const ENDED = `etc_state in (${EtcState.done}, ${EtcState.refunded}, ${EtcState.failed}, ${EtcState.unknown}, ${EtcState.manual})`
const FIGURES = `with d as (select * from arrears.etc_passage ${WITHIN})
  select count(*) filter (where ${ENDED})::int as attempts, count(*) filter (where ${SUCCESS})::int as success, count(*) filter (where ${FAIL})::int as fail,
    count(*) filter (where ${UNKNOWN})::int as unknown, count(*) filter (where ${MANUAL})::int as manual,
    coalesce(sum(amount_fen) filter (where ${ENDED}), 0)::bigint as attempts_fen, coalesce(sum(amount_fen) filter (where ${SUCCESS}), 0)::bigint as success_fen,
    coalesce(sum(amount_fen) filter (where ${FAIL}), 0)::bigint as fail_fen, coalesce(sum(amount_fen) filter (where ${UNKNOWN}), 0)::bigint as unknown_fen,
    coalesce(sum(amount_fen) filter (where ${MANUAL}), 0)::bigint as manual_fen,
    coalesce(sum(amount_fen) filter (where ${ESCAPED}), 0)::bigint as escaped_fen, coalesce(sum(amount_fen - owed_fen) filter (where ${ESCAPED} and arrears_state = ${ArrearsState.repaid}), 0)::bigint as recovered_fen,
    (select coalesce(sum(r.amount_fen), 0)::bigint from arrears.etc_refund r join d on d.deduct_no = r.deduct_no and d.enterprise_id = r.enterprise_id where r.state = ${RefundState.done}) as refund_fen,
    count(*) filter (where fail_code is distinct from ${EtcFailCode.unread})::int as reads, count(distinct order_id)::int as exits
  from d`
const PARKS = `select e.park_code, count(*)::int as antennas, count(*) filter (where e.status = ${EtcStatus.online})::int as online,
    (select count(*)::int from arrears.etc_passage ${WITHIN} and park_code = e.park_code and ${ENDED}) as attempts,
    (select coalesce(sum(amount_fen), 0)::bigint from arrears.etc_passage ${WITHIN} and park_code = e.park_code and ${SUCCESS}) as success_fen
  from device.etc_status e where e.enterprise_id = scope_enterprise() and e.park_code is not null and ($1::text is null or e.park_code = $1) group by e.park_code order by e.park_code limit 500`
