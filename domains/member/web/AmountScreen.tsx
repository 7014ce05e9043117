import { useQuery } from '@tanstack/react-query'
import { Tabs } from 'antd'
import { useSearchParams } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { Facts, Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { ExportButton } from '../../../platform/web/sheet/ExportButton.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Money, Plates, State, Until } from '../../../platform/web/value.tsx'
import { findPark, ParkName } from '../../parking/web/api/names.tsx'
import { amount, Amount, type AmountDetail, AmountKind, amountSearch } from '../contract/amount.ts'
import { PASS_MONEY } from '../contract/figures.ts'
import { memberSheet } from '../contract/memberSheet.ts'
import { GroupSelect } from './names.tsx'
import { Reports } from './Reports.tsx'

/** Payments of passes, and the reports that are sums of the ledger. */
export default function AmountScreen() {
  const say = useText()
  const [params, setParams] = useSearchParams()
  const tab = params.get('tab') ?? 'payments'
  return (
    <>
      <Tabs
        className="tabs-over"
        activeKey={tab}
        onChange={(key) => setParams({ tab: key })}
        items={[
          { key: 'payments', label: say(['缴费记录', 'Payments']) },
          { key: 'months', label: say(['月报', 'By month']) },
          { key: 'customers', label: say(['客户明细', 'By customer']) },
          { key: 'recharges', label: say(['按日充值', 'By day']) },
        ]}
      />
      {tab === 'payments' ? <Payments /> : <Reports which={tab} />}
    </>
  )
}

function Payments() {
  const say = useText()
  const { data } = useQuery({ ...asks(amount.queryStatistics, {}, { quiet: true }), enabled: can(amount.queryStatistics.needs) })
  return (
    <ListScreen
      purpose={['每一笔开卡、续费和退卡', 'Every new pass, renewal and pass cancellation']}
      above={
        <Tiles label={['缴费合计', 'Totals']}>
          <Tile figure={PASS_MONEY.orders} to={false} value={data?.orders} />
          {(['receivableFen', 'paidFen', 'refundFen', 'netFen'] as const).map((name) => (
            <Tile key={name} figure={PASS_MONEY[name]} to={false} value={data && <Money fen={data[name]} />} />
          ))}
        </Tiles>
      }
      query={amount.queryPage}
      search={amountSearch}
      find={['customer', 'plateNo', 'at', findPark, { name: 'groupId', control: <GroupSelect /> }, 'kind', 'payMethod', 'status', 'orderNo']}
      rowKey="orderNo"
      columns={[
        'orderNo',
        'at',
        'customer',
        { dataIndex: 'plates', render: (_, row) => <Plates numbers={row.plates} most={2} still /> },
        { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
        'groupName',
        'kind',
        'receivableFen',
        'paidFen',
        'refundFen',
        'payMethod',
        'status',
        'carFeesName',
        'startAt',
        { dataIndex: 'endAt', render: (_, row) => <Until at={row.endAt} /> },
        'discountFen',
        'operatorName',
      ]}
      hidden={['carFeesName', 'startAt', 'endAt', 'discountFen', 'operatorName']}
      roomy={['groupName', 'payMethod', 'refundFen']}
      exports={memberSheet.exportAmount}
      toolbar={(list) =>
        can(memberSheet.exportRechargeDetail.needs) && (
          <ExportButton call={memberSheet.exportRechargeDetail} criteria={list.criteria} text={['导出充值明细', 'Export recharges']} />
        )
      }
      detail={{
        call: amount.queryDetail,
        input: (orderNo) => ({ orderNo }),
        head: (row) => (
          <>
            <b>{row.orderNo}</b> <State dictionary={AmountKind} value={row.kind} />
          </>
        ),
        body: (row) => <Story of={row} />,
      }}
      empty={['还没有月卡缴费', 'No payments yet']}
    />
  )
}

/** Of the days of a period, a month of them: the last that were earned, and what follows. */
const SHOWN_DAYS = 31
function Story({ of }: { of: Of<typeof AmountDetail> }) {
  const say = useText()
  return (
    <>
      <Facts
        entity={Amount}
        of={of}
        show={[
          'customer',
          'phone',
          'groupName',
          'carFeesName',
          { label: ['车场', 'Car park'], value: <ParkName code={of.parkCode} /> },
          'startAt',
          { label: ['周期结束', 'Until'], value: <Until at={of.endAt} /> },
          'receivableFen',
          'discountFen',
          'paidFen',
          'returnedFen',
          'payMethod',
          'status',
          'operatorName',
          {
            label: ['已确认收入', 'Income earned'],
            value: (
              <>
                <Money fen={of.earnedFen} />{' '}
                <span className="faint">
                  {`${of.earnedDays}/${of.days}`} {say(['天', 'days'])}
                </span>
              </>
            ),
          },
        ]}
      />
      <Section title={['按日收入', 'Income by day']}>
        <table className="lines">
          <tbody>
            {of.schedule.slice(Math.max(0, of.earnedDays - SHOWN_DAYS), Math.max(of.earnedDays, SHOWN_DAYS)).map((one) => (
              <tr key={one.seq}>
                <td>{one.seq}</td>
                <td>{one.day}</td>
                <td className="faint">{one.earned ? say(['已确认', 'earned']) : say(['待确认', 'deferred'])}</td>
                <td className="right">
                  <Money fen={one.amountFen} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
      <Section title={['记账', 'Ledger entries']}>
        <table className="lines">
          <tbody>
            {of.entries.map((one) => (
              <tr key={`${one.entryId} ${one.seq}`}>
                <td>{one.day}</td>
                <td>{one.account}</td>
                <td className="right">{one.debitFen ? <Money fen={one.debitFen} /> : ''}</td>
                <td className="right">{one.creditFen ? <Money fen={one.creditFen} /> : ''}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
    </>
  )
}
