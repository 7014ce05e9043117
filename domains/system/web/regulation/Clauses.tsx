import { ImportOutlined, PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Input, Pagination } from 'antd'
import { useState } from 'react'
import type { Call } from '../../../../platform/contract/call.ts'
import type { Of } from '../../../../platform/contract/field.ts'
import { asks } from '../../../../platform/web/ask.ts'
import { FormDialog } from '../../../../platform/web/form/FormDialog.tsx'
import { can } from '../../../../platform/web/person.ts'
import { Label, useRemove } from '../../../../platform/web/form/remove.tsx'
import { Nothing } from '../../../../platform/web/page/states.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { Clause, clauseName, regulation, type RegulationWhole, State } from '../../contract/regulation.ts'
import { ImportClauses } from './ImportClauses.tsx'

type Row = Of<typeof Clause>
const PAGE = 100

/** The words of a regulation, chapter by chapter; while it is a draft they can be written. */
export function Clauses({ of, changes }: { of: Of<typeof RegulationWhole>; changes: readonly Call<never, unknown>[] | readonly Call<any, any>[] }) {
  const say = useText()
  const [content, setContent] = useState('')
  const [current, setCurrent] = useState(1)
  const [asked, setAsked] = useState<'new' | 'import' | Row>()
  const { data } = useQuery(
    asks(regulation.getClauseList, { regulationId: of.id, limit: PAGE, current, ...(content && { content }) }, { quiet: true }),
  )
  const writes = of.state === State.draft && can(regulation.addClause.needs)
  const rows = data?.records ?? []
  return (
    <div className="clauses">
      <div className="clause-bar">
        <Input.Search
          allowClear
          size="small"
          placeholder={say(['在条文里查找', 'Search clauses'])}
          onSearch={(typed) => [setContent(typed.trim()), setCurrent(1)]}
        />
        {writes && (
          <>
            <Button size="small" icon={<PlusOutlined />} onClick={() => setAsked('new')}>
              {say(['新增条款', 'Add clause'])}
            </Button>
            <Button size="small" icon={<ImportOutlined />} onClick={() => setAsked('import')}>
              {say(Label.import)}
            </Button>
          </>
        )}
      </div>
      {data && rows.length === 0 && (
        <Nothing>
          {content
            ? say(['没有条文含有这几个字。', 'No clauses contain this text.'])
            : writes
              ? say(['逐条新增，或从 Word、Excel 文件导入。', 'Add clauses one by one, or import a Word or Excel file.'])
              : say(['还没有条款。', 'No clauses yet.'])}
        </Nothing>
      )}
      {rows.map((row, place) => (
        <div key={row.id}>
          {row.chapter && row.chapter !== rows[place - 1]?.chapter && <h3 className="chapter">{row.chapter}</h3>}
          <OneClause of={row} find={content} {...(writes && { onEdit: () => setAsked(row) })} changes={changes} />
        </div>
      ))}
      {data && data.total > PAGE && (
        <Pagination size="small" pageSize={PAGE} current={current} total={data.total} onChange={setCurrent} showSizeChanger={false} />
      )}
      {asked === 'import' && <ImportClauses into={of.id} changes={changes as readonly Call<any, any>[]} onClose={() => setAsked(undefined)} />}
      {asked && asked !== 'import' && (
        <ClauseForm
          of={asked === 'new' ? undefined : asked}
          regulationId={of.id}
          next={of.clauses + 1}
          changes={changes as readonly Call<any, any>[]}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  )
}

function OneClause({ of, find, onEdit, changes }: { of: Row; find: string; onEdit?: () => void; changes: readonly Call<any, any>[] }) {
  const say = useText()
  const remove = useRemove(changes)
  return (
    <article className="clause">
      <b>{say(clauseName(of.no, of.subNo))}</b>
      <div>
        {of.content.split('\n').map((line, place) => (
          <p key={place}>{marked(line, find)}</p>
        ))}
      </div>
      {onEdit && (
        <span className="row-actions">
          <Button type="link" size="small" onClick={onEdit}>
            {say(Label.edit)}
          </Button>
          <Button
            type="link"
            size="small"
            onClick={() =>
              void remove(regulation.deleteClause, { id: of.id }, say(clauseName(of.no, of.subNo)), { kind: 'system.clause', key: of.id })
            }
          >
            {say(Label.delete)}
          </Button>
        </span>
      )}
    </article>
  )
}
/** The words that were looked for stand out. */
function marked(line: string, find: string) {
  if (!find) return line
  const parts = line.split(find)
  return parts.flatMap((part, place) => (place === 0 ? [part] : [<mark key={place}>{find}</mark>, part]))
}

interface FormProps {
  of: Row | undefined
  regulationId: Row['regulationId']
  next: number
  changes: readonly Call<any, any>[]
  onClose: () => void
}
function ClauseForm({ of, regulationId, next, changes, onClose }: FormProps) {
  const common = { entity: Clause, changes, onClose, done: ['已保存', 'Saved'] } as const
  const content = {
    name: 'content',
    control: <Input.TextArea rows={12} />,
    help: ['每款一行', 'One paragraph per line'],
  } as const
  const subNo = {
    name: 'subNo',
    optional: true,
    help: ['第三条之一填 1；不是增补的条文填 0', '1 for 第三条之一; 0 for a clause that was not inserted'],
  } as const
  const fields = ['no', subNo, 'chapter', content] as const
  if (of) return <FormDialog {...common} title={['编辑条款', 'Edit clause']} mode="edit" value={of} save={regulation.updateClause} fields={fields} />
  return (
    <FormDialog
      {...common}
      title={['新增条款', 'Add clause']}
      mode="new"
      value={{ no: next, subNo: 0 }}
      also={{ regulationId }}
      save={regulation.addClause}
      fields={fields}
    />
  )
}
