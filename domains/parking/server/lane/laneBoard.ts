import { randomUUIDv7 } from 'node:crypto'
import type { CodeOf, Fen, Id, Instant, Of } from '../../../../platform/contract/field.ts'
import { because } from '../../../../platform/server/record/audit.ts'
import { dayOf } from '../../../../platform/contract/time.ts'
import { columnsIn } from '../../../../platform/contract/names.ts'
import { impliedColor } from '../../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { NotFound, refusal } from '../../../../platform/server/refusal.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { commandsOf, devicesOf } from '../../../device/server/api.ts'
import { Direction } from '../../contract/gate.ts'
import { type Board, type Lane, LaneAnswer, laneBoard, LaneState, type PassageRow } from '../../contract/laneBoard.ts'
import { Decision, type DecisionId, LaneOutcome } from '../../contract/stay.ts'
import { decideAgain } from './again.ts'
import { GateLocked, letGo, reasonOf } from './byHand.ts'
import { plateTyped, WrongTimes } from '../stay/correction.ts'
import { asksPerson, holdLane, isKeptOpen, laneOf, setLane, showLines, writeDecision } from './lane.ts'
import { insidePark, occupancyOf } from '../place/occupancy.ts'
import { BACK_OUT_MIN, clearLane } from './passing.ts'
import { daysOf } from '../report/passTime.ts'
import { askedAbout, knownAs, type Sighting } from './sighting.ts'
import type { LaneRecord } from '../tables.ts'
import { Said } from '../../contract/said.ts'

const NotAsking = refusal(
  'parking.not-asking',
  40811,
  '该通道的问题已处理，或已换车，请看该车道的最新卡片',
  'This lane was already handled, or another car is there now: look at the lane’s current card',
)
const SayMore = refusal('parking.say-more', 40812, '请选择停车记录，或填写入场时间、车牌', 'Choose a stay, or enter the entry time or the plate', 422)

const SayWhy = refusal('parking.say-why', 40813, '出口放行请选择原因', 'At an exit choose a reason for letting the car pass', 422)
const NoFeeHere = refusal(
  'parking.no-fee-here',
  40899,
  '入口不收费，也不匹配停车记录：请放行、拒绝或修正车牌',
  'An entrance takes no fee and matches no stay: let the car pass, turn it away or correct its plate',
  422,
)

const SayWhose = refusal(
  'parking.say-whose',
  40814,
  '还不知道是哪次停车：请先匹配停车记录、修正车牌或补录入场时间',
  'It is not known yet which stay this is: match a stay, correct the plate or enter the entry time first',
)

export const calls = serve(laneBoard, {
  state: ({ tx, input, at }) => boardOf(tx, input.parkCode, at),
  async answer({ tx, input, at, actor }) {
    const asked = await questionOf(tx, input.gateCode, input.decisionId)
    await because(tx, whyAnswered(asked, input))
    if (input.answer === LaneAnswer.refuse) return refuse(tx, asked, at, actor.userName)
    const { answer } = input
    const isMisread = answer === LaneAnswer.plate
    if (OF_EXITS.includes(answer) && asked.direction !== Direction.exit) throw NoFeeHere()
    if ((answer === LaneAnswer.match && !input.stayId) || (answer === LaneAnswer.enteredAt && !input.entryTime) || (isMisread && !input.plateNo))
      throw SayMore()
    if (answer === LaneAnswer.enteredAt && Date.parse(input.entryTime!) > Date.parse(asked.at)) throw WrongTimes()
    if (answer === LaneAnswer.ruleNow && (await laneOf(tx, input.gateCode)).lane?.stayId == null) throw SayWhose()
    const car = { ...(input.plateNo ? typed(asked, plateTyped(input.plateNo, true)) : asked), receivedAt: at, live: true, gone: false }
    // The other car of that plate, wherever it stands, waits until this one is decided.
    if (input.plateNo) await holdLane(tx, car)
    if (answer === LaneAnswer.pass) return letGo(tx, car, input.fee, actor, at)
    await decideAgain(tx, car, {
      by: actor.userName,
      ...(answer === LaneAnswer.match && { stayId: input.stayId! }),
      ...(answer === LaneAnswer.enteredAt && { entryTime: input.entryTime! }),
      ...(isMisread && { otherPlate: true }),
      ...(answer === LaneAnswer.ruleNow && { ruleNow: true }),
    })
  },
})
/** What only an exit is answered. */
const OF_EXITS: readonly number[] = [LaneAnswer.match, LaneAnswer.enteredAt, LaneAnswer.ruleNow]
const typed = (asked: Sighting, plateNo: string): Sighting => knownAs(asked, { plateNo, plateColor: impliedColor(plateNo) ?? asked.plateColor })
/** Why it was answered so; whoever lets a car out says why. @throws SayWhy */
function whyAnswered({ direction }: Sighting, { answer, reason, fee, remark }: Of<typeof laneBoard.answer.input>): string {
  if (answer !== LaneAnswer.pass || direction !== Direction.exit) return remark ?? ANSWERS[answer]
  if (reason === undefined) throw SayWhy()
  return reasonOf({ reason, fee, remark })
}
const ANSWERS = { 1: Said.pass, 2: Said.refused, 3: Said.matched, 4: Said.entryTyped, 5: Said.plateTyped, 6: Said.ruleNow } as const

/** The car that a lane asks about. `decisionId` names the question, so that an answer never reaches the next car. */
async function questionOf(tx: Tx, gateCode: string, decisionId: Id<DecisionId>): Promise<Sighting> {
  const { gate } = await laneOf(tx, gateCode)
  await holdLane(tx, gate)
  const { lane } = await laneOf(tx, gateCode)
  if (gate.lockedBy !== null) throw GateLocked({ by: gate.lockedBy })
  const car = lane && askedAbout(lane)
  if (!car || !asksPerson(lane) || lane.decisionId !== decisionId) throw NotAsking()
  return car
}

async function refuse(tx: Tx, car: Sighting, at: Instant, by: string): Promise<void> {
  const { gate, lane } = await laneOf(tx, car.gateCode)
  const id = randomUUIDv7() as Id<DecisionId>
  const checks = lane?.checks ?? []
  await Promise.all([
    writeDecision(tx, { ...car, receivedAt: at }, { id, stayId: lane?.stayId ?? null, outcome: LaneOutcome.refuse, checks, by }),
    showLines(tx, gate, [car.plateNo, '请离开通道']),
    car.direction === Direction.entrance
      ? clearLane(tx, gate)
      : setLane(tx, gate, { ...lane!, state: LaneState.refused, outcome: LaneOutcome.refuse, decisionId: id, asked: car }),
  ])
}

/** A board shows so many passages; the rest is in the records. */
const RECENT_MAX = 30
/** They are looked for among so many decisions: hardly a car is decided about more often. */
const DECISIONS_MAX = 3 * RECENT_MAX

async function boardOf(tx: Tx, parkCode: string, at: Instant): Promise<Of<typeof Board>> {
  const today = dayOf(at)
  const [park, rows, recent, inside, devices, [passToday = null]] = await Promise.all([
    tx.selectFrom('parking.park').selectAll().where('parkCode', '=', parkCode).executeTakeFirst(),
    run<LaneLine>(tx, { sql: LANES }, [parkCode]),
    passagesOf(tx, parkCode),
    insidePark(tx, parkCode),
    devicesOf(tx, parkCode),
    daysOf(tx, today, today, parkCode),
  ])
  if (!park) throw NotFound()
  const commands = await commandsOf(
    tx,
    rows.flatMap(({ commandId }) => commandId ?? []),
  )
  const lanes = rows.map((row): Of<typeof Lane> => {
    const { openRef: _, asked: __, gateAt: ___, direction, gateDirection, commandId, barrierId, ...lane } = row
    const device = devices.find(({ sn, gateCode }) => (barrierId ? sn === barrierId : gateCode === lane.gateCode))
    const command = commands.find(({ id }) => id === commandId)
    return {
      ...lane,
      direction: gateDirection,
      heading: (lane.state ?? LaneState.free) === LaneState.free ? null : (direction as Of<typeof Lane>['heading']),
      online: device?.online ?? false,
      openAll: park?.openAllFrom != null,
      keptOpenUntil: isKeptOpen(row, at) ? row.keptOpenUntil : null,
      state: lane.state ?? LaneState.free,
      dueFen: lane.dueFen ?? (0 as Fen),
      checks: lane.checks ?? [],
      candidates: lane.candidates ?? [],
      command: command ? { id: command.id, method: command.method, state: command.state as never, at: command.createdAt, said: command.said } : null,
    }
  })
  const { name, totalBays, openAllFrom, openAllBy } = park
  return { parkCode, name, totalBays, openAllFrom, openAllBy, ...occupancyOf(park, inside), passToday, lanes, recent }
}
type LaneLine = Omit<LaneRecord, 'direction'> &
  Pick<Of<typeof Lane>, 'name' | 'status' | 'lockedBy' | 'carKind' | 'entryTime' | 'entryMode' | 'orderId' | 'payState'> & {
    direction: number | null
    gateDirection: CodeOf<typeof Direction>
    barrierId: string | null
  }
type Told = PassageRow & { knownNo: string | null; knownColor: PassageRow['plateColor'] }
async function passagesOf(tx: Tx, parkCode: string): Promise<PassageRow[]> {
  const told = await run<Told>(tx, { sql: RECENT }, [parkCode])
  return told.map(({ knownNo, knownColor, ...row }) => (knownNo === null ? row : { ...row, plateNo: knownNo, plateColor: knownColor }))
}
const DECISION = columnsIn(Decision)
/**
 * Decisions about one car that stands at a gate are one passage, told by the newest that says anything: it was put right, asked again or read once more. A car that was let through and is
 * read anew passes once more, which is a passage of its own. A stay that was corrected since goes on as the record that took its place, under the plate that is known by now.
 */
const RECENT = `with recursive decided as (
    select ${DECISION} from parking.decision where enterprise_id = scope_enterprise() and park_code = $1 order by received_at desc, id desc limit ${DECISIONS_MAX}
  ), passage as (
    select * from decided d where not exists (
      select from decided l where l.gate_code = d.gate_code and l.direction = d.direction
        and (l.at = d.at or (l.at - d.at between interval '-${BACK_OUT_MIN} minutes' and interval '${BACK_OUT_MIN} minutes' and (l.stay_id = d.stay_id or (d.stay_id is null and l.plate_no = d.plate_no))))
        and (l.outcome <> ${LaneOutcome.ignore}, l.received_at, l.id) > (d.outcome <> ${LaneOutcome.ignore}, d.received_at, d.id)
    ) order by received_at desc, id desc limit ${RECENT_MAX}
  ), became as (
    select stay_id, stay_id as id, 0 as step from passage where stay_id is not null
    union select b.stay_id, s.id, b.step + 1 from became b join parking.stay s on s.enterprise_id = scope_enterprise() and s.corrected_from = b.id
  )
  select p.*, s.status, s.pay_state, s.plate_no as known_no, s.plate_color as known_color from passage p
    left join lateral (select status, pay_state, plate_no, plate_color from became b join parking.stay t on t.id = b.id where b.stay_id = p.stay_id order by b.step desc limit 1) s on true
  order by p.received_at desc, p.id desc`
const LANES = `select g.gate_code, g.park_code, g.name, g.direction as gate_direction, g.status, g.locked_by, g.barrier_id, l.gate_state, l.gate_at, l.kept_open_until, l.state, l.since, l.stay_id, l.decision_id, l.direction, l.plate_no,
    l.plate_color, l.image, l.due_fen, l.outcome, l.checks, l.candidates, l.asked, l.open_ref, l.command_id, s.entry_time, s.entry_mode, coalesce(l.due_order_id, s.order_id) as order_id, s.pay_state, coalesce(s.car_kind_out, s.car_kind_in) as car_kind
  from parking.gate g left join parking.lane l on l.enterprise_id = g.enterprise_id and l.gate_code = g.gate_code left join parking.stay s on s.id = l.stay_id
  where g.enterprise_id = scope_enterprise() and g.park_code = $1 and not g.deleted order by g.gate_code`
