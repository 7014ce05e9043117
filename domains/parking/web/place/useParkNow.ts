import { useQuery } from '@tanstack/react-query'
import { asks } from '../../../../platform/web/ask.ts'
import { park } from '../../contract/park.ts'

/** A park as it is now, for a dialog that starts from something in it. */
export const useParkNow = (parkCode: string) => useQuery(asks(park.queryDetail, { parkCode })).data
