import { Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import type { Id } from '../../../platform/contract/field.ts'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { useText } from '../../../platform/web/text.ts'
import { credit, creditPageSearch, creditSearch } from '../../merchant/contract/credit.ts'
import { GrantDialog, WithdrawDialog } from '../../merchant/web/api/CreditDialogs.tsx'
import { findMerchant } from '../../merchant/web/api/names.tsx'

type Shown = 'credit' | 'serial'
interface Doing {
  what: 'grant' | 'withdraw'
  mchId: Id<'MerchantId'>
  name: string
}
/** Merchants' credit for coupons, and every change of it. */
export default function MerchantCreditScreen() {
  const say = useText()
  const [shown, show] = useState<Shown>('credit')
  const pages = (
    <Segmented<Shown>
      value={shown}
      onChange={show}
      options={[
        { value: 'credit', label: say(['授信额度', 'Credit']) },
        { value: 'serial', label: say(['授信流水', 'Credit changes']) },
      ]}
    />
  )
  return shown === 'credit' ? <Credits toolbar={pages} /> : <CreditSerial toolbar={pages} />
}

function Credits({ toolbar }: { toolbar: ReactNode }) {
  const [doing, setDoing] = useState<Doing>()
  const Dialog = doing?.what === 'withdraw' ? WithdrawDialog : GrantDialog
  return (
    <>
      <ListScreen
        purpose={['余额不足时可先用后还的额度；充值优先归还', 'What a merchant may owe once its balance is used up; a recharge repays it first']}
        query={credit.page}
        search={creditPageSearch}
        toolbar={toolbar}
        find={['name', 'status', 'quotaFen', 'mchNo']}
        columns={['mchNo', 'name', 'type', 'balanceFen', 'quotaFen', 'usedFen', 'quotaTargetFen', 'status', 'createdAt']}
        hidden={['createdAt']}
        roomy={['type', 'quotaTargetFen']}
        actions={(row) => [
          { text: ['增加', 'Grant'], needs: credit.add.needs, run: () => setDoing({ what: 'grant', mchId: row.id, name: row.name }) },
          {
            text: ['收回', 'Withdraw'],
            needs: credit.delete.needs,
            run: () => setDoing({ what: 'withdraw', mchId: row.id, name: row.name }),
            not: row.quotaFen === 0 && ['没有授信', 'No credit'],
          },
        ]}
        empty={['还没有商户', 'No merchants yet']}
      />
      {doing && <Dialog mchId={doing.mchId} name={doing.name} onClose={() => setDoing(undefined)} />}
    </>
  )
}

/** Grants, uses and repayments, newest first. */
export function CreditSerial({ toolbar }: { toolbar: ReactNode }) {
  return (
    <ListScreen
      purpose={['商户授信的增加、使用、归还与收回', 'Credit granted, used, repaid and withdrawn']}
      query={credit.serialPage}
      search={creditSearch}
      toolbar={toolbar}
      find={[findMerchant, 'kind', 'at']}
      columns={['at', 'mchNo', 'mchName', 'kind', 'amountFen', 'quotaFen', 'usedFen', 'bizNo', 'operatorName', 'remark']}
      roomy={['mchNo', 'bizNo', 'remark']}
      empty={['还没有授信变动', 'No credit changes yet']}
    />
  )
}
