import { Button } from 'antd'
import { useState } from 'react'
import type { Fen, Of } from '../../../platform/contract/field.ts'
import { numberFault } from '../../../platform/web/form/bounds.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { yuan } from '../../../platform/web/format.ts'
import { Yuan } from '../../../platform/web/form/inputs.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { Label, useAct, useRemove } from '../../../platform/web/form/remove.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { useText } from '../../../platform/web/text.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { Activity, activity, activitySearch, ActivityStatus, Tier, TIERS_MAX } from '../contract/activity.ts'
import './owner.css'

type Row = Of<typeof Activity>
type TierOf = Of<typeof Tier>
const CHANGES = [activity.list]

/** Bonuses on recharges, their periods, and their results so far. */
export default function RechargeActivityScreen() {
  const say = useText()
  const remove = useRemove(CHANGES)
  const act = useAct(CHANGES)
  const [doing, setDoing] = useState<Row | 'new'>()
  const tiers = (row: Row) =>
    row.tiers
      .map(({ payFen, bonusFen }) => say([`充 ¥${yuan(payFen)} 送 ¥${yuan(bonusFen)}`, `¥${yuan(payFen)} + ¥${yuan(bonusFen)}`]))
      .join(say(['；', '; ']))
  return (
    <>
      <ListScreen
        purpose={[
          '充值满额赠送：只取达到的最高档，同时进行的活动取赠送多的',
          'Bonus on recharges: only the highest tier reached counts, and of activities running together the larger bonus',
        ]}
        query={activity.list}
        search={activitySearch}
        find={['name', 'status', 'startAt']}
        columns={[
          'name',
          'status',
          { dataIndex: 'tiers', render: (_, row) => tiers(row) },
          'startAt',
          'endAt',
          'perUserTimes',
          'uses',
          'paidFen',
          'bonusFen',
          'remark',
        ]}
        hidden={['remark']}
        roomy={['perUserTimes']}
        add={{ call: activity.insert, open: () => setDoing('new') }}
        actions={(row) => [
          { text: Label.edit, needs: activity.update.needs, run: () => setDoing(row) },
          row.status === ActivityStatus.stopped
            ? {
                text: ['启用', 'Start'],
                needs: activity.update.needs,
                run: () => void act(activity.update, { id: row.id, version: row.version, stopped: false }, { done: ['已启用', 'Started'] }),
              }
            : {
                text: ['停用', 'Stop'],
                needs: activity.update.needs,
                run: () => void act(activity.update, { id: row.id, version: row.version, stopped: true }, { done: ['已停用', 'Stopped'] }),
              },
          {
            text: Label.delete,
            needs: activity.delete.needs,
            run: () => void remove(activity.delete, { id: row.id, version: row.version }, row.name),
            not: row.uses > 0 ? ['已有人参与，可停用', 'Already used: stop it instead'] : undefined,
            danger: true,
          },
        ]}
        empty={['还没有充值活动', 'No recharge activities yet']}
      />
      {doing && <Form of={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

function Form({ of, onClose }: { of: Row | 'new'; onClose: () => void }) {
  const shared = { entity: Activity, changes: CHANGES, onClose }
  const times = { name: 'perUserTimes', optional: true, help: ['不填不限', 'Leave empty for no limit'] } as const
  const fields = [
    'name',
    { name: 'tiers', control: <TiersField />, check: tiersFault },
    'startAt',
    'endAt',
    times,
    { name: 'payMethods', control: <WaysField />, optional: true },
    { name: 'remark', optional: true },
  ] as const
  if (of === 'new')
    return (
      <FormDialog
        {...shared}
        mode="new"
        value={{ tiers: [{ payFen: 10_000 as Fen, bonusFen: 1_000 as Fen }], payMethods: [] }}
        save={activity.insert}
        done={['已新增', 'Added']}
        fields={fields}
      />
    )
  return (
    <FormDialog
      {...shared}
      mode="edit"
      value={of}
      save={activity.update}
      done={['已保存', 'Saved']}
      fields={of.uses > 0 ? ['name', 'endAt'] : fields}
    />
  )
}

const tiersFault = ({ tiers = [] }: Readonly<{ tiers?: readonly TierOf[] }>) =>
  tiers
    .flatMap(({ payFen, bonusFen }) => [numberFault(Tier.properties.payFen, payFen), numberFault(Tier.properties.bonusFen, bonusFen)])
    .find((fault) => fault !== undefined)
/** Pairs of payment and bonus, each higher than the one before. */
function TiersField({ value = [], onChange }: { id?: string; value?: TierOf[]; onChange?: (tiers: TierOf[]) => void }) {
  const say = useText()
  const put = (place: number, change: Partial<TierOf>) => onChange?.(value.map((tier, at) => (at === place ? { ...tier, ...change } : tier)))
  const last = value.at(-1)
  return (
    <div className="owner-tiers">
      {value.map(({ payFen, bonusFen }, place) => (
        <div key={place}>
          {say(['充', 'Pay'])}{' '}
          <Yuan aria-label={say(['充', 'Pay'])} value={payFen} onChange={(fen: number | null) => put(place, { payFen: fen as Fen })} />
          {say(['送', 'get'])}{' '}
          <Yuan aria-label={say(['送', 'get'])} value={bonusFen} onChange={(fen: number | null) => put(place, { bonusFen: fen as Fen })} />
          {value.length > 1 && (
            <Button size="small" onClick={() => onChange?.(value.filter((_, at) => at !== place))}>
              {say(Label.delete)}
            </Button>
          )}
        </div>
      ))}
      <Button
        size="small"
        disabled={value.length >= TIERS_MAX}
        onClick={() => onChange?.([...value, { payFen: ((last?.payFen ?? 0) + 10_000) as Fen, bonusFen: ((last?.bonusFen ?? 0) + 1_000) as Fen }])}
      >
        {say(['加一档', 'Add a tier'])}
      </Button>
    </div>
  )
}

function WaysField(props: { id?: string; value?: number[]; onChange?: (ways: number[]) => void }) {
  const say = useText()
  const ways = [PayMethod.wechat, PayMethod.alipay, PayMethod.unionpay, PayMethod.digitalYuan, PayMethod.cash] as const
  return (
    <Select
      mode="multiple"
      placeholder={say(['全部', 'All'])}
      {...props}
      options={ways.map((value) => ({ value, label: say(PayMethod.entries[value]) }))}
    />
  )
}
