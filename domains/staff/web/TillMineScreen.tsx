import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Space } from 'antd'
import { useState } from 'react'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Facts } from '../../../platform/web/record/DetailDrawer.tsx'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { Failed, Nothing, Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Shift, shift } from '../../settlement/contract/shift.ts'
import { Asked, Opening, type What } from './Tills.tsx'
import { CHANGES, type TillOf } from './tillActs.ts'
import './staff.css'

/**
 * The till of the signed-in person: opened, paid into the bank, counted and handed over here, and what others hand over to them. A person who counts it is not told what it
 * should hold.
 */
export default function TillMineScreen() {
  const say = useText()
  const [opening, setOpening] = useState(false)
  const [asked, setAsked] = useState<{ what: What; row: TillOf }>()
  const { data: mine, error, refetch } = useQuery(asks(shift.mine, {}, { quiet: true }))
  return (
    <div className="list">
      <PageHead
        purpose={['开班、上缴现金、清点交班，确认他人交来的收银班次', 'Open a shift, deposit cash, count and close, take over what others hand over']}
      />
      <ToTake onTake={(row) => setAsked({ what: 'takeOver', row })} />
      {error ? (
        <Failed error={error as Refusal} retry={() => void refetch()} />
      ) : mine === undefined ? (
        <Waiting />
      ) : mine === null ? (
        <Nothing>
          <p>
            {say([
              '没有进行中的收银班次。开班后收的现金都记在收银班次里。',
              'No cash shift is running. Once opened, the cash you take belongs to it.',
            ])}
          </p>
          <Button type="primary" onClick={() => setOpening(true)}>
            {say(['开班', 'Open shift'])}
          </Button>
        </Nothing>
      ) : (
        <>
          <Facts entity={Shift} of={mine} show={['shiftNo', 'personName', 'openedAt', 'openingFloatFen', 'depositFen']} />
          <Space>
            <Button type="primary" onClick={() => setAsked({ what: 'close', row: mine })}>
              {say(['交班', 'Close'])}
            </Button>
            <Button onClick={() => setAsked({ what: 'deposit', row: mine })}>{say(['上缴', 'Deposit'])}</Button>
          </Space>
        </>
      )}
      {opening && <Opening onClose={() => setOpening(false)} />}
      {asked && <Asked {...asked} onClose={() => setAsked(undefined)} />}
    </div>
  )
}

/** Tills that others want to hand over wait here until both count them, or until they are rejected. */
function ToTake({ onTake }: { onTake: (row: TillOf) => void }) {
  const say = useText()
  const act = useAct(CHANGES)
  const { data: toTake = [] } = useQuery(asks(shift.toTake, {}, { quiet: true }))
  return toTake.map((one) => (
    <Alert
      key={one.id}
      showIcon
      type="info"
      title={say([`${one.personName} 的收银班次 ${one.shiftNo} 等您接班`, `${one.personName} hands over cash shift ${one.shiftNo} to you`])}
      action={
        <Space>
          <Button type="primary" onClick={() => onTake(one)}>
            {say(['接班', 'Take over'])}
          </Button>
          <Button
            danger
            onClick={() =>
              void act(
                shift.takeOver,
                { id: one.id, version: one.version, accept: false },
                {
                  question: ['拒绝后收银班次回到交班人手中继续进行', 'If rejected, the shift returns to the cashier who closed it and continues'],
                  act: ['拒绝接班', 'Reject'],
                  done: ['已拒绝', 'Rejected'],
                },
              )
            }
          >
            {say(['拒绝', 'Reject'])}
          </Button>
        </Space>
      }
    />
  ))
}
