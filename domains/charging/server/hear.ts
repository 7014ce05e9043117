import { type CodeOf, type Instant } from '../../../platform/contract/field.ts'
import { instantAt, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { announce } from '../../../platform/server/events.ts'
import { addJob, task } from '../../../platform/server/job/jobs.ts'
import type { Refusal } from '../../../platform/server/refusal.ts'
import { CommandState } from '../../device/contract/command.ts'
import { CardKind, CardStatus } from '../contract/card.ts'
import { ConnectorStatus } from '../contract/connector.ts'
import { PileMethod } from '../contract/pileCommand.ts'
import { ChargeStatus, StartMode, StopReason } from '../contract/session.ts'
import { billOccupancy, costBy, finalise, laterBy } from './bill.ts'
import {
  type Charge,
  chargeAt,
  chargeBy,
  chargeOf,
  COLUMNS,
  holdGun,
  lockCharge,
  mayBegin,
  moveCharge,
  mustBePriced,
  noteCharge,
  OPEN,
  openCharge,
  type Place,
  owedBy,
  placeOf,
  refusalOf,
  setCharge,
} from './charge.ts'
import { creditLeft, freezeStored, holdMoney, holdOf, LEAST_FEN, lendCredit, lockWithMoney, releaseRest } from './hold.ts'
import { settleLate } from './late.ts'
import { reservationUsed } from './pileFacts.ts'
import { ownerOf, purse } from './questions.ts'
import {
  type Authorised,
  type AuthoriseSaid,
  type BeganAnswer,
  type BeganSaid,
  type EndedSaid,
  type Refused,
  type StartAnswered,
  stopWanted,
} from './said.ts'
import { keepSamples, notAhead } from './samples.ts'
import { Said } from '../contract/said.ts'
import { Why } from '../contract/why.ts'
import { paired } from '../../../platform/contract/said.ts'

/** A trusted end is billed after so long, one with a gap when nothing more can come. */
const TRUSTED_MS = 30_000
const GAP_MS = 10 * 60_000
/** Accepted, and then this long without a transaction: it did not start. */
export const START_MS = 60_000
const refused = (why: Refused): Authorised => ({ accepted: false, why })

/** Whether somebody may charge, as the platform sees it: what charges there already goes on; else the pile must be open, and then an order's token, a card, or a car that pays by itself. */
export async function authorise(tx: Tx, said: AuthoriseSaid): Promise<Authorised> {
  const asked = await chargeBy(tx, 'token', said.idTag)
  const elsewhere = asked && (said.connectorId ? asked.connectorId !== said.connectorId : asked.equipmentId !== said.equipmentId)
  if (elsewhere) return refused('Invalid')
  const card = asked ? undefined : await cardOf(tx, said.idTag)
  const running = said.connectorId ? await chargeAt(tx, said.connectorId) : undefined
  const goesOn = asked ?? (card?.status === CardStatus.good && running?.cardNo === card.cardNo ? running : undefined)
  if (goesOn?.claimed && goesOn.status === ChargeStatus.charging) return { accepted: true, orderNo: goesOn.orderNo }
  if (await isShut(tx, said, card?.cardNo ?? asked?.idTag ?? said.idTag, asked ? mayBegin : mayBeginUnasked)) return refused('Blocked')
  if (asked) return asked.claimed && asked.status <= ChargeStatus.charging ? { accepted: true, orderNo: asked.orderNo } : refused('Expired')
  return authoriseCard(tx, said, card)
}
/** What nobody ordered needs a price too. @throws what keeps it from that */
async function mayBeginUnasked(tx: Tx, place: Place, idTag: string | null, at: Instant): Promise<void> {
  await mayBegin(tx, place, idTag, at)
  await mustBePriced(tx, place, at)
}
/** Nothing may begin at this gun or, where the pile does not say at which, at any of its guns. */
async function isShut(tx: Tx, { equipmentId, connectorId, at }: AuthoriseSaid, idTag: string, may: typeof mayBegin): Promise<boolean> {
  const guns = connectorId ? [{ connectorId }] : await run<{ connectorId: string }>(tx, { sql: GUNS }, [equipmentId])
  for (const gun of guns) if (!(await refusalOf(may(tx, await placeOf(tx, gun.connectorId), idTag, at)))) return false
  return guns.length > 0
}
const GUNS = 'select connector_id from charging.connector where enterprise_id = scope_enterprise() and equipment_id = $1 order by connector_id'
/** A card, or a car that pays by itself, where no order asked for this start. What the card charges at the same gun ends as this begins. */
async function authoriseCard(tx: Tx, { connectorId = null, vin = null, at }: AuthoriseSaid, card: CardRow | undefined): Promise<Authorised> {
  if (!card) return vin ? authoriseVin(tx, vin, at) : refused('Invalid')
  const { cardNo } = card
  if (card.status !== CardStatus.good) return refused('Blocked')
  if (await chargesElsewhere(tx, cardNo, connectorId)) return refused('ConcurrentTx')
  if ((await owedBy(tx, { cardNo, ownerId: card.ownerId, plateNo: card.plateNo, vin })) > 0) return refused('Blocked')
  if (card.kind === CardKind.company && ((await creditLeft(tx, cardNo))?.leftFen ?? 0) < LEAST_FEN) return refused('Blocked')
  return card.kind === CardKind.personal ? authoriseOwner(tx, card.ownerId!, at) : { accepted: true, orderNo: null }
}
const chargesElsewhere = async (tx: Tx, cardNo: string, connectorId: string | null) =>
  (await run(tx, { sql: CHARGES_ELSEWHERE }, [cardNo, connectorId])).length > 0
const CHARGES_ELSEWHERE = `select 1 from charging.charge where enterprise_id = scope_enterprise() and card_no = $1 and connector_id is distinct from $2 and claimed and status in (${OPEN})`
interface CardRow {
  cardNo: string
  kind: CodeOf<typeof CardKind>
  status: CodeOf<typeof CardStatus>
  ownerId: string | null
  plateNo: string | null
}
const cardOf = async (tx: Tx, idTag: string | null) => (idTag ? (await run<CardRow>(tx, CARD, [idTag]))[0] : undefined)
/** In capitals or in small letters it is the same card, of which there is one; never one that is merely like it. */
const CARD = {
  sql: `select card_no, kind, status, owner_id, plate_no from charging.card where enterprise_id = scope_enterprise() and card_key = charging.card_key($1)`,
}
async function authoriseVin(tx: Tx, vin: string, at: Instant): Promise<Authorised> {
  const [owner] = await ownerOf.ask(tx, { vin })
  if (!owner?.answer.autoPay) return refused('Invalid')
  if ((await owedBy(tx, { vin, ownerId: owner.answer.ownerId, cardNo: null, plateNo: owner.answer.plateNo })) > 0) return refused('Blocked')
  return authoriseOwner(tx, owner.answer.ownerId, at)
}
async function authoriseOwner(tx: Tx, ownerId: string, at: Instant): Promise<Authorised> {
  const [found] = await purse.ask(tx, { ownerId, at })
  return found && !found.answer.refused && found.answer.availableFen >= LEAST_FEN ? { accepted: true, orderNo: null } : refused('Blocked')
}

/** The gateway says whether the pile took the wish to start. */
export async function startAnswered(tx: Tx, { orderNo, accepted, why, at }: StartAnswered): Promise<void> {
  const charge = await lockWithMoney(tx, orderNo)
  if (charge.status !== ChargeStatus.waiting) return
  if (!accepted) return failStart(tx, charge, why ?? Why.refused, at)
  await moveCharge(tx, charge, 'accept', { event: 'accepted', at, changes: { acceptedAt: at } })
}
/** It will not start: what was held goes back. */
export async function failStart(tx: Tx, charge: Charge, why: string, at: Instant): Promise<void> {
  const failed = await moveCharge(tx, charge, 'fail', { event: 'failed', at, note: why })
  const hold = await holdOf(tx, failed.orderNo)
  if (hold) await releaseRest(tx, hold, Said.notStarted, at)
}

/** A transaction began. Told again it gets the same answer; an order that was asked for goes on, a card or a car begins one. */
export async function began(tx: Tx, told: BeganSaid): Promise<BeganAnswer> {
  const said = { ...told, ...notAhead(told) }
  const place = await placeOf(tx, said.connectorId)
  // Told twice at once it is heard one after the other.
  await oneAtATime(tx, `charging.began ${said.connectorId}`)
  await holdGun(tx, said.connectorId)
  const again = await sameBegin(tx, place.equipmentId, said)
  if (again) return answerOf(again)
  const before = await refusedBefore(tx, said)
  if (before) return before
  const transactionId = said.transactionId ?? (await nextTransaction(tx))
  await holdStanding(tx, said)
  const wanted = await wantedBy(tx, said)
  const card = wanted ? undefined : await cardOf(tx, said.idTag)
  // And a card that begins at two guns at once begins at one.
  if (card) await oneAtATime(tx, `charging.card ${card.cardNo}`)
  const who = card?.cardNo ?? wanted?.idTag ?? said.idTag
  const kept = said.offline ? undefined : await refusalOf(wanted ? mayBegin(tx, place, who, said.at) : mayBeginUnasked(tx, place, who, said.at))
  const answer = await beginFor(tx, transactionId, said, { place, wanted, card, kept })
  if (answer.orderNo === null) await keepRefusal(tx, said, place.parkCode, answer)
  else {
    // Whoever stood here before charges again, or has left.
    await bayLeft(tx, [said.connectorId], said.at, said.receivedAt)
    await endIfOver(tx, said, place.equipmentId, answer.transactionId)
  }
  if (answer.authorised.accepted && who !== null) await reservationUsed(tx, said.connectorId, who, said.offline ? said.at : said.receivedAt)
  return answer
}
const oneAtATime = (tx: Tx, what: string) => run(tx, { sql: 'select pg_advisory_xact_lock(hashtextextended($1, scope_enterprise()))' }, [what])
async function beginFor(
  tx: Tx,
  transactionId: string,
  said: OnTime,
  { place, wanted, card, kept }: { place: Place; wanted: Charge | undefined; card: CardRow | undefined; kept: Refusal | undefined },
): Promise<BeganAnswer> {
  if (wanted && wanted.connectorId === said.connectorId) return beginWanted(tx, wanted, transactionId, said, kept)
  if (kept) return { orderNo: null, transactionId, authorised: refused('Blocked') }
  const { connectorId, idTag, vin = null, at } = said
  // An order begins at its own gun alone: what its token charged elsewhere while nobody could say no is the debt of whoever it was sold to.
  const authorised = wanted
    ? refused('Invalid')
    : await authoriseCard(tx, { equipmentId: place.equipmentId, connectorId, idTag: idTag ?? '', vin, at }, card)
  if (!authorised.accepted && !said.offline) return { orderNo: null, transactionId, authorised }
  return beginUnasked(tx, transactionId, said, { authorised, place, card, wanted })
}
/** What was answered to this start, where it became no charge. Whoever may begin by now says so by a start of another moment. */
async function refusedBefore(
  tx: Tx,
  { connectorId, transactionId, idTag, toldAt, meterWh, unread = false }: OnTime,
): Promise<BeganAnswer | undefined> {
  const [found] = await run<{ transactionId: string; why: Refused }>(tx, { sql: REFUSED_BEFORE }, [
    connectorId,
    toldAt,
    idTag,
    meterWh,
    transactionId,
    unread,
  ])
  return found && { orderNo: null, transactionId: found.transactionId, authorised: refused(found.why) }
}
const REFUSED_BEFORE = `select transaction_id, why from charging.start_refused where enterprise_id = scope_enterprise() and connector_id = $1 and told_at = $2
  and id_tag is not distinct from $3 and ($6 or meter_wh is not distinct from $4) and ($5::text is null or transaction_id = $5)`
async function keepRefusal(
  tx: Tx,
  { connectorId, idTag, toldAt, meterWh, receivedAt }: OnTime,
  parkCode: string,
  { transactionId, authorised }: BeganAnswer,
): Promise<void> {
  if (authorised.accepted) return
  const values = [connectorId, parkCode, idTag, toldAt, meterWh, transactionId, authorised.why, receivedAt]
  await run(tx, { sql: REFUSAL }, values)
}
const REFUSAL = `insert into charging.start_refused (connector_id, park_code, id_tag, told_at, meter_wh, transaction_id, why, received_at) values ($1, $2, $3, $4, $5, $6, $7, $8)`

interface Orphan {
  idTag: string | null
  meterWh: number | null
  at: Instant
  reason: string
}
/** Its end was told before its beginning, and kept apart as nobody's: it is this one's. Where we name transactions, it had no number then, as `byGun` has it. */
async function endIfOver(tx: Tx, said: OnTime, equipmentId: string, transactionId: string): Promise<void> {
  const { connectorId, idTag, meterWh, at, receivedAt, offline } = said
  const numbered = said.transactionId !== null
  if (!numbered && !offline) return
  const ends = await (numbered
    ? run<Orphan>(tx, { sql: ITS_END }, [equipmentId, transactionId, at])
    : run<Orphan>(tx, { sql: NEXT_END }, [equipmentId, connectorId, idTag, at, meterWh]))
  const last = ends.toSorted((a, b) => msOf(a.at) - msOf(b.at)).at(-1)
  if (!last) return
  const [code] = Object.entries(StopReason.entries).find(([, words]) => paired(words) === last.reason) ?? [StopReason.user]
  const reason = Number(code) as CodeOf<typeof StopReason>
  await ended(tx, { ...last, equipmentId, connectorId, transactionId, reason, receivedAt, offline: true, gap: true })
}
const ITS_END = `delete from charging.orphan where enterprise_id = scope_enterprise() and equipment_id = $1 and transaction_id = $2 and at >= $3 returning id_tag, meter_wh, at, reason`
const NEXT_END = `delete from charging.orphan where enterprise_id = scope_enterprise() and id = (select id from charging.orphan where enterprise_id = scope_enterprise() and equipment_id = $1 and transaction_id ~ '^(0|-[0-9]+)$'
    and (connector_id is null or connector_id = $2) and (id_tag is null or charging.card_key(id_tag) = charging.card_key($3)) and (connector_id is not null or id_tag is not null)
    and at >= $4 and at < $4::timestamptz + interval '48 hours' and coalesce(meter_wh >= $5, true) order by at limit 1)
  returning id_tag, meter_wh, at, reason`

/** What was answered when it began. */
const answerOf = ({ orderNo, transactionId, startRefused }: Charge): BeganAnswer => ({
  orderNo,
  transactionId: transactionId!,
  authorised: startRefused ? refused(startRefused) : { accepted: true, orderNo },
})
type OnTime = BeganSaid & ReturnType<typeof notAhead>
/** The order that a start answers, held behind its gun and its money: by its number, which a start from the console may share, and so its token has to be the one that was said; else by its token. */
async function wantedBy(tx: Tx, { startNo, idTag }: OnTime): Promise<Charge | undefined> {
  const numbered = startNo == null ? undefined : await chargeBy(tx, 'start_no', startNo)
  const isIt = numbered && (idTag === null || numbered.token === idTag.toUpperCase())
  const wanted = isIt ? numbered : idTag ? await chargeBy(tx, 'token', idTag) : undefined
  return wanted && lockWithMoney(tx, wanted.orderNo)
}
const nextTransaction = async (tx: Tx) => (await run<{ no: string }>(tx, { sql: `select nextval('charging.transaction_no')::text as no` }, []))[0]!.no

async function sameBegin(
  tx: Tx,
  equipmentId: string,
  { connectorId, transactionId, idTag, toldAt, untimed = false, meterWh, unread = false }: OnTime,
): Promise<Charge | undefined> {
  if (transactionId !== null) return chargeOf(tx, { equipmentId, transactionId })
  const sql = `select ${COLUMNS} from charging.charge where enterprise_id = scope_enterprise() and connector_id = $1 and (start_time = $2 or start_told = $2 or ($5 and claimed and status in (${OPEN}))) and ($6 or start_wh is not distinct from $3)
    and (id_tag = $4 or token = $4) and transaction_id is not null for update`
  return (await run<Charge>(tx, { sql }, [connectorId, toldAt, meterWh, idTag, untimed, unread]))[0]
}
/**
 * Whoever may begin has the gun from now on. What had not begun there gets its money back; where the end was never told it is over, and a person or later data says how.
 * @returns whether it has the gun: what began off line, before that which has it, is told late and stands beside it; a card that charges elsewhere by now has that gun and not this one
 */
async function takesGun(tx: Tx, { connectorId, at, offline }: OnTime, cardNo: string | null): Promise<boolean> {
  await holdGun(tx, connectorId)
  const [its] = await run<{ orderNo: string }>(tx, { sql: HAS_GUN }, [connectorId])
  if (its) await holdMoney(tx, its.orderNo)
  const charge = await chargeAt(tx, connectorId)
  if (charge && offline && msOf(charge.startTime) > msOf(at)) return false
  if (charge && charge.status <= ChargeStatus.starting) await cancelCharge(tx, charge, Why.anotherBegan, at)
  else if (charge) await moveCharge(tx, charge, 'lose', { event: 'lost', at, note: Why.nextBegan, changes: { endedAt: at, claimed: false } })
  return cardNo === null || !(await chargesElsewhere(tx, cardNo, connectorId))
}
const HAS_GUN = `select order_no from charging.charge where enterprise_id = scope_enterprise() and connector_id = $1 and claimed and status in (${OPEN})`
export async function cancelCharge(tx: Tx, charge: Charge, why: string, at: Instant, byName?: string): Promise<void> {
  await moveCharge(tx, charge, 'cancel', { event: 'cancelled', at, note: why, changes: { claimed: false }, ...(byName && { byName }) })
  const hold = await holdOf(tx, charge.orderNo)
  if (hold) await releaseRest(tx, hold, why, at)
}

const firstFacts = ({ meterWh, soc = null, at, toldAt, idTag, vin, clockFixed }: OnTime, transactionId: string): Partial<Charge> =>
  ({
    transactionId,
    idTag,
    startTime: at,
    startTold: toldAt === at ? null : toldAt,
    startWh: meterWh,
    socStart: soc,
    soc,
    clockFixed,
    claimed: true,
    saidAt: at,
    ...(vin && { vin }),
  }) as Partial<Charge>

async function beginWanted(tx: Tx, charge: Charge, transactionId: string, said: OnTime, kept: Refusal | undefined): Promise<BeganAnswer> {
  const { orderNo } = charge
  const changes = firstFacts(said, transactionId)
  if (charge.status === ChargeStatus.failed && !kept) return beginLate(tx, charge, transactionId, said)
  if (charge.status > ChargeStatus.starting || !charge.claimed)
    return { orderNo: null, transactionId, authorised: refused(kept && charge.status === ChargeStatus.failed ? 'Blocked' : 'Expired') }
  if (kept) {
    await failStart(tx, charge, paired(kept.texts), said.receivedAt)
    return { orderNo: null, transactionId, authorised: refused('Blocked') }
  }
  await moveCharge(tx, charge, 'begin', { event: 'began', at: said.at, changes })
  return { orderNo, transactionId, authorised: { accepted: true, orderNo } }
}
/** The car was plugged in too late: with money held again it goes on, else it is stopped and looked at. */
async function beginLate(tx: Tx, charge: Charge, transactionId: string, said: OnTime): Promise<BeganAnswer> {
  const { orderNo } = charge
  const changes = firstFacts(said, transactionId)
  if (await holdAgain(tx, charge, said.at)) {
    const claimed = await takesGun(tx, said, charge.cardNo)
    await moveCharge(tx, charge, 'begin', { event: 'beganLate', at: said.at, changes: { ...changes, claimed } })
    return { orderNo, transactionId, authorised: { accepted: true, orderNo } }
  }
  await moveCharge(tx, charge, 'lose', {
    event: 'beganUnpaid',
    at: said.at,
    note: Why.tooLate,
    changes: { ...changes, claimed: false, startRefused: 'Expired', stopAskedAt: said.receivedAt },
  })
  await wantStop(tx, { ...charge, transactionId })
  return { orderNo, transactionId, authorised: refused('Expired') }
}
const prepayOf = async (tx: Tx, charge: Charge) => (await placeOf(tx, charge.connectorId)).prepayFen
async function holdAgain(tx: Tx, charge: Charge, at: Instant): Promise<boolean> {
  if (charge.platformId) return true
  const left = charge.cardNo ? await creditLeft(tx, charge.cardNo) : undefined
  if (left) return left.leftFen >= LEAST_FEN && Boolean(await lendCredit(tx, charge, await prepayOf(tx, charge), at))
  if (!charge.ownerId || !(await authoriseOwner(tx, charge.ownerId, at)).accepted) return false
  return Boolean(await freezeStored(tx, charge, await prepayOf(tx, charge), at))
}

/** A card at the pile, a car that is known by its plug, or either of them while the pile was off line. */
async function beginUnasked(
  tx: Tx,
  transactionId: string,
  said: OnTime,
  { authorised, place, card, wanted }: { authorised: Authorised; place: Place; card: CardRow | undefined; wanted: Charge | undefined },
): Promise<BeganAnswer> {
  const takes = await takesGun(tx, said, card?.cardNo ?? null)
  const [car] = !card && said.vin ? await ownerOf.ask(tx, { vin: said.vin }) : []
  const startMode = said.offline ? StartMode.offline : card ? StartMode.card : StartMode.vin
  const owner = card?.ownerId ?? car?.answer.ownerId ?? wanted?.ownerId ?? null
  const plateNo = card?.plateNo ?? car?.answer.plateNo ?? wanted?.plateNo ?? null
  const opened = await openCharge(tx, place, {
    connectorId: said.connectorId,
    startMode,
    ownerId: owner,
    cardNo: card?.cardNo ?? null,
    plateNo,
    plateColor: wanted?.plateColor ?? null,
    vin: said.vin ?? null,
    idTag: said.idTag,
    begun: true,
    at: said.at,
  })
  const why = opened.prices.strategyId === null ? 'Blocked' : authorised.accepted ? null : authorised.why
  const charge = await moveCharge(tx, opened, 'begin', {
    event: said.offline ? 'beganOffline' : 'began',
    at: said.at,
    changes: { ...firstFacts(said, transactionId), claimed: takes, startRefused: why },
  })
  if (authorised.accepted) {
    if (card?.kind === CardKind.company) await lendCredit(tx, charge, place.prepayFen, said.receivedAt)
    else if (owner && card?.kind !== CardKind.staff) await freezeStored(tx, charge, place.prepayFen, said.receivedAt)
  }
  return answerOf(charge)
}

/** Asks the pile to end a charge. Why it was asked is why it stopped, whatever the pile says later. */
export async function askStop(tx: Tx, charge: Charge, reason: CodeOf<typeof StopReason>, at: Instant, byName?: string): Promise<Charge> {
  const asked = await moveCharge(tx, charge, 'stop', {
    event: 'stopAsked',
    at,
    changes: { stopReason: reason, stopAskedAt: at },
    ...(byName && { byName }),
  })
  await wantStop(tx, charge)
  return asked
}
const wantStop = (tx: Tx, { orderNo, equipmentId, connectorId, transactionId }: Charge) =>
  announce(tx, stopWanted, { orderNo, equipmentId, connectorId, transactionId: transactionId! })
/** The pile was asked to end this and goes on. It is asked again, unless a stop is on its way to it. @returns whether it was */
export async function askStopAgain(tx: Tx, charge: Charge, event: 'stopAsked' | 'stopAskedAgain', at: Instant, byName?: string): Promise<boolean> {
  if ((await run(tx, { sql: STOP_ON_ITS_WAY }, [charge.orderNo])).length > 0) return false
  await noteCharge(tx, charge, event, at, null, byName)
  await wantStop(tx, charge)
  return true
}
export const ON_ITS_WAY = `method = ${PileMethod.stop} and state in (${CommandState.queued}, ${CommandState.sent}, ${CommandState.delivered})`
const STOP_ON_ITS_WAY = `select 1 from charging.pile_command where enterprise_id = scope_enterprise() and order_no = $1 and ${ON_ITS_WAY}`

/** A transaction is over. Whatever it is, it is taken, so that the pile stops repeating it: an end that belongs to nothing is kept apart and shown. */
export async function ended(tx: Tx, told: EndedSaid): Promise<{ orderNo: string | null }> {
  const said = { ...told, ...notAhead(told) }
  const charge = await endsNow(tx, said)
  if (!charge || !ENDS.has(charge.status)) return keepOrphan(tx, said)
  const measured = (said.samples ?? []).filter(({ meterWh }) => meterWh != null)
  const { connectorId, parkCode, orderNo } = charge
  await keepSamples(
    tx,
    measured.map((one) => ({ ...one, connectorId, parkCode, orderNo, receivedAt: said.receivedAt })),
  )
  // Another end of the pile's before the bill is noted; told again afterwards it counts.
  const early = charge.status === ChargeStatus.billing && !(charge.endWh === null && said.meterWh !== null) && (await isTold(tx, charge))
  const first = !early && (await firstTold(tx, charge, said))
  const over = charge.status === ChargeStatus.done || charge.status === ChargeStatus.refunding || charge.status === ChargeStatus.refunded
  if (over && first) await endLate(tx, charge, said)
  else if (over || early) await noteCharge(tx, charge, 'endedAgain', said.receivedAt)
  else await endCharge(tx, charge, said)
  return { orderNo: charge.orderNo }
}
/** Held behind its money, which an end that is told after the bill moves. */
async function endsNow(tx: Tx, said: Over): Promise<Charge | undefined> {
  const [numbered] = await run<{ orderNo: string }>(tx, { sql: BY_TRANSACTION }, [said.equipmentId, said.transactionId])
  const orderNo = numbered?.orderNo ?? (await byGun(tx, said))
  if (orderNo === undefined) return undefined
  const charge = await lockWithMoney(tx, orderNo)
  return numbered || RUNS.has(charge.status) ? charge : undefined // of two ends without a number at once the second is nobody's, as one that comes later is
}
const BY_TRANSACTION = 'select order_no from charging.charge where enterprise_id = scope_enterprise() and equipment_id = $1 and transaction_id = $2'
const RUNS: ReadonlySet<number> = new Set([ChargeStatus.charging, ChargeStatus.stopping, ChargeStatus.abnormal])
/** Of two ends that disagree the one that was told last for the first time counts: a pile that repeats the other turns nothing back. */
const firstTold = async (tx: Tx, { orderNo }: Charge, { toldAt, meterWh }: ReturnType<typeof notAhead> & EndedSaid): Promise<boolean> =>
  (await run(tx, { sql: TOLD }, [orderNo, `${msOf(toldAt)} ${meterWh}`])).length > 0
const TOLD = `update charging.charge set ends_told = ends_told || $2::text where enterprise_id = scope_enterprise() and order_no = $1 and $2 <> all (ends_told) returning order_no`
/** Its pile has told its end; else the house or a person has closed it by what was known. */
const isTold = async (tx: Tx, { orderNo }: Charge): Promise<boolean> => (await run(tx, { sql: IS_TOLD }, [orderNo])).length > 0
const IS_TOLD = `select 1 from charging.charge where enterprise_id = scope_enterprise() and order_no = $1 and ends_told <> '{}'`
/** What has begun may end, once or again. */
const ENDS: ReadonlySet<number> = new Set([...RUNS, ChargeStatus.billing, ChargeStatus.done, ChargeStatus.refunding, ChargeStatus.refunded])
type Over = EndedSaid & { clockFixed: boolean }
export async function endCharge(tx: Tx, charge: Charge, { at, meterWh, reason, gap = false, receivedAt, clockFixed }: Over): Promise<Charge> {
  const endTime = msOf(at) < msOf(charge.startTime) ? charge.startTime : at
  // Where a person ends it by an earlier reading, it was charging until the pile said that it was over.
  const free = instantAt(Math.max(msOf(endTime), msOf(charge.occupiedFrom ?? endTime)))
  const finalDueAt = laterBy(receivedAt, gap || meterWh === null ? GAP_MS : TRUSTED_MS)
  const stopped: Partial<Charge> = {
    endTime,
    endWh: meterWh,
    endedAt: receivedAt,
    finalDueAt,
    stopReason: charge.stopReason ?? reason,
    clockFixed: charge.clockFixed || clockFixed,
    occupiedFrom: charge.suspendedAt ?? free,
    claimed: false,
    powerW: 0,
    running: null,
    ...(charge.startWh === null && { startWh: meterWh }),
  } as Partial<Charge>
  const billing = charge.status === ChargeStatus.billing
  const closed = billing
    ? await setCharge(tx, charge, stopped, receivedAt)
    : await moveCharge(tx, charge, 'end', { event: 'ended', at: endTime, changes: stopped })
  const { elecFen, serviceFen, discountFen, energyWh } = await costBy(tx, closed)
  const shown = await setCharge(tx, closed, { elecFen, serviceFen, discountFen, energyWh } as Partial<Charge>, receivedAt)
  await addJob(tx, finaliseDue, { orderNo: charge.orderNo }, { runAt: finalDueAt, key: `charging.finalise:${charge.orderNo}` })
  return shown
}
/** Told after the bill: the bill stays, and what differs is a bill of its own. An end that cannot be changes nothing. */
async function endLate(tx: Tx, charge: Charge, { at, meterWh, receivedAt }: Over): Promise<void> {
  const endTime = msOf(at) < msOf(charge.startTime) ? charge.startTime : at
  const told = { ...charge, endTime, endWh: meterWh } as Charge
  const another = meterWh !== null && (meterWh !== charge.endWh || msOf(endTime) !== msOf(charge.endTime!)) && (await costBy(tx, told)).sane
  const known = another ? await setCharge(tx, charge, { endTime, endWh: told.endWh }, receivedAt) : charge
  if (!another || !(await settleLate(tx, known, receivedAt))) await noteCharge(tx, known, 'endedAgain', receivedAt)
}
/** An end without a number, as piles have it that were off line: of the charge at that gun and with that card that was running then. Of a number that we do not know, a refused start's for example, it is nobody's. */
async function byGun(tx: Tx, { equipmentId, transactionId, connectorId = null, idTag = null, at }: Over): Promise<string | undefined> {
  if (!(Number(transactionId) <= 0)) return undefined
  const sql = `select order_no from charging.charge where enterprise_id = scope_enterprise() and equipment_id = $1 and ($2::text is null or connector_id = $2) and ($3::text is null or charging.card_key(id_tag) = charging.card_key($3) or token = upper($3))
    and status in (${ChargeStatus.charging}, ${ChargeStatus.stopping}, ${ChargeStatus.abnormal}) and start_time <= $4 and start_time > $4::timestamptz - interval '48 hours'
    and ($2::text is not null or $3::text is not null) order by start_time desc limit 1`
  return (await run<{ orderNo: string }>(tx, { sql }, [equipmentId, connectorId, idTag, at]))[0]?.orderNo
}
async function keepOrphan(
  tx: Tx,
  { equipmentId, connectorId = null, transactionId, idTag = null, meterWh, at, receivedAt, reason }: Over,
): Promise<{ orderNo: null }> {
  const sql = `insert into charging.orphan (equipment_id, connector_id, park_code, transaction_id, id_tag, meter_wh, at, received_at, reason)
    select equipment_id, $2, park_code, $3, $4, $5, $6, $7, $8 from charging.equipment where enterprise_id = scope_enterprise() and equipment_id = $1 on conflict do nothing`
  await run(tx, { sql }, [equipmentId, connectorId, transactionId, idTag, meterWh, at, receivedAt, paired(StopReason.entries[reason])])
  return { orderNo: null }
}

/** The bill of a charge that is over, when nothing more is to be waited for. */
export const finaliseDue = task<{ orderNo: string }>('charging.finalise', ({ tx, data, at }) => billWhenDue(tx, data.orderNo, at))
export async function billWhenDue(tx: Tx, orderNo: string, at: Instant): Promise<void> {
  const charge = await lockWithMoney(tx, orderNo)
  if (charge.finalDueAt !== null && msOf(charge.finalDueAt) <= msOf(at)) await finalise(tx, charge, at)
}

const isLeft = (status: number) => status !== ConnectorStatus.plugged && status !== ConnectorStatus.charging
/** Whoever a gun's word about its plug is about is held before what is kept of the gun: whatever it measures is told of them first. */
export const holdPlugged = (tx: Tx, connectorId: string, status: number, at: Instant) =>
  holdThere(tx, [{ connectorId, at: isLeft(status) ? at : null }])
/** A gun's word about its plug: how long a car that is full stands there, and when it has gone. */
export async function plugSaid(
  tx: Tx,
  connectorId: string,
  { status, raw, at, receivedAt }: { status: number; raw: string; at: Instant; receivedAt: Instant },
): Promise<void> {
  const running = await chargeAt(tx, connectorId)
  if (running && running.status !== ChargeStatus.waiting) {
    const suspendedAt = raw === 'SuspendedEV' ? (running.suspendedAt ?? at) : status === ConnectorStatus.charging ? null : running.suspendedAt
    if (suspendedAt !== running.suspendedAt) await setCharge(tx, running, { suspendedAt }, receivedAt)
  }
  if (isLeft(status)) await bayLeft(tx, [connectorId], at, receivedAt)
}
/** Nobody hears of these piles any more: whether a car stands at their guns, and asks for nothing, is not known from `last` on. */
export async function plugsUnheard(tx: Tx, piles: readonly { equipmentId: string; last: Instant }[], at: Instant): Promise<void> {
  const guns: { connectorId: string; at: Instant }[] = []
  for (const { equipmentId, last } of piles)
    guns.push(...(await run<{ connectorId: string }>(tx, { sql: GUNS }, [equipmentId])).map(({ connectorId }) => ({ connectorId, at: last })))
  await holdThere(tx, guns)
  for (const { connectorId, at: last } of guns) {
    const running = await chargeAt(tx, connectorId)
    if (running?.suspendedAt) await setCharge(tx, running, { suspendedAt: null }, at)
    await bayLeft(tx, [connectorId], last, at)
  }
}
/** Who charges at these guns, and who stood there until `at`, held in the order in which what is measured of many guns holds them: whoever stood there is billed, so behind their money. */
async function holdThere(tx: Tx, guns: readonly { connectorId: string; at: Instant | null }[]): Promise<void> {
  const values = [guns.map(({ connectorId }) => connectorId), guns.map(({ at }) => at)]
  const there = await run<{ orderNo: string; stands: boolean }>(tx, { sql: THERE }, values)
  for (const { orderNo, stands } of there) if (stands) await holdMoney(tx, orderNo)
  for (const { orderNo } of there) await lockCharge(tx, orderNo)
}
/** Whoever stood at the gun, which is held, is billed when this begins: their money is held before that of this charge, in which order a bill has them too. */
async function holdStanding(tx: Tx, { connectorId, at }: OnTime): Promise<void> {
  for (const { orderNo } of await run<{ orderNo: string }>(tx, { sql: STANDING }, [[connectorId], at])) await lockWithMoney(tx, orderNo)
}
/** When it was left and when that is known are two moments: money is booked now. */
async function bayLeft(tx: Tx, connectorIds: readonly string[], left: Instant, at: Instant): Promise<void> {
  for (const { orderNo } of await run<{ orderNo: string }>(tx, { sql: STANDING }, [connectorIds, left])) {
    const charge = await lockWithMoney(tx, orderNo)
    if (charge.occupiedFrom === null || charge.occupiedTo !== null) continue
    await billOccupancy(tx, await setCharge(tx, charge, { occupiedTo: instantAt(Math.max(msOf(left), msOf(charge.occupiedFrom))) }, at), at)
  }
}
const STANDS = 'occupied_from is not null and occupied_to is null and end_time is not null'
const STANDING = `select order_no from charging.charge where enterprise_id = scope_enterprise() and connector_id = any($1) and ${STANDS} and start_time <= $2 order by order_no`
const THERE = `select order_no, false as stands from charging.charge where enterprise_id = scope_enterprise() and connector_id = any($1) and claimed and status in (${OPEN})
  union all select c.order_no, true from unnest($1::text[], $2::timestamptz[]) as g (connector_id, at) join charging.charge c on c.enterprise_id = scope_enterprise() and c.connector_id = g.connector_id
    where ${STANDS} and c.start_time <= g.at order by order_no`
