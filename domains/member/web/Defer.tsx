import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Form, Input, InputNumber } from 'antd'
import { useRef, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { ask, asks, newKey, type Refusal } from '../../../platform/web/ask.ts'
import { numberFault } from '../../../platform/web/form/bounds.ts'
import { Dialog } from '../../../platform/web/form/Dialog.tsx'
import { useRested } from '../../../platform/web/form/rested.ts'
import { yuan } from '../../../platform/web/format.ts'
import { toast } from '../../../platform/web/page/hosts.tsx'
import { plural } from '../../../platform/contract/plural.ts'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Until } from '../../../platform/web/value.tsx'
import { PayMethod, type PayMethodCode } from '../../settlement/contract/payment.ts'
import { Confirm, DeferKind, type DeferQuote, deferralMore, type Pass, pass, seat } from '../contract/pass.ts'
import { CUSTOMER_CHANGES } from './changes.ts'
import { ReceiptOf } from './CustomerHistory.tsx'
import { type Order, Paying, Ways } from './Paying.tsx'

/** Extends a pass: the result is shown while typing, and confirmed as it was shown. */
export function Defer({ of, free, onClose }: { of: Of<typeof Pass>; free: boolean; onClose: () => void }) {
  const say = useText()
  const cache = useQueryClient()
  const key = useRef(newKey())
  const [periods, setPeriods] = useState<number | null>(1)
  const [days, setDays] = useState<number | null>(1)
  const [reason, setReason] = useState('')
  const [payMethod, setMethod] = useState<PayMethodCode>(PayMethod.cash)
  const [refused, setRefused] = useState<Refusal>()
  const [busy, setBusy] = useState(false)
  const [shown, setShown] = useState<Order>()
  const [taken, setTaken] = useState<string>()
  const left = useQuery({ ...asks(pass.freeDays, { id: of.id }, { quiet: true }), enabled: free }).data?.left
  const typed = free ? days : periods
  const asked = useRested(typed)
  const wish = free ? { kind: DeferKind.free, days: asked, reason: reason || '—' } : { kind: DeferKind.renew, periods: asked, payMethod }
  const fault = free ? numberFault(deferralMore.days, days) : numberFault(deferralMore.periods, periods)
  const one = { id: of.id, version: of.version }
  const quote = useQuery({
    queryKey: ['member.quote', of.id, of.version, free, asked],
    queryFn: () => ask(seat.deferConfirm, { ...one, ...wish, confirm: Confirm.ask } as never, { quiet: true }),
    retry: false,
    enabled: fault === undefined && typed === asked,
  })
  const figures = typed === asked ? quote.data?.quote : undefined
  const confirm = async () => {
    setBusy(true)
    try {
      const done = await ask(seat.deferConfirm, { ...one, ...wish, confirm: Confirm.act, quoteNo: figures!.quoteNo } as never, {
        key: key.current,
        quiet: true,
      })
      await Promise.all(CUSTOMER_CHANGES.map((call) => cache.invalidateQueries({ queryKey: [call.id] })))
      if (done.order?.payUrl) return setShown(done.order)
      toast('success', free ? ['已延期', 'Extended'] : ['已续费', 'Renewed'])
      if (done.order?.orderNo && done.order.payableFen > 0) return setTaken(done.order.orderNo)
      onClose()
    } catch (error) {
      setRefused(error as Refusal)
      if ((error as Refusal).isAnswer) key.current = newKey()
      void quote.refetch()
    } finally {
      setBusy(false)
    }
  }
  if (taken) return <ReceiptOf customerId={of.memberId} orderNo={taken} onClose={onClose} />
  if (shown) return <Paying of={shown} onClose={onClose} />
  const name = free ? say(['免费延期', 'Free days']) : say(['续费', 'Renew'])
  return (
    <Dialog
      changed={reason !== '' || (free ? days : periods) !== 1 || payMethod !== PayMethod.cash}
      title={`${name} · ${[of.holder, ...of.plates].join(' ')} · ${of.passNo}`}
      onClose={onClose}
      cancelText={say(['取消', 'Cancel'])}
      okText={figures && !free ? say([`续费 ¥${yuan(figures.payableFen)}`, `Renew for ¥${yuan(figures.payableFen)}`]) : name}
      okButtonProps={{ loading: busy, disabled: !figures || Boolean(figures.conflicts[0]) || (free && !reason) }}
      onOk={() => void confirm()}
    >
      {refused && <Alert showIcon type="error" className="refused" title={refused.message} />}
      <Wish {...{ free, left, fault, days, setDays, reason, setReason, periods, setPeriods, payMethod, setMethod }} />
      <Outcome of={figures} error={quote.error as unknown as Refusal | null} />
    </Dialog>
  )
}

/** Shows what stands in the way of it, and how long the pass would be valid. */
function Outcome({ of, error }: { of: Of<typeof DeferQuote> | undefined; error: Refusal | null }) {
  const say = useText()
  const clash = of?.conflicts[0]
  return (
    <>
      {error && <Alert showIcon type="warning" title={error.message} />}
      {clash && (
        <Alert
          showIcon
          type="error"
          title={say([`${clash.plateNo} 与月卡 ${clash.passNo} 有效期重叠`, `${clash.plateNo} already has pass ${clash.passNo} in that period`])}
        />
      )}
      {of && (
        <p>
          <Until at={of.oldEnd} /> →{' '}
          <b>
            <Until at={of.newEnd} />
          </b>
        </p>
      )}
    </>
  )
}

const DAYS: Text = ['天数', 'Days']
const PERIODS: Text = ['期数', 'Periods']
interface WishProps {
  free: boolean
  left: number | undefined
  fault: Text | undefined
  days: number | null
  setDays: (days: number | null) => void
  reason: string
  setReason: (reason: string) => void
  periods: number | null
  setPeriods: (periods: number | null) => void
  payMethod: PayMethodCode
  setMethod: (way: PayMethodCode) => void
}
function Wish({ free, left, fault, days, setDays, reason, setReason, periods, setPeriods, payMethod, setMethod }: WishProps) {
  const say = useText()
  const wrong = fault && ({ validateStatus: 'error', help: say(fault) } as const)
  return (
    <Form labelCol={{ span: 6 }}>
      {free ? (
        <>
          <Form.Item
            label={say(DAYS)}
            {...wrong}
            {...(left !== undefined && { extra: say([`本年还可免费延期 ${left} 天`, `${left} free ${plural(left, 'day')} left this year`]) })}
          >
            <InputNumber precision={0} value={days} aria-label={say(DAYS)} onChange={setDays} />
          </Form.Item>
          <Form.Item label={say(['原因', 'Reason'])} required>
            <Input value={reason} maxLength={200} onChange={({ target }) => setReason(target.value)} />
          </Form.Item>
        </>
      ) : (
        <>
          <Form.Item label={say(PERIODS)} {...wrong}>
            <InputNumber precision={0} value={periods} aria-label={say(PERIODS)} onChange={setPeriods} />
          </Form.Item>
          <Form.Item label={say(['支付方式', 'Payment method'])}>
            <Ways value={payMethod} onChange={(way) => setMethod(way as PayMethodCode)} />
          </Form.Item>
        </>
      )}
    </Form>
  )
}
