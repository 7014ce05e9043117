import { CalculatorOutlined, PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Form } from 'antd'
import { type ComponentProps, type ReactElement, useState } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../../platform/contract/field.ts'
import { VehicleClass, type VehicleClassCode } from '../../../../platform/contract/plate.ts'
import { Act } from '../../../../platform/web/form/catalogued.tsx'
import { ask, asks } from '../../../../platform/web/ask.ts'
import { Dialog } from '../../../../platform/web/form/Dialog.tsx'
import { FormDialog, useFill } from '../../../../platform/web/form/FormDialog.tsx'
import { NONE } from '../../../../platform/web/format.ts'
import { ListScreen } from '../../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../../platform/web/person.ts'
import { deleting, Label, useRemove } from '../../../../platform/web/form/remove.tsx'
import { Select } from '../../../../platform/web/form/Select.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { group } from '../../../member/contract/group.ts'
import { ParkType } from '../../../parking/contract/park.ts'
import { findPark, ParkName, ParkSelect, useAreas, useParks } from '../../../parking/web/api/names.tsx'
import { section } from '../../../roadside/contract/section.ts'
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
        find={[
          findPark,
          { name: 'ruleId', control: <RuleChoice empty={Label.any} />, label: ['规则', 'Rule'] },
          { name: 'carKind', control: <KindChoice /> },
          { name: 'memberGroup', control: <GroupChoice empty={Label.any} /> },
        ]}
        columns={[
          { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkOf row={row} /> },
          'areaCode',
          { dataIndex: 'memberGroup', render: (_, row) => <GroupName id={row.memberGroup} /> },
          { dataIndex: 'carKind', align: 'left', render: (_, row) => <KindOf kind={row.carKind} /> },
          { dataIndex: 'ruleName', render: (_, row) => <RuleOf row={row} /> },
          { dataIndex: 'inForceNo', align: 'left', render: (_, row) => <InForce row={row} /> },
          'priority',
          'remark',
          { dataIndex: 'sectionCode', render: (_, row) => <SectionName code={row.sectionCode} /> },
          'updatedAt',
        ]}
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
  )
}

/** Says that a rule is for a place, or for which it is from now on. */
export function Tie({ of, place, onClose }: { of?: Row; place?: TiesProps['place']; onClose: () => void }) {
  const parks = useParks()
  const at = parks.find(({ parkCode }) => parkCode === (of?.parkCode ?? place?.parkCode))
  const isStreet = at?.pType === ParkType.roadside || Boolean(of?.sectionCode ?? place?.sectionCode)
  const fields = [
    { name: 'ruleId', control: <RuleChoice />, label: ['规则', 'Rule'] },
    {
      name: 'parkCode',
      control: <TiesPark empty={ALL_PARKS} />,
      label: ['车场', 'Car park'],
      optional: true,
      help: ['不选为所有车场的默认规则', 'Leave empty for the default of all car parks'],
    },
    ...(isStreet
      ? [
          {
            name: 'sectionCode',
            control: <SectionChoice />,
            label: ['路段', 'Section'],
            optional: true,
            help: ['不选为整个片区', 'Leave empty for the whole district'],
          } as const,
        ]
      : [
          {
            name: 'areaCode',
            control: <AreaChoice />,
            label: ['区域', 'Area'],
            optional: true,
            help: ['不选为整个车场', 'Leave empty for the whole car park'],
          } as const,
        ]),
    { name: 'memberGroup', control: <GroupChoice />, optional: true, help: ['不选为所有车主', 'Leave empty for everybody'] },
    { name: 'carKind', control: <KindChoice />, optional: true, help: ['不选为所有车辆', 'Leave empty for all cars'] },
    { name: 'remark', optional: true },
  ] as const
  const common = { entity: Associate, changes: TIE_CHANGES, fields, done: ['已保存', 'Saved'] as const, onClose }
  return of ? (
    <FormDialog
      {...common}
      {...(at && { title: [`编辑关联 · ${at.name}`, `Edit the link · ${at.name}`] as const })}
      mode="edit"
      value={of}
      save={associate.update}
    />
  ) : (
    <FormDialog
      {...common}
      title={at ? [`关联规则 · ${at.name}`, `Link a rule · ${at.name}`] : ['关联规则', 'Link a rule']}
      mode="new"
      value={{ ...place }}
      save={associate.insert}
    />
  )
}

/** Quotes a car in a park, by whichever rule applies. */
function ParkTrial({ at, onClose }: { at?: string; onClose: () => void }) {
  const say = useText()
  const [parkCode, setPark] = useState(at)
  const [vehicleClass, setClass] = useState<VehicleClassCode>(1)
  const classes = Object.entries(VehicleClass.entries).map(([value, text]) => ({ value: Number(value) as VehicleClassCode, label: say(text) }))
  return (
    <Dialog changed={false} width={880} title={say(['试算停车费', 'Try a parking fee'])} footer={null} onClose={onClose}>
      <Trial quote={(stay) => ask(rule.calFee, { ...stay, ...(parkCode && { parkCode }), vehicleClass, carKind: TEMPORARY }, { quiet: true })}>
        <label>
          {say(['车场', 'Car park'])}
          <ParkSelect empty={ALL_PARKS} value={parkCode} onChange={setPark} />
        </label>
        <label>
          {say(['车型', 'Vehicle class'])}
          <Select value={vehicleClass} options={classes} onChange={setClass} />
        </label>
      </Trial>
    </Dialog>
  )
}
const TEMPORARY = 9

const ALL_PARKS: Text = ['所有车场', 'All car parks']

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

const usePark = (): string | undefined => Form.useWatch<string | undefined>('parkCode', Form.useFormInstance())
/** Another park has other areas and sections. */
function TiesPark({ onChange, ...props }: ComponentProps<typeof ParkSelect>) {
  const fill = useFill()
  const change = (code: string | undefined) => {
    onChange?.(code)
    fill({ areaCode: null, sectionCode: null })
  }
  return <ParkSelect {...props} onChange={change} />
}
/** A choice of options; the present value stays visible where its name is not known. */
function Choices({ options, empty, ...props }: Choice<string> & { options: readonly { value: string; label: string }[]; empty: Text }): ReactElement {
  const say = useText()
  return (
    <Select {...props} allowClear className="fee-choice" placeholder={say(empty)} options={[...options]} showSearch={{ optionFilterProp: 'label' }} />
  )
}
const AreaChoice = (props: Choice<string>) => (
  <Choices
    {...props}
    empty={['整个车场', 'The whole car park']}
    options={useAreas(usePark()).map(({ areaCode, name }) => ({ value: areaCode, label: name }))}
  />
)
const NO_CHOICES: never[] = []
const useSections = () => useQuery(asks(section.choices, {}, { quiet: true })).data ?? NO_CHOICES
function SectionChoice(props: Choice<string>): ReactElement {
  const park = usePark()
  const options = useSections().flatMap(({ parkCode, sectionCode, name }) =>
    !park || parkCode === park ? [{ value: sectionCode, label: name }] : [],
  )
  return <Choices {...props} empty={['整个片区', 'The whole district']} options={options} />
}
/** Reads the kinds of pass, for a person who may see them. */
const useGroups = () =>
  useQuery({ ...asks(group.selectListByParkCode, {}, { quiet: true }), enabled: can(group.selectListByParkCode.needs) }).data ?? NO_CHOICES
function GroupChoice({ empty = ['所有车主', 'Everybody'], ...props }: Choice<string> & { empty?: Text }): ReactElement {
  return <Choices {...props} empty={empty} options={useGroups().map(({ id, name }) => ({ value: id as string, label: name }))} />
}
function GroupName({ id }: { id: string | null }) {
  const name = useGroups().find((one) => (one.id as string) === id)?.name
  return id === null ? <span className="faint">{NONE}</span> : <span title={id}>{name ?? id}</span>
}
function SectionName({ code }: { code: string | null }) {
  const name = useSections().find(({ sectionCode }) => sectionCode === code)?.name
  return code === null ? <span className="faint">{NONE}</span> : <span title={code}>{name ?? code}</span>
}

function ParkOf({ row: { parkCode } }: { row: Row }) {
  const say = useText()
  if (parkCode === null) return <span className="soft">{say(['所有车场（默认）', 'All car parks (default)'])}</span>
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
