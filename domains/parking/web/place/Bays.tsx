import { plural } from '../../../../platform/contract/plural.ts'
import { useText } from '../../../../platform/web/text.ts'
import { count } from '../../../../platform/web/format.ts'

/** How full a park is: free of all, and a bar of the bays taken. Amber from nine tenths, red when full. */
const NEARLY_FULL = 0.9
export function Bays({ total, free, present }: { total: number; free: number; present: number }) {
  const say = useText()
  const taken = total > 0 ? Math.min(1, (total - free) / total) : 1
  const rest = free + present !== total
  const look = free === 0 ? 'full' : taken >= NEARLY_FULL ? 'nearly' : ''
  return (
    <span
      className={`bays ${look}`}
      title={say([
        `共 ${total}，余 ${free}，在场 ${present}${rest ? '（余位另计预约保留与人工调整）' : ''}`,
        `${total} ${plural(total, 'bay')}, ${free} free, ${present} ${plural(present, 'car')} present${rest ? ' (bays held for reservations or adjusted by hand count too)' : ''}`,
      ])}
    >
      <span className="bar" aria-hidden="true">
        <i style={{ width: `${taken * 100}%` }} />
      </span>
      <b>{count(free)}</b>
      <span className="faint"> / {count(total)}</span>
      {free === 0 && <em>{say(['满', 'Full'])}</em>}
    </span>
  )
}

/** When a park is open; the same time twice is day and night. */
export function Hours({ of }: { of: { openFrom: string; openTo: string } }) {
  const say = useText()
  return <>{of.openFrom === of.openTo ? say(['全天', '24 hours']) : `${of.openFrom} – ${of.openTo}`}</>
}
