import type { Instant, Of } from '../../../platform/contract/field.ts'
import { colorsAgree, type PlateColorCode } from '../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver } from '../../../platform/server/page.ts'
import { tell, topic } from '../../../platform/server/realtime.ts'
import { IllegalMove, NotFound, refusal, Stale } from '../../../platform/server/refusal.ts'
import { ParkType } from '../../parking/contract/park.ts'
import { ArrearsSource, OrderStatus } from '../../settlement/contract/order.ts'
import { holdOrder, lockOrders, type Owed, type Settled } from '../../settlement/server/api.ts'
import { EtcState } from '../contract/etc.ts'
import { AppealState } from '../contract/appeal.ts'
import { DunState } from '../contract/dun.ts'
import { ArrearsRecord, ArrearsState, EvidenceKind, ExceptionType, MISSING, recordCan, recordSearch } from '../contract/file.ts'
import { firstDun } from './ladder.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'
import { SYSTEM } from '../../../platform/contract/said.ts'

export const NoneChosen = refusal('arrears.none-chosen', 41243, '请至少选择一笔欠费', 'Select at least one debt', 422)

export type File = Of<typeof ArrearsRecord>
export const recordTopic = topic('arrears.record', 'arrears:record:view')
const SUMS = ['amountFen', 'paidFen', 'waivedFen', 'writtenOffFen', 'revokedFen', 'owedFen', 'collectableFen'] as const
/** Owed still, and owed with nothing that keeps it from being asked for. */
export const STILL_OWED = `state in (${ArrearsState.open}, ${ArrearsState.partly}, ${ArrearsState.appealed})`
export const DEMANDED = `state in (${ArrearsState.open}, ${ArrearsState.partly}) and exception_type = ${ExceptionType.none}`
const OF_LANES = `p_type = ${ParkType.offStreet}`
const over = (only?: string) => listOver(ArrearsRecord, 'arrears.file', recordSearch, { sums: SUMS, ...(only && { only }) })
/** All files; those that are still to be collected; those of lanes among them; those that may not be asked for yet. */
export const files = over()
export const toCollect = over(STILL_OWED)
export const ofLanes = over(`${STILL_OWED} and ${OF_LANES}`)
export const allOfLanes = over(OF_LANES)
export const abnormal = over(`exception_type <> ${ExceptionType.none} and ${STILL_OWED}`)

export const tellFile = (tx: Tx, { id, parkCode }: Pick<File, 'id' | 'parkCode'>) => tell(tx, recordTopic, { park: parkCode, ids: [id] })

/** @throws NotFound when there is none, or the scope hides it. */
export async function fileOf(tx: Tx, id: string): Promise<File> {
  const found = await find(tx, files, id)
  if (!found) throw NotFound()
  return found
}
export async function fileOfOrder(tx: Tx, orderId: string): Promise<File | undefined> {
  const [found] = await run<{ id: string }>(tx, { sql: 'select id from arrears.record where enterprise_id = scope_enterprise() and order_id = $1' }, [
    orderId,
  ])
  return found && fileOf(tx, found.id)
}

/** A file, held until the transaction ends. Its order is held first, as a payment does it. @throws NotFound, Stale */
export async function lockFile(tx: Tx, id: string, version?: number): Promise<File> {
  await run(tx, { sql: HOLD_ORDER }, [id])
  const [held] = await run<{ version: number }>(
    tx,
    { sql: 'select version from arrears.record where enterprise_id = scope_enterprise() and id = $1 for no key update' },
    [id],
  )
  if (!held) throw NotFound()
  const found = await fileOf(tx, id)
  if (version !== undefined && held.version !== version) throw Stale({ ...found })
  return found
}
const HOLD_ORDER = `select o.id from settlement.order o where o.enterprise_id = scope_enterprise()
  and o.id = (select r.order_id from arrears.record r where r.enterprise_id = scope_enterprise() and r.id = $1) for no key update`

/** As `lockFile`, with what has paid it before its order: a debt that is revoked gives that back. */
export async function lockPaidFile(tx: Tx, id: string): Promise<File> {
  await holdOrder(tx, (await fileOf(tx, id)).orderId)
  return lockFile(tx, id)
}

/** Several files, held with their orders before them. */
export async function holdFiles(tx: Tx, all: readonly File[]): Promise<Set<string>> {
  await lockOrders(
    tx,
    all.map(({ orderId }) => orderId),
  )
  const held = await run<{ id: string }>(tx, { sql: HOLD_FILES }, [all.map(({ id }) => id)])
  return new Set(held.map(({ id }) => id))
}
const HOLD_FILES = 'select id from arrears.record where enterprise_id = scope_enterprise() and id = any($1) order by id for no key update'

type Move = keyof typeof recordCan
/** The one way by which a file changes its state. @throws IllegalMove when the state does not allow it. */
export async function moveFile(tx: Tx, file: File, move: Move, at: Instant, more: { beforeAppeal?: number | null } = {}): Promise<File> {
  const state = recordCan[move](file.state)
  if (state === undefined) throw IllegalMove({ state: file.state })
  return setState(tx, file, state, at, more.beforeAppeal ?? null)
}
export async function setState(tx: Tx, file: File, state: number, at: Instant, beforeAppeal: number | null = null): Promise<File> {
  const values = [file.id, state, beforeAppeal, at]
  await Promise.all([run(tx, { sql: SET_STATE }, values), tellFile(tx, file)])
  return fileOf(tx, file.id)
}
const SET_STATE = `update arrears.record set state = $2, before_appeal = $3, version = version + 1, updated_at = $4 where enterprise_id = scope_enterprise() and id = $1`

/** Opens the file of a debt with the facts of its stay, and its pictures as evidence, in the transaction that makes it a debt. */
export async function openFile(tx: Tx, owed: Owed): Promise<true> {
  const { orderId, sectionCode, at } = owed
  const etc = await byEtc(tx, orderId)
  const [sourceType, exceptionType] = etc
    ? [ArrearsSource.etcFailed, etc.unknown ? ExceptionType.etcUnknown : owed.exceptionType]
    : [owed.sourceType, owed.exceptionType]
  const values = [
    orderId,
    sourceType,
    sectionCode,
    exceptionType,
    exceptionType === ExceptionType.none ? null : MISSING[exceptionType]![0],
    at,
    firstDun(at),
  ]
  const [made] = await run<{ id: string; parkCode: string }>(tx, { sql: OPEN }, values)
  if (!made) return true
  await run(tx, { sql: PICTURES }, [made.id])
  await tellFile(tx, made as File)
  return true
}
/** The lane's antenna was to take it: it did not, or does not know. */
const byEtc = async (tx: Tx, orderId: string): Promise<{ unknown: boolean } | undefined> =>
  (await run<{ unknown: boolean }>(tx, { sql: BY_ETC }, [orderId]))[0]
const BY_ETC = `select etc_state in (${EtcState.running}, ${EtcState.unknown}) as unknown from arrears.etc_deduct
  where enterprise_id = scope_enterprise() and order_id = $1 and etc_state <> ${EtcState.done} order by created_at desc limit 1`
const OPEN = `insert into arrears.record (arrears_no, order_id, order_no, order_type, stay_id, park_code, section_code, p_type, plate_no, plate_color, amount_fen, source_type, exception_type, missing,
    arrived_at, left_at, images, exit_gate, operator_out, next_dun_at, created_at, updated_at)
  select platform.business_no('QF'), o.id, o.order_no, o.type, o.stay_id, o.park_code, $3, coalesce(p.p_type, ${ParkType.offStreet}), o.plate_no, o.plate_color, o.payable_fen, $2, $4, $5,
    s.entry_time, coalesce(s.exit_time, $6), nullif(concat_ws(',', s.entry_image, s.exit_image), ''), s.exit_gate, s.operator_out, $7, $6, $6
  from settlement.order o left join parking.stay s on s.id = o.stay_id left join parking.park p on p.enterprise_id = o.enterprise_id and p.park_code = o.park_code
  where o.enterprise_id = scope_enterprise() and o.id = $1
  on conflict (enterprise_id, order_id) do nothing returning id, park_code`
/** A lane's camera reads the plate; which berth a roadside picture shows, the roadside says. */
const PICTURES = `insert into arrears.evidence (record_id, park_code, kind, image, shows_berth, shows_plate, taken_at, added_name)
  select r.id, r.park_code, e.kind, e.image, false, true, e.at, '${SYSTEM}' from arrears.record r join parking.stay s on s.id = r.stay_id
    cross join lateral (values (${EvidenceKind.coming}, s.entry_image, s.entry_time), (${EvidenceKind.leaving}, s.exit_image, s.exit_time)) e (kind, image, at)
  where r.enterprise_id = scope_enterprise() and r.id = $1 and e.image is not null and e.at is not null and r.p_type = ${ParkType.offStreet}`
interface Named {
  orderId: string
  plateNo: string
  plateColor: PlateColorCode | null
  at: Instant
}
/** Whose debt it is was put right: it is asked of the right vehicle from now on, which has not been reminded yet. */
export async function hearNamed(tx: Tx, { orderId, plateNo, plateColor, at }: Named): Promise<true | undefined> {
  const [file] = await run<{ id: string; parkCode: string }>(tx, { sql: NAME }, [orderId, plateNo, plateColor, at, firstDun(at)])
  if (!file) return undefined
  await Promise.all([run(tx, { sql: NAME_DUNS }, [file.id, plateNo, plateColor, at]), tellFile(tx, file as File)])
  return true
}
const NAME = `update arrears.record set plate_no = $2, plate_color = $3, blacklisted = false, dun_step = 0, dun_from = $4, next_dun_at = $5, version = version + 1, updated_at = $4
  where enterprise_id = scope_enterprise() and order_id = $1 and ${STILL_OWED} and (plate_no, plate_color) is distinct from ($2, $3::smallint) returning id, park_code`
const NAME_DUNS = `update arrears.dun set plate_no = $2, plate_color = $3, version = version + 1, updated_at = $4 where enterprise_id = scope_enterprise() and record_id = $1 and state = ${DunState.waiting}`

/** Money came for a debt: its file follows, and the payment withdraws an appeal. */
export async function hearRepaid(tx: Tx, { orderId, whole, at }: { orderId: string; whole: boolean; at: Instant }): Promise<true | undefined> {
  const file = await fileOfOrder(tx, orderId)
  if (!file) return undefined
  await withdrawAppeal(tx, file, Said.repaid, at)
  await moveFile(tx, file, whole ? 'repayAll' : 'repayPart', at)
  return true
}
/** Money that had come for a debt went back, and is owed again. A rejected appeal finds it as it is now. */
export async function hearOwedAgain(tx: Tx, { orderId, paidFen, at }: { orderId: string; paidFen: number; at: Instant }): Promise<true | undefined> {
  const file = await fileOfOrder(tx, orderId)
  if (!file) return undefined
  const [move, before] = paidFen > 0 ? (['giveBackPart', ArrearsState.partly] as const) : (['giveBackAll', ArrearsState.open] as const)
  await moveFile(tx, file, move, at, { beforeAppeal: file.state === ArrearsState.appealed ? before : null })
  return true
}
async function withdrawAppeal(tx: Tx, { id, state }: File, verdict: string, at: Instant): Promise<void> {
  if (state === ArrearsState.appealed) await run(tx, { sql: WITHDRAW }, [id, at, verdict])
}
const WITHDRAW = `update arrears.appeal set state = ${AppealState.withdrawn}, decided_at = $2, verdict = $3, version = version + 1, updated_at = $2
  where enterprise_id = scope_enterprise() and record_id = $1 and state = ${AppealState.waiting}`

/** The debt was let off, or is void: its stay was put right and is charged anew. */
export async function hearSettled(tx: Tx, { orderId, status, at }: Settled): Promise<true | undefined> {
  const over = OVER[status]
  const file = over && (await fileOfOrder(tx, orderId))
  if (!file || file.state === ArrearsState.revoked) return undefined
  await withdrawAppeal(tx, file, over.verdict, at)
  await moveFile(tx, file, over.move, at)
  return true
}
const VOID = { move: 'revoke' as const, verdict: Said.revoked }
const OVER: Partial<Record<number, { move: Move; verdict: string }>> = {
  [OrderStatus.waived]: { move: 'waive', verdict: Said.waived },
  [OrderStatus.cancelled]: VOID,
  [OrderStatus.refunded]: VOID,
}

/** Returns a vehicle's earlier debts that may be asked for, for a lane: the oldest `atMost` of them. */
export async function debtsOf(
  tx: Tx,
  { plateNo, plateColor, before, atMost }: { plateNo: string; plateColor: PlateColorCode | null; before: Instant; atMost: number },
): Promise<{ count: number; amountFen: number }> {
  const [owed] = await run<{ count: number; amountFen: number }>(tx, { sql: OWED }, [plateNo, plateColor, before, atMost])
  return owed!
}
const OWED = `select count(*)::int as count, coalesce(sum(owed_fen), 0)::bigint as amount_fen from (
    select owed_fen from arrears.file where enterprise_id = scope_enterprise() and plate_no = $1 and created_at < $3 and ${DEMANDED} and source_type <> ${ArrearsSource.charging}
      and ($2::smallint is null or plate_color is null or plate_color = $2) order by created_at, id limit $4) owed`

/** All that may be asked of a vehicle, oldest first. Green arrears never attach to a blue plate of the same characters. */
export async function owedBy(tx: Tx, plateNo: string, plateColor: PlateColorCode | null, parkCode: string | null): Promise<File[]> {
  const rows = await run<{ id: string; plateColor: PlateColorCode | null }>(tx, { sql: OWED_BY }, [plateNo, parkCode])
  const agreeing = rows.filter((row) => colorsAgree(row.plateColor, plateColor))
  return Promise.all(agreeing.slice(0, TOGETHER_MAX).map(({ id }) => fileOf(tx, id)))
}
const OWED_BY = `select id, plate_color from arrears.record where enterprise_id = scope_enterprise() and plate_no = $1 and ${DEMANDED}
  and ($2::text is null or park_code = $2) order by created_at, id limit 400`
const TOGETHER_MAX = 200
