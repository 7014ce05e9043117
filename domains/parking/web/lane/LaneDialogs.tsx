import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Modal } from 'antd'
import { useRef, useState } from 'react'
import { ask, asks, newKey, type Refusal } from '../../../../platform/web/ask.ts'
import { useClosing } from '../../../../platform/web/form/closing.ts'
import { yuan } from '../../../../platform/web/format.ts'
import { toast } from '../../../../platform/web/page/hosts.tsx'
import { useFrames } from '../../../../platform/web/live.ts'
import { RequestId } from '../../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { Money, Plate } from '../../../../platform/web/value.tsx'
import { order } from '../../../settlement/contract/order.ts'
import { cashAct, cashDone, cashInput } from '../../../settlement/web/api/cash.ts'
import { CashChange } from '../../../settlement/web/api/CashChange.tsx'
import { CashPoints } from '../../../settlement/web/api/CashPoints.tsx'
import { stay, type StayRow } from '../../contract/stay.ts'
import { STAY_CHANGES, STAY_TOPIC } from '../stay/changes.ts'
import { GateName, ParkName } from '../api/names.tsx'
import { CorrectPlate } from '../stay/StayDialogs.tsx'

/** Takes cash for the order that waits at the lane. The button names the amount; another amount is refused by the server. */
export function CollectCash({ of, orderId, dueFen, onClose }: CashFor & { onClose: () => void }) {
  const say = useText()
  const gone = usePaidMeanwhile(of, orderId, dueFen)
  useClosing(gone, onClose)
  const cache = useQueryClient()
  const key = useRef(newKey())
  const [points, setPoints] = useState(0)
  const taking = useMutation<unknown, Refusal, void>({
    mutationFn: () => ask(order.cash, cashInput(orderId, dueFen, points), { key: key.current, quiet: true }),
    onSuccess: async () => {
      toast('success', cashDone(dueFen, points))
      await Promise.all(STAY_CHANGES.map((call) => cache.invalidateQueries({ queryKey: [call.id] })))
      onClose()
    },
    onError: ({ isAnswer }) => {
      if (isAnswer) key.current = newKey()
    },
  })
  return (
    <Modal
      open
      width={440}
      title={
        <>
          <ParkName code={of.parkCode} still /> {of.exitGate && <GateName code={of.exitGate} />} · {say(['收现金', 'Take cash'])} {of.plateNo}
        </>
      }
      onCancel={onClose}
      okText={say(cashAct(dueFen, points))}
      okButtonProps={{ autoFocus: true, loading: taking.isPending, ...(gone && { style: { display: 'none' } }) }}
      cancelText={say(gone ? ['关闭', 'Close'] : ['取消', 'Cancel'])}
      onOk={() => taking.mutate()}
    >
      {gone && <Alert showIcon type="warning" className="refused" title={say(gone)} />}
      {taking.error && !gone && (
        <Alert showIcon type="error" className="refused" title={taking.error.message} description={<RequestId id={taking.error.requestId} />} />
      )}
      <div className="cash">
        <Plate number={of.plateNo} color={of.plateColor} large still />
        <span className="cash-amount">
          <Money fen={dueFen} />
        </span>
        <CashPoints orderId={orderId} points={points} onPoints={setPoints} />
        <CashChange dueFen={dueFen - points} />
        <p className="faint">
          {say(['记入您的收银班次；支付成功后自动开闸', 'Recorded in your cash shift; the barrier opens automatically once paid'])}
        </p>
      </div>
    </Modal>
  )
}
export interface CashFor {
  of: Pick<StayRow, 'id' | 'parkCode' | 'exitGate' | 'plateNo' | 'plateColor'>
  orderId: string
  dueFen: number
}
const OPEN: readonly number[] = [1, 4] // to pay, and in arrears
const LOOK_AGAIN_MS = 3_000
/** The driver may pay by telephone while the cashier counts coins. */
function usePaidMeanwhile({ id }: CashFor['of'], orderId: string, dueFen: number): Text | undefined {
  const cache = useQueryClient()
  const question = asks(stay.queryDetail, { id }, { quiet: true })
  const { data: now } = useQuery({ ...question, refetchInterval: LOOK_AGAIN_MS })
  useFrames(STAY_TOPIC, ({ ids }) => ids.includes(id) && void cache.invalidateQueries({ queryKey: question.queryKey }))
  if (!now) return undefined
  if (!OPEN.includes(now.payState) || now.orderId !== orderId)
    return ['已付清或不再待付，无需收款', 'Already paid or no longer due: nothing to collect']
  const due = now.payableFen - now.paidFen
  return due === dueFen ? undefined : [`待缴金额已变为 ¥${yuan(due)}，请重新收款`, `The amount due is now ¥${yuan(due)}. Start again.`]
}

/** The stay of the car at a lane is read first: its version goes with the correction. */
export function CorrectPlateOf({ stayId, onClose }: { stayId: string; onClose: () => void }) {
  const { data } = useQuery(asks(stay.queryDetail, { id: stayId as never }))
  return data ? <CorrectPlate of={data} onClose={onClose} /> : null
}
