import { PlusOutlined, PrinterOutlined, ReloadOutlined } from '@ant-design/icons'
import { Button, ConfigProvider, Tooltip } from 'antd'
import { type ReactNode, Suspense, lazy } from 'react'
import type { ExportCall } from '../../contract/sheet.ts'
import { ZONE_MARK, ZONE_NAME } from '../../contract/time.ts'
import { Act } from '../form/catalogued.tsx'
import { type Arrangement, ColumnChooser } from './Columns.tsx'
import { time } from '../format.ts'
import { can } from '../person.ts'
import { Label } from '../form/remove.tsx'
import { useText } from '../text.ts'
import { Views, type ViewsProps } from './Views.tsx'
import type { ListOf, ListProps } from './listProps.ts'

const ExportButton = lazy(async () => ({ default: (await import('../sheet/ExportButton.tsx')).ExportButton }))

/** Over the rows: the page's own buttons at the left; what waits, the time of the data, columns and refresh at the right. */
export function Bar<T>({
  list,
  columns,
  views,
  exports,
  criteria,
  children,
}: {
  list: ListOf<T>
  columns: Arrangement<T>
  views: ViewsProps
  exports: ExportCall<any> | undefined
  criteria: object
  children: ReactNode
}) {
  const say = useText()
  return (
    <div className="list-bar">
      <ConfigProvider componentSize="small">
        {children}
        <Suspense>{exports && can(exports.needs) && <ExportButton call={exports} criteria={criteria} />}</Suspense>
      </ConfigProvider>
      <div className="list-tools">
        {list.news + list.gone.size > 0 && <News news={list.news} gone={list.gone.size} show={list.showNews} />}
        {list.data && (
          <span className="faint">
            {say(['数据时间', 'As of'])} {time(new Date(list.dataUpdatedAt)).slice(11)} <abbr title={say(ZONE_NAME)}>{ZONE_MARK}</abbr>
          </span>
        )}
        <Tooltip title={say(['打印本页', 'Print this page'])}>
          <Button size="small" type="text" aria-label={say(['打印', 'Print'])} icon={<PrinterOutlined />} onClick={() => print()} />
        </Tooltip>
        <Views {...views} />
        <ColumnChooser columns={columns} />
        <Tooltip title={say(['刷新（r）', 'Refresh (r)'])}>
          <Button
            size="small"
            type="text"
            aria-label={say(['刷新', 'Refresh'])}
            icon={<ReloadOutlined spin={list.isFetching} />}
            onClick={list.refresh}
          />
        </Tooltip>
      </div>
    </div>
  )
}

export const Add = ({ call, open, text = Label.add }: NonNullable<ListProps<any, string, any, any>['add']>) => (
  <Act text={text} needs={call.needs} type="primary" icon={<PlusOutlined />} onClick={open} />
)

function News({ news, gone, show }: { news: number; gone: number; show: () => void }) {
  const say = useText()
  const words = [news > 0 && say([`${news} 条新记录`, `${news} new`]), gone > 0 && say([`${gone} 条已不在此列`, `${gone} gone`])].filter(Boolean)
  return (
    <button type="button" className="news" onClick={show}>
      {words.join(say(['，', ', ']))} · {say(['显示', 'Show'])}
    </button>
  )
}
