import type { Key, ReactNode } from 'react'
import { type Text, useText } from '../text.ts'
import { CELL, GROUP, HEAD, ROW, TABLE } from './tableRoles.ts'

export interface LineColumn<T> {
  name: Text
  right?: true
  cell: (one: T) => ReactNode
  /** Of all of them, under more than one. */
  sum?: ReactNode
}
interface Props<T> {
  of: readonly T[]
  keyOf: (one: T) => Key
  columns: readonly LineColumn<T>[]
  /** What can be done to a line, last in it. */
  act?: (one: T) => ReactNode
}
/** A few records inside a story, all of them shown. On a telephone each cell stands on a line of its own, behind its name. */
export function Lines<T>({ of, keyOf, columns, act }: Props<T>) {
  const say = useText()
  return (
    <table {...TABLE} className="lines stacked">
      <thead {...GROUP}>
        <tr {...ROW}>
          {columns.map(({ name, right }) => (
            <th {...HEAD} key={name[1]} className={right ? 'right' : ''}>
              {say(name)}
            </th>
          ))}
          {act && <th {...HEAD} aria-label={say(['操作', 'Actions'])} />}
        </tr>
      </thead>
      <tbody {...GROUP}>
        {of.map((one) => (
          <tr {...ROW} key={keyOf(one)}>
            {columns.map(({ name, right, cell }) => (
              <td {...CELL} key={name[1]} className={right ? 'right' : ''} data-name={say(name)}>
                {cell(one)}
              </td>
            ))}
            {act && (
              <td {...CELL} className="right">
                {act(one)}
              </td>
            )}
          </tr>
        ))}
      </tbody>
      {of.length > 1 && columns.some(({ sum }) => sum !== undefined) && (
        <tfoot {...GROUP}>
          <tr {...ROW} className="sum">
            <td {...CELL}>{say(['合计', 'Total'])}</td>
            {columns.slice(1).map(({ name, right, sum }) => (
              <td {...CELL} key={name[1]} className={right ? 'right' : ''} data-name={say(name)}>
                {sum}
              </td>
            ))}
          </tr>
        </tfoot>
      )}
    </table>
  )
}
