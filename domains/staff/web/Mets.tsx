import { useText } from '../../../platform/web/text.ts'
import { type Line, type Met, metWords, sorted } from './roster.ts'

const SHOWN = 20
/** Lists conflicts: person, day and kind; those of one person together, in the order of their days. */
export function Mets({ met, lines }: { met: readonly Met[]; lines: readonly Line[] }) {
  const say = useText()
  const names = new Map(lines.map(({ tollNo, name }) => [tollNo, name]))
  return (
    <ul className="roster-met">
      {sorted(met)
        .slice(0, SHOWN)
        .map((one, n) => (
          <li key={n}>{`${names.get(one.tollNo) ?? ''} ${one.tollNo} ${say(metWords(one))}`.trim()}</li>
        ))}
      {met.length > SHOWN && <li>{say([`另有 ${met.length - SHOWN} 处`, `and ${met.length - SHOWN} more`])}</li>}
    </ul>
  )
}
