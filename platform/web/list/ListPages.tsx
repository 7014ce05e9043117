import { useQuery } from '@tanstack/react-query'
import { Pagination, Tooltip } from 'antd'
import { useState } from 'react'
import { type Call, type Page, PAGE_MAX, PAGE_ROWS, type Paged, TOTAL_CAP } from '../../contract/call.ts'
import { wholeOf } from './Sums.tsx'
import { useText } from '../text.ts'
import type { ListAddress } from './useListAddress.ts'

/** In this order: total, previous, pages, next, sizes, jumper. The pages go as far as there are rows, counted or not. */
export function ListPages<C extends object, T>({
  query,
  data,
  address,
}: {
  query: Call<Paged<C, any>, Page<T>>
  data: Page<T> | undefined
  address: ListAddress<C>
}) {
  const { current = 1, limit = PAGE_ROWS } = address.input
  const [asked, setAsked] = useState<string>()
  const filter = JSON.stringify(address.whole)
  const counted = useQuery<Page<T>>({ ...wholeOf(query, address.whole, 'total'), enabled: asked === filter && data?.totalExact === false })
  const exact = data?.totalExact ? data.total : asked === filter && !counted.isPlaceholderData ? counted.data?.total : undefined
  const reach = exact ?? reachOf(data, current, limit)
  return (
    <div className="list-pages">
      <Pagination
        size="small"
        showSizeChanger
        showTotal={() => <Total data={data} exact={exact} counting={counted.isFetching} onAsk={() => setAsked(filter)} />}
        current={current}
        pageSize={limit}
        total={reach}
        pageSizeOptions={[20, 50, 100, 200]}
        onChange={address.turn}
      />
      <Jumper pages={exact === undefined && data ? PAGE_MAX : Math.max(1, Math.ceil(reach / limit))} address={address} />
    </div>
  )
}

/** Rows that are known to be there: those up to this page, and while it is full at least one more. */
function reachOf<T>(data: Page<T> | undefined, current: number, limit: number): number {
  if (!data) return 0
  const here = data.records.length
  const passed = (current - 1) * limit + here
  if (here === 0) return Math.max(data.total, passed)
  return here < limit ? passed : Math.max(data.total, passed) + 1
}

function Total<T>({ data, exact, counting, onAsk }: { data: Page<T> | undefined; exact: number | undefined; counting: boolean; onAsk: () => void }) {
  const say = useText()
  const number = exact !== undefined ? <b>{exact}</b> : data ? <More counting={counting} onAsk={onAsk} /> : <b>–</b>
  return (
    <span className="soft">
      {say(['共', 'Total'])} {number} {say(['条', ' '])}
    </span>
  )
}
/** Counting everything takes its time: whoever wants to know asks. */
function More({ counting, onAsk }: { counting: boolean; onAsk: () => void }) {
  const say = useText()
  return (
    <Tooltip title={say(['点击查看准确条数', 'Click for the exact count'])}>
      <button type="button" className="link-like" aria-busy={counting} onClick={onAsk}>
        <b>{TOTAL_CAP}+</b>
      </button>
    </Tooltip>
  )
}

/** antd's own is gone where there is one page only; this one stays in its place. */
function Jumper({ pages, address }: { pages: number; address: ListAddress<any> }) {
  const say = useText()
  const [typed, setTyped] = useState('')
  const jump = () => {
    const page = Math.min(pages, Math.max(1, Number(typed) || 0))
    if (typed) address.turn(page, address.input.limit ?? PAGE_ROWS)
    setTyped('')
  }
  return (
    <label className="jumper soft">
      {say(['跳至', 'Go to'])}
      <input
        inputMode="numeric"
        maxLength={6}
        value={typed}
        onChange={({ target }) => setTyped(target.value.replace(/\D/g, ''))}
        onKeyDown={({ key }) => key === 'Enter' && jump()}
        onBlur={jump}
      />
      {say(['页', ''])}
    </label>
  )
}
