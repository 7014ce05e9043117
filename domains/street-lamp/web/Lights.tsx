import type { Of } from '../../../platform/contract/field.ts'
import { nearTime, time } from '../../../platform/web/format.ts'
import { useText } from '../../../platform/web/text.ts'
import { State } from '../../../platform/web/value.tsx'
import { AlarmCode } from '../contract/alarm.ts'
import { Relay, Wanted, type WiringStatus } from '../contract/wiring.ts'

export type Circuit = Of<typeof WiringStatus>

/** Shows a circuit's wanted state. The tooltip says who wants it; a program goes on by itself, anything else is named. */
export function WantedState({ of: { relayWanted, dimWanted, wantedBy, overrideUntil, overrideName, program } }: { of: Circuit }) {
  const say = useText()
  const who = wantedBy === Wanted.program ? program : overrideUntil && `${overrideName} ${say(['至', 'until'])} ${time(overrideUntil)}`
  return (
    <span title={`${say(Wanted.entries[wantedBy])} ${who ?? ''}`}>
      {relayWanted === null ? <span className="faint">--</span> : <State dictionary={Relay} value={relayWanted} />}
      {relayWanted === Relay.on && ` ${dimWanted}%`}{' '}
      {(relayWanted === null || wantedBy !== Wanted.program) && (
        <span className="faint">
          {say(Wanted.entries[wantedBy])} {overrideUntil && `${say(['至', 'until'])} ${nearTime(overrideUntil)}`}
        </span>
      )}
    </span>
  )
}
/** Shows the state that was read back; an old reading is marked as such. */
export function ReadState({ of: { relay, dim, relayWanted, stale, readAt } }: { of: Circuit }) {
  const say = useText()
  if (relay === null) return <span className="faint">{say(['从未回读', 'Never read'])}</span>
  const differs = relayWanted !== null && relayWanted !== relay && !stale
  return (
    <>
      <State dictionary={Relay} value={relay} />
      {relay === Relay.on && ` ${dim ?? '--'}%`} {differs && <span className="state warning">{say(['与应为不符', 'not as expected'])}</span>}
      {stale && (
        <span className="faint">
          {say(['读数过期', 'stale'])} {readAt && <time title={time(readAt)}>{nearTime(readAt)}</time>}
        </span>
      )}
    </>
  )
}
export function Alarms({ of: { alarms } }: { of: Circuit }) {
  if (alarms.length === 0) return <span className="faint">--</span>
  return (
    <>
      {alarms.map((code) => (
        <span key={code}>
          <State dictionary={AlarmCode} value={code} />{' '}
        </span>
      ))}
    </>
  )
}
