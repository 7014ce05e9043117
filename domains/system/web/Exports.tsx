import { CloseOutlined, DownloadOutlined } from '@ant-design/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Drawer, Progress, Tabs } from 'antd'
import { lazy, Suspense } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { ask, asks, download, type Refusal } from '../../../platform/web/ask.ts'
import { count } from '../../../platform/web/format.ts'
import { Failed, Nothing, Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { State, Time } from '../../../platform/web/value.tsx'
import { type ExportFile, exportFile, ExportState } from '../contract/exportFile.ts'
import '../../../platform/web/sheet/sheets.css'
import { Label } from '../../../platform/web/form/remove.tsx'

const ScheduledExports = lazy(() => import('../../../platform/web/sheet/ScheduledExports.tsx'))
type File = Of<typeof ExportFile>
/** While one is being written, its progress is asked for this often. */
const LOOK_MS = 1_500
const UNFINISHED = [1, 2]
const READY = 3

/** One's own exports: the files of the last seven days, and those that come again by themselves. */
export default function Exports({ onClose }: { onClose: () => void }) {
  const say = useText()
  const items = [
    { key: 'files', label: say(['文件', 'Files']), children: <Files /> },
    {
      key: 'scheduled',
      label: say(['定时', 'Scheduled']),
      children: (
        <Suspense fallback={<Waiting lines={4} />}>
          <ScheduledExports />
        </Suspense>
      ),
    },
  ]
  return (
    <Drawer open title={say(['我的导出', 'My exports'])} size={560} onClose={onClose}>
      <Tabs items={items} size="small" />
    </Drawer>
  )
}

/** How far they are, and their files. */
function Files() {
  const say = useText()
  const list = useQuery({
    ...asks(exportFile.queryPage, { limit: 100 }),
    refetchInterval: ({ state }) => (state.data?.records.some(({ state: one }) => UNFINISHED.includes(one)) ? LOOK_MS : false),
  })
  return (
    <>
      <p className="soft">
        {say([
          '文件保留 7 天，只有您自己能下载；下载链接 24 小时后需重新生成。',
          'Files are kept for 7 days and only you can download them; download links must be renewed after 24 hours.',
        ])}
      </p>
      {list.isPending && <Waiting lines={4} />}
      {list.isError && <Failed error={list.error as Refusal} retry={() => void list.refetch()} />}
      {list.data?.records.length === 0 && (
        <Nothing>
          {say([
            '超过 5,000 行的导出和定时导出在后台进行，会列在这里。',
            'Exports over 5,000 rows and scheduled exports run in the background and appear here.',
          ])}
        </Nothing>
      )}
      <ul className="exports">
        {list.data?.records.map((file) => (
          <Line key={file.id} file={file} />
        ))}
      </ul>
    </>
  )
}

function Line({ file }: { file: File }) {
  const say = useText()
  const cache = useQueryClient()
  const { id, title, titleEn, name, state, rowsDone, rowsTotal, bytes, linkUntil, createdAt } = file
  const again = () => cache.invalidateQueries({ queryKey: [exportFile.queryPage.id] })
  const over = linkUntil !== null && Date.parse(linkUntil) < Date.now()
  const get = async () => {
    if (over) await ask(exportFile.renew, { id })
    await download(exportFile.download, { id })
    await again()
  }
  const running = UNFINISHED.includes(state)
  return (
    <li>
      <div>
        <b>{say([title, titleEn])}</b> <State dictionary={ExportState} value={state} />
        <span className="push" />
        {state === READY && (
          <Button size="small" type={over ? 'default' : 'primary'} icon={<DownloadOutlined />} onClick={() => void get().catch(() => {})}>
            {over ? say(['重新生成链接并下载', 'New link and download']) : say(Label.download)}
          </Button>
        )}
        {running && (
          <Button size="small" icon={<CloseOutlined />} onClick={() => void ask(exportFile.cancel, { id }).then(again, () => {})}>
            {say(['取消', 'Cancel'])}
          </Button>
        )}
      </div>
      {running && (
        <Progress percent={rowsTotal ? Math.min(99, Math.floor((rowsDone / rowsTotal) * 100)) : 0} showInfo={rowsTotal !== null} size="small" />
      )}
      <div className="soft">
        <small>{name}</small>
        <small>
          {count(rowsDone)}
          {rowsTotal && running ? ` / ${count(rowsTotal)}` : ''} {say(['行', 'rows'])}
        </small>
        {bytes !== null && <small>{(bytes / 1024 / 1024).toFixed(1)} MB</small>}
      </div>
      <div className="faint">
        <small>
          <Time at={createdAt} />
        </small>
        {state === READY && linkUntil && (
          <small>
            {over ? say(['链接已过期', 'Link expired']) : say(['链接有效至', 'Link valid until'])} {!over && <Time at={linkUntil} />}
          </small>
        )}
      </div>
    </li>
  )
}
