import { Button, Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { dayEnd, dayStart } from '../../../platform/web/format.ts'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { findPark, ParkName } from '../../parking/web/api/names.tsx'
import { type GroupBy, Recharge, recharge, RechargeKind, rechargeSearch, rechargeSheet, type RechargeSum } from '../contract/recharge.ts'

type Sum = Of<typeof RechargeSum>
type Shown = GroupBy | 'list'
const OF_PASSES = [RechargeKind.newPass, RechargeKind.renewal, RechargeKind.broughtIn] as (1 | 2 | 5)[]
const FIGURES = ['payFen', 'refundFen', 'netFen', 'recognisedFen', 'deferredFen'] as const
const PURPOSE: Text = [
  '月卡新办、续费和导入的收入，取自总账：净收 = 充值 − 退款 = 已确认收入 + 递延收入',
  'Income from new, renewed and imported passes, from the ledger: net = paid − refunded = recognised + deferred',
]

const OPTIONS: [Shown, Text][] = [
  ['day', ['按日', 'By day']],
  ['month', ['按月', 'By month']],
  ['park', ['按车场', 'By car park']],
  ['group', ['按月卡类型', 'By pass type']],
  ['list', ['充值记录', 'Recharges']],
]

/** Money from passes sold, renewed and imported, summed by day, month, park or group; each line opens the recharges behind it. */
export default function RechargeScreen() {
  const say = useText()
  const [shown, show] = useState<Shown>('day')
  const [of, setOf] = useState<object>()
  const pick = (next: Shown, behind?: object) => {
    setOf(behind)
    show(next)
  }
  const toolbar = (
    <Segmented<Shown> value={shown} onChange={(next) => pick(next)} options={OPTIONS.map(([value, text]) => ({ value, label: say(text) }))} />
  )
  return shown === 'list' ? (
    <Recharges toolbar={toolbar} of={of} />
  ) : (
    <Sums key={shown} by={shown} toolbar={toolbar} open={(criteria) => pick('list', criteria)} />
  )
}

const useParkColumn = () => {
  const say = useText()
  return {
    dataIndex: 'parkCode' as const,
    title: say(['车场', 'Car park']),
    render: (_: unknown, row: { parkCode: string | null }) => <ParkName code={row.parkCode} />,
  }
}
function Recharges({ toolbar, of }: { toolbar: ReactNode; of: object | undefined }) {
  const park = useParkColumn()
  return (
    <ListScreen
      key={JSON.stringify(of)}
      purpose={PURPOSE}
      query={recharge.list}
      search={rechargeSearch}
      only={{ bizType: OF_PASSES, ...of }}
      toolbar={toolbar}
      find={of ? ['payMethod', 'rechargeNo'] : ['paidAt', findPark, 'payMethod', 'groupName', 'rechargeNo']}
      sum={{ totals: FIGURES }}
      exports={rechargeSheet.listExport}
      columns={[
        'rechargeNo',
        'bizType',
        'memberName',
        'plates',
        'groupName',
        park,
        'payFen',
        'refundFen',
        'netFen',
        'payMethod',
        'paidAt',
        'periodFrom',
        'periodTo',
        'recognisedFen',
        'deferredFen',
        'bonusFen',
      ]}
      hidden={['periodFrom', 'recognisedFen', 'deferredFen', 'bonusFen']}
      roomy={['groupName', 'parkCode', 'refundFen', 'periodTo']}
      empty={['没有月卡充值', 'No pass recharges']}
    />
  )
}

function Sums({ by, toolbar, open }: { by: GroupBy; toolbar: ReactNode; open: (criteria: object) => void }) {
  const say = useText()
  const title: Text = by === 'park' ? ['车场', 'Car park'] : by === 'group' ? ['月卡类型', 'Pass type'] : ['日期', 'Period']
  const named = (row: Sum) =>
    by === 'park' ? <ParkName code={row.parkCode} still /> : (row.groupName ?? row.period ?? say(['未定月卡类型', 'No pass type']))
  return (
    <ListScreen
      purpose={PURPOSE}
      query={recharge.statistics}
      search={rechargeSearch}
      only={{ bizType: OF_PASSES, groupBy: by } as never}
      toolbar={toolbar}
      extra={{ paidAt: Recharge.properties.paidAt }}
      find={['paidAt', findPark]}
      sum={{ totals: FIGURES }}
      exports={rechargeSheet.statisticsExport}
      columns={[
        {
          dataIndex: 'id',
          title: say(title),
          render: (_, row) => (
            <Button type="link" size="small" onClick={() => open(behind(by, row))}>
              {named(row)}
            </Button>
          ),
        },
        'newCount',
        'renewCount',
        'broughtInCount',
        ...FIGURES,
      ]}
      empty={['没有月卡充值', 'No pass recharges']}
    />
  )
}

/** The criteria of the list behind a line. */
function behind(by: GroupBy, { id, parkCode, groupName }: Sum): object {
  if (by === 'park') return { parkCode }
  if (by === 'group') return { groupName }
  const last = by === 'day' ? id : `${id}-${String(new Date(Number(id.slice(0, 4)), Number(id.slice(5)), 0).getDate()).padStart(2, '0')}`
  return { paidAtFrom: dayStart((by === 'day' ? id : `${id}-01`) as never), paidAtTo: dayEnd(last as never) }
}
