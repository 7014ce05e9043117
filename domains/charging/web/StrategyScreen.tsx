import { Tabs } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { Facts, Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { type LineColumn, Lines } from '../../../platform/web/list/Lines.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { Label, useRemove } from '../../../platform/web/form/remove.tsx'
import { useText } from '../../../platform/web/text.ts'
import { State } from '../../../platform/web/value.tsx'
import { Card, card, CardKind, cardSearch, CardStatus } from '../contract/card.ts'
import { station } from '../contract/station.ts'
import {
  PeriodKind,
  StrategyPhase,
  StrategyRow,
  strategy,
  strategySearch,
  StrategyStatus,
  type StrategyUser,
  strategyUserSearch,
} from '../contract/strategy.ts'
import { StationNames, StationsSelect } from './stations.tsx'
import { Day, PeriodsEditor, priceFault, WHOLE_DAY } from './Periods.tsx'

type Row = Of<typeof StrategyRow>
type User = Of<typeof StrategyUser>
type CardRow = Of<typeof Card>
const PRICES = [strategy.query, strategy.detail, station.tableList]
const USERS = [strategy.queryUser]
const CARDS = [card.query]

/** What a kilowatt hour costs where and when, who pays less of it, and the cards that charge. */
export default function StrategyScreen() {
  const say = useText()
  return (
    <Tabs
      className="tabs-of-lists"
      items={[
        { key: 'prices', label: say(['价格表', 'Price tables']), children: <Prices /> },
        { key: 'users', label: say(['用户策略', 'User discounts']), children: <Users /> },
        ...(can(card.query.needs) ? [{ key: 'cards', label: say(['充电卡', 'Cards']), children: <Cards /> }] : []),
      ]}
    />
  )
}

function Prices() {
  const say = useText()
  const remove = useRemove(PRICES)
  const [doing, setDoing] = useState<{ of?: Row }>()
  return (
    <>
      <ListScreen
        purpose={[
          '每半小时的电价与服务费、占位费，按版次生效',
          'Electricity and service prices by half hour, and idle fees; each version has its own effective time',
        ]}
        query={strategy.query}
        search={strategySearch}
        find={['name', 'status', 'effectiveFrom']}
        columns={[
          'name',
          'versionNo',
          'phase',
          { dataIndex: 'periods', width: 260, render: (_, row) => <Day periods={row.periods} /> },
          {
            dataIndex: 'stationIds',
            title: say(['充电站', 'Stations']),
            render: (_, row) => <StationNames ids={row.stationIds} none={NO_STATION} />,
          },
          'effectiveFrom',
          'effectiveTo',
          'idleGraceMin',
          'occupyFenPerMin',
          'occupyCapFen',
          'quietFrom',
          'quietTo',
          'publishedName',
        ]}
        hidden={['idleGraceMin', 'occupyFenPerMin', 'occupyCapFen', 'quietFrom', 'quietTo', 'publishedName']}
        detail={{
          call: strategy.detail,
          head: (row) => (
            <>
              {row.name} {row.versionNo} <State dictionary={StrategyPhase} value={row.phase} />
            </>
          ),
          body: (row) => <PriceStory of={row} />,
        }}
        add={{ call: strategy.insert, open: () => setDoing({}), text: ['新增价格表', 'Add a price table'] }}
        actions={(row) => [
          { text: ['新版次', 'New version'], needs: strategy.insert.needs, run: () => setDoing({ of: row }) },
          {
            text: row.status === StrategyStatus.draft ? Label.delete : Label.disable,
            needs: strategy.del.needs,
            run: () => void remove(strategy.del, { id: row.id }, `${row.name} ${row.versionNo}`),
            danger: true,
            not: row.status === StrategyStatus.stopped && ['已停用', 'Already stopped'],
          },
        ]}
        empty={['还没有价格表。新增并发布后，充电站才能启动充电。', 'No price tables yet. A station can start charging once one is published.']}
      />
      {doing && <SavePrices {...doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}
const NO_STATION = ['未用于任何站', 'At no station'] as const
const perKwhOf = (e4: number) => (e4 / 10_000).toFixed(4)
const PERIODS: LineColumn<Row['periods'][number]>[] = [
  { name: ['时段', 'Period'], cell: ({ from, to }) => `${from} – ${to}` },
  { name: ['类型', 'Type'], cell: ({ kind }) => <State dictionary={PeriodKind} value={kind} /> },
  { name: ['电价（元/度）', 'Electricity, yuan per kWh'], right: true, cell: ({ elecPriceE4 }) => perKwhOf(elecPriceE4) },
  { name: ['服务费（元/度）', 'Service, yuan per kWh'], right: true, cell: ({ servicePriceE4 }) => perKwhOf(servicePriceE4) },
  { name: ['合计（元/度）', 'Total, yuan per kWh'], right: true, cell: ({ elecPriceE4, servicePriceE4 }) => perKwhOf(elecPriceE4 + servicePriceE4) },
]
/** A version read whole: what a kilowatt hour costs when, where it holds and since when. */
function PriceStory({ of }: { of: Row }) {
  return (
    <div className="story">
      <Day periods={of.periods} />
      <Facts
        entity={StrategyRow}
        of={of}
        show={[
          { label: ['充电站', 'Stations'], value: <StationNames ids={of.stationIds} none={NO_STATION} /> },
          ...(['effectiveFrom', 'effectiveTo', 'publishedName', 'idleGraceMin', 'occupyFenPerMin', 'occupyCapFen', 'quietFrom', 'quietTo'] as const),
        ]}
      />
      <Section title={['分时电价', 'Prices by period']}>
        <Lines of={of.periods} keyOf={({ from }) => from} columns={PERIODS} />
      </Section>
    </div>
  )
}
function SavePrices({ of, onClose }: { of?: Row; onClose: () => void }) {
  const value = of
    ? {
        name: of.name,
        periods: of.periods,
        idleGraceMin: of.idleGraceMin,
        occupyFenPerMin: of.occupyFenPerMin,
        occupyCapFen: of.occupyCapFen,
        quietFrom: of.quietFrom,
        quietTo: of.quietTo,
        stationIds: of.stationIds,
        publish: true,
      }
    : {
        periods: WHOLE_DAY,
        idleGraceMin: 15,
        occupyFenPerMin: 0 as never,
        occupyCapFen: 0 as never,
        quietFrom: '23:00',
        quietTo: '07:00',
        publish: true,
      }
  return (
    <FormDialog
      title={of ? [`新版次 · ${of.name}`, `New version · ${of.name}`] : ['新增价格表', 'Add a price table']}
      entity={strategy.insert.input}
      mode="new"
      value={value}
      {...(of && { also: { id: of.id } })}
      save={strategy.insert}
      done={['已保存', 'Saved']}
      changes={PRICES}
      fields={[
        'name',
        { name: 'periods', control: <PeriodsEditor />, check: priceFault },
        {
          name: 'stationIds',
          control: <StationsSelect none={['不选则暂不用于任何站', 'Leave empty to use it at no station yet']} />,
          optional: true,
        },
        'effectiveFrom',
        'publish',
        'idleGraceMin',
        'occupyFenPerMin',
        'occupyCapFen',
        {
          name: 'quietFrom',
          help: ['整点或半点，如 23:00；免计时段内不计占位费', 'On the hour or half hour, e.g. 23:00. No idle fee in quiet hours'],
        },
        'quietTo',
      ]}
      onClose={onClose}
    />
  )
}

function Users() {
  const remove = useRemove(USERS)
  const [adding, setAdding] = useState(false)
  return (
    <>
      <ListScreen
        purpose={[
          '特定用户的服务费、电费折扣；每次充电只用最优的一项',
          'Service and electricity discounts for selected users; each session uses only the best one',
        ]}
        query={strategy.queryUser}
        search={strategyUserSearch}
        exports={strategy.exportUser}
        find={['name', 'userKind', 'userKey']}
        columns={['name', 'userKind', 'userKey', 'servicePermille', 'elecPermille', 'validFrom', 'validTo', 'usedCount', 'savedFen']}
        add={{ call: strategy.insertUser, open: () => setAdding(true), text: ['新增用户策略', 'Add a discount'] }}
        actions={(row: User) => [
          { text: Label.delete, needs: strategy.delUser.needs, run: () => void remove(strategy.delUser, { id: row.id }, row.userKey), danger: true },
        ]}
        empty={['还没有用户策略', 'No user discounts yet']}
      />
      {adding && (
        <FormDialog
          title={['新增用户策略', 'Add a discount']}
          entity={strategy.insertUser.input}
          mode="new"
          value={{ servicePermille: 900, elecPermille: 1000 }}
          save={strategy.insertUser}
          done={['已新增', 'Added']}
          changes={USERS}
          fields={['name', { name: 'users', control: <PlatesAndCards /> }, 'servicePermille', 'elecPermille', 'validFrom', 'validTo']}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}
type Named = { plateNo?: string; cardNo?: string }
/** Plates or cards, one a line: what begins with a letter of the alphabet is a card. */
function PlatesAndCards({ value = [], onChange = () => {} }: { value?: Named[]; onChange?: (value: Named[]) => void }) {
  const say = useText()
  const lines = value.map(({ plateNo, cardNo }) => plateNo ?? cardNo ?? '').join('\n')
  const read = (text: string) =>
    onChange(
      text
        .split(/[\s,，]+/)
        .filter(Boolean)
        .map((one) => (/^[A-Za-z]/.test(one) ? { cardNo: one } : { plateNo: one })),
    )
  return (
    <textarea
      aria-label={say(['车牌或卡号，每行一个', 'Plates or card numbers, one per line'])}
      placeholder={say(['车牌或卡号，每行一个', 'Plates or card numbers, one per line'])}
      rows={4}
      style={{ width: '100%' }}
      defaultValue={lines}
      onBlur={(event) => read(event.target.value)}
    />
  )
}

function Cards() {
  const [doing, setDoing] = useState<{ of?: CardRow; status?: 1 | 2 | 3 }>()
  return (
    <>
      <ListScreen
        purpose={[
          '充电卡：个人卡用储值，单位卡按月结算，员工卡减免',
          'Charging cards: personal cards use stored value, company cards are billed monthly, staff cards are waived',
        ]}
        query={card.query}
        search={cardSearch}
        find={['cardNo', 'kind', 'status', 'unit', 'plateNo']}
        columns={['cardNo', 'kind', 'unit', 'holderName', 'plateNo', 'creditFen', 'status', 'ownerId', 'updatedAt', 'remark']}
        hidden={['ownerId', 'remark']}
        add={{ call: card.save, open: () => setDoing({}), text: ['新增充电卡', 'Add a card'] }}
        actions={(row: CardRow) => [
          { text: Label.edit, needs: card.save.needs, run: () => setDoing({ of: row }) },
          {
            text: ['挂失', 'Report lost'],
            needs: card.updateStatus.needs,
            run: () => setDoing({ of: row, status: CardStatus.lost }),
            not: row.status === CardStatus.lost && ['已挂失', 'Already reported lost'],
          },
          {
            text: row.status === CardStatus.good ? Label.disable : Label.enable,
            needs: card.updateStatus.needs,
            run: () => setDoing({ of: row, status: row.status === CardStatus.good ? CardStatus.disabled : CardStatus.good }),
          },
        ]}
        empty={['还没有充电卡', 'No cards yet']}
      />
      {doing?.status && (
        <FormDialog
          title={['切换状态', 'Change the status']}
          entity={card.updateStatus.input}
          mode="new"
          value={{ id: doing.of!.id, version: doing.of!.version, status: doing.status }}
          save={card.updateStatus}
          done={['已切换', 'Done']}
          changes={CARDS}
          fields={['status']}
          onClose={() => setDoing(undefined)}
        />
      )}
      {doing && !doing.status && <SaveCard {...(doing.of && { of: doing.of })} onClose={() => setDoing(undefined)} />}
    </>
  )
}
function SaveCard({ of, onClose }: { of?: CardRow; onClose: () => void }) {
  const shared = { save: card.save, done: ['已保存', 'Saved'] as const, changes: CARDS, onClose }
  const fields = ['unit', 'ownerId', 'creditFen', 'holderName', 'plateNo', 'remark'] as const
  if (of) return <FormDialog {...shared} entity={Card} mode="edit" value={of} fields={[...fields]} />
  const cardNo = {
    name: 'cardNo',
    needed: true,
    help: ['可按读卡器显示的样子填写，分隔符会自动去掉', 'As the reader shows it: marks between its bytes are left out'],
  } as const
  const kind = { name: 'kind', needed: true } as const
  const value = { kind: CardKind.company, creditFen: 0 as never }
  return <FormDialog {...shared} entity={card.save.input} mode="new" value={value} fields={[cardNo, kind, ...fields]} />
}
