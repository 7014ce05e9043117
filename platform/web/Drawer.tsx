import { DownOutlined, UpOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Drawer, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { asks, type Refusal } from './ask.ts'
import type { DrawerProps } from './DetailDrawer.tsx'
import { Failed, Waiting } from './states.tsx'
import { type Text, useText } from './text.ts'

export default function OpenDrawer<R>({ call, input, head, act, body, id, onStep, onClose }: DrawerProps<R>) {
  const say = useText()
  const asked = id === undefined ? undefined : (input?.(id) ?? { id })
  const one = useQuery({ ...asks(call, asked), enabled: id !== undefined })
  const row = one.data
  const step = (by: 1 | -1, text: Text, icon: ReactNode) => (
    <Tooltip title={say(text)}>
      <Button type="text" icon={icon} aria-label={say(text)} onClick={() => onStep(by)} />
    </Tooltip>
  )
  return (
    <Drawer
      open={id !== undefined}
      onClose={onClose}
      size="60%"
      mask={false}
      rootClassName="detail"
      title={row === undefined ? ' ' : head(row)}
      extra={
        <>
          {row !== undefined && act?.(row)} {step(-1, ['上一条 (k)', 'Previous (k)'], <UpOutlined />)}
          {step(1, ['下一条 (j)', 'Next (j)'], <DownOutlined />)}
        </>
      }
    >
      {one.isError ? <Failed error={one.error as Refusal} retry={() => void one.refetch()} /> : row === undefined ? <Waiting lines={6} /> : body(row)}
    </Drawer>
  )
}
