import { Button, Descriptions } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { ask } from '../../../platform/web/ask.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ImportButton } from '../../../platform/web/sheet/ImportDialog.tsx'
import { ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { PlaceMap } from '../../../platform/web/map/PlaceMap.tsx'
import { can } from '../../../platform/web/person.ts'
import { plural } from '../../../platform/contract/plural.ts'
import { Label, useAct } from '../../../platform/web/form/remove.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { labelOf, Money, type Shape, State, Time, WholeValue } from '../../../platform/web/value.tsx'
import { CHOOSE, findPark, ParkSelect } from '../../parking/web/api/names.tsx'
import { Collector, CollectorDetail, type CollectorNow, collectorSearch, OnJob, toll } from '../contract/collector.ts'
import { AccountSelect, CollectorsSelect, findGroup, GroupSelect, useParkColumn } from './choices.tsx'

type Row = Of<typeof CollectorNow>
type Doing = { what: 'new' | 'tell'; to?: string[] } | { what: 'edit'; of: Row }
const CHANGES = [toll.query, toll.pick, toll.detail]

/** Field staff: their group, their park, their handheld. */
export default function CollectorScreen() {
  const say = useText()
  const park = useParkColumn()
  const [doing, setDoing] = useState<Doing>()
  const actionsOf = useActions((of) => setDoing({ what: 'edit', of }))
  return (
    <>
      <ListScreen
        purpose={[
          '收费员、巡检员与督导：班组、车场、手持机与登录账号',
          'Collectors, inspectors and supervisors, with their group, car park, handheld and account',
        ]}
        query={toll.query}
        search={collectorSearch}
        exports={toll.export}
        add={{ call: toll.save, open: () => setDoing({ what: 'new' }) }}
        find={['tollNo', 'name', findGroup, findPark, 'tollType', 'onJob', 'phone', 'pdaNo']}
        columns={[
          'tollNo',
          'name',
          'tollType',
          'groupName',
          park,
          'onJob',
          'todayShift',
          'online',
          'pdaNo',
          'phone',
          'username',
          'remark',
          'createdAt',
        ]}
        hidden={['remark', 'createdAt']}
        roomy={['phone', 'username']}
        ticks
        toolbar={({ ticked }) => (
          <>
            <ImportButton call={toll.import} template={toll.template} changes={CHANGES} />
            {can(toll.message.needs) && (
              <Button onClick={() => setDoing({ what: 'tell', to: ticked.map(({ tollNo }) => tollNo) })}>{say(['发通知', 'Send notice'])}</Button>
            )}
          </>
        )}
        actions={actionsOf}
        rowKey="tollNo"
        detail={{ call: toll.detail, input: (tollNo) => ({ tollNo }), head: (one) => <Head of={one} />, body: (one) => <Story of={one} /> }}
        empty={['还没有收费员：新增，或导入名册', 'No collectors yet: add one, or import a sheet']}
      />
      {doing && <Doing doing={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

/** Actions on a collector; one who has left can come back. */
function useActions(edit: (of: Row) => void): (row: Row) => RowAction[] {
  const act = useAct(CHANGES)
  const remove = (row: Row) =>
    void act(
      toll.delete,
      { id: row.id },
      {
        question: [
          `移除 ${row.name}？没有上过班的直接删除；上过班的转为离职，未开始的排班、手持机和登录一并释放。`,
          `Remove ${row.name}? Somebody who has never worked is deleted. Anybody else is marked as left, and their future shifts, handheld and sign-ins are released.`,
        ],
        act: ['移除', 'Remove'],
        done: ['已移除', 'Removed'],
      },
    )
  const back = (row: Row) => void act(toll.update, { id: row.id, version: row.version, onJob: OnJob.employed }, { done: ['已复职', 'Reinstated'] })
  return (row) => [
    { text: Label.edit, needs: toll.update.needs, run: () => edit(row) },
    row.onJob === OnJob.left
      ? { text: ['复职', 'Reinstate'], needs: toll.update.needs, run: () => back(row) }
      : { text: ['离职', 'Mark as left'], needs: toll.delete.needs, run: () => remove(row), danger: true },
  ]
}

type Detail = Of<typeof CollectorDetail>
const Head = ({ of }: { of: Detail }) => (
  <>
    <b>{of.name}</b> {of.tollNo} <State dictionary={OnJob} value={of.onJob} />
  </>
)
function Story({ of }: { of: Detail }) {
  const say = useText()
  const park = useParkColumn()
  const fields = ['tollType', 'groupName', 'todayShift', 'online', 'pdaNo', 'phone', 'username', 'leftAt', 'remark'] as const
  const items = [
    ...fields.map((name) => ({
      key: name,
      label: say(labelOf(CollectorDetail.properties[name])),
      children: <WholeValue shape={CollectorDetail.properties[name] as never as Shape} value={of[name]} of={of} />,
    })),
    { key: 'park', label: park.title, children: park.render(undefined, of) },
    { key: 'shift', label: say(['进行中的收银班次', 'Cash shift']), children: of.shiftNo ?? '--' },
    { key: 'cash', label: say(['手持现金', 'Cash held']), children: <Money fen={of.cashHeldFen} /> },
    {
      key: 'warnings',
      label: say(['未处理预警', 'Open warnings']),
      children: of.warnings > 0 ? <Link to={`/assetManage/person/alarm/record?tollNo=${of.tollNo}&state=0`}>{of.warnings}</Link> : 0,
    },
    {
      key: 'position',
      label: say(['当前位置', 'Current position']),
      children: of.position ? (
        <>
          <Time at={of.position.at} />{' '}
          {of.position.inFence !== null && say(of.position.inFence ? ['在围栏内', 'in geofence'] : ['在围栏外', 'out of geofence'])}
        </>
      ) : (
        '--'
      ),
    },
    { key: 'cells', label: say(['本月班次', 'Shifts this month']), children: of.month.cells },
    {
      key: 'paid',
      label: say(['本月实收', 'Received this month']),
      children: (
        <>
          <Money fen={of.month.paidFen} /> {say([`${of.month.orders} 笔`, `in ${of.month.orders} ${plural(of.month.orders, 'receipt')}`])}
        </>
      ),
    },
  ]
  return (
    <>
      <Descriptions column={1} size="small" bordered items={items} />
      {of.position && (
        <PlaceMap
          label={['当前位置', 'Current position']}
          points={[
            { id: of.tollNo, lng: of.position.lng, lat: of.position.lat, name: of.name, tone: of.position.inFence === false ? 'warning' : 'success' },
          ]}
          height={240}
        />
      )}
    </>
  )
}

/** To how many it goes: those that are named, else everybody employed of the type or the group. */
async function meantBy({ tollNos, tollType, groupId }: Partial<Of<typeof toll.message.input>>): Promise<Text | undefined> {
  if (!tollNos?.length && !tollType && !groupId) return undefined
  const all = await ask(toll.pick, { ...(tollType && { tollType }), ...(groupId && { groupId }) })
  const { length: people } = tollNos?.length ? all.filter((one) => tollNos.includes(one.tollNo)) : all
  return [`发送给 ${people} 名在职收费员？`, `Send it to ${people} ${plural(people, 'collector')}?`]
}

function Telling({ to, onClose }: { to: string[] | undefined; onClose: () => void }) {
  return (
    <FormDialog
      title={['通知收费员', 'Notify collectors']}
      entity={toll.message.input}
      mode="new"
      value={{ ...(to?.length && { tollNos: to }) }}
      save={toll.message}
      act={['发送', 'Send']}
      sure={meantBy}
      done={['已发送；未上班的在签到后送达', 'Sent; anyone off duty gets it at check-in']}
      changes={[]}
      fields={[
        {
          name: 'tollNos',
          control: <CollectorsSelect byNo />,
          optional: true,
          help: ['留空则按类型或班组', 'Leave empty to choose by type or group'],
        },
        { name: 'tollType', optional: true },
        { name: 'groupId', control: <GroupSelect />, optional: true },
        'title',
        'content',
        { name: 'urgent', optional: true, help: ['紧急通知不等上班', 'Urgent notices do not wait for check-in'] },
      ]}
      onClose={onClose}
    />
  )
}

function Doing({ doing, onClose }: { doing: Doing; onClose: () => void }) {
  if (doing.what === 'tell') return <Telling to={doing.to} onClose={onClose} />
  const fields = [
    'tollNo',
    'name',
    'tollType',
    { name: 'parkCode', label: ['车场', 'Car park'], control: <ParkSelect empty={CHOOSE} /> },
    { name: 'groupId', control: <GroupSelect />, optional: true },
    { name: 'phone', optional: true },
    { name: 'pdaNo', optional: true },
    {
      name: 'personId',
      control: <AccountSelect />,
      optional: true,
      help: ['手持机与控制台的登录；现金收银班次按它归属', 'Signs in to the handheld and the console; cash shifts are booked to it'],
    },
    { name: 'remark', optional: true },
  ] as const
  if (doing.what === 'edit')
    return (
      <FormDialog
        title={[`编辑收费员 · ${doing.of.name}`, `Edit collector · ${doing.of.name}`]}
        entity={Collector as never}
        mode="edit"
        value={doing.of as never}
        save={toll.update}
        changes={CHANGES}
        fields={fields as never}
        onClose={onClose}
      />
    )
  return (
    <FormDialog
      title={['新增收费员', 'New collector']}
      entity={Collector as never}
      mode="new"
      value={{}}
      save={toll.save}
      changes={CHANGES}
      fields={fields as never}
      onClose={onClose}
    />
  )
}
