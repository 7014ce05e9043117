import { useQuery } from '@tanstack/react-query'
import type { Of } from '../../../platform/contract/field.ts'
import { gate, type GateDetail } from '../../../domains/parking/contract/gate.ts'
import { UseStatus } from '../../../domains/parking/contract/park.ts'
import { asks } from '../../../platform/web/ask.ts'
import { can } from '../../../platform/web/person.ts'
import type { Text } from '../../../platform/web/text.ts'
import { type GateAct, gateAct } from '../own/dialogs.ts'
import { searchIn, type Spelling } from '../search/search.ts'

type Gate = Of<typeof GateDetail>

interface Verb {
  act: GateAct
  name: Text
  /** The effect, shown before anything is asked. */
  effect: Text
  under: readonly Text[]
  path: string
}
const VERBS: readonly Verb[] = [
  {
    act: 'open',
    name: ['开闸', 'Open barrier'],
    effect: ['抬杆放行一次，先选原因', 'Raises the barrier once; asks for the reason first'],
    under: [],
    path: '',
  },
  { act: 'close', name: ['关闸', 'Lower barrier'], effect: ['落杆，先确认', 'Lowers the barrier; asks first'], under: [], path: '' },
  {
    act: 'keep',
    name: ['常开', 'Keep open'],
    effect: ['保持抬杆，先选原因和时长', 'Keeps the barrier up; asks for reason and duration first'],
    under: [],
    path: '',
  },
]
/** More lanes than one place has; the rest is found by typing on. */
const LANES_MOST = 200
const SHOWN_MOST = 6
/** The typed part of a name before its number. */
const WORDS = /^\D+/
const PARK_CODE = /^[a-z]{1,4}\d{1,6}$/i

export interface ObjectAct {
  key: string
  name: Text
  detail: Text
  run: () => void
}
/** `开闸 P001 出口1`: an act, then what it is done to. Only for whoever may do it. */
export function useObjectActs(words: string, spelling: Spelling | undefined): { acts: ObjectAct[]; looking: boolean } {
  const [first = '', ...object] = words.trim().split(/\s+/)
  const may = can(gate.openGate.needs) && can(gate.queryPage.needs)
  const verbs = may && object.length > 0 ? searchIn(VERBS, first, spelling) : []
  const code = object.find((one) => PARK_CODE.test(one))?.toUpperCase()
  const word = WORDS.exec(object.at(-1) ?? '')?.[0]
  const asked = { ...(code ? { parkCode: code } : word && { name: word }), limit: LANES_MOST, queryMode: 'rows' as const }
  const found = useQuery({ ...asks(gate.queryPage, asked as never, { quiet: true }), enabled: verbs.length > 0 })
  if (verbs.length === 0) return { acts: [], looking: false }
  const fits = (found.data?.records ?? []).filter((one) => one.status !== UseStatus.disabled && isMeant(one, object))
  const acts = verbs.flatMap(({ act, name, effect }) =>
    fits.slice(0, SHOWN_MOST).map((one) => {
      const place = `${one.parkName} · ${one.name}`
      return {
        key: `${act} ${one.gateCode}`,
        name: [`${name[0]} ${place}`, `${name[1]} ${place}`] as Text,
        detail: [`${one.gateCode} · ${effect[0]}`, `${one.gateCode} · ${effect[1]}`] as Text,
        run: () => gateAct.set({ act, gate: one }),
      }
    }),
  )
  return { acts, looking: found.isFetching }
}
const isMeant = ({ gateCode, parkCode, parkName, name }: Gate, object: readonly string[]) => {
  // 出口1 is 出口 1.
  const told = `${gateCode} ${parkCode} ${parkName} ${name}`.replaceAll(' ', '').toLowerCase()
  return object.every((word) => told.includes(word.toLowerCase()))
}
