import { useQuery } from '@tanstack/react-query'
import type { Call, Paged } from '../../../platform/contract/call.ts'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { percent } from '../../../platform/web/format.ts'
import { Money } from '../../../platform/web/value.tsx'
import { Strip } from './Strip.tsx'
import { type ArrearsSummary, type record } from '../contract/record.ts'

interface Props {
  summary: Call<Of<typeof record.summary.input>, Of<typeof ArrearsSummary>>
  only: Omit<Of<typeof record.list.input>, keyof Paged<{}>> | undefined
}
/** 欠费, 已补缴, 可追缴, 追缴率 over what is searched for. */
export function DebtFigures({ summary, only }: Props) {
  const { data } = useQuery(asks(summary, { ...only }, { quiet: true }))
  return (
    <Strip
      label={['欠费概况', 'Arrears overview']}
      items={[
        { name: ['欠费', 'Arrears'], value: data && <Money fen={data.owedFen} /> },
        { name: ['已补缴', 'Repaid'], value: data && <Money fen={data.paidFen} /> },
        { name: ['可追缴', 'Collectable'], value: data && <Money fen={data.collectableFen} /> },
        { name: ['追缴率', 'Repayment rate'], value: data && data.repayRate === 0 && data.paidFen > 0 ? '< 0.1%' : percent(data?.repayRate) },
      ]}
    />
  )
}
