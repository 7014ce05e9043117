import type { Fen } from '../../../platform/contract/field.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { carFee } from '../contract/carFee.ts'
import { presentStay, quoteStay } from './api.ts'

const NotParked = refusal(
  'fee.car-fee.not-parked',
  40604,
  '未找到该车的在场记录，请核对车牌，或补录入场',
  'This car is not parked here now: check the plate, or add its entry',
  404,
)

export const calls = serve(carFee, {
  async query({ tx, input, at }) {
    const answers = await presentStay.ask(tx, { ...input, at })
    const stay = answers[0]?.answer
    if (!stay) throw NotParked()
    const { stayId, parkCode, plateNo, entryTime } = stay
    const quote = 'quote' in stay ? stay.quote : await quoteStay(tx, { ...stay, entry: entryTime, at, paidFen: (stay.paidFen ?? 0) as Fen })
    const { totalFen, paidFen, payableFen } = quote
    return { stayId: stayId, parkCode, plateNo, entryTime, at, totalFen, paidFen, payableFen, quote }
  },
})
