import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Form, Input, InputNumber } from 'antd'
import { useRef, useState } from 'react'
import type { Id, Instant, Of } from '../../../platform/contract/field.ts'
import { ask, asks, newKey, type Refusal } from '../../../platform/web/ask.ts'
import { numberFault } from '../../../platform/web/form/bounds.ts'
import { Dialog } from '../../../platform/web/form/Dialog.tsx'
import { yuan } from '../../../platform/web/format.ts'
import { toast } from '../../../platform/web/page/hosts.tsx'
import { TimeField } from '../../../platform/web/form/inputs.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { PlatesInput } from '../../../platform/web/plate/PlatesInput.tsx'
import { RequestId } from '../../../platform/web/page/states.tsx'
import { type Say, useText } from '../../../platform/web/text.ts'
import { Time, Until } from '../../../platform/web/value.tsx'
import { useParks } from '../../parking/web/api/names.tsx'
import { PayMethod, type PayMethodCode } from '../../settlement/contract/payment.ts'
import { customer } from '../contract/customer.ts'
import { pass, QuoteAct, sale, saleMore } from '../contract/pass.ts'
import { CUSTOMER_CHANGES } from './changes.ts'
import { ReceiptOf } from './CustomerHistory.tsx'
import { type Order, Paying, Ways } from './Paying.tsx'

interface Typed {
  groupId?: string
  carFeesId?: string
  plates?: string[]
  periods: number
  seats: number
  seatCode?: string
  startAt?: Instant
  payMethod: PayMethodCode
}
/** Sells a pass: kind, plan, cars, and what it costs by the quote that is shown. */
export function Sell({ of, onClose }: { of: { id: string; name: string; plates: readonly string[] }; onClose: () => void }) {
  const say = useText()
  const [form] = Form.useForm<Typed>()
  const typed = (Form.useWatch([], form) ?? {}) as Partial<Typed>
  const [shown, setShown] = useState<Order>()
  const [taken, setTaken] = useState<string>()
  const name = useName(of)
  const kinds = useQuery(asks(customer.getMemberGroup, {}, { quiet: true })).data ?? []
  const kindOptions = useKindOptions(kinds)
  const kind = kinds.find(({ id }) => id === typed.groupId)
  const plates = (typed.plates ?? []).map((plateNo) => ({ plateNo }))
  const { groupId, carFeesId, periods = 1, seats = 1, startAt } = typed
  const quote = useQuote(typed)
  const selling = useSelling((order) => {
    if (order.payUrl) return setShown(order)
    toast('success', order.orderNo ? [`已售出，订单 ${order.orderNo}`, `Sold, order ${order.orderNo}`] : ['已提交，等待审核', 'Submitted for review'])
    if (order.warning) toast('warning', [order.warning, order.warning])
    // Only cash is taken by now: the customer at the counter gets a paper for it.
    if (order.orderNo && order.payableFen > 0) return setTaken(order.orderNo)
    onClose()
  })
  if (taken) return <ReceiptOf customerId={of.id} orderNo={taken} onClose={onClose} />
  if (shown) return <Paying of={shown} onClose={onClose} />
  const clash = quote.data?.conflicts[0]
  const sell = async () => {
    const { payMethod, seatCode } = await form.validateFields()
    selling.mutate({
      memberId: of.id as never,
      groupId: groupId as never,
      carFeesId: carFeesId as never,
      periods,
      plates: plates as never,
      payableFen: quote.data!.payableFen,
      payMethod,
      seats,
      ...(seatCode?.trim() && { seatCode: seatCode.trim() }),
      ...(startAt && { startAt }),
    })
  }
  return (
    <Dialog
      changed={form.isFieldsTouched()}
      width={620}
      title={say([`开卡${name && ` · ${name}`}`, `Sell a pass${name && ` · ${name}`}`])}
      onClose={onClose}
      cancelText={say(['取消', 'Cancel'])}
      okText={quote.data ? say([`售出 ¥${yuan(quote.data.payableFen)}`, `Sell for ¥${yuan(quote.data.payableFen)}`]) : say(['售出', 'Sell'])}
      okButtonProps={{ loading: selling.isPending, disabled: !quote.data || Boolean(clash) }}
      onOk={() => void sell()}
    >
      {selling.error && (
        <Alert showIcon type="error" className="refused" title={selling.error.message} description={<RequestId id={selling.error.requestId} />} />
      )}
      <Form form={form} labelCol={{ span: 6 }} initialValues={{ plates: [...of.plates], periods: 1, seats: 1, payMethod: PayMethod.cash }}>
        <Fields known={of.plates} kinds={kinds} kind={kind} kindOptions={kindOptions} />
      </Form>
      <Outcome of={quote.data} error={quote.error as Refusal | null} />
    </Dialog>
  )
}

type Kinds = Of<typeof customer.getMemberGroup.reply>
interface FieldsProps {
  known: readonly string[]
  kinds: Kinds
  kind: Kinds[number] | undefined
  kindOptions: ReturnType<typeof useKindOptions>
}
/** A kind brings its usual plan with it. */
function Fields({ known, kinds, kind, kindOptions }: FieldsProps) {
  const say = useText()
  const form = Form.useFormInstance<Typed>()
  return (
    <>
      <Form.Item name="groupId" label={say(['月卡类型', 'Pass type'])} rules={[{ required: true }]}>
        <Select
          showSearch={{ optionFilterProp: 'label' }}
          options={kindOptions}
          onChange={(id) => form.setFieldsValue({ carFeesId: (kinds.find((one) => one.id === id)?.defaultId ?? undefined) as never })}
        />
      </Form.Item>
      <Form.Item name="carFeesId" label={say(['套餐', 'Plan'])} rules={[{ required: true }]}>
        <Select options={(kind?.plans ?? []).map(({ id, name, priceFen }) => ({ value: id as string, label: `${name} ¥${yuan(priceFen)}` }))} />
      </Form.Item>
      <Form.Item
        name="plates"
        label={say(['车牌', 'Plates'])}
        rules={[{ required: true }]}
        extra={say(['输入车牌后回车，可多辆', 'Press Enter after each plate'])}
      >
        <PlatesInput known={known} />
      </Form.Item>
      <Form.Item name="periods" label={say(['期数', 'Periods'])} rules={within(sale.periods, say)}>
        <InputNumber precision={0} />
      </Form.Item>
      <Form.Item
        name="seats"
        label={say(['车位数', 'Bays'])}
        extra={say(['套餐价格按一个车位计，车位不多于车辆', 'A plan is priced for one bay; no more bays than cars'])}
        rules={within(saleMore.seats, say)}
      >
        <InputNumber precision={0} />
      </Form.Item>
      <Form.Item name="seatCode" label={say(['固定车位', 'Assigned bay'])} extra={say(['不填为不固定', 'Leave empty for no fixed bay'])}>
        <Input maxLength={24} />
      </Form.Item>
      <Form.Item name="startAt" label={say(['开始', 'From'])} extra={say(['不填为今天', 'Leave empty for today'])}>
        <TimeField />
      </Form.Item>
      <Form.Item name="payMethod" label={say(['支付方式', 'Payment method'])}>
        <Ways />
      </Form.Item>
    </>
  )
}

/** A customer who was added just now comes by the id alone. */
function useName({ id, name }: { id: string; name: string }): string {
  const known = useQuery({ ...asks(customer.detail, { id: id as Id<'CustomerId'> }, { quiet: true }), enabled: name === '' }).data
  return name || (known?.name ?? '')
}
/** Quotes the sale: its price and how long the pass is valid, as soon as enough is typed. */
function useQuote({ groupId, carFeesId, plates = [], periods = 1, seats = 1, startAt }: Partial<Typed>) {
  const cars = plates.map((plateNo) => ({ plateNo }))
  const asked = {
    act: QuoteAct.sell,
    groupId: groupId as never,
    carFeesId: carFeesId as never,
    periods,
    seats,
    plates: cars as never,
    ...(startAt && { startAt }),
  }
  return useQuery({
    ...asks(pass.quote, asked, { quiet: true }),
    enabled: Boolean(groupId && carFeesId && cars.length) && !numberFault(sale.periods, periods) && !numberFault(saleMore.seats, seats),
  })
}

/** Kinds are named with their parks, by which they are found too: several parks call theirs alike. */
function useKindOptions(kinds: Kinds) {
  const say = useText()
  const names = new Map(useParks().map(({ parkCode, name }) => [parkCode, name]))
  return kinds.map(({ id, name, parkCodes, placesLeft }) => {
    const parks = parkCodes.map((code) => names.get(code) ?? code).join(say(['、', ', ']))
    const left = placesLeft === null ? '' : say([` · 余 ${placesLeft}`, ` · ${placesLeft} left`])
    return { value: id as string, label: `${name} · ${parks}${left}`, disabled: placesLeft === 0 }
  })
}

/** A number beyond its bounds stays as it was typed; the field says them. */
const within = (field: object, say: Say) => [
  {
    validator: (_: unknown, value: number | null) => {
      const fault = numberFault(field, value)
      return fault ? Promise.reject(new Error(say(fault))) : Promise.resolve()
    },
  },
]

/** Shows what stands in the way of the sale, or how long the pass will be valid. */
function Outcome({ of, error }: { of: Of<typeof pass.quote.reply> | undefined; error: Refusal | null }) {
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
      {of && !clash && <Validity of={of} />}
    </>
  )
}
function Validity({ of }: { of: { startAt: Instant; endAt: Instant } }) {
  const say = useText()
  return (
    <p>
      {say(['有效期', 'Valid'])} <Time at={of.startAt} /> – <Until at={of.endAt} />
    </p>
  )
}

/** One press is one sale, however often the answer is lost; after a refusal the next press is another. */
function useSelling(onSold: (order: Order) => void) {
  const cache = useQueryClient()
  const key = useRef(newKey())
  return useMutation<Order, Refusal, Parameters<typeof ask<any, Order>>[1]>({
    mutationFn: (input) => ask(pass.sell, input, { key: key.current, quiet: true }) as Promise<Order>,
    onSuccess: async (order) => {
      await Promise.all(CUSTOMER_CHANGES.map((call) => cache.invalidateQueries({ queryKey: [call.id] })))
      onSold(order)
    },
    onError: ({ isAnswer }) => {
      if (isAnswer) key.current = newKey()
    },
  })
}
