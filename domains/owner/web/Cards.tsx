import { useState } from 'react'
import type { Fen, Of } from '../../../platform/contract/field.ts'
import { yuan } from '../../../platform/web/format.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import type { RowAction } from '../../../platform/web/list/RowActions.tsx'
import { Label, useAct } from '../../../platform/web/form/remove.tsx'
import type { Text } from '../../../platform/web/text.ts'
import { ParksSelect } from '../../parking/web/api/names.tsx'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { card, CardAct, cardCan, CardStatus, type ParkCard } from '../contract/card.ts'
import { storedRefund } from '../contract/refund.ts'
import { ApplyRefund } from './ApplyRefund.tsx'
import { MONEY_CHANGES } from './changes.ts'
import { OwnerSelect } from './api/OwnerSelect.tsx'
import { PayCode, WaySelect } from './RechargeDialog.tsx'

export type CardRow = Of<typeof ParkCard>
/** Its plates, kept as one text. */
export const platesOf = (of: CardRow) => of.plates.split(',').filter(Boolean)
type What = 'details' | 'bind' | 'recharge' | 'refund'
export type DoingCard = { what: 'new'; of?: undefined } | { what: What; of: CardRow }
interface Paying {
  orderNo: string
  payUrl: string | null
}
const NOT_NOW: Text = ['当前状态不能办理', 'Not possible in its current state']
const CLOSED: Text = ['卡内还有余额，请先退款', 'The card still has a balance: refund it first']

/** The actions on a card; each list offers first the acts that it is for. */
export function useCardActs(open: (doing: DoingCard) => void) {
  const act = useAct(MONEY_CHANGES)
  const needs = card.update.needs
  const sure = (row: CardRow, code: Of<typeof card.update.input>['act'], question: Text, done: Text) =>
    void act(card.update, { id: row.id, version: row.version, act: code }, { question, act: CardAct.entries[code] as unknown as Text, done })
  const name = (row: CardRow) => `${row.holder} ${row.cardNo}`
  return (row: CardRow): Record<'bind' | 'recharge' | 'edit' | 'freeze' | 'lose' | 'replace' | 'refund' | 'cancel', RowAction> => {
    const usable = row.status === CardStatus.normal ? undefined : NOT_NOW
    const frozen = cardCan.unfreeze(row.status) !== undefined
    return {
      bind: { text: CardAct.entries[CardAct.bind] as never, needs, run: () => open({ what: 'bind', of: row }), not: usable },
      recharge: { text: CardAct.entries[CardAct.recharge] as never, needs, run: () => open({ what: 'recharge', of: row }), not: usable },
      edit: { text: Label.edit, needs, run: () => open({ what: 'details', of: row }), not: usable },
      freeze: frozen
        ? {
            text: ['解冻', 'Unfreeze'],
            needs,
            run: () => sure(row, CardAct.unfreeze, [`解冻 ${name(row)}？`, `Unfreeze ${name(row)}?`], ['已解冻', 'Unfrozen']),
          }
        : {
            text: ['冻结', 'Freeze'],
            needs,
            run: () =>
              sure(
                row,
                CardAct.freeze,
                [`冻结 ${name(row)}？冻结后不能消费`, `Freeze ${name(row)}? It cannot be spent until unfrozen`],
                ['已冻结', 'Frozen'],
              ),
            not: usable,
          },
      lose: {
        text: ['挂失', 'Report lost'],
        needs,
        run: () => sure(row, CardAct.lose, [`挂失 ${name(row)}？`, `Report ${name(row)} lost?`], ['已挂失', 'Reported lost']),
        not: cardCan.lose(row.status) === undefined ? NOT_NOW : undefined,
      },
      replace: {
        text: ['补卡', 'Replace'],
        needs,
        run: () =>
          sure(
            row,
            CardAct.replace,
            [`为 ${name(row)} 补发新卡？余额保留`, `Issue a new card for ${name(row)}? The balance is kept`],
            ['已补卡', 'Replaced'],
          ),
        not: cardCan.replace(row.status) === undefined ? NOT_NOW : undefined,
      },
      refund: {
        text: ['退款', 'Refund'],
        needs: storedRefund.apply.needs,
        run: () => open({ what: 'refund', of: row }),
        not: row.principalFen > 0 ? undefined : ['没有可退的本金；赠送金额不退', 'There is no principal to refund: bonus money is not refunded'],
      },
      cancel: {
        text: ['停卡', 'Cancel card'],
        needs,
        run: () => sure(row, CardAct.cancel, [`停卡 ${name(row)}？`, `Cancel card ${name(row)}?`], ['已停卡', 'Cancelled']),
        not: cardCan.cancel(row.status) === undefined ? NOT_NOW : row.balanceFen > 0 ? CLOSED : undefined,
        danger: true,
      },
    }
  }
}

const FIELDS = {
  details: ['holder', 'phone', 'parkCodes', 'remark'],
  bind: ['ownerId', 'plates', 'parkCodes'],
  recharge: ['payFen', 'payMethod'],
} as const
const TITLES: Record<'details' | 'bind' | 'recharge', Text> = { details: ['资料', 'Details'], bind: ['绑定', 'Bind'], recharge: ['充值', 'Recharge'] }

const control = {
  ownerId: { name: 'ownerId', label: ['车主', 'Car owner'], control: <OwnerSelect />, optional: true },
  plates: { name: 'plates', optional: true, help: ['最多 5 个，用逗号或回车分开', 'Five at most, separated by commas or Enter'] },
  parkCodes: {
    name: 'parkCodes',
    control: <ParksSelect />,
    label: ['适用车场', 'Car parks'],
    optional: true,
    help: ['不选为全部车场', 'Leave empty for all car parks'],
  },
  payMethod: { name: 'payMethod', control: <WaySelect /> },
  remark: { name: 'remark', optional: true },
} as const

export function CardDialog({ doing, onClose }: { doing: DoingCard; onClose: () => void }) {
  const [paying, setPaying] = useState<Paying>()
  const paid = (reply: unknown) => {
    const { recharge } = reply as { recharge: Paying | null }
    if (recharge?.payUrl) setPaying(recharge)
  }
  if (paying) return <PayCode of={paying} onClose={onClose} />
  const shared = { changes: MONEY_CHANGES, mode: 'new', onSaved: paid, onClose } as const
  if (doing.what === 'new')
    return (
      <FormDialog
        {...shared}
        title={['办理储值卡', 'Issue a park card']}
        entity={card.add.input}
        value={{ payMethod: PayMethod.cash, parkCodes: [], plates: [] }}
        save={card.add}
        act={({ payFen }) => (payFen ? [`办理并充值 ¥${yuan(payFen)}`, `Issue with ¥${yuan(payFen)}`] : ['办理', 'Issue'])}
        done={['已办理', 'Issued']}
        fields={[
          'holder',
          'phone',
          control.ownerId,
          control.plates,
          control.parkCodes,
          { name: 'payFen', optional: true, help: ['首次充值金额，选填', 'First recharge, optional'] },
          control.payMethod,
          control.remark,
        ]}
      />
    )
  const { of, what } = doing
  if (what === 'refund') return <ApplyRefund cardNo={of.cardNo} holder={of.holder} onClose={onClose} />
  const [zh, en] = TITLES[what]
  const value = {
    id: of.id,
    version: of.version,
    act: CardAct[what],
    holder: of.holder,
    phone: of.phone,
    parkCodes: of.parkCodes,
    plates: of.plates ? of.plates.split(',') : [],
    remark: of.remark ?? '',
    payMethod: PayMethod.cash,
  }
  const picked = ['id', 'version', 'act', ...FIELDS[what]]
  return (
    <FormDialog
      {...shared}
      title={[`${zh} · ${of.holder} · ${of.cardNo}`, `${en} · ${of.holder} · ${of.cardNo}`]}
      entity={card.update.input}
      value={
        Object.fromEntries(
          Object.entries({ ...value, ...(of.ownerId && { ownerId: of.ownerId }) }).filter(([name]) => picked.includes(name)),
        ) as Partial<Of<typeof card.update.input>>
      }
      save={card.update}
      act={
        what === 'recharge' ? ({ payFen }) => [`充值 ¥${yuan((payFen ?? 0) as Fen)}`, `Recharge ¥${yuan((payFen ?? 0) as Fen)}`] : ['保存', 'Save']
      }
      done={['已办理', 'Done']}
      fields={FIELDS[what].map((name) => (name in control ? control[name as keyof typeof control] : name)) as never}
    />
  )
}
