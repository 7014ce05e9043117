import { DownOutlined, HistoryOutlined, UpOutlined } from '@ant-design/icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Drawer, Tooltip } from 'antd'
import { type ReactNode, Suspense, useMemo } from 'react'
import { asks, type Refusal } from '../ask.ts'
import type { DrawerProps } from './DetailDrawer.tsx'
import { useFrames } from '../live.ts'
import { Failed, Waiting } from '../page/states.tsx'
import { type Text, useText } from '../text.ts'

/** So much of a record is in sight at least, and a small window gives it all but the frame. */
const HEIGHT_LEAST_PX = 480
/** The header and the opened pages. */
const FRAME_PX = 48 + 36
/** Header, tabs and the list's own buttons stay in reach: the drawer begins under them, and does not move while it is open. */
function topNow(): number {
  const bar = [...document.querySelectorAll<HTMLElement>('main .list-bar')].find((one) => one.checkVisibility())
  const under = bar?.getBoundingClientRect().bottom ?? FRAME_PX
  return Math.max(FRAME_PX, under <= innerHeight - HEIGHT_LEAST_PX ? under : FRAME_PX)
}

export default function OpenDrawer<R>({ call, input, head, act, body, id, live, onStep, onClose, onHistory }: DrawerProps<R>) {
  const say = useText()
  const asked = id === undefined ? undefined : (input?.(id) ?? { id })
  // From record to record the last one stays until the next is there, so that nothing jumps; nothing is done to it meanwhile.
  const one = useQuery({ ...asks(call, asked), enabled: id !== undefined, placeholderData: keepPreviousData as never })
  const row = one.data
  useFrames(live, ({ ids }) => id !== undefined && (ids.length === 0 || ids.includes(id)) && void one.refetch())
  const isOpen = id !== undefined
  const top = useMemo(() => (isOpen ? topNow() : FRAME_PX), [isOpen])
  const button = (text: Text, icon: ReactNode, run: () => void) => (
    <Tooltip title={say(text)}>
      <Button type="text" icon={icon} aria-label={say(text)} onClick={run} />
    </Tooltip>
  )
  return (
    <Drawer
      open={id !== undefined}
      onClose={onClose}
      size="60%"
      mask={false}
      keyboard={false}
      rootClassName="detail"
      rootStyle={{ top }}
      title={<Suspense fallback=" ">{row === undefined ? ' ' : head(row)}</Suspense>}
      extra={
        <>
          <Suspense>{row !== undefined && !one.isPlaceholderData && act?.(row)}</Suspense>{' '}
          {onHistory && button(['变更历史', 'History'], <HistoryOutlined />, onHistory)}
          {button(['上一条（k）', 'Previous (k)'], <UpOutlined />, () => onStep(-1))}
          {button(['下一条（j）', 'Next (j)'], <DownOutlined />, () => onStep(1))}
        </>
      }
    >
      {one.isError ? (
        <Failed error={one.error as Refusal} retry={() => void one.refetch()} />
      ) : row === undefined ? (
        <Waiting lines={6} />
      ) : (
        <Suspense fallback={<Waiting lines={6} />}>{body(row)}</Suspense>
      )}
    </Drawer>
  )
}
