import { useQuery } from '@tanstack/react-query'
import { actionOf } from '../../contract/actions.ts'
import { deeds } from '../../contract/records.ts'
import { asks } from '../ask.ts'
import type { Text } from '../text.ts'

/** What a call did, by its id. Until the server has said it, its id stands. */
export function useDeeds(): (via: string) => Text {
  const { data } = useQuery({ ...asks(deeds.all, {}, { quiet: true }), staleTime: Infinity })
  return (via) => actionOf(via, (id) => data?.deeds[id])
}
