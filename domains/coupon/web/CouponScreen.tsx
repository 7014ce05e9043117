import { useQuery } from '@tanstack/react-query'
import { Button, Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { toast } from '../../../platform/web/page/hosts.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { plural } from '../../../platform/contract/plural.ts'
import { PlatesInput } from '../../../platform/web/plate/PlatesInput.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Until } from '../../../platform/web/value.tsx'
import { findMerchant } from '../../merchant/web/api/names.tsx'
import { coupon, type Coupon, couponCan, couponSearch, CouponState } from '../contract/coupon.ts'
import { sold } from '../contract/sold.ts'
import { CarCoupons } from './CarCoupons.tsx'
import { COUPON_CHANGES } from './changes.ts'
import { Face, findTemplate, TemplateSelect } from './names.tsx'

type Row = Of<typeof Coupon>
type Shown = 'issued' | 'car'
const ISSUED_ONLY: Text = ['只有未使用的券可以撤回', 'Only an unused coupon can be withdrawn']

/** Issued coupons: their car, purpose and state; and those of one car, weighed as its exit would. */
export default function CouponScreen() {
  const say = useText()
  const [shown, show] = useState<Shown>('issued')
  const pages = (
    <Segmented<Shown>
      value={shown}
      onChange={show}
      options={[
        { value: 'issued', label: say(['发放记录', 'Issued']) },
        { value: 'car', label: say(['查车辆', 'By car']) },
      ]}
    />
  )
  return shown === 'issued' ? <Issued pages={pages} /> : <CarCoupons pages={pages} />
}

function Issued({ pages }: { pages: ReactNode }) {
  const say = useText()
  const [sending, send] = useState<'sale' | 'template'>()
  const [back, setBack] = useState<Row>()
  return (
    <>
      <ListScreen
        purpose={[
          '把券发到车牌，车未到也可先发，付费时自动选用最优',
          'Issue coupons to plates, even before the car arrives; the best one is used at payment',
        ]}
        query={coupon.queryPage}
        search={couponSearch}
        find={['plateNo', 'state', 'issuedAt', findTemplate, findMerchant, 'couponNo', 'soldNo', 'validTo']}
        sum={{
          figures: [
            { text: ['可用', 'usable'], leads: { state: [CouponState.issued] } },
            { text: ['已使用', 'used'], leads: { state: [CouponState.used] } },
            { text: ['已作废', 'withdrawn'], leads: { state: [CouponState.withdrawn] } },
          ],
        }}
        toolbar={
          <>
            {can(coupon.sendToCar.needs) && (
              <Button type="primary" onClick={() => send('sale')}>
                {say(['发商户券', 'Issue merchant coupons'])}
              </Button>
            )}
            {can(coupon.sendToCar.needs) && <Button onClick={() => send('template')}>{say(['发平台券', 'Issue platform coupons'])}</Button>}
            {pages}
          </>
        }
        columns={[
          'couponNo',
          'plateNo',
          'name',
          { dataIndex: 'value', title: say(['优惠', 'Discount']), align: 'left', render: (_, row) => <Face of={row} /> },
          'mchName',
          'state',
          { dataIndex: 'validTo', render: (_, row) => <Until at={row.validTo} /> },
          'takeFen',
          'issuedAt',
          'issuedBy',
          'reason',
          'soldNo',
          'validFrom',
          'endedAt',
        ]}
        hidden={['soldNo', 'validFrom', 'endedAt', 'issuedBy']}
        roomy={['couponNo', 'reason', 'takeFen']}
        actions={(row) => [
          {
            text: ['撤回', 'Withdraw'],
            needs: coupon.withdraw.needs,
            run: () => setBack(row),
            not: couponCan.withdraw(row.state) === undefined && ISSUED_ONLY,
            danger: true,
          },
        ]}
        empty={['还没有发放优惠券', 'No coupons issued yet']}
      />
      {sending && <Send by={sending} onClose={() => send(undefined)} />}
      {back && <Withdraw of={back} onClose={() => setBack(undefined)} />}
    </>
  )
}

function Withdraw({ of, onClose }: { of: Row; onClose: () => void }) {
  return (
    <FormDialog
      title={[`撤回 · ${of.name} ${of.plateNo}`, `Withdraw · ${of.name} ${of.plateNo}`]}
      entity={coupon.withdraw.input}
      mode="new"
      value={{ id: of.id, version: of.version }}
      save={coupon.withdraw}
      act={['撤回这张券', 'Withdraw this coupon']}
      done={['已撤回', 'Withdrawn']}
      changes={COUPON_CHANGES}
      fields={['reason']}
      onClose={onClose}
    />
  )
}

const PLATES_HELP: Text = ['可粘贴多个，用逗号、空格或回车分开，最多 200 个', 'Paste several, separated by commas, spaces or Enter; 200 at most']
function Send({ by, onClose }: { by: 'sale' | 'template'; onClose: () => void }) {
  const source =
    by === 'sale'
      ? ({ name: 'soldId', control: <SaleSelect />, label: ['商户购券', 'Sale'], help: ['由商户承担', 'Paid by the merchant'] } as const)
      : ({ name: 'templateId', control: <TemplateSelect empty={['请选择', 'Choose']} />, help: ['由平台承担', 'Paid by the platform'] } as const)
  return (
    <FormDialog
      title={by === 'sale' ? ['发商户券', 'Issue merchant coupons'] : ['发平台券', 'Issue platform coupons']}
      entity={coupon.sendToCar.input}
      mode="new"
      value={{ plates: [] }}
      save={coupon.sendToCar}
      act={({ plates }) => [`发给 ${plates?.length ?? 0} 辆车`, `Issue to ${plates?.length ?? 0} ${plural(plates?.length, 'car')}`]}
      changes={COUPON_CHANGES}
      fields={[source, { name: 'plates', control: <PlatesInput />, help: PLATES_HELP }, { name: 'plateColor', optional: true }, 'reason']}
      onSaved={(reply) => {
        const { cars, coupons } = reply as Of<typeof coupon.sendToCar.reply>
        toast('success', [`已发给 ${cars} 辆车，共 ${coupons} 张`, `${coupons} ${plural(coupons, 'coupon')} for ${cars} ${plural(cars, 'car')}`])
      }}
      onClose={onClose}
    />
  )
}

interface PickProps<V> {
  id?: string
  value?: V
  onChange?: (value: V) => void
}
const SALES = 100
/** Sales that have coupons left to issue. */
function SaleSelect(props: PickProps<string>) {
  const say = useText()
  const { data } = useQuery(asks(sold.queryPage, { limit: SALES }, { quiet: true }))
  const options = (data?.records ?? [])
    .filter(({ leftQty }) => leftQty > 0)
    .map(({ id, mchName, goodName, leftQty, soldNo }) => ({
      value: id as string,
      label: say([`${mchName} · ${goodName} · 剩 ${leftQty} 张 · ${soldNo}`, `${mchName} · ${goodName} · ${leftQty} left · ${soldNo}`]),
    }))
  return <Select {...props} showSearch={{ optionFilterProp: 'label' }} placeholder={say(['请选择', 'Choose'])} options={options} />
}
