import { plural } from '../../../../platform/contract/plural.ts'
import { useText } from '../../../../platform/web/text.ts'
import { State } from '../../../../platform/web/value.tsx'
import { LaneCheck, LaneOutcome, type Tried } from '../../contract/stay.ts'

interface Props {
  checks: readonly Tried[]
  outcome?: keyof typeof LaneOutcome.entries | null | undefined
  /** Only what was found is seen at first: in which stay, by whose hand, and what decided. */
  folded?: boolean
}
/** The checks of a lane in the order they were tried; the one that decided stands out. Why was it refused, why was it let in. */
export function Checks({ checks, outcome, folded }: Props) {
  const say = useText()
  const decided = checks.findLast(({ hit }) => hit)
  const rest = checks.filter(({ hit }) => !hit)
  if (!folded || rest.length === 0) return <List checks={checks} decided={decided} outcome={outcome} />
  return (
    <>
      <List checks={checks.filter(({ hit }) => hit)} decided={decided} outcome={outcome} />
      <details className="checks-rest">
        <summary>{say([`另外查过 ${rest.length} 项`, `${rest.length} ${plural(rest.length, 'other check')}`])}</summary>
        <List checks={rest} />
      </details>
    </>
  )
}

function List({ checks, decided, outcome }: Props & { decided?: Tried | undefined }) {
  const say = useText()
  return (
    <ol className="checks">
      {checks.map((one) => (
        <li key={one.check} className={one === decided ? 'hit' : ''}>
          <span className="mark" aria-hidden="true" />
          <span className="check">{say(LaneCheck.entries[one.check])}</span>
          <span className="said">
            {say([one.zh, one.en])}
            {one === decided && outcome && (
              <b>
                <State dictionary={LaneOutcome} value={outcome} />
              </b>
            )}
          </span>
        </li>
      ))}
    </ol>
  )
}
