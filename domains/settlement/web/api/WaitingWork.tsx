import { useQuery } from '@tanstack/react-query'
import { asks } from '../../../../platform/web/ask.ts'
import { count } from '../../../../platform/web/format.ts'
import { can } from '../../../../platform/web/person.ts'
import { Tile, Tiles } from '../../../../platform/web/Tiles.tsx'
import { type Waiting, waitingFor } from './waiting.ts'

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
function One({ of: { name, call, criteria, to } }: { of: Waiting }) {
  const { data } = useQuery({ ...asks(call, { ...criteria, queryMode: 'total' }, { quiet: true }), refetchInterval: LOOK_AGAIN_MS })
  return <Tile name={name} value={data && count(data.total)} to={to} tone={data !== undefined && data.total > 0 && 'warning'} />
}
