import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useRef, useState } from 'react'
import type { Of } from '../../../../platform/contract/field.ts'
import { type Column, ListScreen } from '../../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../../platform/web/person.ts'
import { Label, useRemove } from '../../../../platform/web/form/remove.tsx'
import { type Say, type Text, useText } from '../../../../platform/web/text.ts'
import { State } from '../../../../platform/web/value.tsx'
import { recordSheet } from '../../contract/recordSheet.ts'
import { type ParkNow, park, parkSearch, statusCan, UseStatus } from '../../contract/park.ts'
import { screen } from '../../contract/screen.ts'
import { Bays, Hours } from './Bays.tsx'
import { PARK_CHANGES } from '../stay/changes.ts'
import { Disable } from './Disable.tsx'
import { emergencyOf } from '../lane/emergency.ts'
import { EditRemainder, OpenAll, ParkPolicy } from './ParkForm.tsx'
import { useRules } from './useRules.ts'
import '../parking.css'

type Row = Of<typeof ParkNow>
type What = 'guide' | 'edit' | 'policy' | 'status' | 'remainder' | 'openAll'
export const PARK_TOPIC = 'parking.park'

// A park's story and its form come when the first one is opened.
const ParkFacts = lazy(async () => ({ default: (await import('./ParkFacts.tsx')).ParkFacts }))
const FirstHour = lazy(async () => ({ default: (await import('./FirstHour.tsx')).FirstHour }))
const ParkStory = lazy(async () => ({ default: (await import('./ParkStory.tsx')).ParkStory }))

/** The operator's own parks: occupancy, fee rules, lanes. */
export default function ParkScreen() {
  const say = useText()
  const rules = useRules()
  const remove = useRemove(PARK_CHANGES)
  const [doing, setDoing] = useState<Asked>()
  const act = (what: What, of: Row) => () => setDoing({ what, of })
  return (
    <>
      <ListScreen
        purpose={['车场、车位与通行策略', 'Car parks, bays and passage policies']}
        query={park.queryPage}
        search={parkSearch}
        exports={recordSheet.parks}
        find={['name', 'status', 'pType', 'parkCode', 'regionCode', 'filingStatus']}
        rowKey="parkCode"
        sum={{ figures: [{ text: ['停用', 'disabled'], leads: { status: [UseStatus.disabled] } }] }}
        columns={columnsOf(say, rules)}
        hidden={['address', 'phone', 'regionCode', 'filingStatus', 'tempBays', 'passBays', 'chargeBays', 'disabledBays']}
        roomy={['parkCode', 'presentCount', 'openFrom']}
        live={PARK_TOPIC}
        cells={{ save: park.update, fields: ['name', 'address'], changes: PARK_CHANGES }}
        toolbar={
          can(park.add.needs) && (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setDoing({ what: 'new' })}>
              {say(Label.add)}
            </Button>
          )
        }
        actions={(row) => [
          { text: Label.edit, needs: park.update.needs, run: act('edit', row) },
          { text: ['通行策略', 'Policies'], needs: park.update.needs, run: act('policy', row) },
          { text: statusCan.disable(row.status) ? Label.disable : Label.enable, needs: park.updateStatus.needs, run: act('status', row) },
          { text: ['开通向导', 'Setup guide'], needs: park.update.needs, run: act('guide', row) },
          { text: ['修正余位', 'Correct free bays'], needs: park.editRemainder.needs, run: act('remainder', row) },
          {
            text: row.openAllFrom ? ['结束应急常开', 'End emergency open'] : ['应急常开', 'Emergency open'],
            needs: park.openAll.needs,
            run: act('openAll', row),
            danger: !row.openAllFrom,
          },
          {
            text: Label.delete,
            needs: park.delete.needs,
            run: () =>
              void remove(park.delete, { id: row.id, version: row.version }, `${row.parkCode} ${row.name}`, { kind: 'parking.park', key: row.id }),
            danger: true,
          },
        ]}
        detail={{
          call: screen.detail,
          input: (parkCode) => ({ parkCode }),
          head: (row) => (
            <>
              <b>{row.name}</b> <code className="faint">{row.parkCode}</code> <State dictionary={UseStatus} value={row.status} />
            </>
          ),
          act: (row) => can(park.update.needs) && <Button onClick={act('edit', row)}>{say(Label.edit)}</Button>,
          body: (row) => <ParkStory of={row} />,
        }}
      />
      {doing && <Doing {...doing} then={setDoing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

const columnsOf = (say: Say, rules: (parkCode: string) => string | undefined): Column<Row>[] => [
  'name',
  'parkCode',
  'pType',
  {
    key: 'bays',
    title: say(['余位 / 总车位', 'Free / total']),
    render: (_, row) => <Bays total={row.totalBays} free={row.remainingBays} present={row.presentCount} />,
  },
  'presentCount',
  {
    key: 'rule',
    title: say(['收费规则', 'Fee rule']),
    render: (_, row) => rules(row.parkCode) ?? <span className="faint">{say(['未配置', 'None'])}</span>,
  },
  { dataIndex: 'openFrom', title: say(['开放时间', 'Open']), render: (_, row) => <Hours of={row} /> },
  { dataIndex: 'status', render: (_, row) => <Standing of={row} /> },
  'address',
  'phone',
  'regionCode',
  'filingStatus',
  'tempBays',
  'passBays',
  'chargeBays',
  'disabledBays',
]

/** In use or not, and whether every barrier stands open. */
function Standing({ of }: { of: Pick<Row, 'status' | 'openAllFrom' | 'openAllBy'> }) {
  const say = useText()
  return (
    <>
      <State dictionary={UseStatus} value={of.status} />{' '}
      {of.openAllFrom && (
        <span className="state warning" title={say(emergencyOf(of.openAllFrom, of.openAllBy))}>
          {say(['应急常开', 'Emergency open'])}
        </span>
      )}
    </>
  )
}

type Place = Pick<Row, 'parkCode' | 'name'>
type Asked = { what: 'new'; of?: undefined } | { what: What; of: Row } | { what: 'begin'; of: Place }
function Doing({ then, onClose, ...asked }: Asked & { then: (next: Asked) => void; onClose: () => void }) {
  const { what } = asked
  // A new park is of no use yet: its form leads on to the next step.
  const made = useRef<Place>(undefined)
  if (what === 'begin' || what === 'guide')
    return (
      <Suspense>
        <FirstHour at={asked.of} onClose={onClose} />
      </Suspense>
    )
  if (what === 'new' || what === 'edit')
    return (
      <Suspense>
        <ParkFacts
          of={asked.of}
          onMade={(one) => void (made.current = one)}
          onClose={() => (made.current ? then({ what: 'begin', of: made.current }) : onClose())}
        />
      </Suspense>
    )
  const { of } = asked
  if (what === 'policy') return <ParkPolicy of={of} onClose={onClose} />
  if (what === 'remainder') return <EditRemainder of={of} onClose={onClose} />
  if (what === 'openAll') return <OpenAll of={of} onClose={onClose} />
  return <Disable of={of} call={park.updateStatus} changes={PARK_CHANGES} means={DISABLED_MEANS} onClose={onClose} />
}
const DISABLED_MEANS: Text = [
  '停用后不再放新车进场；已在场的车照常缴费离场',
  'While disabled, no new car is let in; cars inside still pay and leave as usual',
]
