import { useQuery } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { yuan } from '../../../platform/web/format.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { toast } from '../../../platform/web/page/hosts.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { plural } from '../../../platform/contract/plural.ts'
import { Label } from '../../../platform/web/form/remove.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { Until } from '../../../platform/web/value.tsx'
import { POINTS } from '../contract/figures.ts'
import { accountSearch, DetailKind, detailSearch, pointsAccount, type PointsAccount, pointsDetail } from '../contract/pointsAccount.ts'
import { pointsOrder } from '../contract/pointsGoods.ts'
import { UnpaidOrderSelect } from '../../settlement/web/api/UnpaidOrderSelect.tsx'
import { pointsGrant } from '../contract/pointsGrant.ts'
import { POINTS_CHANGES } from './changes.ts'
import { Exchanges, GoodsSelect, useGoodsOnSale } from './Exchanges.tsx'
import { PointsGrants, useAloneLimit } from './PointsGrants.tsx'

type Row = Of<typeof PointsAccount>
const PAGES = {
  accounts: ['账户', 'Accounts'],
  grants: ['发放审核', 'Grants to approve'],
  details: ['明细', 'Transactions'],
  orders: ['兑换', 'Exchanges'],
} as const
type Shown = keyof typeof PAGES
type Doing = { what: 'new'; of?: undefined } | { what: 'edit' | 'grant' | 'exchange' | 'offset'; of: Row }

/** Points accounts, every movement of them, and the exchanges for their points. */
export default function PointsAccountScreen() {
  const say = useText()
  const [params, setParams] = useSearchParams()
  const [of, setOf] = useState<Row>()
  const all = Object.keys(PAGES) as Shown[]
  const shown = all.find((one) => one === params.get('tab')) ?? 'accounts'
  const pick = (next: Shown, behind?: Row) => {
    setOf(behind)
    setParams(next === 'accounts' ? {} : { tab: next })
  }
  const pages = <Segmented<Shown> value={shown} onChange={(next) => pick(next)} options={all.map((value) => ({ value, label: say(PAGES[value]) }))} />
  return (
    <>
      {shown === 'accounts' && <Accounts toolbar={pages} onDetails={(row) => pick('details', row)} />}
      {shown === 'grants' && <PointsGrants toolbar={pages} />}
      {shown === 'details' && <Details key={of?.id ?? ''} toolbar={pages} of={of} />}
      {shown === 'orders' && <Exchanges toolbar={pages} />}
    </>
  )
}

function Sums() {
  const { data } = useQuery(asks(pointsAccount.statistics, {}, { quiet: true }))
  return (
    <Tiles label={['积分概况', 'Points']}>
      {(['accounts', 'earned', 'spent', 'expired', 'balance'] as const).map((name) => (
        <Tile key={name} figure={POINTS[name]} value={data?.[name]} />
      ))}
      <Tile figure={POINTS.debt} value={data?.debt} tone={Boolean(data?.debt) && 'warning'} />
    </Tiles>
  )
}

function Accounts({ toolbar, onDetails }: { toolbar: ReactNode; onDetails: (row: Row) => void }) {
  const [doing, setDoing] = useState<Doing>()
  return (
    <>
      <ListScreen
        purpose={['车主的积分：余额 = 获得 − 使用 − 过期 − 收回', 'Owners’ points: balance = earned − spent − expired − clawed back']}
        above={<Sums />}
        query={pointsAccount.pageQuery}
        search={accountSearch}
        toolbar={toolbar}
        add={{ call: pointsAccount.open, open: () => setDoing({ what: 'new' }), text: ['开户', 'Open an account'] }}
        find={['phone', 'name', 'balance']}
        sum={{ totals: ['balance', 'debt'] }}
        columns={['name', 'phone', 'plates', 'balance', 'frozen', 'debt', 'totalEarned', 'totalSpent', 'totalExpired', 'totalClawed', 'createdAt']}
        hidden={['createdAt']}
        roomy={['plates', 'frozen', 'totalExpired', 'totalClawed']}
        actions={(row) => [
          { text: ['明细', 'Transactions'], run: () => onDetails(row) },
          {
            text: ['兑换', 'Exchange'],
            needs: pointsOrder.exchange.needs,
            run: () => setDoing({ what: 'exchange', of: row }),
            not: row.balance <= row.frozen && ['没有可用积分', 'No points to use'],
          },
          {
            text: ['抵扣停车费', 'Pay a fee'],
            needs: pointsAccount.offset.needs,
            run: () => setDoing({ what: 'offset', of: row }),
            not:
              row.balance <= row.frozen
                ? ['没有可用积分', 'No points to use']
                : row.plates.length === 0 && ['账户没有车牌', 'The account has no plate'],
          },
          { text: ['发放积分', 'Grant points'], needs: pointsAccount.grant.needs, run: () => setDoing({ what: 'grant', of: row }) },
          { text: Label.edit, needs: pointsAccount.open.needs, run: () => setDoing({ what: 'edit', of: row }) },
        ]}
        empty={['还没有积分账户', 'No points accounts yet']}
      />
      {doing && <Dialog doing={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

/** At the counter: the button says what it takes. */
function Exchanging({ of, onClose }: { of: Row; onClose: () => void }) {
  const goods = useGoodsOnSale()
  const usable = of.balance - of.frozen
  return (
    <FormDialog
      mode="new"
      changes={POINTS_CHANGES}
      onClose={onClose}
      title={[`兑换 · ${of.name}（可用 ${usable} 积分）`, `Exchange · ${of.name} (${usable} ${plural(usable, 'point')} usable)`]}
      entity={pointsOrder.exchange.input}
      value={{ accountId: of.id, qty: 1 }}
      save={pointsOrder.exchange}
      act={({ goodId, qty }) => {
        const one = goods.find(({ id }) => id === goodId)
        return one && qty ? taking(one.pointsPrice * qty, one.cashFen * qty) : ['确认兑换', 'Exchange']
      }}
      done={['已兑换，待发放', 'Exchanged; waiting for delivery']}
      fields={[
        {
          name: 'goodId',
          control: <GoodsSelect />,
          label: ['积分商品', 'Article'],
          help: ['加价部分请先收取现金', 'Take what is due beside the points in cash'],
        },
        'qty',
      ]}
    />
  )
}
const taking = (points: number, fen: number): Text =>
  fen > 0
    ? [`兑换：扣 ${points} 积分，收现金 ¥${yuan(fen)}`, `Exchange ${points} ${plural(points, 'point')} and take ¥${yuan(fen)} in cash`]
    : [`兑换：扣 ${points} 积分`, `Exchange ${points} ${plural(points, 'point')}`]

/** More than one person may give waits for another; the button says which it is. */
function Granting({ of, onClose }: { of: Row; onClose: () => void }) {
  const limit = useAloneLimit()
  const above = (points: number | undefined) => limit !== undefined && (points ?? 0) > limit
  return (
    <FormDialog
      mode="new"
      changes={[...POINTS_CHANGES, pointsGrant.query]}
      onClose={onClose}
      title={[`发放积分 · ${of.name}`, `Grant points · ${of.name}`]}
      entity={pointsAccount.grant.input}
      value={{ accountId: of.id }}
      save={pointsAccount.grant}
      act={({ points }) =>
        above(points)
          ? [`申请发放 ${points} 积分`, `Request ${points} points`]
          : [`发放 ${points ?? 0} 积分`, `Grant ${points ?? 0} ${plural(points, 'point')}`]
      }
      onSaved={(reply) =>
        toast(
          'success',
          (reply as { waits: boolean }).waits ? ['已提交，由另一人审核', 'Submitted; another person approves it'] : ['已发放', 'Granted'],
        )
      }
      fields={[
        limit === undefined
          ? 'points'
          : {
              name: 'points',
              help: [`同一账户 30 天内合计超过 ${limit}，由另一人审核`, `Beyond ${limit} to one account within 30 days, another person approves`],
            },
        'reason',
      ]}
    />
  )
}

/** Points pay one order of the account's cars whole, a fen each. */
function Offsetting({ of, onClose }: { of: Row; onClose: () => void }) {
  const usable = of.balance - of.frozen
  return (
    <FormDialog
      mode="new"
      changes={POINTS_CHANGES}
      onClose={onClose}
      title={[`抵扣停车费 · ${of.name}（可用 ${usable} 积分）`, `Pay a fee · ${of.name} (${usable} ${plural(usable, 'point')} usable)`]}
      entity={pointsAccount.offset.input}
      value={{ accountId: of.id }}
      save={pointsAccount.offset}
      act={['用积分付清该订单', 'Pay the order with points']}
      done={['已用积分付清', 'Paid with points']}
      fields={[
        {
          name: 'orderId',
          control: <UnpaidOrderSelect by="id" plates={of.plates} owed />,
          help: [
            '1 积分抵 1 分钱，须付清整笔；车场另有抵扣上限的，以车场为准',
            'A point is a fen and pays the whole order; a park may allow only part in points',
          ],
        },
      ]}
    />
  )
}

function Dialog({ doing: { what, of }, onClose }: { doing: Doing; onClose: () => void }) {
  const shared = { mode: 'new', changes: POINTS_CHANGES, onClose } as const
  if (what === 'grant') return <Granting of={of} onClose={onClose} />
  if (what === 'offset') return <Offsetting of={of} onClose={onClose} />
  if (what === 'exchange') return <Exchanging of={of} onClose={onClose} />
  const fields = [
    'name',
    ...(what === 'new' ? (['phone'] as const) : []),
    { name: 'plates', optional: true, help: ['这些车缴费得积分，最多 5 个', 'Payments of these cars earn points; five at most'] },
  ] as const
  return (
    <FormDialog
      {...shared}
      title={what === 'new' ? ['开通积分账户', 'Open an account'] : [`修改 · ${of.name}`, `Change · ${of.name}`]}
      entity={pointsAccount.open.input}
      value={what === 'new' ? { plates: [] } : { phone: of.phone, name: of.name, plates: of.plates }}
      save={pointsAccount.open}
      done={['已保存', 'Saved']}
      fields={fields}
    />
  )
}

/** Every movement with what stood there afterwards. */
function Details({ toolbar, of }: { toolbar: ReactNode; of: Row | undefined }) {
  return (
    <ListScreen
      purpose={
        of ? [`${of.name} ${of.phone} 的积分变动`, `Points of ${of.name} ${of.phone}`] : ['所有账户的积分变动', 'Points transactions of all accounts']
      }
      query={pointsDetail.pageQuery}
      search={detailSearch}
      {...(of && { only: { accountId: of.id } })}
      toolbar={toolbar}
      find={of ? ['kind', 'at', 'bizNo'] : ['phone', 'kind', 'at', 'bizNo']}
      sum={{
        totals: ['points'],
        figures: [
          { text: ['收回', 'clawed back'], leads: { kind: [DetailKind.clawed] } },
          { text: ['过期', 'expired'], leads: { kind: [DetailKind.expired] } },
        ],
      }}
      columns={[
        'at',
        'phone',
        'kind',
        'points',
        'balanceAfter',
        'bizNo',
        { dataIndex: 'expireAt', render: (_, row) => <Until at={row.expireAt} /> },
        'memo',
      ]}
      roomy={['expireAt', 'memo']}
      empty={['还没有积分变动', 'No points transactions yet']}
    />
  )
}
