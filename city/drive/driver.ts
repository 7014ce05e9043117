import { gate } from '../../domains/parking/contract/gate.ts'
import { qrcode, QrTarget } from '../../domains/parking/contract/qrcode.ts'
import { order } from '../../domains/settlement/contract/order.ts'
import { scan } from '../../domains/settlement/contract/scan.ts'
import { type Client, Refused } from '../client.ts'
import type { Plate, Random } from '../random.ts'
import { type Address, type DrivenLane, type DrivenPark, opensWithin, passThrough, pause } from './world.ts'

/** Drivers' ways at an exit that does not open, in shares of a hundred. */
const WAYS = { scans: 82, scansLate: 6, noticedTwice: 4, cash: 4, tailgates: 2, cannotPay: 2 } as const
type Way = keyof typeof WAYS
/** WeChat or Alipay. */
const METHODS = [1, 2] as const
const LATE_MS = 12_000
const OPENS_MS = 8_000
/** How the operator's people let a car out that the machine does not know what to do with. */
const OTHER_REASON = 6
const FREE = 1
const ARREARS = 2

export interface Driver {
  /** Gets a waiting car out, or not: by paying, by driving on behind another one, or not at all. */
  settle(park: DrivenPark, at: DrivenLane, car: Plate, random: Random): Promise<'paid' | 'late' | 'tailgated' | 'stays'>
  /** The antenna does not know whether the card paid: a person lets the car out, and what is due is owed until the issuer has spoken. */
  doubtful(at: DrivenLane): Promise<'paid' | 'stays'>
  /** The code at the exits of a park. */
  codeAt(parkCode: string): Promise<string>
}

export function driverOf({ pay }: Address, stranger: Client, operator: Client): Driver {
  const codes = new Map<string, Promise<string>>()
  const codeAt = (parkCode: string) => codes.get(parkCode) ?? codes.set(parkCode, codeOf(operator, parkCode)).get(parkCode)!
  return {
    codeAt,
    doubtful: (at) => byHand(operator, at, ARREARS),
    async settle({ plan }, at, { plateNo }, random) {
      const way = Object.keys(WAYS)[random.weighted(Object.values(WAYS))] as Way
      const [due] = await stranger.ask(scan.find, { code: await codeAt(plan.parkCode), plateNo })
      if (!due) return byHand(operator, at, FREE)
      if (way === 'cannotPay') return byHand(operator, at, ARREARS)
      if (way === 'tailgates') return tailgate(at)
      if (way === 'scansLate') await pause(LATE_MS)
      if (way === 'cash') await payCash(operator, due.orderNo)
      else await payByPhone(stranger, pay, { code: await codeAt(plan.parkCode), orderNo: due.orderNo }, random, way === 'noticedTwice' ? 2 : 1)
      if (!(await opensWithin(at, OPENS_MS))) throw new Error('paid, and the barrier stayed down')
      await passThrough(at)
      return way === 'scansLate' ? 'late' : 'paid'
    },
  }
}

/** The code at the exits of a park. */
async function codeOf(operator: Client, parkCode: string): Promise<string> {
  const { records } = await operator.ask(qrcode.query, { parkCode, target: [QrTarget.park] })
  return records[0]!.code
}
async function payByPhone(stranger: Client, pay: string, due: { code: string; orderNo: string }, random: Random, times: number) {
  const { payNo } = await stranger.ask(scan.pay, { ...due, payMethod: random.oneOf(METHODS) })
  const reply = await fetch(`${pay}/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ payNo, times, delayMs: random.below(1500) }),
  })
  if (!reply.ok) throw new Error(`the payment channel answered ${reply.status}`)
}
async function payCash(operator: Client, orderNo: string) {
  const { records } = await operator.ask(order.list, { orderNo } as never)
  const { id, payableFen } = records[0]!
  await operator.ask(order.cash, { id, amountFen: payableFen })
}

/** The lane asks for a person: somebody looks at the picture and lets the car out. */
async function byHand(operator: Client, at: DrivenLane, fee: typeof FREE | typeof ARREARS): Promise<'paid' | 'stays'> {
  try {
    await operator.ask(gate.openGate, { gateCode: at.gateCode as never, reason: OTHER_REASON, fee, remark: '现场核对' })
  } catch (error) {
    if (error instanceof Refused) return 'stays'
    throw error
  }
  if (!(await opensWithin(at, OPENS_MS))) return 'stays'
  await passThrough(at)
  return 'paid'
}

/** Close behind another car, or through the boom. */
async function tailgate(at: DrivenLane): Promise<'tailgated'> {
  await at.lane.event({ type: 'gate', state: 'opened', cause: 'manual' })
  await at.lane.event({ type: 'gate', state: 'closed', cause: 'manual', passed: true })
  at.passed++
  return 'tailgated'
}
