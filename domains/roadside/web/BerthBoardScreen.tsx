import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { DetailDrawer, Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { useFrames } from '../../../platform/web/live.ts'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { Failed, Nothing, Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Money, Plate, State, Time } from '../../../platform/web/value.tsx'
import { SessionAbnormal, SessionStatus } from '../../parking/contract/stay.ts'
import { CHOOSE, useParksAreKnown } from '../../parking/web/api/names.tsx'
import { Detector, Occupy } from '../contract/berth.ts'
import { roadStay } from '../contract/roadStay.ts'
import { screen, type SeatDetail, type SeatRow } from '../contract/screen.ts'
import { DistrictSelect, SectionSelect, useDistricts } from './api/names.tsx'
import { Overview } from './Overview.tsx'
import { PlateOr, RoadStory } from './RoadStory.tsx'
import { AddEvidence, Arrive, Collect, FillPlate, Leave, plateAct, type Row } from './StayDialogs.tsx'

type Seat = Of<typeof SeatRow>
/** The board looks again by itself, in case a word was lost. */
const AGAIN_MS = 30_000
const TOPIC = 'roadside.berth'

/** Forty berths at a glance: free ones small, cars with their plate and what they owe; one click tells all of it. */
export default function BerthBoardScreen() {
  const say = useText()
  const cache = useQueryClient()
  const districts = useDistricts()
  const known = useParksAreKnown()
  const [chosen, setChosen] = useState<string>()
  const [sectionCode, setSection] = useState<string>()
  const [seatCode, setSeat] = useState<string>()
  const parkCode = chosen ?? districts[0]?.parkCode
  const of = { parkCode: parkCode ?? '', ...(sectionCode && { sectionCode }), limit: 500 }
  const { data, error, isPending } = useQuery({
    ...asks(screen.parkSeatList, of, { quiet: true }),
    enabled: parkCode !== undefined,
    refetchInterval: AGAIN_MS,
  })
  const step = (by: 1 | -1) => {
    const next = data?.[data.findIndex((one) => one.seatCode === seatCode) + by]
    if (next) setSeat(next.seatCode)
  }
  useFrames(TOPIC, () => void cache.invalidateQueries({ queryKey: [screen.parkSeatList.id] }))
  return (
    <div className="road-board">
      <PageHead
        purpose={[
          '各泊位是否占用、停放车辆与现在应付；点击泊位可登记和收费',
          'Which berths are occupied, by which car, and what is due; click a berth to record or collect',
        ]}
      >
        <span className="road-choice">
          <DistrictSelect value={parkCode} onChange={(code) => (setChosen(code), setSection(undefined), setSeat(undefined))} empty={CHOOSE} />
          <SectionSelect parkCode={parkCode} value={sectionCode} onChange={setSection} empty={['全部路段', 'All sections']} />
        </span>
      </PageHead>
      <Overview parkCode={parkCode} />
      {parkCode === undefined && !known && <Waiting lines={6} />}
      {parkCode === undefined && known && (
        <Nothing>{say(['还没有片区，先在「路内片区」里新增', 'No districts yet: add one under “Roadside districts”'])}</Nothing>
      )}
      {error && <Failed error={error as Refusal} />}
      {isPending && parkCode !== undefined && <Waiting lines={6} />}
      {data?.length === 0 && <Nothing>{say(['该片区还没有泊位', 'This district has no berths yet'])}</Nothing>}
      <ul className="seats" aria-label={say(['泊位', 'Berths'])}>
        {data?.map((seat) => (
          <li key={seat.seatCode}>
            <SeatCard seat={seat} onOpen={() => setSeat(seat.seatCode)} />
          </li>
        ))}
      </ul>
      {parkCode && seatCode && <SeatDrawer parkCode={parkCode} seatCode={seatCode} onStep={step} onClose={() => setSeat(undefined)} />}
    </div>
  )
}

const TONES = { [Occupy.free]: 'free', [Occupy.occupied]: 'taken', [Occupy.abnormal]: 'odd', [Occupy.disabled]: 'off' } as const
function SeatCard({ seat, onOpen }: { seat: Seat; onOpen: () => void }) {
  const say = useText()
  return (
    <button type="button" className={`seat ${TONES[seat.occupy]}`} onClick={onOpen}>
      <b>{seat.seatCode}</b>
      <State dictionary={Occupy} value={seat.occupy} />
      {seat.stayId &&
        (seat.plateNo ? (
          <Plate number={seat.plateNo} color={seat.plateColor} still />
        ) : (
          <span className="faint">{say(['待补录车牌', 'Plate not known'])}</span>
        ))}
      {seat.stayId && (
        <span className="seat-due">
          <Money fen={seat.dueFen} />
        </span>
      )}
    </button>
  )
}

type What = 'arrive' | 'leave' | 'collect' | 'plate' | 'evidence'
function SeatDrawer({
  parkCode,
  seatCode,
  onStep,
  onClose,
}: {
  parkCode: string
  seatCode: string
  onStep: (by: 1 | -1) => void
  onClose: () => void
}) {
  const [what, setWhat] = useState<What>()
  const { data } = useQuery({ ...asks(screen.parkSeat, { parkCode, seatCode }), refetchInterval: AGAIN_MS })
  const done = () => setWhat(undefined)
  const stay = data?.stay as Row | null | undefined
  return (
    <>
      <DetailDrawer
        call={screen.parkSeat}
        input={() => ({ parkCode, seatCode })}
        id={seatCode}
        live={TOPIC}
        isOpen={() => true}
        onStep={onStep}
        onClose={onClose}
        head={({ berth, stay: now }) => (
          <>
            <b>{berth.seatCode}</b> <span className="faint">{berth.berthNo}</span> {now && <PlateOr of={now} />}{' '}
            <State dictionary={Occupy} value={berth.occupy} />
          </>
        )}
        act={(seat) => can(roadStay.arrive.needs) && <SeatActs of={seat} ask={setWhat} />}
        body={(seat) => <SeatStory of={seat} />}
      />
      {what === 'arrive' && <Arrive parkCode={parkCode} seatCode={seatCode} onClose={done} />}
      {stay && what === 'collect' && <Collect of={stay} onClose={done} />}
      {stay && what === 'leave' && <Leave of={stay} onClose={done} />}
      {stay && what === 'plate' && <FillPlate of={stay} onClose={done} />}
      {stay && what === 'evidence' && <AddEvidence of={stay} onClose={done} />}
    </>
  )
}

function SeatActs({ of: { stay: now, dueFen }, ask }: { of: Of<typeof SeatDetail>; ask: (what: What) => void }) {
  const say = useText()
  return (
    <>
      {!now && (
        <Button type="primary" onClick={() => ask('arrive')}>
          {say(['登记驶入', 'Record arrival'])}
        </Button>
      )}
      {now && dueFen > 0 && (
        <Button type="primary" onClick={() => ask('collect')}>
          {say(['收费', 'Take cash'])} <Money fen={dueFen} />
        </Button>
      )}
      {now?.status === SessionStatus.present && <Button onClick={() => ask('leave')}>{say(['登记驶离', 'Record departure'])}</Button>}
      {now && can(roadStay.fillPlate.needs) && <Button onClick={() => ask('plate')}>{say(plateAct(now))}</Button>}
      {now && can(roadStay.addEvidence.needs) && <Button onClick={() => ask('evidence')}>{say(['取证', 'Evidence'])}</Button>}
    </>
  )
}

function SeatStory({ of: seat }: { of: Of<typeof SeatDetail> }) {
  const say = useText()
  return (
    <>
      {seat.abnormal && <ToBeHandled of={seat.abnormal} />}
      {seat.stay && <RoadStoryOf id={seat.stay.id} />}
      {!seat.stay && !seat.abnormal && <p className="faint">{say(['泊位空闲', 'This berth is free'])}</p>}
      <Section title={['检测设备', 'Devices']}>
        {seat.bindings.length === 0 && <p className="faint">{say(['还没有绑定设备', 'No device bound yet'])}</p>}
        {seat.bindings.map(({ deviceNo, kind, fromAt }) => (
          <p key={deviceNo}>
            <b>{deviceNo}</b> <State dictionary={Detector} value={kind} /> <Time at={fromAt} />
          </p>
        ))}
      </Section>
    </>
  )
}

/** Why a berth is abnormal, and where a person puts it right. */
function ToBeHandled({ of }: { of: Row }) {
  const say = useText()
  const here = new URLSearchParams({ parkCode: of.parkCode, ...(of.plateNo && { plateNo: of.plateNo }) })
  return (
    <Alert
      showIcon
      type="warning"
      className="refused"
      title={
        <>
          <PlateOr of={of} /> <State dictionary={SessionAbnormal} value={of.abnormalType} /> <Time at={of.arrivedAt} />
        </>
      }
      description={
        <Link to={`/operation/record/parking/abnormal?${here}`}>
          {say([
            '停车记录待人工处理：去「异常停车」确认离场、恢复在场或作废',
            'This stay waits for a person: confirm its exit, restore it or void it under “Problem stays”',
          ])}
        </Link>
      }
    />
  )
}
function RoadStoryOf({ id }: { id: Row['id'] }) {
  const { data, refetch } = useQuery({ ...asks(roadStay.story, { id }, { quiet: true }), refetchInterval: AGAIN_MS })
  useFrames(TOPIC, () => void refetch())
  return data ? <RoadStory {...data} /> : <Waiting lines={4} />
}
