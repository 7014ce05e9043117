import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Checkbox, Form, InputNumber, Table } from 'antd'
import { useRef, useState } from 'react'
import type { Id, Of } from '../../../platform/contract/field.ts'
import { ask, newKey, type Refusal } from '../../../platform/web/ask.ts'
import { numberFault } from '../../../platform/web/form/bounds.ts'
import { Dialog } from '../../../platform/web/form/Dialog.tsx'
import { yuan } from '../../../platform/web/format.ts'
import { toast } from '../../../platform/web/page/hosts.tsx'
import { plural } from '../../../platform/contract/plural.ts'
import { useRested } from '../../../platform/web/form/rested.ts'
import { type Text, useText } from '../../../platform/web/text.ts'
import { useTickOfAll } from '../../../platform/web/list/Ticks.tsx'
import { Money, Plates, State, Until } from '../../../platform/web/value.tsx'
import { type CustomerId, pass, PassStatus, type Renewal, sale } from '../contract/pass.ts'
import { CUSTOMER_CHANGES } from './changes.ts'

type Row = Of<typeof Renewal>
const ROWS_A_PAGE = 8
const can = ({ refused }: Row) => refused === null

/** Renews the passes of several customers: each price and each refusal is shown first, and done as it was shown. */
export function RenewMany({ memberIds, onClose }: { memberIds: readonly Id<CustomerId>[]; onClose: () => void }) {
  const say = useText()
  const cache = useQueryClient()
  const key = useRef(newKey())
  const [periods, setPeriods] = useState<number | null>(1)
  const fault = numberFault(sale.periods, periods)
  const asked = useRested(periods)
  const [cash, setCash] = useState(false)
  /** The passes that the user ticked; until then all that still run are ticked. */
  const [chosen, choose] = useState<readonly Row['id'][]>()
  const [refused, setRefused] = useState<Refusal>()
  const [busy, setBusy] = useState(false)
  const tried = useQuery({
    queryKey: ['member.renewal', memberIds, asked],
    queryFn: () => ask(pass.renewMany, { memberIds: [...memberIds], periods: asked!, dryRun: true }, { quiet: true }),
    retry: false,
    enabled: fault === undefined && periods === asked,
  })
  const trying = tried.isFetching || periods !== asked
  const rows = tried.data ?? []
  const ticked = rows.filter((row) => can(row) && (chosen ? chosen.includes(row.id) : row.status !== PassStatus.expired))
  const payableFen = ticked.reduce((sum, row) => sum + row.payableFen, 0) as Row['payableFen']
  const renew = async () => {
    setBusy(true)
    try {
      await ask(pass.renewMany, { ids: ticked.map(({ id }) => id), periods: periods!, payableFen, cash }, { key: key.current, quiet: true })
      await Promise.all(CUSTOMER_CHANGES.map((call) => cache.invalidateQueries({ queryKey: [call.id] })))
      toast('success', cash ? renewed(ticked.length) : ordered(ticked.length))
      onClose()
    } catch (error) {
      setRefused(error as Refusal)
      if ((error as Refusal).isAnswer) key.current = newKey()
      void tried.refetch()
    } finally {
      setBusy(false)
    }
  }
  const problem = refused ?? (tried.error as unknown as Refusal | null)
  return (
    <Dialog
      changed={chosen !== undefined || periods !== 1 || cash}
      width={880}
      title={say(['批量续费', 'Renew in bulk'])}
      onClose={onClose}
      cancelText={say(['取消', 'Cancel'])}
      okText={say([`续费 ${ticked.length} 张，共 ¥${yuan(payableFen)}`, `Renew ${ticked.length} for ¥${yuan(payableFen)}`])}
      okButtonProps={{ loading: busy, disabled: ticked.length === 0 || trying }}
      onOk={() => void renew()}
    >
      {problem && <Alert showIcon type="error" className="refused" title={problem.message} />}
      <Form layout="inline">
        <Form.Item label={say(['期数', 'Periods'])} htmlFor="renew-periods" {...(fault && { validateStatus: 'error', help: say(fault) })}>
          <InputNumber id="renew-periods" precision={0} value={periods} onChange={setPeriods} />
        </Form.Item>
        <Form.Item>
          <Checkbox checked={cash} onChange={({ target }) => setCash(target.checked)}>
            {say(['现金已收讫（不勾选则开待支付订单）', 'Paid in cash (if not, unpaid orders are made)'])}
          </Checkbox>
        </Form.Item>
      </Form>
      <Counts of={rows} />
      <Renewals rows={rows} loading={trying} ticked={ticked} onTick={choose} />
    </Dialog>
  )
}

const renewed = (n: number): Text => [`已续费 ${n} 张月卡`, `${n} ${plural(n, 'pass', 'passes')} renewed`]
const ordered = (n: number): Text => [
  `已开 ${n} 张订单，半小时内支付后生效`,
  `${n} ${plural(n, 'order')} made; each takes effect if paid within half an hour`,
]

function Counts({ of }: { of: readonly Row[] }) {
  const say = useText()
  const not = of.length - of.filter(can).length
  return (
    <p role="status">
      {say([
        `${of.length} 张月卡，${not} 张不能续费；过期的月卡需自行勾选`,
        `${of.length} ${plural(of.length, 'pass', 'passes')}, ${not} cannot be renewed; select expired ones yourself`,
      ])}
    </p>
  )
}

interface RenewalsProps {
  rows: readonly Row[]
  loading: boolean
  ticked: readonly Row[]
  onTick: (ids: readonly Row['id'][]) => void
}
/** Those that cannot be renewed first, each with why. */
function Renewals({ rows, loading, ticked, onTick }: RenewalsProps) {
  const say = useText()
  const tickOfAll = useTickOfAll()
  return (
    <Table
      size="small"
      rowKey="id"
      scroll={{ x: 'max-content' }}
      loading={loading}
      dataSource={rows.toSorted((a, b) => Number(can(a)) - Number(can(b)))}
      pagination={{ pageSize: ROWS_A_PAGE, size: 'small', showSizeChanger: false, hideOnSinglePage: true }}
      rowSelection={{
        ...tickOfAll,
        selectedRowKeys: ticked.map(({ id }) => id),
        onChange: (keys) => onTick(keys as Row['id'][]),
        getCheckboxProps: (row) => ({ disabled: !can(row), 'aria-label': row.passNo }),
      }}
      locale={{ emptyText: say(['所选客户没有可续费的月卡', 'These customers have no pass to renew']) }}
      columns={[
        { title: say(['客户', 'Customer']), dataIndex: 'holder' },
        { title: say(['车牌', 'Plates']), dataIndex: 'plates', render: (plates: Row['plates']) => <Plates numbers={plates} still /> },
        { title: say(['状态', 'Status']), dataIndex: 'status', render: (status: Row['status']) => <State dictionary={PassStatus} value={status} /> },
        { title: say(['到期', 'Ends']), dataIndex: 'oldEnd', render: (at: Row['oldEnd']) => <Until at={at} /> },
        {
          title: say(['续费后', 'After renewal']),
          dataIndex: 'newEnd',
          render: (at: Row['newEnd'], row) =>
            row.refused ? <span className="renewal-refused">{say([row.refused.zh, row.refused.en])}</span> : <Until at={at} />,
        },
        {
          title: say(['应付', 'Payable']),
          dataIndex: 'payableFen',
          align: 'right',
          render: (fen: Row['payableFen'], row) => can(row) && <Money fen={fen} />,
        },
      ]}
    />
  )
}
