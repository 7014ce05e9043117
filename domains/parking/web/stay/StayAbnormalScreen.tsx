import { useState } from 'react'
import { ListScreen } from '../../../../platform/web/list/ListScreen.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { heldBill } from '../../contract/heldBill.ts'
import { PayState, stay, stayCan, type StayRow, staySearch, SessionStatus, SessionAbnormal } from '../../contract/stay.ts'
import { STAY_TOPIC } from './changes.ts'
import { CheckFee } from './CheckFee.tsx'
import { GateName, ParkName } from '../api/names.tsx'
import { ParkedFor } from '../api/SoFar.tsx'
import { CorrectPlate, CorrectTimes, HandleAbnormal, VoidUnseen } from './StayDialogs.tsx'
import { FIND, offStreet, storyDetail, voidAction } from './StayScreen.tsx'
import '../parking.css'

type Doing = { of: StayRow; what: 'plate' | 'times' | 'handle' | 'fee' | 'void' }

/** Stays that went wrong; those that wait for a person stand out by their state. */
export default function StayAbnormalScreen() {
  const say = useText()
  const [doing, setDoing] = useState<Doing>()
  const close = () => setDoing(undefined)
  return (
    <>
      <ListScreen
        purpose={['异常停车记录：查看原因，确认离场、恢复在场或作废', 'Abnormal stays: see why, then confirm the exit, restore or void']}
        query={stay.queryAbnormalPage}
        search={staySearch}
        find={['abnormalType', ...FIND, 'status', 'seenAt', 'payState', 'entryTime', 'offline']}
        sum={{
          figures: [
            { text: ['待处理', 'to handle'], leads: { status: [SessionStatus.abnormal] } },
            { text: ['费用核对中', 'fees to check'], leads: { payState: [PayState.checking] } },
            { text: ['重复入场', 'entered twice'], leads: { abnormalType: [SessionAbnormal.twice] } },
            { text: ['无入场', 'without entry'], leads: { abnormalType: [SessionAbnormal.noEntry] } },
            { text: ['闯闸跟车', 'forced, tailgated'], leads: { abnormalType: [SessionAbnormal.forced, SessionAbnormal.tailgated] } },
          ],
        }}
        columns={[
          'plateNo',
          'abnormalType',
          'status',
          { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
          'entryTime',
          'exitTime',
          { dataIndex: 'durationMin', render: (_, row) => <ParkedFor stay={row} /> },
          { dataIndex: 'entryGate', render: (_, row) => <GateName code={row.entryGate} /> },
          { dataIndex: 'exitGate', render: (_, row) => <GateName code={row.exitGate} /> },
          'plateOriginal',
          'offline',
          'payState',
          'remark',
        ]}
        hidden={['plateOriginal', 'offline', 'payState', 'remark']}
        roomy={['durationMin', 'entryGate', 'exitGate']}
        live={STAY_TOPIC}
        actions={(row) => [
          ...(stayCan.confirmExit(row.status) === undefined
            ? []
            : [{ text: ['处理', 'Handle'] as const, needs: stay.handle.needs, run: () => setDoing({ of: row, what: 'handle' as const }) }]),
          ...voidAction(row, () => setDoing({ of: row, what: 'void' })),
          ...(row.payState === PayState.checking
            ? [{ text: ['核对费用', 'Check the fee'] as const, needs: heldBill.decide.needs, run: () => setDoing({ of: row, what: 'fee' as const }) }]
            : []),
          ...offStreet(
            row,
            {
              text: ['修正车牌', 'Correct plate'] as const,
              needs: stay.correctPlate.needs,
              run: () => setDoing({ of: row, what: 'plate' as const }),
            },
            { text: ['改时间', 'Fix times'] as const, needs: stay.correctTimes.needs, run: () => setDoing({ of: row, what: 'times' as const }) },
          ),
        ]}
        detail={storyDetail}
      />
      {doing?.what === 'plate' && <CorrectPlate of={doing.of} onClose={close} />}
      {doing?.what === 'times' && <CorrectTimes of={doing.of} onClose={close} />}
      {doing?.what === 'fee' && <CheckFee stayId={doing.of.id} plateNo={doing.of.plateNo} onClose={close} />}
      {doing?.what === 'void' && <VoidUnseen of={doing.of} onClose={close} />}
      {doing?.what === 'handle' && <HandleAbnormal of={doing.of} onClose={close} />}
    </>
  )
}
