import { useText } from '../../../platform/web/text.ts'
import { State } from '../../../platform/web/value.tsx'
import { LaneCheck, LaneOutcome, type Tried } from '../contract/stay.ts'

/** The checks of a lane in the order they were tried; the one that decided stands out. Why was it refused, why was it let in. */
export function Checks({ checks, outcome }: { checks: readonly Tried[]; outcome?: keyof typeof LaneOutcome.entries | null | undefined }) {
  const say = useText()
  return (
    <ol className="checks">
      {checks.map((one) => (
        <li key={one.check} className={one.hit ? 'hit' : ''}>
          <span className="mark" aria-hidden="true" />
          <span className="check">{say(LaneCheck.entries[one.check])}</span>
          <span className="said">
            {say([one.zh, one.en])}
            {one.hit && outcome && (
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
