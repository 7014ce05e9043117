import { plural } from '../../contract/plural.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Button, Modal, Progress, Table } from 'antd'
import { useRef, useState } from 'react'
import type { BulkProps } from './Bulk.tsx'
import { saveAs } from '../ask.ts'
import { bulkRun, type Once, type Outcome, type Result, type Run } from './bulkRun.ts'
import { type Discard, useUnsaved } from '../form/guard.ts'
import { RequestId } from '../page/states.tsx'
import { type Say, type Text, useText } from '../text.ts'

const NOT_TAKEN: Discard = {
  title: ['还没有下载，关闭后不再提供。仍要关闭？', 'Not downloaded yet, and not offered again once closed. Close anyway?'],
  ok: ['仍要关闭', 'Close anyway'],
  cancel: ['返回下载', 'Back to download'],
}
/** Asks, then shows how far it is; in the end what became of each row and why, and the failed ones can be tried again. */
export default function BulkDialog<T>({ act, rows, nameOf, changes, onClose }: BulkProps<T>) {
  const say = useText()
  const cache = useQueryClient()
  const [run, setRun] = useState<Run<T>>()
  const cancel = useRef(() => {})
  // What is shown this once is not lost by a slip of the hand.
  const [made, setMade] = useState<readonly Result<T>[]>([])
  const [taken, setTaken] = useState(false)
  const isOffered = made.length > 0 && !taken
  const guard = useUnsaved(run?.running === true || isOffered, { question: isOffered ? NOT_TAKEN : undefined })
  const most = act.once?.most ?? rows.length
  const start = async (some: readonly T[]) => {
    const started = bulkRun(act, some, setRun)
    cancel.current = started.cancel
    const results = await started.done
    if (act.once) keep(results.filter(({ outcome }) => outcome === 'done'))
    else guard.settle()
    await Promise.all(changes.map((call) => cache.invalidateQueries({ queryKey: [call.id] })))
  }
  const keep = (more: readonly Result<T>[]) => {
    if (more.length === 0) return
    setMade((before) => [...before, ...more])
    setTaken(false)
  }
  const leave = () => void guard.leave(onClose)
  const save = act.once && made.length > 0 && { of: made.length, run: () => [download(act.once!, made, say), setTaken(true)] }
  return (
    <Modal
      open
      width={640}
      title={say(act.text)}
      mask={{ closable: false }}
      keyboard={!run?.running}
      closable={!run?.running}
      onCancel={leave}
      footer={
        run ? (
          <AfterStart run={run} save={save || undefined} onStop={() => cancel.current()} onAgain={(some) => void start(some)} onLeave={leave} />
        ) : (
          <BeforeStart act={act} count={rows.length} tooMany={rows.length > most} onStart={() => void start(rows)} onClose={onClose} />
        )
      }
    >
      {run ? (
        <Told run={run} nameOf={nameOf} />
      ) : (
        <p>
          {say([
            `对已选的 ${rows.length} 条记录执行「${act.text[0]}」？`,
            `“${act.text[1]}” for the ${rows.length} ${plural(rows.length, 'selected record')}?`,
          ])}{' '}
          {act.warns && say(act.warns)}
          {rows.length > most && <b> {say([`一次最多 ${most} 条，请少选一些。`, `At most ${most} at once: select fewer.`])}</b>}
        </p>
      )}
    </Modal>
  )
}

interface BeforeProps<T> {
  act: BulkProps<T>['act']
  count: number
  tooMany: boolean
  onStart: () => void
  onClose: () => void
}
function BeforeStart<T>({ act, count, tooMany, onStart, onClose }: BeforeProps<T>) {
  const say = useText()
  return (
    <>
      <Button onClick={onClose}>{say(['取消', 'Cancel'])}</Button>
      <Button type="primary" danger={act.danger ?? false} disabled={tooMany} onClick={onStart}>
        {say([`${act.text[0]} ${count} 条`, `${act.text[1]} ${count}`])}
      </Button>
    </>
  )
}

interface AfterProps<T> {
  run: Run<T>
  /** Something that is offered this once. */
  save: { of: number; run: () => void } | undefined
  onStop: () => void
  onAgain: (rows: readonly T[]) => void
  onLeave: () => void
}
function AfterStart<T>({ run, save, onStop, onAgain, onLeave }: AfterProps<T>) {
  const say = useText()
  if (run.running)
    return (
      <Button disabled={run.cancelled} onClick={onStop}>
        {say(['停止', 'Stop'])}
      </Button>
    )
  const rowsOf = (which: Outcome) => run.results.filter(({ outcome }) => outcome === which).map(({ row }) => row)
  const [failed, left] = [rowsOf('failed'), rowsOf('left')]
  const again = (some: readonly T[], text: Text) =>
    some.length > 0 && (
      <Button key={text[1]} onClick={() => onAgain(some)}>
        {say(text)}
      </Button>
    )
  return (
    <>
      {again(left, [`继续剩下的 ${left.length} 条`, `Continue with the other ${left.length}`])}
      {again(failed, [`重试失败的 ${failed.length} 条`, `Retry ${failed.length} failed`])}
      {save && (
        <Button type="primary" onClick={save.run}>
          {say([`下载 ${save.of} 条（关闭后不再提供）`, `Download ${save.of} (not offered again)`])}
        </Button>
      )}
      <Button {...(!save && { type: 'primary' as const })} onClick={onLeave}>
        {say(['关闭', 'Close'])}
      </Button>
    </>
  )
}

/** No cell is read as a formula. */
function download<T>({ name, heads, cells }: Once<T>, made: readonly Result<T>[], say: Say) {
  const lines = [heads.map(say), ...made.map(({ row, answer }) => cells(row, answer))]
  const written = lines.map((line) => line.map((cell) => `"${cell.replace(/^[=+\-@]/, "'$&").replaceAll('"', '""')}"`).join(',')).join('\r\n')
  saveAs(new Blob(['\uFEFF', written], { type: 'text/csv;charset=utf-8' }), `${say(name)}.csv`)
}

function Told<T>({ run, nameOf }: { run: Run<T>; nameOf: (row: T) => string }) {
  const say = useText()
  const { results, settled, failed, running, cancelled } = run
  const share = results.length === 0 ? 100 : Math.floor((settled / results.length) * 100)
  const done = settled - failed
  return (
    <div className="bulk">
      <Progress percent={share} status={running ? 'active' : failed > 0 || cancelled ? 'exception' : 'success'} />
      <p role="status">
        {say([`${settled} / ${results.length}，成功 ${done}，失败 ${failed}`, `${settled} of ${results.length}: ${done} done, ${failed} failed`])}
        {cancelled && say(['，已停止', ', stopped'])}
      </p>
      {!running && <Results results={results} nameOf={nameOf} />}
    </div>
  )
}

const WORDS: Record<Outcome, readonly [text: Text, tone: string]> = {
  failed: [['失败', 'Failed'], 'error'],
  left: [['未执行', 'Not run'], 'default'],
  done: [['成功', 'Done'], 'success'],
  waiting: [['等待', 'Waiting'], 'default'],
}
const RANK: readonly Outcome[] = ['failed', 'left', 'waiting', 'done']
const RESULTS_A_PAGE = 8

/** What became of each row: the failed first, each with its reason and the number that finds it in the log. */
function Results<T>({ results, nameOf }: { results: readonly Result<T>[]; nameOf: (row: T) => string }) {
  const say = useText()
  const sorted = results.map((one, at) => ({ ...one, at })).sort((a, b) => RANK.indexOf(a.outcome) - RANK.indexOf(b.outcome) || a.at - b.at)
  return (
    <Table
      size="small"
      rowKey="at"
      dataSource={sorted}
      pagination={{ pageSize: RESULTS_A_PAGE, size: 'small', showSizeChanger: false, hideOnSinglePage: true }}
      columns={[
        { key: 'name', title: say(['记录', 'Record']), render: (_, { row }) => nameOf(row) },
        {
          key: 'outcome',
          title: say(['结果', 'Result']),
          width: 110,
          render: (_, { outcome }) => <span className={`state ${WORDS[outcome][1]}`}>{say(WORDS[outcome][0])}</span>,
        },
        {
          key: 'reason',
          title: say(['原因', 'Reason']),
          render: (_, { reason, requestId }) => (
            <>
              {reason}
              <RequestId id={requestId} />
            </>
          ),
        },
      ]}
    />
  )
}
