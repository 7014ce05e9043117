import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import type { Call, Page, Paged } from '../../contract/call.ts'
import type { Figure } from '../../contract/figure.ts'
import { ask } from '../ask.ts'
import { Explain } from '../draw/Explain.tsx'
import { count } from '../format.ts'
import { type Text, useText } from '../text.ts'
import type { ListAddress } from './useListAddress.ts'
import { labelOf, type Shape, Value } from '../value.tsx'

/** Figures and totals over the whole filter, not over the page. */
export interface Sum<C, T> {
  /** Fields that the list's call sums (`queryMode=sum`), shown under the list. */
  totals?: readonly (keyof T & string)[]
  /** Those of the totals that are declared figures. */
  explains?: { readonly [K in keyof T & string]?: Figure }
  /** Counts shown above, each leading to the narrower list it counts. `of`: a name among the sums; else it is counted by `queryMode=total`. */
  figures?: readonly { text: Text; leads: C; of?: string }[]
}
interface Props<C, T> {
  query: Call<Paged<C, any>, Page<T>>
  sum: Sum<C, T>
  address: ListAddress<C>
}

/** Of the whole filter: its sums, or how many there are exactly. */
export const wholeOf = <C, T>(query: Call<Paged<C, any>, Page<T>>, whole: Paged<C>, queryMode: 'sum' | 'total') => ({
  queryKey: [query.id, 'whole', queryMode, whole] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => ask(query, { ...whole, queryMode }, { signal }),
  placeholderData: keepPreviousData as never,
})

export function Figures<C extends object, T>({ query, sum, address }: Props<C, T>) {
  const say = useText()
  if (!sum.figures) return null
  return (
    <nav className="figures" aria-label={say(['数字', 'Figures'])}>
      {sum.figures.map((figure) => (
        <Figure key={figure.text[1]} query={query} figure={figure} address={address} />
      ))}
    </nav>
  )
}
function Figure<C extends object, T>({ query, figure, address }: Omit<Props<C, T>, 'sum'> & { figure: NonNullable<Sum<C, T>['figures']>[number] }) {
  const say = useText()
  const { of, leads, text } = figure
  const one = useQuery<Page<T>>(of ? wholeOf(query, address.whole, 'sum') : wholeOf(query, { ...address.whole, ...leads }, 'total'))
  const n = of ? one.data?.sums?.[of] : one.data?.total
  return (
    <button type="button" onClick={() => address.narrow(leads)}>
      <b>{n === undefined ? '–' : count(n)}</b>
      {say(text)}
    </button>
  )
}

/** Over everything, more rows than are counted, they are summed when somebody asks: seldom wanted, and the whole history is read for it. */
export function Totals<C extends object, T>({
  query,
  sum,
  address,
  shapes,
  page,
}: Props<C, T> & {
  shapes: Record<string, Shape>
  /** Of this filter, once it is here. */
  page: Page<T> | undefined
}) {
  const say = useText()
  const [asked, setAsked] = useState(false)
  const waits = !asked && address.unfiltered && page?.totalExact === false
  const enabled = (sum.totals?.length ?? 0) > 0 && page !== undefined && !waits
  const { data } = useQuery<Page<T>>({ ...wholeOf(query, address.whole, 'sum'), enabled })
  if (!sum.totals) return null
  if (waits)
    return (
      <div className="totals">
        <Button size="small" type="link" onClick={() => setAsked(true)}>
          {say(['合计全部记录', 'Total all records'])}
        </Button>
      </div>
    )
  return (
    <div className="totals">
      <span className="faint">{say(['筛选合计', 'Filtered total'])}</span>
      {sum.totals.map((of) => {
        const figure = sum.explains?.[of]
        return (
          <span key={of}>
            {say(labelOf(shapes[of]!))} <b>{data?.sums ? <Value shape={shapes[of]!} value={data.sums[of]} /> : '–'}</b>
            {figure && <Explain figures={[figure]} />}
          </span>
        )
      })}
    </div>
  )
}
