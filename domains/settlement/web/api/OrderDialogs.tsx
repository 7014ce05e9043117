import { Alert } from 'antd'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Call } from '../../../../platform/contract/call.ts'
import type { Fen, Of } from '../../../../platform/contract/field.ts'
import { ask, newKey, type Refusal } from '../../../../platform/web/ask.ts'
import { Dialog } from '../../../../platform/web/form/Dialog.tsx'
import { yuan } from '../../../../platform/web/format.ts'
import { FormDialog } from '../../../../platform/web/form/FormDialog.tsx'
import { toast } from '../../../../platform/web/page/hosts.tsx'
import { Yuan } from '../../../../platform/web/form/inputs.tsx'
import { RequestId } from '../../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { Money, Plate } from '../../../../platform/web/value.tsx'
import { liquidation } from '../../contract/liquidation.ts'
import { type Order, order } from '../../contract/order.ts'
import { type Payment } from '../../contract/payment.ts'
import { refund, TWO_APPROVERS_FEN } from '../../contract/refund.ts'
import { report } from '../../contract/report.ts'
import { waiver } from '../../contract/waiver.ts'
import { cashAct, cashDone, cashInput } from './cash.ts'
import { CashChange } from './CashChange.tsx'
import { CashPoints } from './CashPoints.tsx'

type Row = Of<typeof Order>
/** Calls that are read again after money moved. */
export const MONEY_CHANGES: Call<any, any>[] = [
  order.list,
  order.info,
  liquidation.doubles,
  refund.list,
  waiver.list,
  report.temporaryStop,
  report.methods,
  report.details,
]
interface For {
  of: Row
  onClose: () => void
}

interface AmountProps {
  value?: number
  onChange?: (fen: number | null) => void
  /** The button names the amount while it is typed. */
  onAmount: (fen: number) => void
}
function Amount({ onChange, onAmount, ...rest }: AmountProps) {
  const both = (fen: number | null) => {
    onChange?.(fen)
    onAmount(fen ?? 0)
  }
  return <Yuan {...rest} onChange={both as never} />
}

interface Refunded extends Pick<For, 'onClose'> {
  of: Pick<Row, 'id' | 'orderNo' | 'plateNo'>
  leftFen: number
  /** The debt is not paid in full: a refund is owed again. */
  owedAgain?: boolean
  /** Other calls of the screen that show it. */
  changes?: Call<any, any>[]
  payment?: Pick<Of<typeof Payment>, 'id'>
}
/** Asks for a refund. Another person approves; the amount is set apart from now on. */
export function Refunding({ of, leftFen, payment, owedAgain = false, changes = [], onClose }: Refunded) {
  const [fen, setFen] = useState(leftFen)
  const two = fen >= TWO_APPROVERS_FEN
  const how: Text = two
    ? [`最多 ¥${yuan(leftFen)}；此金额需两人审核`, `At most ¥${yuan(leftFen)}; this amount needs approval by two people`]
    : [
        `最多 ¥${yuan(leftFen)}；由另一人审核后原路退回`,
        `At most ¥${yuan(leftFen)}; refunded to the original payment method once another person approves`,
      ]
  const help: Text = owedAgain ? [`${how[0]}；退回的金额重新计入欠费`, `${how[1]}; what is refunded is owed again`] : how
  return (
    <FormDialog
      title={[['退款', of.plateNo, of.orderNo].filter(Boolean).join(' · '), ['Refund', of.plateNo, of.orderNo].filter(Boolean).join(' · ')]}
      entity={refund.apply.input}
      mode="new"
      value={{ orderId: of.id, amountFen: leftFen as Fen, ...(payment && { paymentId: payment.id }) }}
      save={refund.apply}
      act={[`申请退款 ¥${yuan(fen)}`, `Request refund of ¥${yuan(fen)}`]}
      done={['已提交，等待审核', 'Submitted; pending approval']}
      changes={[...MONEY_CHANGES, ...changes]}
      fields={[{ name: 'amountFen', help, control: <Amount onAmount={setFen} />, check: within(leftFen) }, 'reason']}
      onClose={onClose}
    />
  )
}

const within =
  (leftFen: number) =>
  ({ amountFen }: Readonly<Record<string, unknown>>): Text | undefined =>
    typeof amountFen === 'number' && (amountFen < 1 || amountFen > leftFen)
      ? [`应在 ¥0.01 至 ¥${yuan(leftFen)} 之间`, `From ¥0.01 to ¥${yuan(leftFen)}`]
      : undefined

/** Letting the driver off all that is due. */
export function Waiving({ of, onClose }: For) {
  const left = (of.payableFen - of.paidFen) as Fen
  const due = yuan(left)
  return (
    <FormDialog
      title={[`减免 · ${of.orderNo}`, `Waive · ${of.orderNo}`]}
      entity={waiver.apply.input}
      mode="new"
      value={{ orderId: of.id, amountFen: left }}
      save={waiver.apply}
      act={[`申请减免 ¥${due}`, `Request waiver of ¥${due}`]}
      done={['已提交，等待审核', 'Submitted; pending approval']}
      changes={MONEY_CHANGES}
      fields={[{ name: 'reason', help: [`全额减免 ¥${due}，由另一人审核`, `The full ¥${due} is waived once another person approves`] }]}
      onClose={onClose}
    />
  )
}

export const CancelOrder = ({ of, onClose }: For) => (
  <FormDialog
    title={[`取消订单 · ${of.orderNo}`, `Cancel order · ${of.orderNo}`]}
    entity={order.cancel.input}
    mode="new"
    value={{ id: of.id }}
    save={order.cancel}
    act={['取消订单', 'Cancel order']}
    done={['订单已取消', 'Order cancelled']}
    changes={MONEY_CHANGES}
    fields={[{ name: 'reason', help: ['取消后才到的付款会自动退回', 'A payment that arrives after cancellation is returned automatically'] }]}
    onClose={onClose}
  />
)

/** Takes cash. The amount due may have changed meanwhile: the server takes the shown amount or none. */
export function Collect({ of, onClose }: For) {
  const say = useText()
  const cache = useQueryClient()
  const key = useRef(newKey())
  const dueFen = of.payableFen - of.paidFen
  const [points, setPoints] = useState(0)
  const taking = useMutation<unknown, Refusal, void>({
    mutationFn: () => ask(order.cash, cashInput(of.id, dueFen, points), { key: key.current, quiet: true }),
    onSuccess: async () => {
      toast('success', cashDone(dueFen, points))
      await Promise.all(MONEY_CHANGES.map((call) => cache.invalidateQueries({ queryKey: [call.id] })))
      onClose()
    },
    onError: ({ isAnswer }) => {
      if (isAnswer) key.current = newKey()
    },
  })
  return (
    <Dialog
      changed={points > 0}
      width={440}
      title={say(['收现金', 'Take cash'])}
      onClose={onClose}
      okText={say(cashAct(dueFen, points))}
      okButtonProps={{ autoFocus: true, loading: taking.isPending }}
      cancelText={say(['取消', 'Cancel'])}
      onOk={() => taking.mutate()}
    >
      {taking.error && (
        <Alert showIcon type="error" className="refused" title={taking.error.message} description={<RequestId id={taking.error.requestId} />} />
      )}
      <p>
        <Plate number={of.plateNo} color={of.plateColor} still /> {of.orderNo}
      </p>
      <p>
        {say(['应付', 'Payable'])} <Money fen={dueFen} />
      </p>
      <CashPoints orderId={of.id} points={points} onPoints={setPoints} />
      <CashChange dueFen={dueFen - points} />
    </Dialog>
  )
}
