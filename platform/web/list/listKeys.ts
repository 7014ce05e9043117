import { useKeys } from '../page/keys.tsx'
import type { ListAddress } from './useListAddress.ts'

export function useListKeys(step: ((by: 1 | -1) => void) | undefined, openTicked: (() => void) | undefined, refresh: () => void) {
  useKeys({
    ...(openTicked && { o: { text: ['打开勾选的记录', 'Open the selected record'], run: openTicked } }),
    ...(step && {
      j: { text: ['下一条记录', 'Next record'], run: () => step(1) },
      k: { text: ['上一条记录', 'Previous record'], run: () => step(-1) },
    }),
    r: { text: ['刷新列表', 'Refresh the list'], run: refresh },
  })
}

/** From the open record to the next or the one before. */
export const stepIn =
  (keys: readonly string[], { openNow, open }: ListAddress<any>) =>
  (by: 1 | -1) => {
    const at = keys.indexOf(openNow() ?? '')
    const next = keys[at < 0 ? 0 : at + by]
    if (next !== undefined) open(next)
  }
