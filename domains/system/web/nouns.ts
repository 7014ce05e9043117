import { useQuery } from '@tanstack/react-query'
import { asks } from '../../../platform/web/ask.ts'
import type { Text } from '../../../platform/web/text.ts'
import type { Shape } from '../../../platform/web/value.tsx'
import { log } from '../contract/log.ts'

/** Returns the words for the tables and columns of the change log: their own names stand until these are known, and where there are none. */
export function useNouns() {
  const { data } = useQuery({ ...asks(log.nouns, {}, { quiet: true }), staleTime: Infinity })
  const nounOf = (table: string) => data?.nouns.find((one) => one.table === table)
  return {
    nouns: data?.nouns ?? [],
    nameOf(table: string): Text {
      const noun = nounOf(table)
      return noun ? [noun.zh, noun.en] : [table, table]
    },
    shapeOf: (table: string, column: string) => (nounOf(table)?.columns[column] ?? data?.everywhere[column]) as Shape | undefined,
  }
}
