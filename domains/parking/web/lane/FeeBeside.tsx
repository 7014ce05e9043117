import { useQuery } from '@tanstack/react-query'
import { Popover } from 'antd'
import type { ReactNode } from 'react'
import type { Id } from '../../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../../platform/web/ask.ts'
import { Failed, Waiting } from '../../../../platform/web/page/states.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { stay, type StayId } from '../../contract/stay.ts'
import { FeeOf } from '../stay/FeeOf.tsx'

/** An amount at a lane; a press says beside it why it is that much, for the driver who asks. */
export function FeeBeside({ stayId, children }: { stayId: Id<StayId>; children: ReactNode }) {
  const say = useText()
  return (
    <Popover trigger="click" placement="left" destroyOnHidden content={<Why stayId={stayId} />}>
      <button type="button" className="due-why" title={say(['计费明细', 'Fee breakdown'])}>
        {children}
      </button>
    </Popover>
  )
}

function Why({ stayId }: { stayId: Id<StayId> }) {
  const { data, error, refetch } = useQuery(asks(stay.story, { id: stayId }, { quiet: true }))
  return (
    <div className="due-explained">
      {data ? <FeeOf story={data} /> : error ? <Failed error={error as Refusal} retry={() => void refetch()} /> : <Waiting lines={4} />}
    </div>
  )
}
