import { Direction } from '../contract/gate.ts'

const WORDS: Readonly<Record<number, string>> = { [Direction.entrance]: '入口', [Direction.exit]: '出口', [Direction.both]: '出入口' }
const CODE = /-G(\d+)$/

/** What a new gate of a park may be called, next to those that it has: the next code, and the next number of its direction. */
export function proposalOf(
  parkCode: string,
  direction: number,
  gates: readonly { gateCode: string; name: string }[],
): { gateCode: string; name: string } {
  const numbers = gates.map(({ gateCode }) => Number(CODE.exec(gateCode)?.[1] ?? 0))
  const word = WORDS[direction] ?? ''
  const names = new Set(gates.map(({ name }) => name))
  let place = 1
  while (names.has(`${place}号${word}`)) place++
  return { gateCode: `${parkCode}-G${String(Math.max(0, ...numbers) + 1).padStart(2, '0')}`, name: `${place}号${word}` }
}
