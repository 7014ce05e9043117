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
 * The order after a head was pressed. `shown` is what the table makes of it, with every field that it knows; alone, the pressed field is the whole order, and with `adding` it joins,
 * turns round in its place, or leaves.
 */
export function pressed(before: readonly Order[], shown: readonly Order[], adding: boolean): Order[] {
  const now = (by: string) => shown.find((one) => one.by === by)
  const turned = shown.filter(({ by, up }) => before.find((one) => one.by === by)?.up !== up)
  if (!adding) return turned
  const stay = before.flatMap(({ by }) => now(by) ?? [])
  return [...stay, ...turned.filter(({ by }) => !before.some((one) => one.by === by))].slice(0, ORDER_MAX)
}
