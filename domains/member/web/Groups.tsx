import { useQuery } from '@tanstack/react-query'
import { Form } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Beside, keysIn, TreePane } from '../../../platform/web/tree/Beside.tsx'
import { Facts, Section } from '../../../platform/web/record/DetailDrawer.tsx'
import type { TreeNode } from '../../../platform/web/tree/FilterTree.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { Label, useRemove } from '../../../platform/web/form/remove.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Money, State } from '../../../platform/web/value.tsx'
import { CHOOSE, ParkName, ParkNames, ParkSelect, ParksSelect } from '../../parking/web/api/names.tsx'
import { group, type GroupDetail, type GroupNode, groupSearch, GroupStatus, GroupType, MemberGroup, SeatPolicy } from '../contract/group.ts'
import { PeriodUnit, PlanStatus } from '../contract/plan.ts'
import { GROUP_CHANGES } from './changes.ts'
import { AccessRulesSelect, GroupSelect, PlanSelect, PlansSelect, RuleSelect } from './names.tsx'

type Row = Of<typeof MemberGroup>
type What = 'edit' | 'plans' | 'fee' | 'access' | 'switch'
type Doing = { what: 'new'; under?: string } | { what: What; of: Row }

/** Kinds of pass as a tree: which parks, which plans, which tariff and rules beside them. */
export function Groups() {
  const remove = useRemove(GROUP_CHANGES)
  const [params, setParams] = useSearchParams()
  const [doing, setDoing] = useState<Doing>()
  const under = params.get('parentId') ?? undefined
  const ask = (what: What, of: Row) => () => setDoing({ what, of })
  return (
    <Beside tree={<Tree chosen={under} onChoose={(key) => setParams(key ? { parentId: key } : {})} />}>
      <ListScreen
        purpose={[
          '月卡类型：用在哪些车场、按哪些套餐售卖、月卡不覆盖时怎么收费',
          'Pass types: their car parks, their plans, and the tariff where they do not cover',
        ]}
        query={group.selectAll}
        search={groupSearch}
        find={['name', 'type', 'status', { name: 'parentId', control: <GroupSelect /> }]}
        columns={[
          'name',
          'type',
          'status',
          { dataIndex: 'parkCodes', render: (_, row) => <ParkNames codes={row.parkCodes} /> },
          { dataIndex: 'homePark', render: (_, row) => <ParkName code={row.homePark} /> },
          'maxMembers',
          'maxCars',
          'seatPolicy',
          'review',
          'online',
          'suspended',
          'remark',
        ]}
        hidden={['homePark', 'online', 'suspended', 'remark']}
        roomy={['seatPolicy', 'review']}
        add={{ call: group.insert, open: () => setDoing({ what: 'new', ...(under && { under }) }) }}
        actions={(row) => [
          { text: ['套餐', 'Plans'], needs: group.configCarFeesRule.needs, run: ask('plans', row) },
          { text: ['车场与准入', 'Car parks and access'], needs: group.configParkAccess.needs, run: ask('access', row) },
          { text: ['收费标准', 'Tariff'], needs: group.configFeeIndex.needs, run: ask('fee', row) },
          { text: Label.edit, needs: group.update.needs, run: ask('edit', row) },
          { text: row.status === GroupStatus.inUse ? Label.disable : Label.enable, needs: group.disable.needs, run: ask('switch', row) },
          {
            text: Label.delete,
            needs: group.delete.needs,
            run: () => void remove(group.delete, { id: row.id, version: row.version }, row.name),
            danger: true,
          },
        ]}
        detail={{ call: group.detail, head: (row) => <Head of={row} />, body: (row) => <Story of={row} /> }}
        empty={['还没有月卡类型：先新增月卡类型，再选择套餐', 'No pass type yet: add one, then choose its plans']}
      />
      {doing && <Doing doing={doing} onClose={() => setDoing(undefined)} />}
    </Beside>
  )
}

function Tree({ chosen, onChoose }: { chosen: string | undefined; onChoose: (key: string | undefined) => void }) {
  const say = useText()
  const tree = useQuery(asks(group.selectTree, {}, { quiet: true }))
  const items = tree.data?.map(nodeOf)
  return (
    <TreePane
      items={items}
      hint={say(['查找月卡类型', 'Find a pass type'])}
      error={tree.error as Refusal | null}
      retry={() => void tree.refetch()}
      chosen={chosen}
      onChoose={onChoose}
      open={keysIn(items ?? [])}
    />
  )
}
const nodeOf = ({ id, name, status, passes, children }: GroupNode): TreeNode => ({
  key: id,
  words: name,
  count: passes,
  ...(status === GroupStatus.disabled && { title: <s>{name}</s> }),
  children: children.map(nodeOf),
})
const Head = ({ of }: { of: Of<typeof GroupDetail> }) => (
  <>
    <b>{of.name}</b> <State dictionary={GroupStatus} value={of.status} />
  </>
)

function Story({ of }: { of: Of<typeof GroupDetail> }) {
  const say = useText()
  return (
    <>
      <Facts
        entity={MemberGroup}
        of={of}
        show={[
          'type',
          { label: ['车场', 'Car parks'], value: <ParkNames codes={of.parkCodes} /> },
          { label: ['归属车场', 'Home car park'], value: <ParkName code={of.homePark} /> },
          { label: ['月卡数', 'Passes'], value: of.passes },
          { label: ['剩余名额', 'Places left'], value: of.placesLeft ?? say(['不限', 'No limit']) },
          'maxCars',
          'seatPolicy',
          'review',
          'online',
          'suspended',
          'remark',
        ]}
      />
      <Section title={['套餐', 'Plans']}>
        <table className="lines">
          <tbody>
            {of.plans.map((plan) => (
              <tr key={plan.id}>
                <td>{plan.name}</td>
                <td>
                  <State dictionary={PlanStatus} value={plan.status} />
                </td>
                <td>{`${plan.periodCount} ${say(PeriodUnit.entries[plan.periodUnit])}`}</td>
                <td className="right">
                  <Money fen={plan.priceFen} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {of.plans.length === 0 && <p className="faint">{say(['没有套餐，不能售卖', 'No plans: it cannot be sold'])}</p>}
      </Section>
      <Section title={['不覆盖时的收费标准', 'Tariff where it does not cover']}>
        {of.feeIndexes.length === 0 && <p className="faint">{say(['按各车场的临时车标准', 'Each car park’s tariff for temporary cars'])}</p>}
        {of.feeIndexes.map((one) => (
          <p key={one.parkCode}>
            <ParkName code={one.parkCode} /> · {one.ruleName}
          </p>
        ))}
      </Section>
    </>
  )
}

const FIELDS = [
  'name',
  'type',
  { name: 'parentId', control: <GroupSelect /> },
  {
    name: 'homePark',
    control: <ParkSelect empty={CHOOSE} />,
    optional: true,
    help: ['收入记在哪个车场；不选为第一个', 'Where its income is booked; leave empty for the first car park'],
  },
  'maxMembers',
  { name: 'maxCars', optional: true },
  'seatPolicy',
  'review',
  'online',
  'remark',
] as const
const common = { changes: GROUP_CHANGES, done: ['已保存', 'Saved'] as const }
function Doing({ doing, onClose }: { doing: Doing; onClose: () => void }) {
  if (doing.what === 'new')
    return (
      <FormDialog
        {...common}
        entity={MemberGroup}
        mode="new"
        value={{
          type: GroupType.monthly,
          maxCars: 3,
          seatPolicy: SeatPolicy.stays,
          review: false,
          online: false,
          parentId: (doing.under ?? null) as never,
          parkCodes: [],
        }}
        save={group.insert}
        fields={[FIELDS[0], FIELDS[1], { name: 'parkCodes', control: <ParksSelect /> }, ...FIELDS.slice(2)] as never}
        onClose={onClose}
      />
    )
  return <Configure what={doing.what} of={doing.of} onClose={onClose} />
}
function Configure({ what, of, onClose }: { what: What; of: Row; onClose: () => void }) {
  if (what === 'edit')
    return <FormDialog {...common} entity={MemberGroup} mode="edit" value={of} save={group.update} fields={FIELDS as never} onClose={onClose} />
  if (what === 'plans') return <Plans of={of} onClose={onClose} />
  if (what === 'fee') return <Fee of={of} onClose={onClose} />
  if (what === 'access') return <Access of={of} onClose={onClose} />
  return <Switch of={of} onClose={onClose} />
}
function Plans({ of, onClose }: { of: Row; onClose: () => void }) {
  return (
    <FormDialog
      {...common}
      about={<b>{of.name}</b>}
      title={['月卡类型套餐', 'Plans of a pass type']}
      entity={MemberGroup}
      mode="new"
      value={{ carFeesIds: of.carFeesIds, defaultId: of.defaultId }}
      save={group.configCarFeesRule as never}
      also={{ groupId: of.id } as never}
      fields={
        [
          { name: 'carFeesIds', control: <PlansSelect /> },
          { name: 'defaultId', control: <DefaultPlan /> },
        ] as never
      }
      onClose={onClose}
    />
  )
}
function Fee({ of, onClose }: { of: Row; onClose: () => void }) {
  return (
    <FormDialog
      {...common}
      about={<b>{of.name}</b>}
      title={['不覆盖时的收费标准', 'Tariff where a pass does not cover']}
      entity={group.configFeeIndex.input as never}
      mode="new"
      value={{ groupId: of.id, feeIndex: null } as never}
      save={group.configFeeIndex as never}
      fields={
        [
          { name: 'parkCode', control: <ParkSelect />, help: ['不选为月卡类型的全部车场', 'Leave empty for all its car parks'] },
          { name: 'feeIndex', control: <RuleSelect /> },
        ] as never
      }
      onClose={onClose}
    />
  )
}
function Access({ of, onClose }: { of: Row; onClose: () => void }) {
  return (
    <FormDialog
      {...common}
      about={<b>{of.name}</b>}
      title={['可进车场与准入规则', 'Car parks and access rules']}
      entity={MemberGroup}
      mode="new"
      value={{ parkCodes: of.parkCodes, accessRuleIds: of.accessRuleIds, homePark: of.homePark }}
      save={group.configParkAccess as never}
      also={{ groupId: of.id } as never}
      fields={
        [
          {
            name: 'parkCodes',
            control: <ParksSelect />,
            help: ['已售的卡到续费时才换车场', 'Passes already sold get the new car parks when renewed'],
          },
          { name: 'homePark', control: <ParkSelect empty={CHOOSE} /> },
          { name: 'accessRuleIds', control: <AccessRulesSelect parkCodes={of.parkCodes} /> },
        ] as never
      }
      onClose={onClose}
    />
  )
}
function Switch({ of, onClose }: { of: Row; onClose: () => void }) {
  const off = of.status === GroupStatus.inUse
  return (
    <FormDialog
      {...common}
      about={<b>{of.name}</b>}
      title={off ? ['停用月卡类型', 'Disable the pass type'] : ['启用月卡类型', 'Enable the pass type']}
      entity={group.disable.input as never}
      mode="new"
      value={{ id: of.id, version: of.version, status: off ? GroupStatus.disabled : GroupStatus.inUse, suspendAccess: false } as never}
      save={group.disable as never}
      act={off ? Label.disable : Label.enable}
      fields={
        (off
          ? [{ name: 'suspendAccess', help: ['已售的卡冻结并顺延天数', 'Passes already sold are frozen and get the days back'] }, 'reason']
          : ['reason']) as never
      }
      onClose={onClose}
    />
  )
}
function DefaultPlan(props: { id?: string; value?: string; onChange?: (value: string | undefined) => void }) {
  return <PlanSelect {...props} among={Form.useWatch('carFeesIds') as string[] | undefined} />
}
