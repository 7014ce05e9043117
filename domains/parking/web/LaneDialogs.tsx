import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Modal } from 'antd'
import { useRef } from 'react'
import type { Fen } from '../../../platform/contract/field.ts'
import { ask, asks, newKey, type Refusal } from '../../../platform/web/ask.ts'
import { yuan } from '../../../platform/web/format.ts'
import { FormDialog } from '../../../platform/web/FormDialog.tsx'
import { toast } from '../../../platform/web/hosts.tsx'
import { RequestId } from '../../../platform/web/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Money, Plate } from '../../../platform/web/value.tsx'
import { order } from '../../settlement/contract/order.ts'
import { laneBoard, type LaneRow } from '../contract/laneBoard.ts'
import { stay } from '../contract/stay.ts'
import { STAY_CHANGES } from './changes.ts'
import { CorrectPlate } from './StayDialogs.tsx'

/** A lane that asks is told what to do with just the car it asks about. */
export function AnswerLane({ lane, answer, onClose }: { lane: LaneRow; answer: 1 | 2 | 4; onClose: () => void }) {
  const [title, act] = WORDS[answer]
  return (
    <FormDialog
      title={[`${lane.name} · ${title[0]} ${lane.plateNo ?? ''}`, `${lane.name} · ${title[1]} ${lane.plateNo ?? ''}`]}
      entity={laneBoard.answer.input}
      mode="new"
      value={{ gateCode: lane.gateCode, decisionId: lane.decisionId!, answer }}
      save={laneBoard.answer}
      act={act}
      changes={STAY_CHANGES}
      fields={[...(answer === 4 ? [{ name: 'entryTime' as const, help: ENTRY_HELP }] : []), { name: 'remark' as const, optional: true }]}
      onClose={onClose}
    />
  )
}
const ENTRY_HELP = ['按此入场时间计费', 'The fee is worked out from this entry'] as const
const WORDS = {
  1: [
    ['放行', 'let pass'],
    ['放行', 'Let it pass'],
  ],
  2: [
    ['拒绝', 'refuse'],
    ['拒绝', 'Refuse it'],
  ],
  4: [
    ['输入入场时间', 'enter when it came'],
    ['按此时间计费', 'Charge from then'],
  ],
} as const

/** Takes cash for the order that waits at the lane. The button names the amount; another amount is refused by the server. */
export function CollectCash({ orderId, dueFen, plateNo, plateColor, onClose }: CashFor & { onClose: () => void }) {
  const say = useText()
  const cache = useQueryClient()
  const key = useRef(newKey())
  const taking = useMutation<unknown, Refusal, void>({
    mutationFn: () => ask(order.cash, { id: orderId as never, amountFen: dueFen as Fen }, { key: key.current, quiet: true }),
    onSuccess: async () => {
      toast('success', [`已收现金 ¥${yuan(dueFen)}`, `¥${yuan(dueFen)} taken in cash`])
      await Promise.all(STAY_CHANGES.map((call) => cache.invalidateQueries({ queryKey: [call.id] })))
      onClose()
    },
    onError: (refusal) => {
      if (refusal.status >= 400 && refusal.status < 500) key.current = newKey()
    },
  })
  const act = say([`确认收现金 ¥${yuan(dueFen)}`, `Take ¥${yuan(dueFen)} in cash`])
  return (
    <Modal
      open
      width={440}
      title={say(['收现金', 'Take cash'])}
      onCancel={onClose}
      okText={act}
      okButtonProps={{ autoFocus: true, loading: taking.isPending }}
      cancelText={say(['取消', 'Cancel'])}
      onOk={() => taking.mutate()}
    >
      {taking.error && (
        <Alert showIcon type="error" className="refused" title={taking.error.message} description={<RequestId id={taking.error.requestId} />} />
      )}
      <div className="cash">
        <Plate number={plateNo} color={plateColor} large still />
        <span className="cash-amount">
          <Money fen={dueFen} />
        </span>
        <p className="faint">
          {say(['记入您当前的班次；支付成功后自动开闸', 'Goes into your running shift; the barrier opens by itself once it is paid'])}
        </p>
      </div>
    </Modal>
  )
}
export interface CashFor {
  orderId: string
  dueFen: number
  plateNo: string | null
  plateColor: number | null
}

/** The stay of the car at a lane is read first: its version goes with the correction. */
export function CorrectPlateOf({ stayId, onClose }: { stayId: string; onClose: () => void }) {
  const { data } = useQuery(asks(stay.queryDetail, { id: stayId as never }))
  return data ? <CorrectPlate of={data} onClose={onClose} /> : null
}
