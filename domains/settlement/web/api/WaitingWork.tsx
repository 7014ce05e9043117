import { useQuery } from '@tanstack/react-query'
import type { Figure, Listed } from '../../../../platform/contract/figure.ts'
import { asks } from '../../../../platform/web/ask.ts'
import { cityDay, count } from '../../../../platform/web/format.ts'
import { can } from '../../../../platform/web/person.ts'
import { Tile, Tiles } from '../../../../platform/web/draw/Tiles.tsx'
import { waitingFor } from '../../contract/waiting.ts'

const LOOK_AGAIN_MS = 60_000
/** Where somebody's day begins: the work with money that waits for them, each count opening its list. */
export default function WaitingWork() {
  const all = waitingFor(can)
  if (all.length === 0) return null
  return (
    <Tiles label={['待办', 'To do']}>
      {all.map((one) => (
        <One key={one.name[1]} of={one} />
      ))}
    </Tiles>
  )
}
function One({ of }: { of: Figure<Listed> }) {
  const { call, filter } = of.opens
  const { tab: _, ...criteria } = filter({ from: cityDay(), to: cityDay() })
  const { data } = useQuery({ ...asks(call, valuesOf(criteria), { quiet: true }), refetchInterval: LOOK_AGAIN_MS })
  return <Tile figure={of} value={data && count(data.total)} tone={data !== undefined && data.total > 0 && 'warning'} />
}
/** As the call takes them: an address holds several values as one text. */
const valuesOf = (criteria: Record<string, string | undefined>) => ({
  ...Object.fromEntries(Object.entries(criteria).map(([name, among]) => [name, among?.split(',').map(Number)])),
  queryMode: 'total',
})
