import { box } from '../../domains/street-lamp/contract/box.ts'
import { wiring } from '../../domains/street-lamp/contract/wiring.ts'
import { type LampBox, lampBox } from '../../gateways/mqtt/lampBox.ts'
import type { Client } from '../client.ts'
import { BOXES, circuitsOf, controllerOf, type PlannedBox, singlesOf } from '../lamps.ts'
import type { Random } from '../random.ts'
import { type Address, pauseWhile } from './world.ts'

export interface DrivenBox {
  plan: PlannedBox
  wire: LampBox
}
const EVERY_MS = 5_000
/** How often a box is opened by somebody. */
const OPENED = 0.02
const FOLLOWS_MS = 1_000

/** Every box of the plan that the platform knows, with a controller of its own on the wire; it goes on counting where its meter was read last. */
export async function connectBoxes(client: Client, { mqtt, password }: Address): Promise<DrivenBox[]> {
  const { records } = await client.ask(box.query, { limit: 500 })
  return Promise.all(
    BOXES.flatMap((plan) => {
      const known = records.find(({ boxCode }) => boxCode === plan.boxCode)
      if (!known) return []
      const at = {
        sn: controllerOf(plan),
        secret: password,
        url: mqtt,
        circuits: circuitsOf(plan),
        singles: singlesOf(plan),
        kwh: (known.register ?? 0) / 100,
        everyMs: null,
      }
      return [lampBox(at).then((wire) => ({ plan, wire }))]
    }),
  )
}

/** A box measures, follows its plan, and is opened now and then. */
export async function playBox({ wire }: DrivenBox, { random, going }: { random: Random; going: () => boolean }): Promise<void> {
  while (going()) {
    await wire.measure()
    if (random.chance(OPENED)) {
      await wire.alarm('doorOpen')
      await pauseWhile(going, FOLLOWS_MS)
      await wire.cleared('doorOpen')
    }
    await pauseWhile(going, EVERY_MS)
  }
  await wire.measure()
}

/** Does the platform read of every circuit what it really is? */
export async function compareBoxes(client: Client, boxes: readonly DrivenBox[]): Promise<{ what: string; right: boolean }[]> {
  if (boxes.length === 0) return []
  const read = await client.ask(wiring.status, { boxCodes: boxes.map(({ plan }) => plan.boxCode) })
  const wrong = boxes.flatMap(({ plan, wire }) =>
    [...wire.lamps].filter(([circuit, { on, dim }]) => {
      const one = read.find(({ boxCode, circuitNo }) => boxCode === plan.boxCode && circuitNo === circuit)
      return one?.relay !== on || one.dim !== dim
    }),
  )
  return [{ what: `lamp circuits that read otherwise than they are: ${wrong.length} of ${read.length}`, right: wrong.length === 0 }]
}
