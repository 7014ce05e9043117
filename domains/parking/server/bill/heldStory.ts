import type { Id, Instant, Of } from '../../../../platform/contract/field.ts'
import { columnsIn } from '../../../../platform/contract/names.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { HeldBill, HeldState } from '../../contract/heldBill.ts'
import { type StayId, type StoryEvent, StoryEventKind } from '../../contract/stay.ts'
import { yuan } from '../lane/admission.ts'
import { heldInWords } from './holding.ts'

type Event = Of<typeof StoryEvent>
type Row = Of<typeof HeldBill>

/** Each check of these stays' fees: why it was held, and what a person said of it, or that the car was let go before anybody did. */
export async function heldEvents(tx: Tx, ids: readonly Id<StayId>[]): Promise<Event[]> {
  return (await run<Row>(tx, HELD, [ids])).flatMap((row) => {
    const [zh, en] = heldInWords(row)
    const [zhWaits, enWaits] = HeldState.entries[HeldState.waiting]
    const first = event(row.heldAt, [`${zhWaits}：${zh}`, `${enWaits}: ${en}`], null)
    return row.decidedAt === null ? [first] : [first, event(row.decidedAt, decidedInWords(row), row.decidedBy)]
  })
}
const COLUMNS = columnsIn(HeldBill)
const HELD = {
  sql: `select ${COLUMNS} from parking.held_bill where enterprise_id = scope_enterprise() and stay_id = any($1::uuid[]) order by held_at, id`,
}

function decidedInWords({ state, amountFen, setFen, reason }: Row): [zh: string, en: string] {
  const [zh, en] = HeldState.entries[state]
  if (state === HeldState.anew) return [zh, en]
  const askedFen = setFen ?? amountFen
  const because = reason === null ? ['', ''] : [`：${reason}`, `: ${reason}`]
  return [`${zh}，本次停车计 ${yuan(askedFen)} 元${because[0]}`, `${en}, ¥${yuan(askedFen)} for the stay${because[1]}`]
}

const event = (at: Instant, [zh, en]: readonly [string, string], by: string | null): Event => ({
  ...{ at, zh, en, by, kind: StoryEventKind.feeCheck },
  gateCode: null,
  image: null,
})
