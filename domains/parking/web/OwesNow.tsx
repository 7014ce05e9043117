import { useQuery } from '@tanstack/react-query'
import { Tooltip } from 'antd'
import { isCovered } from '../../../platform/contract/personal.ts'
import { asks } from '../../../platform/web/ask.ts'
import { can } from '../../../platform/web/person.ts'
import { time } from '../../../platform/web/format.ts'
import { useText } from '../../../platform/web/text.ts'
import { Money } from '../../../platform/web/value.tsx'
import { carFee } from '../../fee/contract/carFee.ts'
import type { StayRow } from '../contract/stay.ts'

/** A quote is good for a minute: units are longer than that. */
const FRESH_MS = 60_000

/** What a car would have to pay if it left now, by the same sum as at the exit. */
export function OwesNow({ stay }: { stay: Pick<StayRow, 'plateNo' | 'plateColor' | 'parkCode' | 'entryTime'> }) {
  const say = useText()
  const { data, isError } = useQuery({
    ...asks(
      carFee.query,
      { plateNo: stay.plateNo ?? '', parkCode: stay.parkCode, ...(stay.plateColor !== null && { plateColor: stay.plateColor }) },
      { quiet: true },
    ),
    staleTime: FRESH_MS,
    retry: false,
    enabled: can(carFee.query.needs) && stay.entryTime !== null && stay.plateNo !== null && !isCovered(stay.plateNo),
  })
  if (isError)
    return (
      <span className="faint" title={say(['没有适用的计费规则，或算不出', 'No fee rule fits, or it cannot be worked out'])}>
        --
      </span>
    )
  if (!data) return <span className="faint">--</span>
  return (
    <Tooltip
      title={
        data.quote.validUntil &&
        say([`${time(data.quote.validUntil).slice(11, 16)} 前不变`, `The same until ${time(data.quote.validUntil).slice(11, 16)}`])
      }
    >
      <span>
        <Money fen={data.payableFen} />
      </span>
    </Tooltip>
  )
}
