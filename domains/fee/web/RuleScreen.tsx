import { CalendarOutlined, ImportOutlined, PlusOutlined } from '@ant-design/icons'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { VehicleClass } from '../../../platform/contract/plate.ts'
import { ask, asks, newKey } from '../../../platform/web/ask.ts'
import { Facts, Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { type Column, ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { deleting, Label, useRemove } from '../../../platform/web/form/remove.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { type Say, type Text, useText } from '../../../platform/web/text.ts'
import { State, Time } from '../../../platform/web/value.tsx'
import {
  Rule,
  rule,
  ruleCan,
  type RuleDetail,
  ruleSearch,
  RuleStatus,
  RuleSource,
  FreeMode,
  DayUnit,
  SecondRule,
  UnitAnchor,
} from '../contract/rule.ts'
import { RULE_CHANGES } from './changes.ts'
import { Holidays } from './Holidays.tsx'
import { Import } from './Import.tsx'
import { LintList } from './LintList.tsx'
import { rehearsal } from '../contract/rehearsal.ts'
import { Rehearsals } from './Rehearsals.tsx'
import { RuleClock } from './RuleClock.tsx'
import { RuleTables } from './RuleTables.tsx'
import { Trial } from './Trial.tsx'
import './fee.css'

type Row = Of<typeof Rule>
type Detail = Of<typeof RuleDetail>
type What = 'edit' | 'publish' | 'withdraw'
const PUBLISHED: Text = ['已发布的版本不可修改，请新建版本', 'A published version cannot be changed: create a new version']
const PATH = '/appManage/toll/ordinary'
/** Columns that are there when somebody asks for them. */
const REST = [
  'source',
  'priority',
  'weekendCapFen',
  'holidayCapFen',
  'wholeDayFen',
  'sessionCapFen',
  'dayUnit',
  'publishedBy',
  'publishedAt',
  'remark',
  'createdAt',
] as const

/** Fee rules in versions: written in tables or imported, tried, published, withdrawn. */
export default function RuleScreen() {
  const say = useText()
  const remove = useRemove(RULE_CHANGES)
  const revise = useRevise()
  const [doing, setDoing] = useState<{ what: What; of: Row } | { what: Tool }>()
  const close = () => setDoing(undefined)
  const act = (what: What, of: Row) => () => setDoing({ what, of })
  return (
    <>
      <ListScreen
        purpose={[
          '临时停车的收费规则：起草、试算、发布；已发布的版本不可修改',
          'Fee rules for temporary parking: draft, try and publish; a published version cannot be changed',
        ]}
        query={rule.queryPage}
        search={ruleSearch}
        find={['name', 'status', 'source', 'effectiveFrom']}
        columns={columnsOf(say)}
        hidden={REST}
        roomy={['effectiveTo', 'vehicleClasses']}
        toolbar={<Tools open={(what) => setDoing({ what })} />}
        actions={(row) => [
          {
            text: ['发布', 'Publish'],
            needs: rule.publish.needs,
            run: act('publish', row),
            not: ruleCan.publish(row.status) === undefined && PUBLISHED,
          },
          { text: Label.edit, needs: rule.update.needs, run: act('edit', row), not: row.status !== RuleStatus.draft && PUBLISHED },
          {
            text: ['新建版本', 'New version'],
            needs: rule.revise.needs,
            run: () => revise(row),
            not: row.status === RuleStatus.draft && ['该版本已是草稿', 'This is already a draft'],
          },
          {
            text: ['停用', 'Withdraw'],
            needs: rule.withdraw.needs,
            run: act('withdraw', row),
            not: ruleCan.withdraw(row.status) === undefined && ['只有已发布的版本可以停用', 'Only a published version can be withdrawn'],
          },
          {
            ...deleting(remove, rule.delete, { id: row.id }, `${row.name} v${row.versionNo}`, { kind: 'fee.rule', key: row.id }),
            not: row.status !== RuleStatus.draft && PUBLISHED,
          },
        ]}
        detail={{
          call: rule.detail,
          head: ({ rule: row }: Detail) => (
            <>
              <b>{row.name}</b> v{row.versionNo} <State dictionary={RuleStatus} value={row.status} />
            </>
          ),
          act: (detail: Detail) => <NextStep {...detail} publish={act('publish', detail.rule)} revise={() => revise(detail.rule)} />,
          body: (detail: Detail) => <RuleStory {...detail} />,
        }}
      />
      {doing?.what === 'new' && <RuleForm onClose={close} />}
      {doing?.what === 'holidays' && <Holidays onClose={close} />}
      {doing?.what === 'import' && <Import onClose={close} />}
      {doing?.what === 'edit' && <RuleForm of={doing.of} onClose={close} />}
      {doing?.what === 'publish' && <Publish of={doing.of} onClose={close} />}
      {doing?.what === 'withdraw' && <Withdraw of={doing.of} onClose={close} />}
    </>
  )
}

const columnsOf = (say: Say): Column<Row>[] => [
  {
    dataIndex: 'name',
    render: (_, row) => (
      <span className="fee-name" title={row.name}>
        {row.name}
      </span>
    ),
  },
  { dataIndex: 'versionNo', title: say(['版本', 'Version']), align: 'left', render: (_, row) => `v${row.versionNo}` },
  'status',
  'effectiveFrom',
  'effectiveTo',
  'freeMin',
  'dayCapFen',
  { dataIndex: 'vehicleClasses', render: (_, row) => <Classes of={row} /> },
  ...REST,
]

type Tool = 'new' | 'import' | 'holidays'
function Tools({ open }: { open: (what: Tool) => void }) {
  const say = useText()
  return (
    <>
      {can(rule.insert.needs) && (
        <>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => open('new')}>
            {say(Label.add)}
          </Button>
          <Button icon={<ImportOutlined />} onClick={() => open('import')}>
            {say(['导入规则文档', 'Import a document'])}
          </Button>
        </>
      )}
      <Button icon={<CalendarOutlined />} onClick={() => open('holidays')}>
        {say(['节假日日历', 'Holiday calendar'])}
      </Button>
    </>
  )
}

function NextStep({ rule: row, lint, publish, revise }: Detail & { publish: () => void; revise: () => void }) {
  const say = useText()
  if (row.status !== RuleStatus.draft) return can(rule.revise.needs) ? <Button onClick={revise}>{say(['新建版本', 'New version'])}</Button> : null
  if (!can(rule.publish.needs)) return null
  return (
    <Button type="primary" disabled={lint.some(({ level }) => level === 'error')} onClick={publish}>
      {say(['发布', 'Publish'])}
    </Button>
  )
}

function Classes({ of }: { of: Row }) {
  const say = useText()
  if (of.vehicleClasses.length === 0) return <span className="soft">{say(['所有车型', 'All'])}</span>
  return <>{of.vehicleClasses.map((one) => say(VehicleClass.entries[one])).join(say(['、', ', ']))}</>
}

/** Makes the next version as a draft and opens it. */
function useRevise() {
  const cache = useQueryClient()
  const navigate = useNavigate()
  const revising = useMutation({
    mutationFn: ({ id }: Row) => ask(rule.revise, { id }, { key: newKey() }),
    onSuccess: async ({ id }) => {
      await Promise.all(RULE_CHANGES.map((call) => cache.invalidateQueries({ queryKey: [call.id] })))
      await navigate(`${PATH}/${id}`)
    },
  })
  return (row: Row) => revising.mutate(row)
}

/** A version: its findings, the prices of a day, a trial, its tables, and the versions before and after. */
function RuleStory({ rule: row, tariff, lint, versions }: Detail) {
  const say = useText()
  return (
    <>
      <LintList lint={lint} />
      {tariff && <RuleClock tariff={tariff} />}
      <Facts
        entity={Rule}
        of={row}
        show={[
          { label: ['适用车型', 'Vehicle classes'], value: <Classes of={row} /> },
          'source',
          'effectiveFrom',
          'effectiveTo',
          'priority',
          'publishedBy',
          'publishedAt',
          'remark',
        ]}
      />
      {tariff && (
        <Section title={['试算', 'Trial']}>
          <Trial
            quote={(stay) =>
              row.status === RuleStatus.draft
                ? ask(rule.trial, { tariff, ...stay }, { quiet: true })
                : ask(rule.calFee, { ruleVersionId: row.id, ...stay }, { quiet: true })
            }
          />
        </Section>
      )}
      {row.status === RuleStatus.draft && can(rehearsal.queryPage.needs) && (
        <Rehearsals ruleVersionId={row.id} ready={tariff !== null && !lint.some(({ level }) => level === 'error')} />
      )}
      {row.source === RuleSource.tables && (
        <Section title={['时段与价格', 'Bands and prices']}>
          <RuleTables of={row} />
        </Section>
      )}
      <Section title={['版本', 'Versions']}>
        <table className="lines">
          <tbody>
            {versions.map((one) => (
              <tr key={one.id}>
                <td>{one.id === row.id ? <b>v{one.versionNo}</b> : <Version of={one} />}</td>
                <td>
                  <State dictionary={RuleStatus} value={one.status} />
                </td>
                <td>
                  <Time at={one.effectiveFrom} /> – <Time at={one.effectiveTo} />
                </td>
                <td>{one.publishedBy ?? say(['未发布', 'Not published'])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
    </>
  )
}
function Version({ of }: { of: Row }) {
  const navigate = useNavigate()
  return (
    <Button type="link" size="small" onClick={() => void navigate(`${PATH}/${of.id}`)}>
      v{of.versionNo}
    </Button>
  )
}

const FRESH: Partial<Row> = {
  freeMin: 30,
  freeMode: FreeMode.beyondCharged,
  freeTimesPerDay: 0,
  dayUnit: DayUnit.calendar,
  dayCutMin: 0,
  unitAnchor: UnitAnchor.runsOn,
  secondRule: SecondRule.drop,
  priority: 0,
  vehicleClasses: [],
}
/** A rule from a document has these in the document itself. */
const TABLES = [
  { name: 'freeMin', section: ['免费时间', 'Free time'] },
  'freeMode',
  { name: 'freeTimesPerDay', help: ['0 为不限', '0 means no limit'] },
  { name: 'dayUnit', section: ['一天与封顶', 'Day and caps'] },
  { name: 'dayCutMin', control: <TimeOfDay />, help: ['仅用于自定义日切', 'For a custom day start only'] },
  'dayCapFen',
  {
    name: 'weekendCapFen',
    optional: true,
    help: ['周末与每日封顶不同时填写，只用于自然日计费', 'Only if weekends differ from the daily cap; for calendar days only'],
  },
  {
    name: 'holidayCapFen',
    optional: true,
    help: ['节假日与每日封顶不同时填写，只用于自然日计费', 'Only if holidays differ from the daily cap; for calendar days only'],
  },
  {
    name: 'wholeDayFen',
    optional: true,
    help: ['每满 24 小时收此价，其余时间按时段计；它是价格，不是封顶', 'Billed for every full 24 hours, the rest by band; a price, not a cap'],
  },
  'sessionCapFen',
  { name: 'unitAnchor', section: ['计费单元', 'Units'] },
  'secondRule',
] as const
/** The head of a rule; its bands and prices are set in its drawer. A rule from a document keeps the document's own free minutes and caps. */
function RuleForm({ of, onClose }: { of?: Row; onClose: () => void }) {
  const say = useText()
  const navigate = useNavigate()
  const classes = (
    <Select
      mode="multiple"
      placeholder={say(['所有车型', 'All'])}
      options={Object.entries(VehicleClass.entries).map(([value, text]) => ({ value: Number(value), label: say(text) }))}
    />
  )
  const common = { name: 'vehicleClasses' as const, control: classes, optional: true }
  const fields = [
    'name',
    common,
    ...(of?.source === RuleSource.document ? [] : TABLES),
    { name: 'priority', section: ['其他', 'Other'], help: ['关联同样具体时，高者优先', 'Between equally specific links the higher priority wins'] },
    'remark',
  ] as const
  if (of)
    return (
      <FormDialog
        entity={Rule}
        mode="edit"
        value={of}
        save={rule.update}
        changes={RULE_CHANGES}
        done={['已保存', 'Saved']}
        fields={fields}
        onClose={onClose}
      />
    )
  return (
    <FormDialog
      title={['新增收费规则', 'Add a fee rule']}
      entity={Rule}
      mode="new"
      value={FRESH}
      save={rule.insert}
      changes={RULE_CHANGES}
      done={['已新增草稿，请设置时段与价格', 'Draft added; now set its bands and prices']}
      onSaved={(made) => void navigate(`${PATH}/${(made as { id: string }).id}`)}
      fields={fields}
      onClose={onClose}
    />
  )
}

/** Minutes from midnight, as a time of day. */
function TimeOfDay({ value, onChange, ...props }: { id?: string; value?: number | null; onChange?: (minutes: number | null) => void }) {
  const shown = typeof value === 'number' ? clockOf(value) : ''
  const change = (typed: string) => onChange?.(typed ? Number(typed.slice(0, 2)) * 60 + Number(typed.slice(3, 5)) : null)
  return <Input {...props} type="time" value={shown} onChange={({ target }) => change(target.value)} />
}
const clockOf = (minutes: number) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** Publishes a draft. A person who may publish it without a rehearsal, or over the threshold, gives the reason here; others are told that they may not. */
function Publish({ of, onClose }: { of: Row; onClose: () => void }) {
  const { data: verdict, isPending } = useQuery({
    ...asks(rehearsal.verdict, { ruleVersionId: of.id }, { quiet: true }),
    enabled: can(rehearsal.verdict.needs),
  })
  const isOver = verdict !== undefined && (verdict.missing || verdict.over) && can(rule.publishOver.needs)
  const said: Text = verdict?.missing
    ? ['该规则已在收费而新版尚未测算；原因记入审计', 'This rule is in use and the new version was not rehearsed; the reason is kept in the audit log']
    : [
        `应收变化超过 ±${verdict?.limitPercent}%；原因记入审计`,
        `The receivable changes by more than ±${verdict?.limitPercent}%; the reason is kept in the audit log`,
      ]
  if (isPending && can(rehearsal.verdict.needs)) return null
  const period = { ...(of.effectiveFrom && { effectiveFrom: of.effectiveFrom }), ...(of.effectiveTo && { effectiveTo: of.effectiveTo }) }
  const common = {
    title: [`发布 ${of.name} v${of.versionNo}`, `Publish ${of.name} v${of.versionNo}`],
    mode: 'new',
    changes: RULE_CHANGES,
    done: ['已发布', 'Published'],
    onClose,
  } as const
  const times = [
    {
      name: 'effectiveFrom',
      optional: true,
      help: ['不填为立即生效；此前在用的版本同时结束', 'Leave empty to take effect at once; the version in force until then ends'],
    },
    { name: 'effectiveTo', optional: true },
  ] as const
  if (isOver)
    return (
      <FormDialog
        {...common}
        entity={rule.publishOver.input}
        value={{ id: of.id, version: of.version, ...period }}
        save={rule.publishOver}
        act={['放行并发布，此后不可修改', 'Override and publish; cannot be changed afterwards']}
        fields={[{ name: 'reason', help: said }, ...times]}
      />
    )
  return (
    <FormDialog
      {...common}
      entity={rule.publish.input}
      value={{ id: of.id, version: of.version, ...period }}
      save={rule.publish}
      act={['发布，此后不可修改', 'Publish; cannot be changed afterwards']}
      fields={times}
    />
  )
}
function Withdraw({ of, onClose }: { of: Row; onClose: () => void }) {
  return (
    <FormDialog
      title={[`停用 ${of.name} v${of.versionNo}`, `Withdraw ${of.name} v${of.versionNo}`]}
      entity={rule.withdraw.input}
      mode="new"
      value={{ id: of.id, version: of.version }}
      save={rule.withdraw}
      act={['停用', 'Withdraw']}
      changes={RULE_CHANGES}
      done={['已停用；已入场车辆仍按它计费', 'Withdrawn; cars already inside are still billed by it']}
      fields={['reason']}
      onClose={onClose}
    />
  )
}
