import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import type { Call } from '../../../platform/contract/call.ts'
import { asks } from '../../../platform/web/ask.ts'
import { Dialog } from '../../../platform/web/form/Dialog.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { Waiting } from '../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { order } from '../contract/order.ts'
import type { ChargeOrder } from '../contract/session.ts'
import type { Of } from '../../../platform/contract/field.ts'
import { refunds } from './acts.ts'
import { DealtWith, Refundable } from './ChargeMoney.tsx'
import { elsewhere } from './refundable.ts'

const { calls } = order
interface Props {
  of: Of<typeof ChargeOrder>
  shared: { title: Text; mode: 'new'; value: {}; also: { orderNo: string }; changes: readonly Call<any, any>[]; onClose: () => void }
  /** Adjusts its bill instead. */
  adjust: () => void
}
/** Money back for a charge; where nothing can go back, why, and where it is dealt with instead. */
export function RefundDialog({ of: { orderNo }, shared, adjust }: Props) {
  const say = useText()
  const { data, isError } = useQuery(asks(calls.recordDetail, { orderNo }, { quiet: true }))
  const other = data && elsewhere(data)
  if (isError || (data && !other))
    return (
      <FormDialog
        {...shared}
        entity={calls.refund.input}
        save={calls.refund}
        act={({ refundFen }) => refunds(refundFen)}
        done={['已提交', 'Submitted']}
        about={data && <Refundable of={data} />}
        fields={[
          {
            name: 'refundFen',
            help: [
              '单笔订单累计超过 20 元由另一人在「财务对账」中审核',
              'More than ¥20 in all for one session is approved by another person under “Finance”',
            ],
          },
          'reason',
        ]}
      />
    )
  const { title, onClose } = shared
  return (
    <Dialog
      title={say(title)}
      changed={false}
      onClose={onClose}
      footer={(leave) => (
        <>
          {other?.adjusts && <Button onClick={adjust}>{say(['调整账单', 'Adjust the bill'])}</Button>}
          <Button onClick={leave}>{say(['关闭', 'Close'])}</Button>
          <Button type="primary" disabled>
            {say(refunds(undefined))}
          </Button>
        </>
      )}
    >
      {data && other ? (
        <>
          <Refundable of={data} />
          <DealtWith in={other} />
        </>
      ) : (
        <Waiting lines={3} />
      )}
    </Dialog>
  )
}
