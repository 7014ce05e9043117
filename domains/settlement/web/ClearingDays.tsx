import { plural } from '../../../platform/contract/plural.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Form } from 'antd'
import { type ReactNode, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import { ask, asks, newKey, type Refusal } from '../../../platform/web/ask.ts'
import { Act } from '../../../platform/web/form/catalogued.tsx'
import { Dialog } from '../../../platform/web/form/Dialog.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { cityDay } from '../../../platform/web/format.ts'
import { confirm, toast } from '../../../platform/web/page/hosts.tsx'
import { type Criteria, listAt } from '../../../platform/web/list/listAt.ts'
import { type Column, ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { DayField } from '../../../platform/web/form/inputs.tsx'
import { person } from '../../../platform/web/person.ts'
import { Label, useAct } from '../../../platform/web/form/remove.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { type Say, say, type Text, useText } from '../../../platform/web/text.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { Money } from '../../../platform/web/value.tsx'
import { account } from '../../ledger/contract/account.ts'
import { CheckResult, CheckState, type CheckTotal, liquidation, totalSearch } from '../contract/liquidation.ts'
import { CHANNELS, PayMethod } from '../contract/payment.ts'
import { CLEARING_FIGURES } from '../contract/figures.ts'
import { channelName, closingOf } from './clearingWords.ts'

type Row = Of<typeof CheckTotal>
export type Day = Pick<Row, 'checkDate' | 'channel'>
export const CLEARING = [liquidation.totals, liquidation.statistics, liquidation.details, liquidation.additions, liquidation.doubles]

/** Channels with files: money kept by us alone is cleared with nobody. */
const CLEARED = [PayMethod.wechat, PayMethod.alipay, PayMethod.unionpay, PayMethod.etc, PayMethod.digitalYuan].map((method) => CHANNELS[method])
function ChannelSelect(props: { id?: string; value?: string; onChange?: (channel: string | undefined) => void }) {
  const say = useText()
  return (
    <Select
      allowClear
      aria-label={say(['渠道', 'Channel'])}
      placeholder={say(Label.any)}
      style={{ minWidth: 140 }}
      options={CLEARED.map((channel) => ({ value: channel as string, label: say(channelName(channel)) }))}
      {...(props as object)}
    />
  )
}
const ChannelName = ({ of }: { of: string }) => <>{useText()(channelName(of))}</>
export const findChannel = { name: 'channel' as const, control: <ChannelSelect />, shown: (channel: string) => <ChannelName of={channel} /> }

/** Each day of a channel: our trades beside those of its file, until the day is closed. */
export function ClearingDays({ toolbar }: { toolbar: ReactNode }) {
  const say = useText()
  const [reopening, setReopening] = useState<Row>()
  const [importing, setImporting] = useState(false)
  const file = useFile()
  const actionsOf = useActions({ choose: file.choose, reopen: setReopening })
  return (
    <>
      <ListScreen
        above={<Sums />}
        purpose={[
          '每日按渠道核对：平台收款与渠道账单逐笔比对，差异平完后关账',
          'Each channel, day by day: our transactions against the channel’s file; a day is closed once every difference is settled',
        ]}
        query={liquidation.totals}
        search={totalSearch}
        toolbar={
          <>
            {toolbar}
            <Act text={['导入文件', 'Import file']} needs={liquidation.importFile.needs} onClick={() => setImporting(true)} />
          </>
        }
        find={['checkDate', 'state', findChannel]}
        sum={{ totals: ['platFen', 'chanFen', 'feeFen', 'diffFen', 'openFen'] }}
        exports={liquidation.totalExport}
        columns={columnsOf(say)}
        hidden={[
          'platCount',
          'chanCount',
          'diffCount',
          'platRefundFen',
          'chanRefundFen',
          'closedAt',
          'fileName',
          'importedName',
          'importedAt',
          'mchId',
          'reopenName',
          'reopenReason',
          'beforeCount',
          'beforeFen',
          'beforeFrom',
        ]}
        roomy={['feeFen', 'closedName', 'diffFen']}
        actions={actionsOf}
        empty={NO_DAYS}
      />
      {file.input}
      {importing && <Importing choose={file.choose} onClose={() => setImporting(false)} />}
      {reopening && <Reopening of={reopening} onClose={() => setReopening(undefined)} />}
    </>
  )
}

const columnsOf = (say: Say): Column<Row>[] => [
  'checkDate',
  { dataIndex: 'channel', title: say(['渠道', 'Channel']), render: (_, row) => say(channelName(row.channel)) },
  'state',
  'platFen',
  'chanFen',
  'diffFen',
  'openCount',
  'openFen',
  'feeFen',
  'closedName',
  'platCount',
  'chanCount',
  'diffCount',
  'platRefundFen',
  'chanRefundFen',
  'closedAt',
  'fileName',
  'importedName',
  'importedAt',
  'mchId',
  'reopenName',
  'reopenReason',
  'beforeCount',
  'beforeFen',
  'beforeFrom',
]

interface Doors {
  choose: (day: Day) => void
  reopen: (of: Row) => void
}
/** The actions that the state of a day allows: until it is closed, those of comparing; afterwards reopening. */
function useActions({ choose, reopen }: Doors): (row: Row) => RowAction[] {
  const act = useAct(CLEARING)
  const me = person.use()?.custId
  const navigate = useNavigate()
  const close = useClosing()
  return (row) => {
    const of = { checkDate: row.checkDate, channel: row.channel }
    const closed = row.state === CheckState.closed
    return [
      {
        text: ['查看明细', 'View transactions'],
        needs: liquidation.details.needs,
        run: () => void navigate(listAt(FINANCE, { tab: 'trades', ...of, ...(row.diffCount > 0 && { result: DIFFERING }) })),
      },
      { text: ['导入文件', 'Import file'], needs: liquidation.importFile.needs, run: () => choose(of), not: closed && CLOSED },
      {
        text: ['向渠道获取', 'Get from channel'],
        needs: liquidation.fetch.needs,
        run: () => void act(liquidation.fetch, of, { done: ['已向渠道获取，稍后刷新', 'Requested from the channel; refresh in a moment'] }),
        not: closed && CLOSED,
      },
      {
        text: ['再核对', 'Compare again'],
        needs: liquidation.compareDay.needs,
        not: closed ? CLOSED : row.state === CheckState.awaited && NO_FILE,
        run: () =>
          void act(liquidation.compareDay, of, {
            answered: ({ openCount }) =>
              toast(
                'success',
                openCount > 0
                  ? [`已重新核对：${openCount} 笔差异未平`, `Compared again: differences still open: ${openCount}`]
                  : ['已重新核对：已平，可以关账', 'Compared again: balanced, the day can be closed'],
              ),
          }),
      },
      {
        text: ['关账', 'Close day'],
        needs: liquidation.closeDay.needs,
        not: closed ? CLOSED : row.state === CheckState.awaited ? NO_FILE : row.state !== CheckState.even && NOT_EVEN,
        run: () => void close(row),
      },
      {
        text: ['查看分录', 'View entries'],
        needs: account.statement.needs,
        run: () => void navigate(entriesOf('asset.bank', row.channel, row.closedAt!)),
        not: closed ? row.chanCount === 0 && NO_ENTRIES : NOT_CLOSED,
      },
      ...(row.reopenId
        ? deciding(row, me, act)
        : [
            {
              text: ['反关账', 'Reopen'],
              needs: liquidation.reopenDay.needs,
              run: () => reopen(row),
              not: !closed && NOT_CLOSED,
            } satisfies RowAction,
          ]),
    ]
  }
}
/** A person other than the applicant decides whether a closed day is opened again. */
const deciding = (row: Row, me: string | undefined, act: ReturnType<typeof useAct>): RowAction[] =>
  [true, false].map((pass): RowAction => ({
    text: pass ? ['同意反关账', 'Approve reopening'] : ['驳回反关账', 'Reject reopening'],
    needs: liquidation.reopenDecide.needs,
    not: row.reopenId === (me as string) && OWN,
    danger: !pass,
    run: () =>
      void act(
        liquidation.reopenDecide,
        { checkDate: row.checkDate, channel: row.channel, pass },
        {
          question: [`反关账：${row.reopenReason}`, `Reopen: ${row.reopenReason}`],
          act: pass ? ['同意', 'Approve'] : ['驳回', 'Reject'],
          done: pass ? ['已反关账', 'Reopened'] : ['已驳回，仍为已关账', 'Rejected; the day stays closed'],
        },
      ),
  }))

/** A file at hand, of any channel and day that is over: also where nothing is awaited. */
function Importing({ choose, onClose }: { choose: (day: Day) => void; onClose: () => void }) {
  const say = useText()
  const [channel, setChannel] = useState<string>()
  const [day, setDay] = useState<string>(cityDay(new Date(Date.now() - 86_400_000).toISOString() as Instant))
  return (
    <Dialog
      changed={channel !== undefined}
      width={440}
      title={say(['导入对账文件', 'Import a channel file'])}
      okText={say(['选择文件', 'Choose file'])}
      okButtonProps={{ disabled: !channel || !day }}
      cancelText={say(['取消', 'Cancel'])}
      onClose={onClose}
      onOk={() => {
        choose({ channel: channel!, checkDate: day as Row['checkDate'] })
        onClose()
      }}
    >
      <Form layout="vertical">
        <Form.Item required label={say(['渠道', 'Channel'])}>
          <ChannelSelect {...(channel && { value: channel })} onChange={setChannel} />
        </Form.Item>
        <Form.Item required label={say(['日期', 'Day'])}>
          <DayField value={day} future={false} onChange={(next) => setDay(next ?? '')} />
        </Form.Item>
      </Form>
    </Dialog>
  )
}
/** Tells before a closing what stands in its way, and which day has to be closed first. */
function useClosing() {
  const act = useAct(CLEARING)
  const navigate = useNavigate()
  return async (row: Row) => {
    // `ask` has shown and noted the refusal.
    const before = await ask(liquidation.uncleared, { checkDate: row.checkDate, channel: row.channel }).catch(() => undefined)
    if (!before) return
    const { of, begins, closes, ...asked } = closingOf(row, before)
    const day = { checkDate: of.checkDate, channel: of.channel }
    if (closes) return act(liquidation.closeDay, { ...day, begins }, { ...asked, done: [`已关账 ${of.checkDate}`, `Closed ${of.checkDate}`] })
    const looks = await confirm({
      title: say(asked.question),
      content: asked.detail && say(asked.detail),
      okText: say(asked.act),
      cancelText: say(['取消', 'Cancel']),
    })
    if (looks) await navigate(days({ channel: of.channel, checkDateFrom: of.checkDate, checkDateTo: of.checkDate }))
  }
}
/** The lines of an account on the day they were posted: of a closing those of the bank, of a difference those of over and short. */
export const entriesOf = (account: 'asset.bank' | 'clearing.over-short', sub: string, at: Instant) =>
  listAt('/operation/ledger', { account, sub, from: cityDay(at), to: cityDay(at) })
const NO_DAYS: Text = [
  '还没有对账日：有渠道收款的次日零点起待文件，上午 10:30 自动获取；已有文件可随时导入',
  'No days yet: a day awaits its file from midnight, and it is fetched at 10:30; a file at hand can be imported any time',
]
const CLOSED: Text = ['已关账', 'The day is closed']
const NOT_CLOSED: Text = ['尚未关账', 'The day is not closed']
const NO_ENTRIES: Text = ['当日渠道没有交易，关账没有分录', 'The channel had no trades that day, so closing it made no entries']
const NO_FILE: Text = ['对账文件尚未导入', 'Its file has not been imported']
const NOT_EVEN: Text = [
  '只有已平的日期可以关账；款项后来已到的，请再核对',
  'Only a balanced day can be closed; if money has come since, compare it again',
]
const OWN: Text = ['申请人不能复核自己的申请', 'You cannot review your own request']

const Reopening = ({ of, onClose }: { of: Row; onClose: () => void }) => (
  <FormDialog
    title={[`申请反关账 · ${of.checkDate}`, `Request reopening · ${of.checkDate}`]}
    entity={liquidation.reopenDay.input}
    mode="new"
    value={{ checkDate: of.checkDate, channel: of.channel }}
    save={liquidation.reopenDay}
    act={['提交申请', 'Submit request']}
    done={['已提交，由另一人复核', 'Submitted; another person reviews it']}
    changes={CLEARING}
    fields={[
      {
        name: 'reason',
        help: ['只能反关账最近关闭的一天，关账分录将冲正', 'Only the last closed day can be reopened; its closing entries are reversed'],
      },
    ]}
    onClose={onClose}
  />
)

const FINANCE = '/operation/finance'
/** Where a day has differences these are what somebody comes for. */
const DIFFERING = [CheckResult.over, CheckResult.short, CheckResult.amount, CheckResult.state, CheckResult.crossDay]
const days = (criteria: Criteria) => listAt(FINANCE, { tab: 'days', ...criteria })
function Sums() {
  const { data } = useQuery(asks(liquidation.statistics, {}, { quiet: true }))
  if (!data) return null
  return (
    <Tiles label={['对账概况', 'Clearing overview']}>
      <Tile figure={CLEARING_FIGURES.awaited} value={data.awaited} tone={data.awaited > 0 && 'warning'} />
      <Tile figure={CLEARING_FIGURES.differs} value={data.differs} tone={data.differs > 0 && 'error'} />
      <Tile figure={CLEARING_FIGURES.openCount} value={data.openCount} tone={data.openCount > 0 && 'error'} />
      <Tile figure={CLEARING_FIGURES.openFen} value={<Money fen={data.openFen} />} tone={data.openFen > 0 && 'error'} />
    </Tiles>
  )
}

/** A channel's file of a day, chosen from the disk. */
function useFile() {
  const cache = useQueryClient()
  const field = useRef<HTMLInputElement>(null)
  const [of, setOf] = useState<Day>()
  const sending = useMutation<Row, Refusal, File>({
    mutationFn: (file) => ask(liquidation.importFile, { file, ...of } as never, { key: newKey() }),
    onSuccess: async (day) => {
      await Promise.all(CLEARING.map((call) => cache.invalidateQueries({ queryKey: [call.id] })))
      toast('success', [
        `已导入：${day.chanCount} 笔，差异 ${day.diffCount} 笔`,
        `Imported: ${day.chanCount} ${plural(day.chanCount, 'transaction')}, ${day.diffCount} with differences`,
      ])
    },
  })
  const input = (
    <input
      ref={field}
      type="file"
      accept=".csv,.txt"
      hidden
      onChange={({ target }) => {
        const [file] = target.files ?? []
        if (file) sending.mutate(file)
        target.value = ''
      }}
    />
  )
  const choose = (day: Day) => {
    setOf(day)
    field.current?.click()
  }
  return { input, choose }
}
