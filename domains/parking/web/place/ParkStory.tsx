import { useQuery } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../../platform/contract/field.ts'
import { asks } from '../../../../platform/web/ask.ts'
import { Facts, Section } from '../../../../platform/web/record/DetailDrawer.tsx'
import { cityDay, count, dayEnd, dayStart } from '../../../../platform/web/format.ts'
import { FormDialog } from '../../../../platform/web/form/FormDialog.tsx'
import { can } from '../../../../platform/web/person.ts'
import { Label } from '../../../../platform/web/form/remove.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { Money, State, Time } from '../../../../platform/web/value.tsx'
import { Area, area, type AreaNow, Nested } from '../../contract/area.ts'
import { Direction, gate } from '../../contract/gate.ts'
import { Park, park, UseStatus } from '../../contract/park.ts'
import { passTime } from '../../contract/passTime.ts'
import type { ParkFigures } from '../../contract/screen.ts'
import { SessionStatus } from '../../contract/stay.ts'
import { Barrier, barrierOf } from '../lane/Barrier.tsx'
import { Bays, Hours } from './Bays.tsx'
import { emergencyOf } from '../lane/emergency.ts'
import { History } from '../stay/History.tsx'
import { AreaSelect } from '../api/names.tsx'
import { ParkPlace } from './ParkPlace.tsx'
import { PassDays } from '../lane/PassedIn.tsx'

type Figures = Of<typeof ParkFigures>
const GATES = '/assetManage/parkingAndFacility/channel'
const RECORDS = '/operation/record/parking/parkingRecord'
const PRESENT = '/operation/record/parking/present'

/** A park on one page: today, its facts, areas, gates and policies. */
export function ParkStory({ of }: { of: Figures }) {
  const say = useText()
  return (
    <div className="story">
      {of.openAllFrom && <Alert showIcon type="warning" className="refused" title={say(emergencyOf(of.openAllFrom, of.openAllBy))} />}
      <Today of={of} />
      <Facts
        entity={Park}
        of={of}
        show={[
          'pType',
          'regionCode',
          'address',
          'phone',
          { label: ['开放时间', 'Open'], value: <Hours of={of} /> },
          'totalBays',
          'tempBays',
          'passBays',
          'chargeBays',
          'disabledBays',
          'filingNo',
          'filingStatus',
          'remainderOffset',
          'updatedAt',
          'images',
        ]}
      />
      <Section title={['通道', 'Lanes']} aside={<Link to={`${GATES}?parkCode=${of.parkCode}`}>{say(['全部通道', 'All lanes'])}</Link>}>
        <Gates of={of} />
      </Section>
      <Areas parkCode={of.parkCode} />
      <ParkPlace parkCode={of.parkCode} />
      <Section title={['通行策略', 'Policies']}>
        <Facts
          entity={Park}
          of={of}
          show={[
            'tempAllowed',
            'fullPolicy',
            'countPassInAvail',
            'dupEntry',
            'noEntry',
            'noEntryFeeFen',
            'entryArrears',
            'entryArrearsFen',
            'entryArrearsCount',
            'exitArrears',
            'exitArrearsCount',
            'exitGraceMin',
            'ruleBind',
            'fuzzyAuto',
            'overstayDays',
            'billMaxFen',
          ]}
        />
      </Section>
      {can(passTime.days.needs) && <PassDays parkCode={of.parkCode} />}
      <Changes parkCode={of.parkCode} />
    </div>
  )
}

function Changes({ parkCode }: { parkCode: string }) {
  const { data } = useQuery(asks(park.history, { parkCode }, { quiet: true }))
  if (!data?.length) return null
  return (
    <Section title={['变更记录', 'Changes']}>
      <History of={Park} changes={data} />
    </Section>
  )
}

/** Today so far; each figure leads to the list it sums. */
function Today({ of }: { of: Figures }) {
  const say = useText()
  const today = cityDay()
  const range = (field: string) => `${field}From=${encodeURIComponent(dayStart(today))}&${field}To=${encodeURIComponent(dayEnd(today))}`
  return (
    <nav className="park-today" aria-label={say(['今日', 'Today'])}>
      <Link to={`${PRESENT}?parkCode=${of.parkCode}`}>
        <b>{count(of.presentCount)}</b>
        {say(['在场', 'present'])}
      </Link>
      <span>
        <Bays total={of.totalBays} free={of.remainingBays} present={of.presentCount} />
        {say(['余位', 'free'])}
      </span>
      <Link to={`${RECORDS}?parkCode=${of.parkCode}&entered=true&${range('entryTime')}`}>
        <b>{count(of.entriesToday)}</b>
        {say(['今日进场', 'in today'])}
      </Link>
      <Link to={`${RECORDS}?parkCode=${of.parkCode}&status=${SessionStatus.left}&${range('exitTime')}`}>
        <b>{count(of.exitsToday)}</b>
        {say(['今日出场', 'out today'])}
      </Link>
      <span>
        <b>
          <Money fen={of.receivableTodayFen} />
        </b>
        {say(['今日应收', 'receivable today'])}
      </span>
      <span>
        <b>
          <Money fen={of.paidTodayFen} />
        </b>
        {say(['今日实收', 'paid today'])}
      </span>
    </nav>
  )
}

const ROWS_MOST = 100
const FirstHour = lazy(async () => ({ default: (await import('./FirstHour.tsx')).FirstHour }))
function Gates({ of }: { of: Figures }) {
  const { parkCode } = of
  const say = useText()
  const { data } = useQuery({ ...asks(gate.queryPage, { parkCode, limit: ROWS_MOST }, { quiet: true }), enabled: can(gate.queryPage.needs) })
  const [guided, setGuided] = useState(false)
  if (data?.records.length === 0 || guided)
    return (
      <>
        <p className="faint">{say(['还没有通道；没有通道，车辆无法进场', 'No lanes yet; without lanes no car can enter'])}</p>
        <Button type="primary" onClick={() => setGuided(true)}>
          {say(['继续开通', 'Continue setup'])}
        </Button>
        {guided && (
          <Suspense>
            <FirstHour at={of} onClose={() => setGuided(false)} />
          </Suspense>
        )}
      </>
    )
  return (
    <table className="lines">
      <tbody>
        {data?.records.map((one) => (
          <tr key={one.gateCode}>
            <td>
              <Link to={`${GATES}/${one.gateCode}`}>{one.name}</Link>
            </td>
            <td>{say(Direction.entries[one.direction])}</td>
            <td>
              <Barrier state={one.online ? barrierOf(one.gateState) : 'unknown'} />
            </td>
            <td>
              {one.online ? (
                <span className="state success">{say(['在线', 'Online'])}</span>
              ) : (
                <span className="state error">{say(['离线', 'Offline'])}</span>
              )}
            </td>
            <td>
              <State dictionary={UseStatus} value={one.status} />
            </td>
            <td className="faint">
              <Time at={one.lastSeenAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The park's areas, with the form that adds and changes one. */
function Areas({ parkCode }: { parkCode: string }) {
  const say = useText()
  const { data } = useQuery(asks(area.queryPage, { parkCode, limit: ROWS_MOST }, { quiet: true }))
  const [editing, setEditing] = useState<AreaRow | 'new'>()
  const mayEdit = can(area.update.needs)
  const button = (text: Text, run: () => void) => (
    <Button size="small" onClick={run}>
      {say(text)}
    </Button>
  )
  return (
    <Section title={['区域', 'Areas']} aside={can(area.add.needs) && button(Label.add, () => setEditing('new'))}>
      {data?.records.length === 0 && <p className="faint">{say(['不分区域', 'No areas'])}</p>}
      <table className="lines">
        <tbody>
          {data?.records.map((one) => (
            <tr key={one.id}>
              <td>{one.name}</td>
              <td className="faint">{one.areaCode}</td>
              <td>{one.nested === Nested.yes ? say(['场中场', 'Nested']) : ''}</td>
              <td>
                <Bays total={one.totalBays} free={one.remainingBays} present={one.presentCount} />
              </td>
              <td>
                <State dictionary={UseStatus} value={one.status} />
              </td>
              <td className="right">{mayEdit && button(Label.edit, () => setEditing(one))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {editing && <AreaForm parkCode={parkCode} {...(editing !== 'new' && { of: editing })} onClose={() => setEditing(undefined)} />}
    </Section>
  )
}

type AreaRow = Of<typeof AreaNow>
const AREA_CHANGES = [area.queryPage, gate.findParkRegionList]
function AreaForm({ parkCode, of, onClose }: { parkCode: string; of?: AreaRow; onClose: () => void }) {
  const shared = [
    'name',
    'totalBays',
    { name: 'nested', optional: true },
    { name: 'parentArea', control: <AreaSelect parkCode={parkCode} />, optional: true },
    'remark',
  ] as const
  if (of)
    return (
      <FormDialog
        title={['编辑区域', 'Edit the area']}
        entity={Area}
        mode="edit"
        value={of}
        save={area.update}
        changes={AREA_CHANGES}
        fields={[...shared, 'status']}
        onClose={onClose}
      />
    )
  return (
    <FormDialog
      title={['新增区域', 'Add an area']}
      entity={Area}
      mode="new"
      value={{ parkCode, nested: Nested.no }}
      save={area.add}
      changes={AREA_CHANGES}
      fields={[{ name: 'areaCode', help: ['如 P001-A02', 'For example P001-A02'] }, ...shared]}
      onClose={onClose}
    />
  )
}
