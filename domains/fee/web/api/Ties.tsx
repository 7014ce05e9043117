import { CalculatorOutlined, PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Modal, Select } from 'antd'
import { type ReactElement, useState } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../../platform/contract/field.ts'
import { VehicleClass, type VehicleClassCode } from '../../../../platform/contract/plate.ts'
import { Act } from '../../../../platform/web/catalogued.tsx'
import { ask, asks } from '../../../../platform/web/ask.ts'
import { FormDialog } from '../../../../platform/web/FormDialog.tsx'
import { ListScreen } from '../../../../platform/web/ListScreen.tsx'
import { can } from '../../../../platform/web/person.ts'
import { deleting, Label, useRemove } from '../../../../platform/web/remove.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { ParkName, ParkSelect, findPark } from '../../../parking/web/api/names.tsx'
import { associate, Associate, type AssociateLine, associateSearch, TiedKind } from '../../contract/associate.ts'
import { rule } from '../../contract/rule.ts'
import { TIE_CHANGES } from '../changes.ts'
import { Trial } from '../Trial.tsx'

type Row = Of<typeof AssociateLine>
const RULES = '/appManage/toll/ordinary'

interface TiesProps {
  purpose: Text
  /** Those of this place alone; a new one is for it. */
  place?: { parkCode?: string; sectionCode?: string }
}
/** Which rule is for which place, and what a stay there would cost. */
export function Ties({ purpose, place }: TiesProps) {
  const say = useText()
  const remove = useRemove(TIE_CHANGES)
  const [doing, setDoing] = useState<{ edit: Row } | 'new' | 'trial'>()
  const close = () => setDoing(undefined)
  return (
    <>
      <ListScreen
        purpose={purpose}
        {...(place && { only: place })}
        query={associate.queryPage}
        search={associateSearch}
        find={[findPark, { name: 'ruleId', control: <RuleChoice empty={Label.any} />, label: ['规则', 'Rule'] }, { name: 'carKind', control: <KindChoice /> }, 'memberGroup']}
        columns={[
          { dataIndex: 'parkCode', title: say(['车场', 'Park']), render: (_, row) => <ParkOf row={row} /> },
          'areaCode',
          'memberGroup',
          { dataIndex: 'carKind', align: 'left', render: (_, row) => <KindOf kind={row.carKind} /> },
          { dataIndex: 'ruleName', render: (_, row) => <RuleOf row={row} /> },
          { dataIndex: 'inForceNo', align: 'left', render: (_, row) => <InForce row={row} /> },
          'priority', 'remark', 'sectionCode', 'updatedAt',
        ]} // prettier-ignore
        hidden={place ? ['areaCode', 'updatedAt'] : ['sectionCode', 'updatedAt']}
        roomy={['remark']}
        toolbar={
          <>
            <Act
              text={['关联规则', 'Link a rule']}
              needs={associate.insert.needs}
              type="primary"
              icon={<PlusOutlined />}
              onClick={() => setDoing('new')}
            />
            {can(rule.calFee.needs) && (
              <Button icon={<CalculatorOutlined />} onClick={() => setDoing('trial')}>
                {say(['试算', 'Try a fee'])}
              </Button>
            )}
          </>
        }
        actions={(row) => [
          { text: Label.edit, needs: associate.update.needs, run: () => setDoing({ edit: row }) },
          deleting(remove, associate.delete, { id: row.id }, row.ruleName, { kind: 'fee.associate', key: row.id }),
        ]}
      />
      {doing === 'new' && <Tie {...(place && { place })} onClose={close} />}
      {doing === 'trial' && <ParkTrial {...(place?.parkCode && { at: place.parkCode })} onClose={close} />}
      {typeof doing === 'object' && <Tie of={doing.edit} onClose={close} />}
    </>
  ) // prettier-ignore
}

/** Says that a rule is for a place, or for which it is from now on. */
export function Tie({ of, place, onClose }: { of?: Row; place?: TiesProps['place']; onClose: () => void }) {
  const fields = [
    { name: 'ruleId', control: <RuleChoice />, label: ['规则', 'Rule'] },
    {
      name: 'parkCode',
      control: <ParkSelect empty={ALL_PARKS} />,
      label: ['车场', 'Park'],
      optional: true,
      help: ['不选为所有车场的默认规则', 'Leave empty for the default of all parks'],
    },
    ...(place
      ? [{ name: 'sectionCode', optional: true, help: ['不填为整个片区', 'Leave empty for the whole district'] } as const]
      : [{ name: 'areaCode', optional: true } as const]),
    { name: 'memberGroup', optional: true },
    { name: 'carKind', control: <KindChoice />, optional: true, help: ['不选为所有车辆', 'Leave empty for all cars'] },
    { name: 'remark', optional: true },
  ] as const
  const common = { entity: Associate, changes: TIE_CHANGES, fields, done: ['已保存', 'Saved'] as const, onClose }
  return of ? (
    <FormDialog {...common} mode="edit" value={of} save={associate.update} />
  ) : (
    <FormDialog {...common} title={['关联规则', 'Link a rule']} mode="new" value={{ ...place }} save={associate.insert} />
  )
}

/** What a car would pay in a park, by whichever rule is for it. */
function ParkTrial({ at, onClose }: { at?: string; onClose: () => void }) {
  const say = useText()
  const [parkCode, setPark] = useState(at)
  const [vehicleClass, setClass] = useState<VehicleClassCode>(1)
  const classes = Object.entries(VehicleClass.entries).map(([value, text]) => ({ value: Number(value) as VehicleClassCode, label: say(text) }))
  return (
    <Modal open width={880} title={say(['试算停车费', 'Try a parking fee'])} footer={null} onCancel={onClose}>
      <Trial quote={(stay) => ask(rule.calFee, { ...stay, ...(parkCode && { parkCode }), vehicleClass, carKind: TEMPORARY }, { quiet: true })}>
        <label>
          {say(['车场', 'Park'])}
          <ParkSelect empty={ALL_PARKS} value={parkCode} onChange={setPark} />
        </label>
        <label>
          {say(['车型', 'Vehicle class'])}
          <Select value={vehicleClass} options={classes} onChange={setClass} />
        </label>
      </Trial>
    </Modal>
  )
}
const TEMPORARY = 9

const ALL_PARKS: Text = ['所有车场', 'All parks']

interface Choice<V> {
  id?: string
  value?: V | undefined
  onChange?: (value: V | undefined) => void
}
const RULES_MAX = 500
/** Rules, not versions: whichever version is in force counts. */
function RuleChoice({ empty, ...props }: Choice<string> & { empty?: Text }): ReactElement {
  const say = useText()
  const { data } = useQuery(asks(rule.queryPage, { limit: RULES_MAX, queryMode: 'rows' }, { quiet: true }))
  const newest = new Map<string, string>()
  for (const { ruleId, name } of data?.records ?? []) if (!newest.has(ruleId)) newest.set(ruleId, name)
  const options = [...newest].map(([value, label]) => ({ value, label }))
  return (
    <Select
      {...props}
      allowClear
      className="fee-choice"
      placeholder={empty && say(empty)}
      options={options}
      showSearch={{ optionFilterProp: 'label' }}
    />
  )
}
function KindChoice(props: Choice<number>): ReactElement {
  const say = useText()
  const options = Object.entries(TiedKind.entries).map(([value, text]) => ({ value: Number(value), label: say(text) }))
  return <Select {...props} allowClear className="search-one" placeholder={say(Label.any)} options={options} />
}

function ParkOf({ row: { parkCode } }: { row: Row }) {
  const say = useText()
  if (parkCode === null) return <span className="soft">{say(['所有车场（默认）', 'All parks (default)'])}</span>
  return <ParkName code={parkCode} />
}
function KindOf({ kind }: { kind: number | null }) {
  const say = useText()
  const text = kind === null ? undefined : TiedKind.entries[kind as keyof typeof TiedKind.entries]
  return text ? <>{say(text)}</> : <span className="soft">{say(Label.any)}</span>
}
function RuleOf({ row }: { row: Row }) {
  if (!row.inForceId || !can(rule.detail.needs)) return <>{row.ruleName}</>
  return (
    <Link to={`${RULES}/${row.inForceId}`} className="named">
      {row.ruleName}
    </Link>
  )
}
function InForce({ row }: { row: Row }) {
  const say = useText()
  if (row.inForceNo === null) return <span className="state error">{say(['没有生效的版本', 'No version in force'])}</span>
  return <span className="state success">v{row.inForceNo}</span>
}
