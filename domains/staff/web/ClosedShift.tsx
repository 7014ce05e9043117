import { Alert, Button, Modal } from 'antd'
import { Facts } from '../../../platform/web/record/DetailDrawer.tsx'
import { useText } from '../../../platform/web/text.ts'
import { ShiftRow } from '../../settlement/contract/shift.ts'
import { type Closed, nextAfter } from './closed.ts'

/** Shows number, count, difference and whose turn it is: the person who closed the till hands them on. */
export function ClosedShift({ of, onClose }: { of: Closed; onClose: () => void }) {
  const say = useText()
  return (
    <Modal
      open
      width={480}
      title={say(['已交班', 'Shift closed'])}
      onCancel={onClose}
      footer={
        <Button type="primary" autoFocus onClick={onClose}>
          {say(['知道了', 'OK'])}
        </Button>
      }
    >
      <Alert showIcon type={of.differenceFen ? 'warning' : 'success'} title={say(nextAfter(of))} />
      <Facts
        entity={ShiftRow}
        of={of}
        show={['shiftNo', 'state', 'countedFen', 'differenceFen', ...(of.closeReason ? (['closeReason'] as const) : [])]}
      />
    </Modal>
  )
}
