import { useState } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../../platform/contract/field.ts'
import { ListScreen } from '../../../../platform/web/list/ListScreen.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { Plate } from '../../../../platform/web/value.tsx'
import { type HeldBill, heldBill, heldBillSearch, HeldState } from '../../contract/heldBill.ts'
import { CheckFee } from './CheckFee.tsx'
import { findPark, ParkName } from '../api/names.tsx'

type Row = Of<typeof HeldBill>
const STAYS = '/operation/record/parking/parkingRecord'
const OVER: Text = ['已核对', 'Already checked']

/** Bills that could not be right: which wait for a person, and who said what of the others. */
export default function HeldBillScreen() {
  const say = useText()
  const [doing, setDoing] = useState<Row>()
  return (
    <>
      <ListScreen
        purpose={['费用明显异常时先不收款，由人工核对后放行或更正', 'Fees that look wrong are not collected until staff release or correct them']}
        query={heldBill.list}
        search={heldBillSearch}
        find={['plateNo', findPark, 'state', 'why', 'heldAt']}
        columns={[
          {
            dataIndex: 'plateNo',
            render: (_, row) => (
              <Link to={`${STAYS}/${row.stayId}`}>{row.plateNo ? <Plate number={row.plateNo} still /> : say(['无牌车', 'No plate'])}</Link>
            ),
          },
          { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
          'why',
          'amountFen',
          'limitFen',
          'parkedMin',
          'heldAt',
          'state',
          'setFen',
          'reason',
          'decidedBy',
          'decidedAt',
        ]}
        roomy={['limitFen', 'parkedMin', 'decidedAt']}
        actions={(row) => [
          {
            text: ['核对费用', 'Check the fee'],
            needs: heldBill.decide.needs,
            not: row.state !== HeldState.waiting && OVER,
            run: () => setDoing(row),
          },
        ]}
        empty={['没有需要核对的费用', 'No fees to check']}
      />
      {doing && <CheckFee stayId={doing.stayId} plateNo={doing.plateNo} onClose={() => setDoing(undefined)} />}
    </>
  )
}
