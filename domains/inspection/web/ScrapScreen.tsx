import { useState } from 'react'
import { Link } from 'react-router'
import { useQuery } from '@tanstack/react-query'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { Facts, Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { type Column, ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { type Say, type Text, useText } from '../../../platform/web/text.ts'
import { Pictures, State, Time } from '../../../platform/web/value.tsx'
import { findPark, ParkName } from '../../parking/web/api/names.tsx'
import { repair, RepairState } from '../contract/repair.ts'
import { Scrap, scrap, scrapCan, ScrapReason, scrapSearch, ScrapState } from '../contract/scrap.ts'
import { ThingSelect } from './repairInputs.tsx'
import { ScrapYearFigures } from './ScrapYearFigures.tsx'
import './repair.css'

type Row = Of<typeof Scrap>
type Doing = { what: 'new'; of?: undefined } | { what: 'approve' | 'refuse'; of: Row }
const CHANGES = [scrap.query, scrap.one, scrap.year, repair.find] as const
/** The manager decides; an expensive request then waits for the head. */
const deciding = ({ state }: Row) => (state === ScrapState.second ? scrap.confirm : scrap.decide)
const OVER: Text = ['已经结束', 'Already closed']

/** Devices that are scrapped: asked for, agreed by another, and where they were dear by the head of the enterprise. */
export default function ScrapScreen() {
  const say = useText()
  const act = useAct(CHANGES)
  const [doing, setDoing] = useState<Doing>()
  const open = (what: 'approve' | 'refuse', of: Row) => () => setDoing({ what, of })
  return (
    <>
      <ListScreen
        purpose={[
          '设备报废的申请与审批：原值 1 万元及以上须企业负责人复审；批准后设备立即停用且不可恢复',
          'Scrap requests and approvals: from ¥10,000 the head of the enterprise must also approve; an approved device is disabled at once for good',
        ]}
        above={<ScrapYearFigures />}
        query={scrap.query}
        search={scrapSearch}
        exports={scrap.export}
        find={['deviceNo', 'state', findPark, 'reason', 'deviceType', 'scrapNo', 'createdAt', 'doneAt']}
        sum={{
          figures: [
            { text: ['待审', 'to be approved'], leads: { state: [ScrapState.waiting] } },
            { text: ['复审', 'with the head'], leads: { state: [ScrapState.second] } },
          ],
        }}
        columns={columnsOf(say)}
        hidden={['deviceType', 'note', 'managerName', 'headName', 'opinion', 'doneAt']}
        roomy={['deviceNo', 'repairFen', 'months', 'residualFen', 'applicantName', 'createdAt']}
        add={{ call: scrap.apply, open: () => setDoing({ what: 'new' }), text: ['申请报废', 'Request scrapping'] }}
        actions={(row) => [
          {
            text: ['批准', 'Approve'],
            needs: deciding(row).needs,
            run: open('approve', row),
            not: scrapCan.approve(row.state) === undefined && OVER,
          },
          { text: ['驳回', 'Reject'], needs: deciding(row).needs, run: open('refuse', row), not: scrapCan.refuse(row.state) === undefined && OVER },
          {
            text: ['撤回', 'Withdraw'],
            needs: scrap.withdraw.needs,
            run: () => void act(scrap.withdraw, { id: row.id, version: row.version }, { done: ['已撤回', 'Withdrawn'] }),
            not: scrapCan.withdraw(row.state) === undefined && OVER,
          },
        ]}
        history={{ kind: 'inspection.scrap', changes: CHANGES }}
        detail={{
          call: scrap.one,
          head: (row) => (
            <>
              <State dictionary={ScrapReason} value={row.reason} /> <State dictionary={ScrapState} value={row.state} />{' '}
              <span className="faint">{row.scrapNo}</span>
            </>
          ),
          body: (row) => <Story of={row} />,
        }}
        empty={['还没有报废记录', 'No scrap records yet']}
      />
      {doing && <Dialog doing={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

const columnsOf = (say: Say): Column<Row>[] => [
  'scrapNo',
  'deviceName',
  'deviceNo',
  { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_: unknown, row: Row) => <ParkName code={row.parkCode} still /> },
  'reason',
  'state',
  'originalFen',
  'repairFen',
  'residualFen',
  'months',
  'applicantName',
  'createdAt',
  'deviceType',
  'note',
  'managerName',
  'headName',
  'opinion',
  'doneAt',
]

function Story({ of }: { of: Row }) {
  const { data: repairs = [] } = useQuery(asks(repair.ofDevice, { deviceNo: of.deviceNo }, { quiet: true }))
  return (
    <div className="story">
      <Facts
        entity={Scrap}
        of={of}
        show={[
          'deviceName',
          'deviceNo',
          'deviceType',
          { label: ['车场', 'Car park'], value: <ParkName code={of.parkCode} still /> },
          'note',
          'originalFen',
          'repairFen',
          'residualFen',
          'months',
          'applicantName',
          'createdAt',
          'managerName',
          'managedAt',
          'headName',
          'headedAt',
          'opinion',
          'doneAt',
        ]}
      />
      {of.images && <Pictures addresses={of.images} height={64} />}
      {repairs.length > 0 && (
        <Section title={['该设备的维修', 'Repairs of this device']}>
          {repairs.map((one) => (
            <p key={one.id}>
              <Link to={`/operation/maintain/maintainRecord/${one.id}`}>{one.repairNo}</Link> <Time at={one.createdAt} />{' '}
              <State dictionary={RepairState} value={one.state} /> {one.desc}
            </p>
          ))}
        </Section>
      )}
    </div>
  )
}

function Dialog({ doing: { what, of }, onClose }: { doing: Doing; onClose: () => void }) {
  const shared = { changes: CHANGES, onClose }
  if (what === 'new')
    return (
      <FormDialog
        {...shared}
        title={['申请报废', 'Request scrapping']}
        entity={Scrap}
        mode="new"
        value={{}}
        save={scrap.apply}
        act={['提交', 'Submit']}
        done={['已提交审批', 'Submitted for approval']}
        fields={[
          {
            name: 'deviceNo',
            label: ['设备', 'Device'],
            control: <ThingSelect />,
            help: ['正在使用的设备先转为故障或库存', 'Set a device in use to faulty or in stock first'],
          },
          'reason',
          'note',
          { name: 'originalFen', help: ['1 万元及以上须企业负责人复审', 'From ¥10,000 the head of the enterprise must also approve'] },
          'residualFen',
          'months',
          { name: 'images', optional: true },
        ]}
      />
    )
  const approve = what === 'approve'
  return (
    <FormDialog
      {...shared}
      title={approve ? [`批准报废 ${of.deviceName}`, `Approve scrapping ${of.deviceName}`] : [`驳回 ${of.deviceName}`, `Reject ${of.deviceName}`]}
      entity={deciding(of).input}
      mode="new"
      value={{ id: of.id, version: of.version, approve }}
      save={deciding(of)}
      act={approve ? ['批准', 'Approve'] : ['驳回', 'Reject']}
      done={approve ? ['已审批', 'Decided'] : ['已驳回', 'Rejected']}
      fields={[
        {
          name: 'opinion',
          optional: approve,
          help: approve
            ? ['批准后设备解除绑定、密钥作废，不可恢复', 'The device is unbound and its secret revoked; this cannot be undone']
            : ['说明原因', 'Enter the reason'],
        },
      ]}
    />
  )
}
