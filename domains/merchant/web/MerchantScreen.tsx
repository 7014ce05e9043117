import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import type { BulkOf } from '../../../platform/web/list/Bulk.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ImportButton } from '../../../platform/web/sheet/ImportDialog.tsx'
import { type Column, ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { Once as ShownOnce } from '../../../platform/web/form/Once.tsx'
import { deleting, Label, useAct, useRemove } from '../../../platform/web/form/remove.tsx'
import { type Say, useText } from '../../../platform/web/text.ts'
import { ParkNames, ParksSelect } from '../../parking/web/api/names.tsx'
import { account } from '../contract/account.ts'
import { credit } from '../contract/credit.ts'
import { Merchant, merchant, merchantSearch, MerchantStatus, SettleMode } from '../contract/merchant.ts'
import { MERCHANT_CHANGES } from './api/changes.ts'
import { GrantDialog, WithdrawDialog } from './api/CreditDialogs.tsx'
import { RechargeDialog } from './api/RechargeDialog.tsx'

type Row = Of<typeof Merchant>
type Doing = { what: 'new'; of?: undefined } | { what: 'edit' | 'recharge' | 'grant' | 'withdraw'; of: Row }
interface Once {
  login: string
  password: string | null
}
const ACCOUNTS = '/activity/coupon/account'

/** Shops and companies that pay for their guests' parking: their facts, balances and debts. */
export default function MerchantScreen() {
  const say = useText()
  const go = useNavigate()
  const remove = useRemove(MERCHANT_CHANGES)
  const [doing, setDoing] = useState<Doing>()
  const [once, setOnce] = useState<Once>()
  const { turn, reset } = useActs(setOnce)
  return (
    <>
      <ListScreen
        purpose={[
          '为顾客停车买单的店铺与单位：账户、授信与结算方式',
          'Shops and companies that pay for their guests’ parking: accounts, credit and settlement',
        ]}
        query={merchant.queryPage}
        search={merchantSearch}
        exports={merchant.export}
        find={['name', 'type', 'status', 'mchNo', 'settleMode', 'contact', 'phone']}
        sum={{
          totals: ['balanceFen', 'quotaFen', 'usedFen', 'heldFen'],
          figures: [
            { text: ['启用', 'enabled'], leads: { status: [MerchantStatus.enabled] } },
            { text: ['实抵结算', 'settle as deducted'], leads: { settleMode: [SettleMode.actual] } },
          ],
        }}
        columns={columnsOf(say)}
        hidden={['heldFen', 'expiredBack', 'createdAt', 'remark', 'type']}
        roomy={['contact', 'parkCodes', 'quotaFen']}
        add={{ call: merchant.add, open: () => setDoing({ what: 'new' }) }}
        bulk={BULK}
        toolbar={<ImportButton call={merchant.import} changes={MERCHANT_CHANGES} />}
        history={{ kind: 'merchant.merchant', restore: merchant.update, changes: MERCHANT_CHANGES }}
        actions={(row) => [
          {
            text: ['充值', 'Recharge'],
            needs: account.recharge.needs,
            run: () => setDoing({ what: 'recharge', of: row }),
            not: row.status === MerchantStatus.disabled && ['商户已停用', 'The merchant is disabled'],
          },
          { text: ['账户明细', 'Account'], needs: account.balanceDetailPage.needs, run: () => void go(`${ACCOUNTS}?mchId=${row.id}`) },
          { text: Label.edit, needs: merchant.update.needs, run: () => setDoing({ what: 'edit', of: row }) },
          { text: ['增加授信', 'Grant credit'], needs: credit.add.needs, run: () => setDoing({ what: 'grant', of: row }) },
          {
            text: ['收回授信', 'Withdraw credit'],
            needs: credit.delete.needs,
            run: () => setDoing({ what: 'withdraw', of: row }),
            not: row.quotaFen === 0 && ['没有授信', 'No credit'],
          },
          { text: row.status === MerchantStatus.disabled ? Label.enable : Label.disable, needs: merchant.updateStatus.needs, run: () => turn(row) },
          { text: ['重置密码', 'Reset password'], needs: merchant.resetPassword.needs, run: () => reset(row) },
          {
            ...deleting(remove, merchant.delete, which(row), row.name),
            not: row.balanceFen + row.usedFen + row.heldFen > 0 && ['还有余额或未还授信', 'It still has a balance or unpaid credit'],
          },
        ]}
        empty={['还没有商户；新增或从表格导入', 'No merchants yet: add one, or import a sheet']}
      />
      {doing && <Dialog doing={doing} onMade={setOnce} onClose={() => setDoing(undefined)} />}
      {once && <OncePassword {...once} onClose={() => setOnce(undefined)} />}
    </>
  )
}

const columnsOf = (say: Say): Column<Row>[] => [
  'name',
  'mchNo',
  'type',
  'contact',
  'phone',
  {
    dataIndex: 'parkCodes',
    render: (_, row) => (row.parkCodes.length > 0 ? <ParkNames codes={row.parkCodes} /> : say(['全部车场', 'All car parks'])),
  },
  'settleMode',
  'balanceFen',
  'quotaFen',
  'usedFen',
  'heldFen',
  'status',
  'expiredBack',
  'createdAt',
  'remark',
]

const which = ({ id, version }: Row) => ({ id, version })
/** Acts on a merchant that are done at once, after a question. */
function useActs(onMade: (once: Once) => void) {
  const act = useAct(MERCHANT_CHANGES)
  const turn = (row: Row) => {
    const on = row.status === MerchantStatus.disabled
    void act(
      merchant.updateStatus,
      { ...which(row), status: on ? MerchantStatus.enabled : MerchantStatus.disabled },
      {
        question: on
          ? [`启用 ${row.name}？`, `Enable ${row.name}?`]
          : [
              `停用 ${row.name}？不能登录、购券和发券，已发放的券仍可用`,
              `Disable ${row.name}? It can no longer sign in, buy or issue coupons; issued coupons stay valid`,
            ],
        act: on ? Label.enable : Label.disable,
        done: ['已保存', 'Saved'],
      },
    )
  }
  const reset = (row: Row) =>
    void act(
      merchant.resetPassword,
      { custId: row.id },
      {
        question: [`为 ${row.name} 生成一次性密码？其所有会话立即结束`, `Create a one-time password for ${row.name}? All its sessions end at once`],
        act: ['重置密码', 'Reset the password'],
        answered: (reply) => onMade(reply),
      },
    )
  return { turn, reset }
}

const FIELDS = [
  'name',
  'type',
  'contact',
  'phone',
  {
    name: 'parkCodes',
    control: <ParksSelect />,
    help: ['所在车场，至少一个；其充值与核销记在第一个车场', 'Its car parks, at least one; recharges and uses are booked at the first'],
  },
  {
    name: 'settleMode',
    help: ['面值：购券时付款；实抵：核销时按实际抵扣付款', 'Face value: paid when bought; as deducted: the actual deduction, paid when used'],
  },
  { name: 'expiredBack', optional: true, help: ['过期未用的券是否退回商户', 'Coupons that expire unused go back to the merchant'] },
  { name: 'remark', optional: true },
] as const

function Dialog({ doing: { what, of }, onMade, onClose }: { doing: Doing; onMade: (once: Once) => void; onClose: () => void }) {
  const shared = { entity: Merchant, changes: MERCHANT_CHANGES, onClose }
  if (what === 'recharge') return <RechargeDialog mchId={of.id} name={of.name} onClose={onClose} />
  if (what === 'grant') return <GrantDialog mchId={of.id} name={of.name} onClose={onClose} />
  if (what === 'withdraw') return <WithdrawDialog mchId={of.id} name={of.name} onClose={onClose} />
  if (what === 'edit') return <FormDialog {...shared} mode="edit" value={of} save={merchant.update} done={['已保存', 'Saved']} fields={FIELDS} />
  return (
    <FormDialog
      {...shared}
      mode="new"
      value={{ settleMode: SettleMode.face, expiredBack: true, parkCodes: [] }}
      save={merchant.add}
      onSaved={(reply) => onMade(reply as Once)}
      fields={FIELDS}
    />
  )
}

/** As many passwords go into one sheet. */
const RESET_MOST = 500
const BULK: BulkOf<Row> = {
  nameOf: ({ name, mchNo }) => `${name} ${mchNo}`,
  changes: MERCHANT_CHANGES,
  acts: [
    {
      text: ['重置密码', 'Reset password'],
      call: merchant.resetPassword,
      danger: true,
      input: ({ id }) => ({ custId: id }),
      warns: [
        '其所有会话立即结束，首次登录须修改密码。完成后请下载一次性密码表，仅此一次。',
        'All their sessions end at once, and they change the password at first sign-in. Download the sheet of one-time passwords afterwards: it is offered once.',
      ],
      once: {
        name: ['商户一次性密码', 'Merchants’ one-time passwords'],
        heads: [
          ['登录名', 'Account'],
          ['商户名称', 'Merchant'],
          ['一次性密码', 'One-time password'],
        ],
        cells: ({ name }, { login, password }) => [login, name, password ?? ''],
        most: RESET_MOST,
      },
    },
  ],
}

/** A password that the server made: shown this once, changed at the first sign-in. */
const OncePassword = ({ login, password, onClose }: Once & { onClose: () => void }) => (
  <ShownOnce
    title={['商户登录', 'Merchant sign-in']}
    says={[`${login} 首次登录须修改此密码，关闭后不再显示。`, `${login} must change this password at the first sign-in. It is not shown again.`]}
    text={password ?? ''}
    onClose={onClose}
  />
)
