import { Form } from 'antd'
import { type ComponentProps, useEffect, useRef } from 'react'
import type { Of } from '../../../../platform/contract/field.ts'
import { FormDialog, useFill } from '../../../../platform/web/form/FormDialog.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { Direction, Gate, gate, type GateDetail } from '../../contract/gate.ts'
import { GATE_CHANGES } from '../stay/changes.ts'
import { DevicePick } from './DevicePick.tsx'
import { AreaSelect, CHOOSE, ParkSelect, useGates } from '../api/names.tsx'
import { proposalOf } from './gateProposal.ts'

interface Props {
  of?: Of<typeof GateDetail> | undefined
  /** The known values of a new gate. */
  at?: Partial<Of<typeof Gate>>
  onClose: () => void
}
/** One form for new and old: a gate's code and park stay what they are. */
export function GateForm({ of, at, onClose }: Props) {
  const shared = { entity: Gate, changes: [...GATE_CHANGES, gate.devices], onClose }
  if (of) {
    const { parkCode, gateCode } = of
    return (
      <FormDialog
        {...shared}
        title={[`编辑通道 · ${of.name} · ${of.parkName}`, `Edit lane · ${of.name} · ${of.parkName}`]}
        mode="edit"
        value={of}
        save={gate.update}
        done={['已保存', 'Saved']}
        fields={[
          { name: 'name', section: ['基本信息', 'Basics'] },
          ...BASICS,
          {
            ...{ name: 'barrierId', section: ['设备', 'Devices'], help: ONE_DEVICE },
            control: <DevicePick part="barrier" {...{ parkCode, gateCode }} />,
          },
          { name: 'cameraId', control: <DevicePick part="camera" {...{ parkCode, gateCode }} /> },
          { name: 'ledId', control: <DevicePick part="led" {...{ parkCode, gateCode }} /> },
          { name: 'areaFrom', section: AREAS, control: <AreaSelect parkCode={parkCode} />, help: INNER },
          { name: 'areaTo', control: <AreaSelect parkCode={parkCode} /> },
          'remark',
        ]}
      />
    )
  }
  return (
    <FormDialog
      {...shared}
      title={['新增通道', 'Add a lane']}
      mode="new"
      value={{ direction: Direction.entrance, lane: 1, ...at }}
      save={gate.add}
      done={['已新增', 'Added']}
      below={<Proposal />}
      fields={[
        { name: 'parkCode', section: ['基本信息', 'Basics'], control: <GatesPark />, label: ['车场', 'Car park'] },
        { name: 'gateCode', help: ['如 P001-G05；保存后不可修改', 'For example P001-G05; cannot be changed later'] },
        'name',
        ...BASICS,
        { name: 'barrierId', section: ['设备', 'Devices'], help: ONE_DEVICE, control: <FormsDevice part="barrier" /> },
        { name: 'cameraId', control: <FormsDevice part="camera" /> },
        { name: 'ledId', control: <FormsDevice part="led" /> },
        { name: 'areaFrom', section: AREAS, control: <FormsArea />, help: INNER },
        { name: 'areaTo', control: <FormsArea /> },
        'remark',
      ]}
    />
  )
}
const BASICS = [
  { name: 'direction', half: true },
  { name: 'lane', half: true, optional: true },
] as const
const AREAS = ['区域与备注', 'Areas and remark'] as const
const ONE_DEVICE = [
  '相机、道闸、LED 屏常是同一台设备，选同一台即可',
  'Camera, barrier and sign are often one device: choose the same one for each',
] as const
const INNER = ['场中场的内部通道才需要', 'Only for lanes between areas'] as const

/** A code and a name that would fit, for as long as nobody has typed another. */
function Proposal() {
  const say = useText()
  const fill = useFill()
  const form = Form.useFormInstance()
  const parkCode = usePark()
  const direction = Form.useWatch<number | undefined>('direction', form) ?? Direction.entrance
  const gates = useGates(parkCode ?? '')
  const proposed = useRef<{ gateCode?: string; name?: string }>({})
  const followed = useRef('')
  useEffect(() => {
    const follows = `${parkCode} ${direction} ${gates.length}`
    if (!parkCode || followed.current === follows) return
    followed.current = follows
    const { gateCode, name } = proposalOf(parkCode, direction, gates)
    const next = { gateCode, name: say(name) }
    const free = (name: 'gateCode' | 'name') => [undefined, '', proposed.current[name]].includes(form.getFieldValue(name) as string | undefined)
    fill({ ...(free('gateCode') && { gateCode: next.gateCode }), ...(free('name') && { name: next.name }) })
    proposed.current = next
  }, [parkCode, direction, gates.length])
  return null
}

const usePark = (): string | undefined => Form.useWatch<string | undefined>('parkCode', Form.useFormInstance())
const FormsDevice = (props: Omit<ComponentProps<typeof DevicePick>, 'parkCode'>) => <DevicePick {...props} parkCode={usePark()} />
const FormsArea = (props: Omit<ComponentProps<typeof AreaSelect>, 'parkCode'>) => <AreaSelect {...props} parkCode={usePark()} />

/** Another park has other devices and areas. */
function GatesPark({ onChange, ...props }: ComponentProps<typeof ParkSelect>) {
  const fill = useFill()
  const change = (code: string | undefined) => {
    onChange?.(code)
    fill({ barrierId: null, cameraId: null, ledId: null, areaFrom: null, areaTo: null })
  }
  return <ParkSelect {...props} empty={CHOOSE} onChange={change} />
}
