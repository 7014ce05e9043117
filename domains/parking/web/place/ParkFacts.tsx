import { Button, Form } from 'antd'
import type { Of } from '../../../../platform/contract/field.ts'
import { FormDialog, useFill } from '../../../../platform/web/form/FormDialog.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { BAY_FIELDS, type BayPart, bayFaults } from '../../contract/bays.ts'
import { Park, park, type ParkNow, ParkType, ParkSubType } from '../../contract/park.ts'
import { PARK_CHANGES } from '../stay/changes.ts'
import { placeFault } from './place.ts'
import { PlacePick } from '../api/PlacePick.tsx'

type Row = Of<typeof ParkNow>

const BASICS: Text = ['基本信息', 'Basics']
/** A part of the bays says what is wrong with it beside the others, as the server would. */
const part = <K extends BayPart>(name: K, help?: Text) => ({
  ...{ name, half: true, optional: true, ...(help && { help }) },
  check: (typed: object) => bayFaults(typed).find(({ at }) => at === name)?.says,
  beside: BAY_FIELDS.filter((one) => one !== name),
})
const AMONG: Text = ['包含在总车位内', 'Included in the total']
const half = <K extends 'lng' | 'lat'>(name: K) => ({
  ...{ name, half: true, beside: [name === 'lng' ? 'lat' : 'lng'] },
  check: (typed: object) => placeFault(name, typed),
})
const rest = (of?: Row) =>
  [
    { name: 'pType', half: true },
    { name: 'subType', half: true },
    { name: 'regionCode', section: ['位置', 'Location'] },
    'address',
    half('lng'),
    { ...half('lat'), under: <PlacePick name={of?.name} /> },
    {
      name: 'totalBays',
      section: ['车位', 'Bays'],
      label: ['总车位', 'Total bays'],
      help: ['等于临停车位与月租车位之和', 'The sum of temporary and pass bays'],
    },
    part('tempBays'),
    { ...part('passBays'), under: <BaySum /> },
    part('chargeBays', AMONG),
    part('disabledBays', AMONG),
    { name: 'openFrom', section: ['运营', 'Operation'], half: true },
    { name: 'openTo', half: true, help: ['两个时间相同表示全天开放', 'Equal times mean open 24 hours'] },
    'phone',
    { name: 'images', section: ['图片与备注', 'Pictures and remark'] },
    'remark',
  ] as const

/** The total is what its parts come to: where they say another number, one press puts it. */
function BaySum() {
  const say = useText()
  const fill = useFill()
  const form = Form.useFormInstance()
  const total = Form.useWatch<number | null>('totalBays', form) ?? 0
  const sum = (Form.useWatch<number | null>('tempBays', form) ?? 0) + (Form.useWatch<number | null>('passBays', form) ?? 0)
  if (sum === 0 || sum === total) return null
  return (
    <Button type="link" size="small" onClick={() => fill({ totalBays: sum })}>
      {say([`总车位填 ${sum}`, `Set the total to ${sum}`])}
    </Button>
  )
}

interface Props {
  of?: Row | undefined
  /** Gets the new park, before the dialog closes. */
  onMade?: (made: Of<typeof Park>) => void
  onClose: () => void
}
/** Form of a park's kind, location and number of bays. */
export function ParkFacts({ of, onMade, onClose }: Props) {
  const shared = { entity: Park, changes: PARK_CHANGES, onClose }
  if (of)
    return (
      <FormDialog
        {...shared}
        title={[`编辑车场 · ${of.name} ${of.parkCode}`, `Edit car park · ${of.name} ${of.parkCode}`]}
        mode="edit"
        value={of}
        save={park.update}
        done={['已保存', 'Saved']}
        fields={[{ name: 'name', section: BASICS }, ...rest(of)]}
      />
    )
  return (
    <FormDialog
      {...shared}
      title={['新增车场', 'Add a car park']}
      mode="new"
      value={{ pType: ParkType.offStreet, subType: ParkSubType.own, openFrom: '00:00', openTo: '00:00', tempBays: 0, passBays: 0 }}
      save={park.add}
      done={['已新增，接着添加通道与收费规则', 'Added; next add lanes and a fee rule']}
      onSaved={(made) => onMade?.(made as Of<typeof Park>)}
      fields={[
        {
          ...{ name: 'parkCode', section: BASICS },
          help: ['如 P013；标牌与设备都用它，保存后不可修改', 'For example P013; used by signs and devices, cannot be changed later'],
        },
        'name',
        ...rest(),
      ]}
    />
  )
}
