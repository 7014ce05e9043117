import type { Fen, Instant, Of } from '../../../platform/contract/field.ts'
import { type Source, sourceOf } from '../../../platform/server/record/known.ts'
import { laneBoard } from '../contract/laneBoard.ts'
import { LaneCheck, LaneOutcome, PayState, SessionStatus, stay, type Stay, StayPlace, type Tried } from '../contract/stay.ts'

const STAYS = '/operation/record/parking/parkingRecord'
type StayRow = Pick<Of<typeof Stay>, 'id' | 'status' | 'payState'> & { plateNo: string; at: Instant; payableFen: Fen; parkName: string }
const STAY = `select s.id, s.plate_no, s.status, s.pay_state, s.seen_at as at, s.payable_fen, p.name as park_name from parking.stay s
  join parking.park p on p.enterprise_id = s.enterprise_id and p.park_code = s.park_code
  where s.enterprise_id = scope_enterprise() and s.third_platform is null and s.p_type = ${StayPlace.park}`

interface DecisionRow {
  id: string
  stayId: string | null
  plateNo: string
  outcome: keyof typeof LaneOutcome.entries
  checks: Tried[]
  at: Instant
  gateName: string | null
}

/** Stays in parks, and what lanes decided: a refusal has no stay, so that it is found here alone. */
export const known: Source[] = [
  sourceOf<StayRow>()({
    name: 'parking.stay',
    label: ['停车记录', 'Stays'],
    needs: stay.queryPage.needs,
    by: {
      plate: { sql: `${STAY} and s.plate_no = $1 order by s.seen_at desc, s.id desc limit $2` },
      code: {
        sql: `${STAY} and s.id = (select o.stay_id from settlement.order o where o.enterprise_id = scope_enterprise() and o.order_no = $1) limit $2`,
      },
    },
    tell: ({ id, plateNo, status, payState, at, payableFen, parkName }) => {
      const [zh, en] = SessionStatus.entries[status]
      const [payZh, payEn] = PayState.entries[payState]
      return {
        key: id,
        title: plateNo,
        zh: `${parkName}，${zh}，${payZh}`,
        en: `${parkName}, ${en}, ${payEn}`,
        at,
        amountFen: payableFen,
        path: `${STAYS}/${id}`,
      }
    },
  }),
  sourceOf<DecisionRow>()({
    name: 'parking.decision',
    label: ['通道决定', 'Lane decisions'],
    needs: laneBoard.state.needs,
    by: {
      plate: {
        sql: `select d.id, d.stay_id, d.plate_no, d.outcome, d.checks, d.at, g.name as gate_name from parking.decision d
        left join parking.gate g on g.enterprise_id = d.enterprise_id and g.park_code = d.park_code and g.gate_code = d.gate_code
        where d.enterprise_id = scope_enterprise() and d.plate_no = $1 order by d.received_at desc limit $2`,
      },
    },
    tell: ({ id, stayId, plateNo, outcome, checks, at, gateName }) => {
      const [zh, en] = LaneOutcome.entries[outcome]
      const [whyZh, whyEn] = triedIn(checks)
      return {
        key: id,
        title: plateNo,
        zh: `${gateName ?? ''} ${zh}：${whyZh}`.trim(),
        en: `${gateName ?? ''} ${en}: ${whyEn}`.trim(),
        at,
        path: stayId && `${STAYS}/${stayId}`,
      }
    },
  }),
]

/** Which checks were tried, and what decided. Long ones are cut: the stay has them whole. */
const CHECKS_SAID = 300
function triedIn(checks: readonly Tried[]): [zh: string, en: string] {
  const said = (language: 0 | 1) =>
    checks
      .map((one) => `${one.hit ? '✓' : ''}${LaneCheck.entries[one.check][language]} ${language === 0 ? one.zh : one.en}`)
      .join(language === 0 ? '；' : '; ')
      .slice(0, CHECKS_SAID)
  return [said(0), said(1)]
}
