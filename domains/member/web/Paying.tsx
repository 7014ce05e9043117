import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ask, asks, newKey, type Refusal } from '../../../platform/web/ask.ts'
import { Dialog } from '../../../platform/web/form/Dialog.tsx'
import { toast } from '../../../platform/web/page/hosts.tsx'
import { QrDialog } from '../../../platform/web/draw/Qr.tsx'
import { yuan } from '../../../platform/web/format.ts'
import { useText } from '../../../platform/web/text.ts'
import type { Of } from '../../../platform/contract/field.ts'
import { PayMethod, type PayMethodCode } from '../../settlement/contract/payment.ts'
import { pass, type Pass, type PassOrder } from '../contract/pass.ts'
import { CUSTOMER_CHANGES } from './changes.ts'
import { ReceiptOf } from './CustomerHistory.tsx'
import { Alert, Radio } from 'antd'

export type Order = Of<typeof PassOrder>
/** Cash in hand, and the channels whose code the payer scans. */
const COUNTER = [PayMethod.cash, PayMethod.wechat, PayMethod.alipay, PayMethod.unionpay, PayMethod.digitalYuan] as const

export function Ways({ value, onChange }: { id?: string; value?: number; onChange?: (way: number) => void }) {
  const say = useText()
  return (
    <Radio.Group
      optionType="button"
      value={value}
      onChange={({ target }) => onChange?.(target.value as number)}
      options={COUNTER.map((one) => ({ value: one, label: say(PayMethod.entries[one]) }))}
    />
  )
}
/** The interval of asking whether the payer has paid. */
const ASK_MS = 2_500
/** Shows the code that the payer scans. It closes by itself once paid; if closed before, the order waits on its pass, where its code is shown again. */
export function Paying({ of, onClose }: { of: Order; onClose: () => void }) {
  const say = useText()
  const cache = useQueryClient()
  const orderNo = of.orderNo ?? ''
  const state = useQuery({ ...asks(pass.orderState, { orderNo }, { quiet: true }), refetchInterval: ASK_MS }).data
  const over = state && !state.waits
  useEffect(() => {
    if (!over) return
    for (const call of CUSTOMER_CHANGES) void cache.invalidateQueries({ queryKey: [call.id] })
    if (state.paid) toast('success', [`订单 ${orderNo} 已支付`, `Order ${orderNo} is paid`])
    else toast('warning', [`订单 ${orderNo} 已取消`, `Order ${orderNo} was cancelled`])
    onClose()
  }, [over])
  return (
    <QrDialog
      title={[`请客户扫码支付 ¥${yuan(of.payableFen)}`, `Ask the customer to scan and pay ¥${yuan(of.payableFen)}`]}
      value={of.payUrl!}
      fileName={of.orderNo ?? 'pass'}
      caption={say([
        `${of.orderNo} · 五分钟内有效，过后在月卡上点「收款」再次出示`,
        `${of.orderNo} · valid for five minutes; show it again by Take payment on the pass`,
      ])}
      onClose={onClose}
    />
  )
}

/** Takes the money for what waits on a pass: cash, or the code once more. */
export function TakePayment({ of, onClose }: { of: Of<typeof Pass>; onClose: () => void }) {
  const say = useText()
  const cache = useQueryClient()
  const key = useRef(newKey())
  const [payMethod, setMethod] = useState<PayMethodCode>(PayMethod.cash)
  const [refused, setRefused] = useState<Refusal>()
  const [busy, setBusy] = useState(false)
  const [shown, setShown] = useState<Order>()
  const [taken, setTaken] = useState<string>()
  const cash = payMethod === PayMethod.cash
  const sum = yuan(of.waitingFen ?? 0)
  const take = async () => {
    setBusy(true)
    setRefused(undefined)
    try {
      const order = await ask(pass.pay, { id: of.id, payMethod }, { key: key.current, quiet: true })
      if (order.payUrl) return setShown(order)
      await Promise.all(CUSTOMER_CHANGES.map((call) => cache.invalidateQueries({ queryKey: [call.id] })))
      toast('success', [`已收现金 ¥${sum}`, `¥${sum} taken in cash`])
      setTaken(order.orderNo ?? undefined)
      if (!order.orderNo) onClose()
    } catch (error) {
      setRefused(error as Refusal)
      if ((error as Refusal).isAnswer) key.current = newKey()
    } finally {
      setBusy(false)
    }
  }
  if (taken) return <ReceiptOf customerId={of.memberId} orderNo={taken} onClose={onClose} />
  if (shown) return <Paying of={shown} onClose={onClose} />
  return (
    <Dialog
      changed={payMethod !== PayMethod.cash}
      title={say([`收款 · ${of.holder} · ${of.plates.join('、')}`, `Take payment · ${of.holder} · ${of.plates.join(', ')}`])}
      onClose={onClose}
      cancelText={say(['取消', 'Cancel'])}
      okText={cash ? say([`收现金 ¥${sum}`, `Take ¥${sum} in cash`]) : say([`出示付款码 ¥${sum}`, `Show the code for ¥${sum}`])}
      okButtonProps={{ loading: busy }}
      onOk={() => void take()}
    >
      {refused && <Alert showIcon type="error" className="refused" title={refused.message} />}
      <p>{say([`订单 ${of.waitingNo}`, `Order ${of.waitingNo}`])}</p>
      <Ways value={payMethod} onChange={(way) => setMethod(way as PayMethodCode)} />
    </Dialog>
  )
}
