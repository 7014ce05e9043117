import { Button } from 'antd'
import { PAGE_ROWS } from '../../contract/call.ts'
import { Banner } from '../page/Banner.tsx'
import { time } from '../format.ts'
import { Failed, Nothing, PastTheEnd, Waiting } from '../page/states.tsx'
import { type Text, useText } from '../text.ts'
import type { ListAddress } from './useListAddress.ts'
import type { ListOf } from './listProps.ts'

/** What stands in the place of rows when there are none. */
export function Instead<T>({
  list,
  address,
  empty,
  onReset,
}: {
  list: ListOf<T>
  address: ListAddress<any>
  empty: Text | undefined
  onReset: () => void
}) {
  const say = useText()
  if (list.isPending) return <Waiting />
  if (list.isError) return <Failed error={list.error} retry={list.refresh} />
  const { current = 1, limit = PAGE_ROWS } = address.input
  if (current > 1 && (list.data?.total ?? 0) > 0) return <PastTheEnd first={() => address.turn(1, limit)} />
  return <Nothing clear={Object.keys(address.criteria).length > 0 ? onReset : undefined}>{empty && say(empty)}</Nothing>
}

export function OldData({ old, at, retry }: { old: { ofOther: boolean } | undefined; at: number; retry: () => void }) {
  const say = useText()
  const button = (
    <Button size="small" onClick={retry}>
      {say(['重试', 'Try again'])}
    </Button>
  )
  const when = time(new Date(at)).slice(11)
  const what: Text = old?.ofOther
    ? [
        `连不上服务器。下面仍是 ${when} 按之前的条件查到的数据`,
        `The server cannot be reached. Below is still the data of ${when} for the previous search`,
      ]
    : [`刷新失败，下面是 ${when} 的数据`, `Refresh failed; below is the data of ${when}`]
  return (
    <Banner tone="warning" action={button}>
      {say(old ? [`${what[0]}；恢复后自动更新。`, `${what[1]}. It updates once the server is back.`] : [`${what[0]}。`, `${what[1]}.`])}
    </Banner>
  )
}
