import { ORDER_MAX, type Order } from '../contract/call.ts'

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

/**
 * The order after a head was pressed: its field goes down first, then up, then it sorts no more. Alone it is the whole order; with `adding` it joins, turns round in its place, or leaves.
 */
export function pressed(before: readonly Order[], by: string, adding: boolean): Order[] {
  const was = before.find((one) => one.by === by)
  const turned: Order[] = was?.up ? [] : [{ by, up: was !== undefined }]
  if (!adding) return turned
  return was ? before.flatMap((one) => (one === was ? turned : one)) : [...before, ...turned].slice(0, ORDER_MAX)
}
