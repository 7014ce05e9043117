import { device } from '../../domains/device/contract/device.ts'
import { etc as antenna } from '../../domains/device/contract/etc.ts'
import { type Lane, lane } from '../../gateways/mqtt/simulator.ts'
import { cityTime } from '../../platform/contract/time.ts'
import { type Client, Refused } from '../client.ts'
import { Result, type Trade } from '../etc/issuer.ts'
import { feeOf } from '../fees.ts'
import { antennaOf, PARKS_WITH_ETC } from '../plan.ts'
import type { Plate, Random } from '../random.ts'
import type { Address, DrivenLane, DrivenPark } from './world.ts'
import { PlateColor } from '../../platform/contract/plate.ts'

const ISSUER = '4201'
/**
 * Cards in the windscreen, in shares of a hundred: no tag, a card that pays, one with too little, one of which the lane does not
 * know whether it paid.
 */
const CARDS = { none: 40, pays: 44, poor: 6, doubtful: 10 } as const
type Card = keyof typeof CARDS
const TOO_LITTLE = 1
const NOT_READ = 4
/** The issuer says of half of the doubtful ones that they paid. */
const PAID_AFTER_ALL = 0.5

export interface EtcTally {
  asked: number
  paid: number
  noTag: number
  poor: number
  doubtful: number
}
/** An exit with an antenna: what stands before it, and what the antenna made of the last card. */
export interface Antenna {
  wire: Lane
  facing: Plate | undefined
  last: Card | undefined
}
export interface EtcLanes {
  /** By the gate. */
  antennas: Map<string, Antenna>
  tally: EtcTally
}

/** The antennas as an engineer registers them, each on a wire of its own; what is in the card is told to its issuer, whatever the lane hears. */
export async function connectAntennas(
  client: Client,
  { url, mqtt }: Pick<Address, 'url' | 'mqtt'>,
  parks: readonly DrivenPark[],
  issuer: string,
  random: Random,
): Promise<EtcLanes> {
  const lanes: EtcLanes = { antennas: new Map(), tally: { asked: 0, paid: 0, noTag: 0, poor: 0, doubtful: 0 } }
  for (const { plan, exits } of parks.slice(0, PARKS_WITH_ETC)) {
    const exit = exits.at(-1)
    if (!exit) continue
    const one: Antenna = { wire: undefined as never, facing: undefined, last: undefined }
    const at = { ...antennaOf(exit.gateCode), parkCode: plan.parkCode }
    const secret = await secretOf(client, { ...at, gateCode: exit.gateCode, name: `ETC ${exit.gateCode}` })
    one.wire = await lane({
      sn: at.deviceNo,
      secret,
      url: mqtt,
      http: url,
      direction: 'out',
      passAfterMs: null,
      keepaliveS: 60,
      card: cardsOf(one, { ...at, issuer, random, tally: lanes.tally }),
    })
    lanes.antennas.set(exit.gateCode, one)
  }
  return lanes
}

/** A new antenna gets its secret when it is added; one that an earlier city has added, a new one. */
async function secretOf(
  client: Client,
  wanted: { deviceNo: string; name: string; laneNo: string; psamNo: string; parkCode: string; gateCode: string },
) {
  try {
    return (await client.ask(antenna.add, wanted as never)).secret
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 409) throw error
    const { records } = await client.ask(device.find, { deviceNo: wanted.deviceNo } as never)
    const [renewed] = await client.ask(device.secrets, { ids: [records[0]!.id] } as never)
    return renewed!.secret
  }
}

interface Facing {
  issuer: string
  random: Random
  tally: EtcTally
  psamNo: string
  laneNo: string
}
/** One card for each deduction, however often it is asked for. */
function cardsOf(of: Antenna, { issuer, random, tally, psamNo, laneNo }: Facing) {
  const said = new Map<string, Promise<Record<string, unknown>>>()
  // Above whatever an earlier city counted to.
  let seq = Math.floor(Date.now() / 100)
  const charge = async (deductNo: string, amountFen: number) => {
    const card = Object.keys(CARDS)[random.weighted(Object.values(CARDS))] as Card
    of.last = card
    tally.asked++
    if (card === 'none') return (tally.noTag++, { result: 'fail', failCode: NOT_READ })
    const psamSeq = ++seq
    const cardNo = `${ISSUER}${String(random.below(1_000_000)).padStart(12, '0')}`
    const pays = card === 'pays' || (card === 'doubtful' && random.chance(PAID_AFTER_ALL))
    await tell(issuer, {
      deductNo,
      psamNo,
      psamSeq,
      cardNo,
      laneNo,
      amountFen,
      plateNo: of.facing?.plateNo ?? '',
      plateColor: of.facing?.plateColor ?? PlateColor.blue,
      pays,
    })
    if (card === 'pays') return (tally.paid++, { result: 'ok', psamSeq, cardNo })
    if (card === 'poor') return (tally.poor++, { result: 'fail', failCode: TOO_LITTLE, psamSeq, cardNo })
    return (tally.doubtful++, { result: 'unknown', psamSeq, cardNo })
  }
  return (deductNo: string, amountFen: number | null) => {
    if (!said.has(deductNo) && amountFen !== null) said.set(deductNo, charge(deductNo, amountFen))
    return said.get(deductNo) ?? Promise.resolve(undefined)
  }
}

/** Tells the issuer about the card before the lane reports anything. */
async function tell(issuer: string, { pays, ...made }: Omit<Trade, 'tradeTime' | 'feeFen' | 'result'> & { pays: boolean }) {
  const trade: Trade = {
    ...made,
    tradeTime: cityTime(new Date().toISOString() as never).replaceAll(/\D/g, ''),
    feeFen: feeOf('etc', made.amountFen),
    result: pays ? Result.done : Result.failed,
    ...(!pays && { failCode: TOO_LITTLE }),
  }
  const reply = await fetch(`${issuer}/trade`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(trade) })
  if (!reply.ok) throw new Error(`the issuer answered ${reply.status}`)
}

/** A car stands before the antenna of this exit, where there is one. */
export function faces({ antennas }: EtcLanes, { gateCode }: DrivenLane, car: Plate): Antenna | undefined {
  const one = antennas.get(gateCode)
  if (one) Object.assign(one, { facing: car, last: undefined })
  return one
}
/** The lane does not know whether the card paid: a person lets the car out, and the issuer's file will tell. */
export const isDoubtful = (one: Antenna | undefined) => one?.last === 'doubtful'
