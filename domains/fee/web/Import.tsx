import { plural } from '../../../platform/contract/plural.ts'
import { FileTextOutlined } from '@ant-design/icons'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Input, Upload } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { ask, newKey, type Refusal } from '../../../platform/web/ask.ts'
import { Dialog } from '../../../platform/web/form/Dialog.tsx'
import { useText } from '../../../platform/web/text.ts'
import { rule } from '../contract/rule.ts'
import { DayType } from '../contract/segment.ts'
import { RULE_CHANGES } from './changes.ts'
import { LintList } from './LintList.tsx'
import './fee.css'

type Made = Of<typeof rule.import.reply>

/** Takes a rule document, from a file or pasted; each rule in it becomes a draft. Hours that it does not mention become free, and are named. */
export function Import({ onClose }: { onClose: () => void }) {
  const say = useText()
  const cache = useQueryClient()
  const [written, setWritten] = useState('')
  const [name, setName] = useState('')
  const taking = useMutation<Made, Refusal | SyntaxError, void>({
    mutationFn: () => ask(rule.import, { document: JSON.parse(written) as unknown, ...(name && { name }) }, { key: newKey(), quiet: true }),
    onSuccess: () => Promise.all(RULE_CHANGES.map((call) => cache.invalidateQueries({ queryKey: [call.id] }))),
  })
  const { data, error } = taking
  return (
    <Dialog
      changed={!data && written.trim() !== ''}
      width="60%"
      title={say(['导入规则文档', 'Import a rule document'])}
      mask={{ closable: false }}
      onClose={onClose}
      footer={(leave) =>
        data ? (
          <Button type="primary" onClick={onClose}>
            {say(['完成', 'Done'])}
          </Button>
        ) : (
          <>
            <Button onClick={leave}>{say(['取消', 'Cancel'])}</Button>
            <Button type="primary" disabled={!written.trim()} loading={taking.isPending} onClick={() => taking.mutate()}>
              {say(['导入为草稿', 'Import as drafts'])}
            </Button>
          </>
        )
      }
    >
      {data ? <Outcome made={data} /> : <Document written={written} name={name} error={error} onWritten={setWritten} onName={setName} />}
    </Dialog>
  )
}

interface DocumentProps {
  written: string
  name: string
  error: Refusal | SyntaxError | null
  onWritten: (text: string) => void
  onName: (name: string) => void
}
/** The document from a file or pasted, and a name where it has only one rule. */
function Document({ written, name, error, onWritten, onName }: DocumentProps) {
  const say = useText()
  return (
    <div className="fee-import">
      <p className="soft">
        {say([
          '支持按城市公布格式编写的 JSON（segments、tiers、cycle…），也支持本平台的计费文档；一个文件可含多条规则。',
          'JSON in the format in which cities publish tariffs (segments, tiers, cycle…), or a tariff document of this platform; one file may hold several rules.',
        ])}
      </p>
      {error && (
        <Alert
          showIcon
          type="error"
          title={error instanceof SyntaxError ? say([`不是 JSON：${error.message}`, `This is not JSON: ${error.message}`]) : error.message}
        />
      )}
      <Upload.Dragger
        accept=".json,application/json"
        maxCount={1}
        showUploadList={false}
        beforeUpload={async (file) => {
          onWritten(await file.text())
          return Upload.LIST_IGNORE
        }}
      >
        <FileTextOutlined /> {say(['把 .json 文件拖到这里，或点击选择', 'Drop a .json file here, or click to choose one'])}
      </Upload.Dragger>
      <Input
        value={name}
        maxLength={100}
        placeholder={say(['规则名称（只有一条规则时使用）', 'Rule name (used if there is only one rule)'])}
        aria-label={say(['规则名称', 'Name'])}
        onChange={(event) => onName(event.target.value)}
      />
      <Input.TextArea
        rows={12}
        value={written}
        aria-label={say(['规则文档', 'Rule document'])}
        placeholder={'{ "segments": [ { "from": "08:00", "to": "20:00", "tiers": [ { "toMin": null, "unitMin": 30, "price": 2 } ] } ] }'}
        onChange={(event) => onWritten(event.target.value)}
      />
    </div>
  )
}

function Outcome({ made }: { made: Made }) {
  const say = useText()
  return (
    <>
      <Alert
        showIcon
        type="success"
        title={say([
          `已导入 ${made.length} 条草稿，发布后生效`,
          `${made.length} ${plural(made.length, 'draft')} imported; they take effect once published`,
        ])}
      />
      {made.map(({ id, name, gaps, lint }) => (
        <section key={id} className="section">
          <h2>{name}</h2>
          {gaps.length > 0 && (
            <p className="soft">
              {say(['文档未说明、已作为免费时段：', 'Hours not stated in the document, set as free: '])}
              {gaps.map(({ from, to, dayType }) => `${from}–${to} (${say(DayType.entries[dayType as 7])})`).join(say(['、', ', ']))}
            </p>
          )}
          <LintList lint={lint} />
        </section>
      ))}
    </>
  )
}
