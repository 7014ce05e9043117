import { ArrowDownOutlined, ArrowUpOutlined, ColumnHeightOutlined, SettingOutlined } from '@ant-design/icons'
import { Button, Checkbox, Popover, Tooltip } from 'antd'
import type { ColumnType } from 'antd/es/table'
import { useMemo } from 'react'
import { kept, listOfWords } from './kept.ts'
import { useText } from './text.ts'
import { chosen } from './theme.ts'

interface Layout {
  hidden: readonly string[]
  order: readonly string[]
}
const checkLayout = (value: unknown): Layout | undefined => {
  const { hidden, order } = (value ?? {}) as Partial<Layout>
  return listOfWords(hidden) && listOfWords(order) ? (value as Layout) : undefined
}

/** Which columns a person sees in a list and in which order, kept for that person. What was added since stands at its own place. */
export function useColumns<T>(listId: string, columns: readonly ColumnType<T>[], hiddenAtFirst: readonly string[]) {
  const layout = useMemo(() => kept<Layout>(`columns/${listId}`, { hidden: hiddenAtFirst, order: [] }, checkLayout), [listId])
  const { hidden, order } = layout.use()
  const names = columns.map((column) => String(column.key))
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : names.indexOf(name))
  const sorted = order.length === 0 ? [...columns] : columns.toSorted((a, b) => place(String(a.key)) - place(String(b.key)))
  const shown = sorted.filter((column) => !hidden.includes(String(column.key)))
  return {
    all: sorted,
    shown: shown.length > 0 ? shown : sorted,
    hidden,
    set: layout.set,
    reset: () => layout.set({ hidden: hiddenAtFirst, order: [] }),
  }
}

/** Show, hide and order the columns; the other button changes the density of the whole console. */
export function ColumnChooser<T>({ all, hidden, set, reset }: Omit<ReturnType<typeof useColumns<T>>, 'shown'>) {
  const say = useText()
  const names = all.map((column) => String(column.key))
  const move = (name: string, by: 1 | -1) => {
    const order = names.filter((one) => one !== name)
    order.splice(names.indexOf(name) + by, 0, name)
    set({ hidden, order })
  }
  const list = (
    <div className="column-list">
      {all.map((column, place) => {
        const name = String(column.key)
        const title = column.title as string
        return (
          <div key={name}>
            <Checkbox
              checked={!hidden.includes(name)}
              onChange={({ target }) => set({ order: names, hidden: target.checked ? hidden.filter((one) => one !== name) : [...hidden, name] })}
            >
              {title}
            </Checkbox>
            <Button
              type="text"
              size="small"
              disabled={place === 0}
              icon={<ArrowUpOutlined />}
              aria-label={`${title} ${say(['上移', 'up'])}`}
              onClick={() => move(name, -1)}
            />
            <Button
              type="text"
              size="small"
              disabled={place === all.length - 1}
              icon={<ArrowDownOutlined />}
              aria-label={`${title} ${say(['下移', 'down'])}`}
              onClick={() => move(name, 1)}
            />
          </div>
        )
      })}
      <Button size="small" onClick={reset}>
        {say(['恢复默认', 'Reset'])}
      </Button>
    </div>
  )
  const size = chosen.size.use()
  const label = say(['列设置', 'Columns'])
  const density = say(size === 'small' ? ['宽松显示', 'Comfortable rows'] : ['紧凑显示', 'Dense rows'])
  return (
    <>
      <Tooltip title={density}>
        <Button
          size="small"
          type="text"
          aria-label={density}
          icon={<ColumnHeightOutlined />}
          onClick={() => chosen.size.set(size === 'small' ? 'default' : 'small')}
        />
      </Tooltip>
      <Popover trigger="click" placement="bottomRight" content={list} title={label}>
        <Button size="small" type="text" aria-label={label} icon={<SettingOutlined />} />
      </Popover>
    </>
  )
}
