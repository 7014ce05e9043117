import { ORDER_MAX, type Order } from '../../contract/call.ts'

/** What an address says: `sort=parkCode,createdAt&up=1,0`. A field that cannot be sorted by, or is named twice, counts nothing. */
export function orderIn(params: URLSearchParams, sortable: readonly string[]): Order[] {
  const ups = (params.get('up') ?? '').split(',')
  const named = (params.get('sort') ?? '').split(',').map((by, place) => ({ by, up: ups[place] === '1' }))
  return named.filter(({ by }, place) => sortable.includes(by) && named.findIndex((one) => one.by === by) === place).slice(0, ORDER_MAX)
}
/** The same, as the address has it. */
export const orderOut = (order: readonly Order[]) => ({
  sort: order.map(({ by }) => by).join(','),
  up: order.some(({ up }) => up) ? order.map(({ up }) => Number(up)).join(',') : undefined,
})
/** As a call is asked. */
export const orderAsked = (order: readonly Order[]) =>
  order.length > 0 && {
    orderByColumn: order.map(({ by }) => by).join(','),
    isAsc: order.length === 1 ? order[0]!.up : order.map(({ up }) => up).join(','),
  }

/** A head that was pressed: alone, or with Shift to join the fields that sort already. */
export interface Press {
  by: string
  /** It goes up first, and down then. */
  upFirst: boolean
  adding: boolean
}
/**
 * The order after that: its field goes one way first, then the other, then it sorts no more. Alone it is the whole order; with `adding` it joins, turns round in its place, or leaves.
 */
export function pressed(before: readonly Order[], { by, upFirst, adding }: Press): Order[] {
  const was = before.find((one) => one.by === by)
  const turned: Order[] = !was ? [{ by, up: upFirst }] : was.up === upFirst ? [{ by, up: !upFirst }] : []
  if (!adding) return turned
  return was ? before.flatMap((one) => (one === was ? turned : one)) : [...before, ...turned].slice(0, ORDER_MAX)
}
