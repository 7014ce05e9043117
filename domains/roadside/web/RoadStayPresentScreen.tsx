import { Button } from 'antd'
import { useState } from 'react'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { useText } from '../../../platform/web/text.ts'
import { SessionAbnormal, SessionStatus } from '../../parking/contract/stay.ts'
import { OwesNow } from '../../parking/web/api/SoFar.tsx'
import { roadSearch, roadStay } from '../contract/roadStay.ts'
import { FIND, placeColumns, STAY_TOPIC, storyDetail } from './RoadStayScreen.tsx'
import { AddEvidence, Arrive, Collect, FillPlate, Leave, plateAct, type Row, Split } from './StayDialogs.tsx'

type Doing = { what: 'plate' | 'evidence' | 'split' | 'collect' | 'leave'; of: Row } | { what: 'arrive' }
/** The cars on berths now and what each owes at this moment. */
export default function RoadStayPresentScreen() {
  const say = useText()
  const [doing, setDoing] = useState<Doing>()
  const close = () => setDoing(undefined)
  return (
    <>
      <ListScreen
        purpose={['当前停在泊位上的车辆及其现在应付的金额', 'Cars on berths right now, and what each one owes']}
        query={roadStay.present}
        search={roadSearch}
        exports={roadStay.presentExport}
        find={[...FIND, 'arrivedAt', 'status', 'abnormalType', 'payState']}
        sum={{
          figures: [
            { text: ['超时未补车牌', 'overdue for a plate'], leads: { abnormalType: [SessionAbnormal.noPlate] } },
            { text: ['刚驶离', 'just left'], leads: { status: [SessionStatus.leaving] } },
          ],
        }}
        columns={[
          ...placeColumns(say),
          'arrivedAt',
          {
            key: 'owes',
            title: say(['现在应付', 'Due now']),
            align: 'right',
            render: (_, row) => <OwesNow stay={{ ...row, entryTime: row.arrivedAt }} />,
          },
          'paidFen',
          'payState',
          'status',
          'abnormalType',
          'detector',
          'carKindIn',
          'tollNo',
        ]}
        hidden={['carKindIn', 'tollNo', 'payState']}
        roomy={['detector', 'paidFen', 'abnormalType']}
        live={STAY_TOPIC}
        toolbar={can(roadStay.arrive.needs) && <Button onClick={() => setDoing({ what: 'arrive' })}>{say(['登记驶入', 'Record arrival'])}</Button>}
        actions={(row) => [
          { text: ['收费', 'Take cash'], needs: roadStay.collect.needs, run: () => setDoing({ what: 'collect', of: row }) },
          { text: plateAct(row), needs: roadStay.fillPlate.needs, run: () => setDoing({ what: 'plate', of: row }) },
          {
            text: ['登记驶离', 'Record departure'],
            needs: roadStay.leave.needs,
            run: () => setDoing({ what: 'leave', of: row }),
            not: row.status !== SessionStatus.present && (['已驶离', 'Already left'] as const),
          },
          { text: ['取证', 'Evidence'], needs: roadStay.addEvidence.needs, run: () => setDoing({ what: 'evidence', of: row }) },
          {
            text: ['拆分', 'Split'],
            needs: roadStay.split.needs,
            run: () => setDoing({ what: 'split', of: row }),
            not: row.paidFen > 0 && (['已有支付，不能拆分', 'Already paid, so it cannot be split'] as const),
          },
        ]}
        detail={storyDetail}
      />
      {doing?.what === 'plate' && <FillPlate of={doing.of} onClose={close} />}
      {doing?.what === 'evidence' && <AddEvidence of={doing.of} onClose={close} />}
      {doing?.what === 'split' && <Split of={doing.of} onClose={close} />}
      {doing?.what === 'collect' && <Collect of={doing.of} onClose={close} />}
      {doing?.what === 'leave' && <Leave of={doing.of} onClose={close} />}
      {doing?.what === 'arrive' && <Arrive onClose={close} />}
    </>
  )
}
