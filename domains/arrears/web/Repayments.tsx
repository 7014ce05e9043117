import { useQuery } from '@tanstack/react-query'
import type { Paged } from '../../../platform/contract/call.ts'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Money } from '../../../platform/web/value.tsx'
import { ParkName, ParkSelect } from '../../parking/web/api/names.tsx'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { repay, repaymentSearch } from '../contract/repayment.ts'
import { Strip } from './Strip.tsx'

type Criteria = Omit<Of<typeof repay.list.input>, keyof Paged<{}>>
/** The most ways of paying that are shown. */
const WAYS_SHOWN = 4

export function Repayments({ purpose, only }: { purpose: Text; only?: Criteria }) {
  const say = useText()
  return (
    <ListScreen
      purpose={purpose}
      query={repay.list}
      search={repaymentSearch}
      {...(only && { only })}
      exports={repay.export}
      find={['plateNo', 'at', 'payMethod', { name: 'parkCode', label: ['车场', 'Car park'], control: <ParkSelect /> }, 'place', 'repayNo']}
      sum={{ totals: ['records', 'paidFen', 'refundFen'] }}
      toolbar={<ByMethod only={only} />}
      columns={[
        'repayNo',
        'plateNo',
        { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
        'records',
        'paidFen',
        'refundFen',
        'payMethod',
        'place',
        'operatorName',
        'at',
        'pType',
      ]}
      hidden={['pType']}
      roomy={['parkCode', 'place', 'operatorName', 'refundFen']}
      empty={['还没有补缴', 'No repayments yet']}
    />
  )
}

/** The repaid total, and the ways of paying it. */
export function ByMethod({ only }: { only: Criteria | undefined }) {
  const { data } = useQuery(asks(repay.summary, { ...(only?.pType && { pType: only.pType }) }, { quiet: true }))
  const ways = (data?.byMethod ?? []).slice(0, WAYS_SHOWN).map(({ payMethod, paidFen }) => {
    const [zh, en] = PayMethod.entries[payMethod]
    return { name: [zh, en] as const, value: <Money fen={paidFen} /> }
  })
  return (
    <Strip label={['补缴概况', 'Repayment overview']} items={[{ name: ['补缴', 'Repaid'], value: data && <Money fen={data.paidFen} /> }, ...ways]} />
  )
}
