import type { Of } from '../../../platform/contract/field.ts'
import { time } from '../../../platform/web/format.ts'
import { useText } from '../../../platform/web/text.ts'
import { State, Time } from '../../../platform/web/value.tsx'
import { AlarmCode } from '../contract/alarm.ts'
import { Relay, Wanted, type WiringStatus } from '../contract/wiring.ts'

export type Circuit = Of<typeof WiringStatus>

/** What a circuit should be, and who says so. */
export function WantedState({
  of: { relayWanted, dimWanted, wantedBy, overrideUntil, overrideName, program },
  brief,
}: {
  of: Circuit
  brief?: true
}) {
  const say = useText()
  // Among other columns a program that goes on by itself is named when it is pointed at.
  if (brief && relayWanted !== null && wantedBy === Wanted.program)
    return (
      <span title={`${say(Wanted.entries[wantedBy])} ${program ?? ''}`}>
        <State dictionary={Relay} value={relayWanted} /> {relayWanted === 1 && `${dimWanted}%`}
      </span>
    )
  return (
    <>
      {relayWanted === null ? <span className="faint">--</span> : <State dictionary={Relay} value={relayWanted} />}
      {relayWanted === 1 && ` ${dimWanted}%`} <span className="faint">{say(Wanted.entries[wantedBy])}</span>{' '}
      {overrideUntil ? (
        <span className="faint">
          {overrideName} {say(['至', 'until'])} <Time at={overrideUntil} />
        </span>
      ) : (
        wantedBy === Wanted.program && <span className="faint">{program}</span>
      )}
    </>
  )
}
/** What it was read to be; old readings are called so, and tell among other columns since when to whoever points at them. */
export function ReadState({ of: { relay, dim, relayWanted, stale, readAt }, brief }: { of: Circuit; brief?: true }) {
  const say = useText()
  if (relay === null) return <span className="faint">{say(['从未回读', 'Never read'])}</span>
  const differs = relayWanted !== null && relayWanted !== relay && !stale
  return (
    <>
      <State dictionary={Relay} value={relay} />
      {relay === 1 && ` ${dim ?? '--'}%`} {differs && <span className="state warning">{say(['与应为不符', 'not as expected'])}</span>}
      {stale && (
        <span className="faint" title={brief && readAt ? time(readAt) : undefined}>
          {say(['读数过期', 'stale'])} {!brief && <Time at={readAt} />}
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
