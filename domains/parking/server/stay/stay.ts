import type { Instant, Of } from '../../../../platform/contract/field.ts'
import type { Paged, Search } from '../../../../platform/contract/call.ts'
import { msOf } from '../../../../platform/contract/time.ts'
import type { Tx } from '../../../../platform/server/database.ts'
import { find, type List, listOver, page } from '../../../../platform/server/page.ts'
import { NotFound } from '../../../../platform/server/refusal.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { SessionAbnormal, SessionStatus, Stay, stay, type StayRow, staySearch } from '../../contract/stay.ts'
import { clearField, countToClear, undoClearing } from './clearing.ts'
import { correctTimes, handleAbnormal, supplement } from './correction.ts'
import { putPlateRight } from '../lane/misread.ts'
import { undoExit } from './reopening.ts'
import { shown } from './shown.ts'
import { storyOf } from './story.ts'
import '../tables.ts'

/** Asked for and ordered by `entryTime`, found by `seen_at`: the same moment, but never null, so that a page is read from one index. */
const bySeen: Search<unknown> = { ...staySearch, operators: ofTable(staySearch.operators), sort: ['seenAt'], first: 'seenAt' }
function ofTable({ entryTime: _, entered: __, ...operators }: Search<unknown>['operators']): Search<unknown>['operators'] {
  return operators
}

interface Lists {
  list: List<StayRow>
  withVoid: List<StayRow>
}
/** One kind of list over the stays; `only` matches a partial index of its own. A void stay is in it when its state is asked for, and in no sum. */
const listsOf = (only: string): Lists => {
  const sums = ['receivableFen', 'discountFen', 'payableFen', 'paidFen'] as const
  const listOf = (where: string) => listOver(Stay, 'parking.stay', bySeen, { only: where, sums })
  return { list: listOf(`${only} and status <> ${SessionStatus.void}`), withVoid: listOf(only) }
}
/** All of a kind, and those alone that were seen coming in, or were not. */
interface Kind extends Lists {
  entered: Lists
  unseen: Lists
}
const kindOfList = (only: string): Kind => ({
  ...listsOf(only),
  entered: listsOf(`${only} and entry_time is not null`),
  unseen: listsOf(`${only} and entry_time is null`),
})
const own = kindOfList('third_platform is null')
const present = kindOfList(`status in (${SessionStatus.present}, ${SessionStatus.leaving}) and third_platform is null`)
const abnormal = kindOfList(`abnormal_type <> ${SessionAbnormal.none} and third_platform is null`)
const third = kindOfList('third_platform is not null')
const byId = listOver(Stay, 'parking.stay', staySearch)

type Asked = Of<typeof stay.queryPage.input>
/** The list and the criteria that a filter of stays stands for. */
function choose(kind: Kind, input: Asked) {
  const asksVoid = input.status?.includes(SessionStatus.void) && input.queryMode !== 'sum'
  const { entryTimeFrom, entryTimeTo, seenAtFrom, seenAtTo, entered, orderByColumn: _, ...rest } = input
  const { list, withVoid } = entered === undefined ? kind : entered ? kind.entered : kind.unseen
  const asked: Paged<Record<string, unknown>> = { ...rest }
  const ends = { seenAtFrom: later(seenAtFrom, entryTimeFrom), seenAtTo: earlier(seenAtTo, entryTimeTo) }
  for (const [key, at] of Object.entries(ends)) if (at !== undefined) asked[key] = at
  return { list: asksVoid ? withVoid : list, input: asked }
}
/** Both may be given: rows within both are wanted. */
const later = (a?: Instant, b?: Instant) => (a === undefined || (b !== undefined && msOf(b) > msOf(a)) ? b : a)
const earlier = (a?: Instant, b?: Instant) => (a === undefined || (b !== undefined && msOf(b) < msOf(a)) ? b : a)
const stays = (tx: Tx, kind: Kind, input: Asked) => {
  const { list, input: asked } = choose(kind, input)
  return page(tx, list, asked)
}
/** For the export: the stays of the record list. */
export const chooseStays = (input: Asked) => choose(own, input)
/** For the export of those inside. */
export const choosePresent = (input: Asked) => choose(present, input)

export const calls = serve(stay, {
  queryPage: ({ tx, input }) => stays(tx, own, input),
  queryPresentPage: ({ tx, input }) => stays(tx, present, input),
  queryAbnormalPage: ({ tx, input }) => stays(tx, abnormal, input),
  queryThirdPage: ({ tx, input }) => stays(tx, third, input),
  async queryDetail({ tx, input }) {
    const found = await find(tx, byId, input.id)
    if (!found) throw NotFound()
    return found
  },
  story: ({ tx, input, at }) => storyOf(tx, input.id, at),
  correctPlate: async ({ tx, input, at, actor }) => shown(await putPlateRight(tx, input, at, actor.userName)),
  correctTimes: async ({ tx, input, at }) => shown(await correctTimes(tx, input, at)),
  undoExit: async ({ tx, input, at, actor }) => shown(await undoExit(tx, input, at, actor.userName)),
  handle: async ({ tx, input, at, actor }) => shown(await handleAbnormal(tx, input, at, actor)),
  supplement: async ({ tx, input, at, actor }) => shown(await supplement(tx, input, at, actor.userName)),
  countToClear: ({ tx, input, at, actor }) => countToClear(tx, input, at, actor),
  clear: ({ tx, input, at, actor }) => clearField(tx, input, at, actor),
  unclear: ({ tx, input, at }) => undoClearing(tx, input, at),
})
