import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Checkbox, Radio } from 'antd'
import { useRef, useState } from 'react'
import type { Fen, Of } from '../../../platform/contract/field.ts'
import { ask, asks, newKey, type Refusal } from '../../../platform/web/ask.ts'
import { Dialog } from '../../../platform/web/form/Dialog.tsx'
import { yuan } from '../../../platform/web/format.ts'
import { toast } from '../../../platform/web/page/hosts.tsx'
import { Yuan } from '../../../platform/web/form/inputs.tsx'
import { QrDialog } from '../../../platform/web/draw/Qr.tsx'
import { RequestId } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Money, Plate, Time } from '../../../platform/web/value.tsx'
import { CELL, GROUP, ROW, TABLE } from '../../../platform/web/list/tableRoles.ts'
import { ParkName } from '../../parking/web/api/names.tsx'
import { CashChange } from '../../settlement/web/api/CashChange.tsx'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { ArrearsState } from '../contract/file.ts'
import { type Collected, repay, RepayPlace, type RepayQuote } from '../contract/repayment.ts'
import { DEBT_CHANGES } from './changes.ts'
import type { Debt } from './Debts.tsx'

interface Props {
  of: readonly Debt[]
  onClose: () => void
  onDone: () => void
}
const CASH = 4
/** Cash in hand, and the channels whose code the payer scans. */
const METHODS = [4, 1, 2, 5, 7] as const
type Method = (typeof METHODS)[number]
type Current = NonNullable<Of<typeof RepayQuote>['current']>
const owedOf = (one: Debt) => (one.state === ArrearsState.writtenOff ? one.writtenOffFen : one.owedFen)

/** Takes money for chosen debts, and for the stay that the car is to pay now, in one payment. Less than all is spread oldest first. */
export function Collect({ of, onClose, onDone }: Props) {
  const say = useText()
  const current = useCurrent(of[0]!)
  const [payMethod, setMethod] = useState<Method>(CASH)
  const [withStay, setWithStay] = useState(false)
  const stay = withStay ? current : undefined
  const total = of.reduce((sum, one) => sum + owedOf(one), 0) + (stay?.payableFen ?? 0)
  /** The amount that somebody typed; until then the total. */
  const [typed, setTyped] = useState<number | null>()
  const fen = typed === undefined ? total : (typed ?? 0)
  const plates = [...new Set(of.map(({ plateNo }) => plateNo))].join(' ')
  const isWrong = fen < 1 || fen > total
  const [shown, setShown] = useState<Of<typeof Collected>>()
  const taking = useTaking((done) => {
    if (done.payUrl) return setShown(done)
    toast('success', [`已补缴 ¥${yuan(done.paidFen)}，单号 ${done.repayNo}`, `¥${yuan(done.paidFen)} collected, ${done.repayNo}`])
    onDone()
  })
  const take = () =>
    taking.mutate({
      ids: of.map(({ id }) => id),
      paidFen: fen as Fen,
      payMethod,
      place: RepayPlace.console,
      ...(stay && { currentOrderNo: stay.orderNo }),
    })
  if (shown) return <PayCode of={shown} onClose={onDone} />
  return (
    <Dialog
      changed={typed !== undefined || withStay}
      width={520}
      title={say([`补缴欠费 · ${plates}`, `Collect arrears · ${plates}`])}
      onClose={onClose}
      okText={say(
        payMethod === CASH
          ? [`确认收现金 ¥${yuan(fen)}`, `Take ¥${yuan(fen)} in cash`]
          : [`生成收款码 ¥${yuan(fen)}`, `Show QR code for ¥${yuan(fen)}`],
      )}
      okButtonProps={{ loading: taking.isPending, disabled: isWrong }}
      cancelText={say(['取消', 'Cancel'])}
      onOk={take}
    >
      {taking.error && (
        <Alert showIcon type="error" className="refused" title={taking.error.message} description={<RequestId id={taking.error.requestId} />} />
      )}
      <Chosen of={of} />
      <WithStay current={current} checked={withStay} onChange={setWithStay} />
      <Ways value={payMethod} onChange={setMethod} />
      <label>
        {say(['补缴金额', 'Amount'])} <Yuan value={typed === undefined ? total : typed} onChange={setTyped} />
      </label>
      {isWrong && (
        <p className="bad" role="alert">
          {say([`应在 ¥0.01 至 ¥${yuan(total)} 之间`, `From ¥0.01 to ¥${yuan(total)}`])}
        </p>
      )}
      {!isWrong && payMethod === PayMethod.cash && <CashChange dueFen={fen} />}
      {!isWrong && fen < total && (
        <p className="faint">
          {say([
            '少于应补的，按产生时间先后抵扣，最后一笔为部分补缴',
            'If less than the total, the oldest debts are repaid first and the last one partly',
          ])}
        </p>
      )}
    </Dialog>
  )
}

/** Shows the code that the payer scans, for as long as it is valid. */
function PayCode({ of, onClose }: { of: Of<typeof Collected>; onClose: () => void }) {
  const say = useText()
  return (
    <QrDialog
      title={[`请车主扫码支付 ¥${yuan(of.paidFen)}`, `Ask the driver to scan and pay ¥${yuan(of.paidFen)}`]}
      value={of.payUrl!}
      fileName={of.repayNo}
      caption={say([`${of.repayNo} · 五分钟内有效`, `${of.repayNo} · valid for 5 minutes`])}
      onClose={onClose}
    />
  )
}

/** The stay that the car is to pay now. */
function useCurrent({ plateNo, plateColor }: Debt): Current | undefined {
  const asked = { plateNo: plateNo ?? '', ...(plateColor !== null && { plateColor }) }
  const { data } = useQuery({ ...asks(repay.quote, asked, { quiet: true }), enabled: plateNo !== null })
  return data?.current ?? undefined
}

/** One press is one repayment, however often the answer is lost; after a refusal the next press is another. */
function useTaking(onTaken: (done: Of<typeof Collected>) => void) {
  const cache = useQueryClient()
  const key = useRef(newKey())
  return useMutation<Of<typeof Collected>, Refusal, Of<typeof repay.collect.input>>({
    mutationFn: (input) => ask(repay.collect, input, { key: key.current, quiet: true }),
    onSuccess: async (done) => {
      await Promise.all(DEBT_CHANGES.map((call) => cache.invalidateQueries({ queryKey: [call.id] })))
      onTaken(done)
    },
    onError: ({ isAnswer }) => {
      if (isAnswer) key.current = newKey()
    },
  })
}

function Chosen({ of }: { of: readonly Debt[] }) {
  const first = of[0]!
  return (
    <>
      <p>
        <Plate number={first.plateNo} color={first.plateColor} still />
      </p>
      <table {...TABLE} className="lines stacked">
        <tbody {...GROUP}>
          {of.map((one) => (
            <tr {...ROW} key={one.id}>
              <td {...CELL}>
                <ParkName code={one.parkCode} />
              </td>
              <td {...CELL}>
                <Time at={one.createdAt} />
              </td>
              <td {...CELL} className="right">
                <Money fen={owedOf(one)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function WithStay({ current, checked, onChange }: { current: Current | undefined; checked: boolean; onChange: (now: boolean) => void }) {
  const say = useText()
  if (!current) return null
  return (
    <p>
      <Checkbox checked={checked} onChange={({ target }) => onChange(target.checked)}>
        {say([`连同本次停车 ¥${yuan(current.payableFen)} 一起支付`, `Pay together with this stay, ¥${yuan(current.payableFen)}`])}
      </Checkbox>
    </p>
  )
}

function Ways({ value, onChange }: { value: Method; onChange: (way: Method) => void }) {
  const say = useText()
  return (
    <p>
      <Radio.Group
        optionType="button"
        value={value}
        onChange={({ target }) => onChange(target.value as Method)}
        options={METHODS.map((one) => ({ value: one, label: say(PayMethod.entries[one]) }))}
      />
    </p>
  )
}
