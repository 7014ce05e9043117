import { DownloadOutlined, DownOutlined } from '@ant-design/icons'
import { Button, Dropdown, Space } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { EXPORT_AT_ONCE, type ExportCall, SHEET_FORMATS, type SheetFormat, XLS_ROWS_MAX } from '../../contract/sheet.ts'
import { fileOrData } from '../ask.ts'
import { exportsShown } from './exportsShown.ts'
import { count } from '../format.ts'
import { toast } from '../page/hosts.tsx'
import { kept, oneOf } from '../kept.ts'
import { Label } from '../form/remove.tsx'
import { type Text, useText } from '../text.ts'

const ScheduleDialog = lazy(() => import('./ScheduleDialog.tsx'))
/** The kind of file that somebody chose last, on every list. */
const format = kept<SheetFormat>('export-format', 'xls', oneOf(...SHEET_FORMATS))

const KINDS: Record<SheetFormat, Text> = {
  xls: [`Excel 97-2003，最多 ${count(XLS_ROWS_MAX)} 行，更多时为 .xlsx`, `Excel 97-2003, up to ${count(XLS_ROWS_MAX)} rows, .xlsx beyond`],
  xlsx: ['Excel 工作簿，行数不限', 'Excel workbook, any number of rows'],
  csv: ['逗号分隔文本，行数不限', 'Comma-separated text, any number of rows'],
}

/** Writes the list's whole filter to a file: at once, or above EXPORT_AT_ONCE rows in the background. */
export function ExportButton({ call, criteria, text = Label.export }: { call: ExportCall<any>; criteria: object; text?: Text }) {
  const say = useText()
  const kind = format.use()
  const [now, setNow] = useState(false)
  const [planning, setPlanning] = useState(false)
  const run = async (wanted: SheetFormat) => {
    format.set(wanted)
    setNow(true)
    const queued = await fileOrData(call, { ...criteria, format: wanted, background: true }).catch(() => undefined) // shown and noted by `ask`
    setNow(false)
    if (!queued) return
    toast('success', [
      `超过 ${count(EXPORT_AT_ONCE)} 行，已转入后台导出，完成后会通知您`,
      `More than ${count(EXPORT_AT_ONCE)} rows: exporting in the background; you will be notified`,
    ])
    exportsShown.set(true)
  }
  const items = [
    ...SHEET_FORMATS.map((one) => ({
      key: one,
      label: (
        <span className="export-kind">
          <b>.{one}</b> <span className="soft">{say(KINDS[one])}</span>
        </span>
      ),
      onClick: () => void run(one),
    })),
    { type: 'divider' as const },
    { key: 'schedule', label: say(['定时导出…', 'Schedule this export…']), onClick: () => setPlanning(true) },
    { key: 'mine', label: say(['我的导出', 'My exports']), onClick: () => exportsShown.set(true) },
  ]
  return (
    <Space.Compact className="export-button">
      <Button icon={<DownloadOutlined />} loading={now} onClick={() => void run(kind)}>
        {say(text)} <span className="faint">.{kind}</span>
      </Button>
      <Dropdown menu={{ items }} trigger={['click']}>
        <Button icon={<DownOutlined />} aria-label={say(['选择导出格式', 'Choose an export format'])} />
      </Dropdown>
      {planning && (
        <Suspense>
          <ScheduleDialog call={call} criteria={criteria} format={kind} onClose={() => setPlanning(false)} />
        </Suspense>
      )}
    </Space.Compact>
  )
}
