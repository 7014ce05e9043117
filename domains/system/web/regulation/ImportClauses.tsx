import { plural } from '../../../../platform/contract/plural.ts'
import { InboxOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Table } from 'antd'
import { useState } from 'react'
import type { Call } from '../../../../platform/contract/call.ts'
import type { Of } from '../../../../platform/contract/field.ts'
import { ask, type Refusal } from '../../../../platform/web/ask.ts'
import { Dialog } from '../../../../platform/web/form/Dialog.tsx'
import { DropZone } from '../../../../platform/web/file/DropZone.tsx'
import { toast } from '../../../../platform/web/page/hosts.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { Label } from '../../../../platform/web/form/remove.tsx'
import { type Clause, type ClauseImport, clauseName, regulation } from '../../contract/regulation.ts'

type Report = Of<typeof ClauseImport>
const TAKEN = '.xlsx,.xls,.csv,.docx,.doc'

/** A file is dropped, looked at whole, shown as the clauses that were found in it, and then imported, or not at all. */
export function ImportClauses({
  into,
  changes,
  onClose,
}: {
  into: Of<typeof Clause>['regulationId']
  changes: readonly Call<any, any>[]
  onClose: () => void
}) {
  const say = useText()
  const cache = useQueryClient()
  const [file, setFile] = useState<File>()
  const [report, setReport] = useState<Report>()
  const [refused, setRefused] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [skipBad, setSkipBad] = useState(false)
  const send = async (chosen: File, dryRun: boolean) => {
    setBusy(true)
    setRefused(undefined)
    try {
      return await ask(regulation.importClause, { file: chosen as never, regulationId: into, skipBad, dryRun }, { quiet: true })
    } catch (error) {
      setRefused((error as Refusal).message)
      return undefined
    } finally {
      setBusy(false)
    }
  }
  const look = async (chosen: File | undefined) => {
    if (!chosen) return
    setFile(chosen)
    setReport(await send(chosen, true))
  }
  const write = async () => {
    const done = file && (await send(file, false))
    if (!done) return
    await Promise.all(changes.map((call) => cache.invalidateQueries({ queryKey: [call.id] })))
    toast('success', [`已导入 ${done.added} 条`, `${done.added} ${plural(done.added, 'clause')} imported`])
    onClose()
  }
  const blocked = !report || report.added === 0 || (report.bad > 0 && !skipBad)
  return (
    <Dialog
      changed={file !== undefined}
      width="60%"
      mask={{ closable: false }}
      title={say(['导入条款', 'Import clauses'])}
      onClose={onClose}
      footer={(leave) => (
        <>
          <Button onClick={leave}>{say(['取消', 'Cancel'])}</Button>
          <Button type="primary" loading={busy} disabled={blocked} onClick={write}>
            {report ? say([`导入 ${report.added} 条`, `Import ${report.added} ${plural(report.added, 'clause')}`]) : say(Label.import)}
          </Button>
        </>
      )}
    >
      <Drop onFile={(chosen) => void look(chosen)} name={file?.name} busy={busy} />
      {refused && <Alert showIcon type="error" title={refused} className="refused" />}
      {report && <Preview of={report} />}
      {report && report.bad > 0 && (
        <Checkbox checked={skipBad} onChange={({ target }) => setSkipBad(target.checked)}>
          {say([`跳过有误的 ${report.bad} 处，只导入正确的`, `Skip the ${report.bad} with errors and import the rest`])}
        </Checkbox>
      )}
    </Dialog>
  )
}

function Drop({ onFile, name, busy }: { onFile: (file: File | undefined) => void; name: string | undefined; busy: boolean }) {
  const say = useText()
  return (
    <DropZone className="clause-drop" accept={TAKEN} disabled={busy} onFiles={([file]) => onFile(file)}>
      {(choose) => (
        <>
          <InboxOutlined />
          <span className="clause-drop-words">
            <b>{name ?? say(['把文件拖到这里', 'Drop a file here'])}</b>
            <span className="soft">
              {say([
                'Word 按「第…条」自动拆分；表格第一行写 章节、条号、条文',
                'Word files are split at 第…条; the first row of a sheet must be 章节, 条号, 条文 (chapter, clause, text)',
              ])}
            </span>
          </span>
          <Button onClick={choose} loading={busy}>
            {name ? say(['换一个文件', 'Choose another file']) : say(['选择文件', 'Choose file'])}
          </Button>
        </>
      )}
    </DropZone>
  )
}

const SHOWN = 200
function Preview({ of }: { of: Report }) {
  const say = useText()
  return (
    <>
      <p>
        {say([
          `找到 ${of.rows.length} 条，可导入 ${of.added} 条`,
          `${of.rows.length} ${plural(of.rows.length, 'clause')} found, ${of.added} can be imported`,
        ])}
        {of.bad > 0 && <b className="state error"> {say([`${of.bad} 处有误`, `${of.bad} with errors`])}</b>}
      </p>
      <Table
        size="small"
        pagination={false}
        scroll={{ y: 280 }}
        rowKey="row"
        dataSource={[...of.rows].sort((a, b) => Number(b.fault !== null) - Number(a.fault !== null)).slice(0, SHOWN)}
        columns={[
          { dataIndex: 'row', title: say(['行', 'Row']), width: 64 },
          {
            dataIndex: 'no',
            title: say(['条号', 'Clause']),
            width: 110,
            render: (no: number | null, { subNo }) => no !== null && say(clauseName(no, subNo)),
          },
          { dataIndex: 'chapter', title: say(['章节', 'Chapter']), width: 140, ellipsis: true },
          { dataIndex: 'content', title: say(['条文', 'Text']), ellipsis: true },
          {
            dataIndex: 'fault',
            title: say(['问题', 'Problem']),
            width: 200,
            render: (fault: string | null) => fault && <span className="state error">{fault}</span>,
          },
        ]}
      />
    </>
  )
}
