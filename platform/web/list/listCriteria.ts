import type { Paged, Search } from '../../contract/call.ts'
import { can } from '../person.ts'
import type { Text } from '../text.ts'
import { type Shape, labelOf } from '../value.tsx'
import type { Extra, ListProps } from './listProps.ts'

/** Criteria beside those of the search; a plate among them is looked for by any run of its characters, as in every list. */
export function withExtra<C, S extends string>(search: Search<C, S>, extra: Extra = {}): Search<C, S> {
  const plates = Object.keys(extra).filter((name) => extra[name]!['x-plate'])
  const operators = { ...search.operators, ...Object.fromEntries(plates.map((name) => [name, 'plate' as const])) }
  return { ...search, operators, schema: { ...search.schema, ...extra } }
}

/** What the list is asked for, without the page: its criteria and its order. */
export function wholeOf({ current: _, limit: __, ...whole }: Paged<object>): object {
  return whole
}

/** Without the columns and the searches that the reader may not see. */
export function permitted<P extends ListProps<any, any, any, any, any>>(props: P): P {
  const barred = Object.entries(props.fieldNeeds ?? {}).flatMap(([name, needs]) => (can(needs) ? [] : [name]))
  if (barred.length === 0) return props
  const isFree = (name: string) => !barred.includes(name.replace(/(From|To)$/, '')) && !barred.includes(name)
  const nameOf = (one: unknown) =>
    typeof one === 'string' ? one : String((one as { name?: string; dataIndex?: string }).name ?? (one as { dataIndex?: string }).dataIndex)
  const { search, find, columns } = props
  return {
    ...props,
    find: find.filter((one) => isFree(nameOf(one))),
    columns: columns.filter((one) => isFree(nameOf(one))),
    search: {
      ...search,
      sort: search.sort.filter(isFree),
      schema: Object.fromEntries(Object.entries(search.schema).filter(([name]) => isFree(name))),
    },
  }
}

/** What a part of the address is called: its field's label. */
export function namedIn(shapes: Record<string, Shape>, name: string): Text | undefined {
  const shape = shapes[name] ?? shapes[name.replace(/(From|To)$/, '')]
  return shape && labelOf(shape)
}
