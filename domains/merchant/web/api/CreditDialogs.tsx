import type { Id } from '../../../../platform/contract/field.ts'
import { FormDialog } from '../../../../platform/web/form/FormDialog.tsx'
import { yuan } from '../../../../platform/web/format.ts'
import { credit } from '../../contract/credit.ts'
import { MERCHANT_CHANGES } from './changes.ts'
import { Standing } from '../Standing.tsx'

interface Props {
  mchId: Id<'MerchantId'>
  name: string
  onClose: () => void
}
export function GrantDialog({ mchId, name, onClose }: Props) {
  return (
    <FormDialog
      title={[`增加授信 · ${name}`, `Grant credit · ${name}`]}
      entity={credit.add.input}
      mode="new"
      value={{ mchId }}
      save={credit.add}
      about={<Standing mchId={mchId} />}
      act={({ amountFen }) => [`增加额度 ¥${yuan(amountFen ?? 0)}`, `Grant ¥${yuan(amountFen ?? 0)}`]}
      done={['已增加', 'Granted']}
      changes={MERCHANT_CHANGES}
      fields={['amountFen', 'reason']}
      onClose={onClose}
    />
  )
}

export function WithdrawDialog({ mchId, name, onClose }: Props) {
  return (
    <FormDialog
      title={[`收回授信 · ${name}`, `Withdraw credit · ${name}`]}
      entity={credit.delete.input}
      mode="new"
      value={{ mchId }}
      save={credit.delete}
      about={<Standing mchId={mchId} />}
      act={({ amountFen }) => [`收回额度 ¥${yuan(amountFen ?? 0)}`, `Withdraw ¥${yuan(amountFen ?? 0)}`]}
      done={['已收回', 'Withdrawn']}
      changes={MERCHANT_CHANGES}
      fields={[
        'amountFen',
        {
          name: 'runDown',
          optional: true,
          help: [
            '额度低于已用时：不再新用，随还款降到目标',
            'If more is used than remains: no new use, and the credit falls to the target as it is repaid',
          ],
        },
        { name: 'reason', optional: true },
      ]}
      onClose={onClose}
    />
  )
}
