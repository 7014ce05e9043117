import { useState } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { ParkName, ParkSelect } from '../../parking/web/api/names.tsx'
import { etc, type EtcPassage, EtcState, passageSearch } from '../contract/etc.ts'
import { EtcRefundApply } from './EtcRefundApply.tsx'

const FILES = '/userCenter/arrearage/record'
const NOT_DONE: Text = ['只有扣费成功的可以退款', 'Only a deduction that succeeded can be refunded']

/** Everything that the antennas were told to take, and what became of it; money goes back from here. */
export default function EtcDeductScreen() {
  const say = useText()
  const [asking, setAsking] = useState<Of<typeof EtcPassage>>()
  return (
    <>
      <ListScreen
        purpose={[
          'ETC 天线的每一笔扣费及其结果；扣费成功的可在此申请退款',
          'Every deduction of the ETC antennas and its result; request refunds of those that succeeded here',
        ]}
        query={etc.deduct}
        search={passageSearch}
        exports={etc.deductExport}
        find={[
          'plateNo',
          'tradeTime',
          'etcState',
          { name: 'parkCode', label: ['车场', 'Car park'], control: <ParkSelect /> },
          'laneNo',
          'failCode',
          'deductNo',
        ]}
        sum={{
          totals: ['amountFen'],
          figures: [
            { text: ['成功', 'succeeded'], leads: { etcState: [EtcState.done] } },
            { text: ['失败', 'failed'], leads: { etcState: [EtcState.failed] } },
            { text: ['结果未知', 'unknown'], leads: { etcState: [EtcState.unknown] } },
          ],
        }}
        columns={[
          'plateNo',
          'etcState',
          'failCode',
          { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
          'laneNo',
          'amountFen',
          'tradeTime',
          'matched',
          { dataIndex: 'arrearsNo', render: (_, row) => row.recordId && <Link to={`${FILES}/${row.recordId}`}>{row.arrearsNo}</Link> },
          'deductNo',
          'psamNo',
          'psamSeq',
          'cardNo',
          'fileNo',
        ]}
        hidden={['arrearsNo', 'psamNo', 'psamSeq', 'cardNo', 'fileNo']}
        roomy={['failCode', 'matched', 'deductNo']}
        live="settlement.order"
        actions={(row) => [
          {
            text: ['申请退款', 'Request refund'],
            needs: etc.refundApply.needs,
            run: () => setAsking(row),
            not: row.etcState !== EtcState.done && NOT_DONE,
          },
        ]}
        empty={['没有 ETC 扣费', 'No ETC deductions']}
      />
      {asking && <EtcRefundApply of={asking} onClose={() => setAsking(undefined)} />}
    </>
  )
}
