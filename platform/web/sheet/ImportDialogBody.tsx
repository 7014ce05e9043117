import { DownloadOutlined, FileExcelOutlined, InboxOutlined } from '@ant-design/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Select, Spin, Table } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { anyTemplate, columnsOf, ERRORS_SHOWN, IMPORT_ROWS_MAX, type ImportReport, SHEET_FORMATS, type SheetFormat } from '../../contract/sheet.ts'
import { ask, download, fileOrData, newKey, type Refusal } from '../ask.ts'
import { Dialog } from '../form/Dialog.tsx'
import { count } from '../format.ts'
import { toast } from '../page/hosts.tsx'
import type { ImportProps } from './ImportDialog.tsx'
import { plural } from '../../contract/plural.ts'
import { Label } from '../form/remove.tsx'
import { RequestId } from '../page/states.tsx'
import { type Say, type Text, useText } from '../text.ts'
import './sheets.css'

/** Word text is taken by the import of clauses alone; everywhere else the server says so in a sentence. */
const ENDINGS = ['.xlsx', '.xls', '.csv', '.doc', '.docx']
type Mapping = Record<string, number>
/** How the file is read: which column is which field, and in which row the heads stand. */
interface Reading {
  mapping?: Mapping
  headRow?: number | undefined
}

export default function ImportDialogBody(props: ImportProps) {
  const { call, changes, also, form, onClose } = props
  const say = useText()
  const cache = useQueryClient()
  const [file, setFile] = useState<File>()
  const [{ mapping, headRow }, read] = useState<Reading>({})
  const [skipBad, setSkipBad] = useState(false)
  const [saving, setSaving] = useState(false)
  const [done, setDone] = useState<ImportReport>()
  const incomplete = form !== undefined && also === undefined
  const chosen = { ...(mapping && { mapping: JSON.stringify(mapping) }), ...(headRow !== undefined && { headRow }) }
  const sent = { file, ...also, ...chosen }
  const looked = useLook(props, file, chosen, incomplete)
  const report = done ?? looked.data
  const take = (file: File | undefined) => {
    if (file && !isSheet(file)) return toast('warning', NO_SHEET)
    setFile(file)
    read({})
    setSkipBad(false)
  }
  const submit = async () => {
    setSaving(true)
    const reply = await ask(call, { ...sent, skipBad } as never, { key: newKey() }).catch(() => undefined)
    setSaving(false)
    if (!reply) return void looked.refetch()
    toast('success', outcomeOf(reply))
    await Promise.all(changes.map((one) => cache.invalidateQueries({ queryKey: [one.id] })))
    if (reply.bad === 0) onClose()
    else setDone(reply)
  }
  const badRows = () => void fileOrData(call, { ...sent, dryRun: true, badRows: formatOf(file) } as never).catch(() => {})
  return (
    <Dialog
      changed={!done && file !== undefined}
      title={`${say(Label.import)} · ${say(call.title)}`}
      width="min(1040px, 92vw)"
      mask={{ closable: false }}
      onClose={onClose}
      className="import"
      footer={(leave) =>
        done ? (
          <Leave onClick={onClose} />
        ) : (
          <Foot {...{ report, looked, saving, skipBad, setSkipBad, submit, onClose: leave, lacking: lackingIn(call, report) }} />
        )
      }
    >
      {form}
      {!file && <Template {...props} />}
      {!done && <DropZone file={file} onFile={take} disabled={incomplete} />}
      {looked.error && file && <Refused error={looked.error} />}
      <Spin spinning={looked.isFetching} delay={200}>
        {report && file && (
          <>
            <Summary report={report} done={done !== undefined} onBadRows={badRows} />
            {!done && call.note && <Alert type="info" showIcon title={say(call.note)} />}
            {report.marked.length > 0 && <Marked report={report} />}
            {!done && (
              <Columns {...{ call, report }} onMapping={(mapping) => read({ mapping, headRow })} onHeadRow={(headRow) => read({ headRow })} />
            )}
            {report.errors.length > 0 && <Errors call={call} report={report} />}
            {!done && <Preview call={call} report={report} />}
          </>
        )}
        {looked.isFetching && !report && <div className="import-checking">{say(['正在检查每一行…', 'Checking every row…'])}</div>}
      </Spin>
    </Dialog>
  )
}

function Leave({ onClick }: { onClick: () => void }) {
  const say = useText()
  return (
    <Button type="primary" onClick={onClick}>
      {say(['关闭', 'Close'])}
    </Button>
  )
}

const isSheet = ({ name }: File) => ENDINGS.some((ending) => name.toLowerCase().endsWith(ending))
const NO_SHEET: Text = ['请上传 .xlsx、.xls 或 .csv 文件', 'Please choose an .xlsx, .xls or .csv file']

/** How many of how many, and what became of the rest. */
function outcomeOf({ rows, added, changed, same, bad }: ImportReport): Text {
  const [left, out] = bad > 0 ? [`，${count(bad)} 行未导入`, `, ${count(bad)} not imported`] : ['', '']
  const [kept, unchanged] = same > 0 ? [`，${count(same)} 行不变`, `, ${count(same)} unchanged`] : ['', '']
  return [
    `导入成功：${count(added + changed)} / ${count(rows)} 行${kept}${left}`,
    `${count(added + changed)} of ${count(rows)} ${plural(rows, 'row')} imported${unchanged}${out}`,
  ]
}

const formatOf = (file: File | undefined) => SHEET_FORMATS.find((one) => file?.name.toLowerCase().endsWith(`.${one}`)) ?? 'xlsx'
const lackingIn = (call: ImportProps['call'], report: ImportReport | undefined) =>
  report ? columnsOf(call.row).filter(({ name, needed }) => needed && report.mapping[name] === -1) : []

/** Tries the file whenever it, its columns or the form change. Nothing is written. */
function useLook({ call, also }: ImportProps, file: File | undefined, chosen: { mapping?: string; headRow?: number }, incomplete: boolean) {
  // Two files of one name are two files.
  const turn = useRef(0)
  const last = useRef<File>(undefined)
  if (last.current !== file) {
    last.current = file
    turn.current++
  }
  return useQuery<ImportReport, Refusal>({
    queryKey: [call.id, 'dry run', turn.current, file?.name, chosen, also],
    queryFn: ({ signal }) => ask(call, { file, ...also, dryRun: true, ...chosen } as never, { signal, quiet: true }),
    enabled: file !== undefined && !incomplete,
    placeholderData: (previous) => (chosen.mapping || chosen.headRow ? previous : undefined),
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  })
}

function Template({ call, template }: ImportProps) {
  const say = useText()
  const get = (format: SheetFormat) =>
    void (template ? download(template, { format }) : download(anyTemplate, { call: call.id, format })).catch(() => {})
  return (
    <div className="import-template">
      <FileExcelOutlined />
      <div>
        <b>{say(Label.template)}</b>
        <div className="soft">
          {say([
            '按模板填写后导入；带 * 的列必填。.xlsx 与 .xls 的第二张表说明每列怎么填，.csv 只有表头。',
            'Fill in the template, then import it. Columns with * are required. The second sheet of an .xlsx or .xls says how each is filled in; a .csv has only the header row.',
          ])}
        </div>
      </div>
      <span className="push" />
      {SHEET_FORMATS.map((format) => (
        <Button key={format} size="small" icon={<DownloadOutlined />} onClick={() => get(format)}>
          .{format}
        </Button>
      ))}
    </div>
  )
}

function DropZone({ file, onFile, disabled }: { file: File | undefined; onFile: (file: File | undefined) => void; disabled: boolean }) {
  const say = useText()
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  // A file that misses the zone would replace the whole page.
  useEffect(() => {
    const stop = (event: DragEvent) => event.preventDefault()
    addEventListener('dragover', stop)
    addEventListener('drop', stop)
    return () => (removeEventListener('dragover', stop), removeEventListener('drop', stop))
  }, [])
  const chooser = (
    <input
      ref={input}
      type="file"
      accept={ENDINGS.join(',')}
      hidden
      onChange={({ target }) => {
        onFile(target.files?.[0])
        target.value = ''
      }}
    />
  )
  if (file)
    return (
      <div className="import-file">
        <FileExcelOutlined />
        <b>{file.name}</b>
        <span className="faint">{sizeOf(file.size)}</span>
        <span className="push" />
        <Button size="small" onClick={() => input.current?.click()}>
          {say(['换一个文件', 'Choose another file'])}
        </Button>
        {chooser}
      </div>
    )
  return (
    <button
      type="button"
      className={`import-drop${over ? ' over' : ''}`}
      disabled={disabled}
      onClick={() => input.current?.click()}
      onDragEnter={() => setOver(true)}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (!disabled) onFile(event.dataTransfer.files[0])
      }}
    >
      <InboxOutlined />
      <b>{say(['把文件拖到这里，或点击选择', 'Drop a file here, or click to choose one'])}</b>
      <span className="soft">
        {say([
          `.xlsx、.xls、.csv，最多 ${count(IMPORT_ROWS_MAX)} 行；确认之前不写入任何数据`,
          `.xlsx, .xls or .csv, up to ${count(IMPORT_ROWS_MAX)} rows; nothing is written before you confirm`,
        ])}
      </span>
      {chooser}
    </button>
  )
}
const sizeOf = (bytes: number) => (bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`)

function Refused({ error }: { error: Refusal }) {
  const say = useText()
  return (
    <Alert
      type="error"
      showIcon
      title={error.message}
      description={
        <>
          {say(['没有写入任何数据。', 'Nothing was written.'])} <RequestId id={error.requestId} />
        </>
      }
    />
  )
}

function Summary({ report, done, onBadRows }: { report: ImportReport; done: boolean; onBadRows: () => void }) {
  const say = useText()
  const figures: [text: Text, value: number, tone: string][] = [
    [['共', 'Rows'], report.rows, ''],
    [done ? ['已新增', 'Added'] : ['将新增', 'To add'], report.added, 'success'],
    [done ? ['已修改', 'Changed'] : ['将修改', 'To change'], report.changed, 'warning'],
    [['不变', 'Unchanged'], report.same, 'default'],
    [done ? ['未导入', 'Skipped'] : ['错误', 'Errors'], report.bad, 'error'],
  ]
  return (
    <div className="import-summary" role="status">
      {figures.map(([text, value, tone]) => (
        <span key={text[1]} className={value > 0 || tone === '' ? '' : 'faint'}>
          {tone && value > 0 ? <i className={`state ${tone}`} /> : null} {say(text)} <b>{count(value)}</b>
        </span>
      ))}
      <span className="push" />
      {report.bad > 0 && (
        <Button size="small" icon={<DownloadOutlined />} onClick={onBadRows}>
          {say(['下载错误行（含原因）', 'Download bad rows with reasons'])}
        </Button>
      )}
    </div>
  )
}

interface ColumnsProps {
  call: ImportProps['call']
  report: ImportReport
  onMapping: (mapping: Mapping) => void
  onHeadRow: (row: number) => void
}
/** Which row has the heads, and which column of the file is which. Folded while every needed one was found by its name. */
function Columns({ call, report, onMapping, onHeadRow }: ColumnsProps) {
  const say = useText()
  const { guessed } = report
  const columns = columnsOf(call.row)
  const lacking = lackingIn(call, report).length
  const used = new Set(Object.values(report.mapping))
  const unused = report.headers.filter((_, at) => !used.has(at))
  const options = [
    { value: -1, label: say(['（不导入）', '(not imported)']) },
    ...report.headers.map((head, value) => ({ value, label: head || say([`第 ${value + 1} 列`, `Column ${value + 1}`]) })),
  ]
  return (
    <details className="import-part" open={lacking > 0 || guessed.length > 0 || undefined}>
      <summary>
        {say(['列的对应', 'Columns'])}{' '}
        <span className={lacking > 0 ? 'state error' : guessed.length > 0 ? 'state warning' : 'faint'}>
          {lacking > 0
            ? say([`${lacking} 个必填列未找到，请指定`, `${lacking} required not found: choose the columns`])
            : guessed.length > 0
              ? say([`${guessed.length} 列按相近的名称对应，请核对后确认`, `${guessed.length} matched by a similar name: check and confirm`])
              : say([
                  `已对应 ${columns.length - lacking - columns.filter(({ name }) => report.mapping[name] === -1).length} 列${unused.length > 0 ? `，${unused.length} 列不导入` : ''}`,
                  `${columns.filter(({ name }) => report.mapping[name] !== -1).length} matched${unused.length > 0 ? `, ${unused.length} not imported` : ''}`,
                ])}
        </span>
      </summary>
      <div className="import-heads">
        <label>
          <span>{say(['表头在', 'Header row'])}</span>
          <Select size="small" options={headOptions(report, say)} value={report.headRow} onChange={onHeadRow} />
        </label>
        {guessed.length > 0 && (
          <Button size="small" type="primary" onClick={() => onMapping(report.mapping)}>
            {say(['确认对应', 'Confirm the columns'])}
          </Button>
        )}
      </div>
      <div className="import-columns">
        {columns.map(({ name, label, needed }) => (
          <label key={name}>
            <span>
              {say(label)}
              {needed && <em> *</em>}
            </span>
            <Select
              size="small"
              options={options}
              value={report.mapping[name] ?? -1}
              {...(needed && report.mapping[name] === -1 ? { status: 'error' as const } : guessed.includes(name) && { status: 'warning' as const })}
              onChange={(at: number) => onMapping({ ...report.mapping, [name]: at })}
            />
          </label>
        ))}
      </div>
    </details>
  )
}

/** The first rows of the file, each by its number and how it begins: titles may stand above the heads. */
const headOptions = ({ top }: ImportReport, say: Say) =>
  top.map(({ row, cells }) => ({
    value: row,
    label: `${say([`第 ${row} 行`, `row ${row}`])} · ${cells.filter(Boolean).slice(0, CELLS_TOLD).join(' | ')}`,
  }))
const CELLS_TOLD = 6

/** Rows that are right and yet want a look. */
function Marked({ report }: { report: ImportReport }) {
  const say = useText()
  return (
    <Alert
      type="warning"
      showIcon
      title={say(['请留意以下行', 'Please check these rows'])}
      description={report.marked.map(({ row, reason }) => (
        <div key={row}>{say([`第 ${row} 行：${reason}`, `Row ${row}: ${reason}`])}</div>
      ))}
    />
  )
}

function Errors({ call, report }: { call: ImportProps['call']; report: ImportReport }) {
  const say = useText()
  const columns = columnsOf(call.row)
  const labelOf = (field: string | null) => columns.find(({ name }) => name === field)?.label
  return (
    <section className="import-part">
      <h4>
        {say(['错误', 'Errors'])}{' '}
        {report.errors.length >= ERRORS_SHOWN && (
          <span className="faint">{say([`前 ${ERRORS_SHOWN} 处，其余在下载的文件中`, `the first ${ERRORS_SHOWN}; the file has all of them`])}</span>
        )}
      </h4>
      <Table
        size="small"
        rowKey={({ row, field, reason }) => `${row} ${field} ${reason}`}
        pagination={false}
        scroll={{ x: 640, y: 180 }}
        dataSource={report.errors}
        columns={[
          { dataIndex: 'row', title: say(['行', 'Row']), width: 72, align: 'right' },
          {
            dataIndex: 'field',
            title: say(['列', 'Column']),
            width: 140,
            render: (field: string | null) => say(labelOf(field) ?? ['整行', 'Whole row']),
          },
          {
            dataIndex: 'value',
            title: say(['内容', 'Cell']),
            width: 160,
            ellipsis: true,
            render: (value: string | null) => value || <span className="faint">--</span>,
          },
          { dataIndex: 'reason', title: say(['原因', 'Reason']) },
        ]}
      />
    </section>
  )
}

function Preview({ call, report }: { call: ImportProps['call']; report: ImportReport }) {
  const say = useText()
  const bad = new Set(report.errors.map(({ row }) => row))
  const columns = columnsOf(call.row).filter(({ name }) => (report.mapping[name] ?? -1) >= 0)
  return (
    <section className="import-part">
      <h4>
        {say(['预览', 'Preview'])}{' '}
        <span className="faint">
          {say([`前 ${report.sample.length} 行`, `the first ${report.sample.length} ${plural(report.sample.length, 'row')}`])}
        </span>
      </h4>
      <Table
        size="small"
        rowKey="row"
        pagination={false}
        scroll={{ x: 'max-content', y: 220 }}
        dataSource={report.sample}
        rowClassName={({ row }) => (bad.has(row) ? 'import-bad' : '')}
        columns={[
          { dataIndex: 'row', title: say(['行', 'Row']), width: 72, align: 'right', fixed: 'left' },
          ...columns.map(({ name, label }) => ({
            key: name,
            title: say(label),
            render: (_: unknown, { cells }: ImportReport['sample'][number]) => cells[report.mapping[name]!] ?? '',
          })),
        ]}
      />
    </section>
  )
}

interface FootProps {
  report: ImportReport | undefined
  looked: ReturnType<typeof useLook>
  saving: boolean
  skipBad: boolean
  setSkipBad: (now: boolean) => void
  submit: () => Promise<void>
  onClose: () => void
  lacking: readonly unknown[]
}
const NOTHING_NEW: Text = ['没有变化，无需导入', 'No changes to import']
function Foot({ report, looked, saving, skipBad, setSkipBad, submit, onClose, lacking }: FootProps) {
  const say = useText()
  const good = report ? report.rows - report.bad : 0
  const isSame = good > 0 && report?.bad === 0 && report.same === report.rows
  const different = report ? report.added + report.changed : 0
  const may = report && lacking.length === 0 && report.guessed.length === 0 && !looked.isFetching && different > 0 && (report.bad === 0 || skipBad)
  return (
    <div className="import-foot">
      {report && report.bad > 0 && lacking.length === 0 && (
        <Checkbox checked={skipBad} onChange={({ target }) => setSkipBad(target.checked)} disabled={good === 0}>
          {say([`跳过 ${count(report.bad)} 个错误行，只导入正确的行`, `Skip ${count(report.bad)} bad ${plural(report.bad, 'row')}, import the rest`])}
        </Checkbox>
      )}
      <span className="push" />
      <Button onClick={onClose}>{say(['取消', 'Cancel'])}</Button>
      <Button type="primary" disabled={!may} loading={saving} onClick={() => void submit()}>
        {may
          ? say([`导入 ${count(different)} 行`, `Import ${count(different)} ${plural(different, 'row')}`])
          : say(isSame ? NOTHING_NEW : Label.import)}
      </Button>
    </div>
  )
}
