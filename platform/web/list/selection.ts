import { toast } from '../page/hosts.tsx'

/** What a button over ticked rows needs; it says so when there are too few or too many. */
export function tickedSome(ticked: readonly unknown[]): boolean {
  if (ticked.length > 0) return true
  toast('warning', ['至少勾选一项', 'Select at least one row'])
  return false
}
export function tickedOne(ticked: readonly unknown[]): boolean {
  if (!tickedSome(ticked)) return false
  if (ticked.length === 1) return true
  toast('warning', ['最多勾选一项', 'Select one row only'])
  return false
}
export function tickedToDelete(ticked: readonly unknown[]): boolean {
  if (ticked.length > 0) return true
  toast('warning', ['至少选择一条数据', 'Select at least one record'])
  return false
}
/** So many rows are ticked at most: what is done to more of them at once is a job for an import. */
export const TICKS_MOST = 5_000
