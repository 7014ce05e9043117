import { plural } from '../../../platform/contract/plural.ts'
import { Form } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { Label, useAct, useRemove } from '../../../platform/web/form/remove.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { ParkNames, ParksSelect } from '../../parking/web/api/names.tsx'
import {
  CouponType,
  type Template as Entity,
  Template,
  template,
  templateCan,
  templateSearch,
  TemplateStatus,
  ValidType,
} from '../contract/template.ts'
import { TEMPLATE_CHANGES } from './changes.ts'
import { Face } from './names.tsx'
import { ClassesSelect, DiscountInput, valueFault } from './inputs.tsx'

type Row = Of<typeof Entity>
const NOT_NOW: Text = ['当前状态不能操作', 'Not possible in its current state']

/** Coupon templates: their effect, where and when. An enabled template keeps its terms. */
export default function TemplateScreen() {
  const say = useText()
  const [doing, setDoing] = useState<Row | 'new'>()
  const actionsOf = useActions(setDoing)
  return (
    <>
      <ListScreen
        purpose={['券能做什么、在哪用、用多久；启用后条款不再变', 'What a coupon does, where and for how long; terms are fixed once enabled']}
        query={template.queryPage}
        search={templateSearch}
        find={['name', 'type', 'status', 'createdAt']}
        sum={{
          figures: [
            { text: ['启用', 'enabled'], leads: { status: [TemplateStatus.enabled] } },
            { text: ['草稿', 'drafts'], leads: { status: [TemplateStatus.draft] } },
          ],
        }}
        columns={[
          'name',
          'type',
          { dataIndex: 'value', title: say(['优惠', 'Discount']), align: 'left', render: (_, row) => <Face of={row} /> },
          'thresholdFen',
          {
            dataIndex: 'parkCodes',
            render: (_, row) => (row.parkCodes.length > 0 ? <ParkNames codes={row.parkCodes} /> : say(['全部车场', 'All car parks'])),
          },
          { dataIndex: 'validType', title: say(['有效期', 'Valid']), render: (_, row) => <Valid of={row} /> },
          'madeQty',
          'totalQty',
          'status',
          'perUserLimit',
          'perDayLimit',
          'maxDiscountFen',
          'stackGroup',
          'priority',
          'createdAt',
          'remark',
        ]}
        hidden={['perUserLimit', 'perDayLimit', 'maxDiscountFen', 'stackGroup', 'priority', 'createdAt', 'remark']}
        roomy={['thresholdFen', 'parkCodes', 'madeQty']}
        add={{ call: template.insert, open: () => setDoing('new') }}
        history={{ kind: 'coupon.template', changes: TEMPLATE_CHANGES }}
        actions={actionsOf}
        empty={['还没有券模板', 'No templates yet']}
      />
      {doing && <TemplateForm of={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

/** The actions on a template, with the reason where its status forbids one. */
function useActions(edit: (row: Row) => void): (row: Row) => RowAction[] {
  const remove = useRemove(TEMPLATE_CHANGES)
  const act = useAct(TEMPLATE_CHANGES)
  const turn = (row: Row, status: Row['status'], act_: Text, question: Text, done: Text) =>
    void act(template.update, { id: row.id, version: row.version, status }, { question, act: act_, done })
  return (row) => [
    { text: Label.edit, needs: template.update.needs, run: () => edit(row), not: row.status === TemplateStatus.ended && NOT_NOW },
    row.status === TemplateStatus.enabled
      ? {
          text: Label.disable,
          needs: template.update.needs,
          run: () =>
            turn(
              row,
              TemplateStatus.disabled,
              Label.disable,
              [`停用「${row.name}」？不再发放，已发的券仍可用`, `Disable “${row.name}”? No more will be issued; issued coupons stay valid`],
              ['已停用', 'Disabled'],
            ),
        }
      : {
          text: Label.enable,
          needs: template.update.needs,
          run: () =>
            turn(
              row,
              TemplateStatus.enabled,
              Label.enable,
              [`启用「${row.name}」？启用后条款不能再改`, `Enable “${row.name}”? Its terms can no longer be changed`],
              ['已启用', 'Enabled'],
            ),
          not: templateCan.enable(row.status) === undefined && row.status !== TemplateStatus.draft && NOT_NOW,
        },
    {
      text: ['结束', 'End'],
      needs: template.update.needs,
      run: () =>
        turn(
          row,
          TemplateStatus.ended,
          ['结束', 'End'],
          [`结束「${row.name}」？不能再启用`, `End “${row.name}”? It cannot be enabled again`],
          ['已结束', 'Ended'],
        ),
      not: templateCan.end(row.status) === undefined && NOT_NOW,
    },
    {
      text: Label.delete,
      needs: template.delete.needs,
      run: () => void remove(template.delete, { id: row.id, version: row.version }, row.name),
      danger: true,
      not: row.madeQty > 0 && ['已制券，可结束', 'Coupons have been made: end it instead'],
    },
  ]
}

function Valid({ of }: { of: Row }) {
  const say = useText()
  if (of.validType === ValidType.fixed) return <>{`${of.validFrom ?? ''} – ${of.validTo ?? ''}`}</>
  return <>{say([`领取后 ${of.validDays} 天`, `${of.validDays} ${plural(of.validDays, 'day')} after issue`])}</>
}

/** Once enabled: its name, a larger total. */
const FIXED = ['name', 'totalQty'] as const
const WHERE = [
  { name: 'parkCodes', control: <ParksSelect />, optional: true, help: ['不选为全部车场', 'Leave empty for all car parks'] },
  { name: 'vehicleClasses', control: <ClassesSelect />, optional: true, help: ['不选为全部车型', 'Leave empty for all vehicle classes'] },
  { name: 'timeFrom', optional: true, help: ['如 18:00，与时段止一起填', 'For example 18:00; give the end as well'] },
  { name: 'timeTo', optional: true },
] as const
const LIMITS = [
  'totalQty',
  { name: 'perUserLimit', optional: true, help: ['不填不限', 'Leave empty for no limit'] },
  { name: 'perDayLimit', optional: true },
  { name: 'stackGroup', optional: true, help: ['同组的券可在一单叠加', 'Coupons of one group can be combined on an order'] },
  { name: 'maxPerOrder', optional: true },
  { name: 'priority', optional: true },
  { name: 'remark', optional: true },
] as const
const VALUE_HELP: Record<Row['type'], Text> = {
  [CouponType.amount]: ['减免金额，元', 'Yuan taken off'],
  [CouponType.time]: ['减免分钟数', 'Minutes taken off'],
  [CouponType.discount]: ['应付的折数，8 折即付八成', 'The share still to pay: 80 means 20% off'],
  [CouponType.free]: ['全免不需面值', 'No value needed for a free coupon'],
  [CouponType.book]: ['可用次数', 'Number of uses'],
}

function TemplateForm({ of, onClose }: { of: Row | 'new'; onClose: () => void }) {
  const [type, setType] = useState<Row['type']>(of === 'new' ? CouponType.amount : of.type)
  const [valid, setValid] = useState<Row['validType']>(of === 'new' ? ValidType.afterIssue : of.validType)
  const shared = { entity: Template, changes: TEMPLATE_CHANGES, onClose }
  if (of !== 'new' && of.status !== TemplateStatus.draft)
    return <FormDialog {...shared} mode="edit" value={of} save={template.update} done={['已保存', 'Saved']} fields={FIXED} />
  const fields = [
    'name',
    'type',
    ...(type === CouponType.free
      ? []
      : [{ name: 'value', control: <DiscountInput type={type} />, check: valueFault(type), help: VALUE_HELP[type] } as const]),
    { name: 'thresholdFen', optional: true, help: ['应付达到才可用，0 为无门槛', 'Valid from this amount; 0: no minimum'] } as const,
    ...(type === CouponType.amount
      ? []
      : [
          {
            name: 'maxDiscountFen',
            optional: true,
            help: ['实抵结算的商户发放时按此冻结额度', 'Amount put on hold per coupon for merchants settled as deducted'],
          } as const,
        ]),
    'validType',
    ...(valid === ValidType.fixed ? (['validFrom', 'validTo'] as const) : (['validDays'] as const)),
    ...WHERE,
    ...LIMITS,
  ] as const
  const below = <Watch onType={setType} onValid={setValid} />
  if (of === 'new')
    return (
      <FormDialog
        {...shared}
        mode="new"
        value={{
          type,
          validType: valid,
          value: type === CouponType.free ? 0 : 500,
          thresholdFen: 0 as Row['thresholdFen'],
          validDays: 30,
          totalQty: 1000,
          maxPerOrder: 1,
          priority: 0,
          parkCodes: [],
          vehicleClasses: [],
        }}
        save={template.insert}
        also={{ ...(type === CouponType.free && { value: 0 }) }}
        done={['已保存为草稿，启用后可制券', 'Saved as a draft; enable it to make coupons']}
        fields={fields as never}
        below={below}
      />
    )
  return <FormDialog {...shared} mode="edit" value={of} save={template.update} done={['已保存', 'Saved']} fields={fields as never} below={below} />
}
/** Which fields there are follows from two of them. */
function Watch({ onType, onValid }: { onType: (type: Row['type']) => void; onValid: (valid: Row['validType']) => void }) {
  const form = Form.useFormInstance()
  const type = Form.useWatch('type', form) as Row['type'] | undefined
  const valid = Form.useWatch('validType', form) as Row['validType'] | undefined
  if (type !== undefined) queueMicrotask(() => onType(type))
  if (valid !== undefined) queueMicrotask(() => onValid(valid))
  return null
}
