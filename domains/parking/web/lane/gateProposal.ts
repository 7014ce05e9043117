import type { Text } from '../../../../platform/web/text.ts'
import { Direction } from '../../contract/gate.ts'

const NAMES: Readonly<Record<number, (place: number) => Text>> = {
  [Direction.entrance]: (place) => [`${place}号入口`, `Entrance ${place}`],
  [Direction.exit]: (place) => [`${place}号出口`, `Exit ${place}`],
  [Direction.both]: (place) => [`${place}号出入口`, `Gate ${place}`],
}
const CODE = /-G(\d+)$/

/** Proposes the next free code for a new gate of a park, and a name with the next number of its direction. */
export function proposalOf(
  parkCode: string,
  direction: number,
  gates: readonly { gateCode: string; name: string }[],
): { gateCode: string; name: Text } {
  const numbers = gates.map(({ gateCode }) => Number(CODE.exec(gateCode)?.[1] ?? 0))
  const nameAt = NAMES[direction] ?? NAMES[Direction.both]!
  const taken = new Set(gates.map(({ name }) => name))
  const isTaken = ([zh, en]: Text) => taken.has(zh) || taken.has(en)
  let place = 1
  while (isTaken(nameAt(place))) place++
  return { gateCode: `${parkCode}-G${String(Math.max(0, ...numbers) + 1).padStart(2, '0')}`, name: nameAt(place) }
}
