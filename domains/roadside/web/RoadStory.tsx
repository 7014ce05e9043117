import { Link } from 'react-router'
import { Button } from 'antd'
import type { Of } from '../../../platform/contract/field.ts'
import { Facts, Section, Timeline } from '../../../platform/web/record/DetailDrawer.tsx'
import { NONE, percent } from '../../../platform/web/format.ts'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Money, Pictures, Plate, State } from '../../../platform/web/value.tsx'
import { FeeExplanation } from '../../fee/web/api/FeeExplanation.tsx'
import { PayState, SessionStatus } from '../../parking/contract/stay.ts'
import { ParkedFor } from '../../parking/web/api/SoFar.tsx'
import { Detector } from '../contract/berth.ts'
import { EvidenceKind, RoadStay, type RoadStory as Story } from '../contract/roadStay.ts'
import { owedNow } from './owedNow.ts'
import { BerthChip, DistrictName, SectionName } from './api/names.tsx'

type Row = Of<typeof Story>
const RECORDS = '/operation/record/roadParking/roadParkingRecord'

export const PlateOr = ({ of }: { of: { plateNo: string | null; plateColor: number | null } }) => {
  const say = useText()
  return of.plateNo ? (
    <Plate number={of.plateNo} color={of.plateColor} />
  ) : (
    <span className="state warning">{say(['待补录', 'Plate not known'])}</span>
  )
}

export const StoryHead = ({ stay }: Pick<Row, 'stay'>) => (
  <>
    <PlateOr of={stay} /> <BerthChip parkCode={stay.parkCode} seatCode={stay.seatCode} /> <State dictionary={SessionStatus} value={stay.status} />
  </>
)

/** One stay on the street: its sightings, the fee with its reasons, and the evidence missing before it may be collected. */
export function RoadStory({ stay, quote, free, dueFen, orderNo, takenBy, evidence, checks, lacks, cameOf, became }: Row) {
  const say = useText()
  const now = owedNow(stay, dueFen)
  return (
    <>
      <Facts
        entity={RoadStay}
        of={stay}
        show={[
          { label: ['现在应付', 'Due now'], value: <Money fen={dueFen} /> },
          { label: ['缴费状态', 'Payment'], value: <State dictionary={PayState} value={now.payState} /> },
          'arrivedAt',
          'leftAt',
          {
            label: ['停车时长', 'Parked for'],
            value: <ParkedFor stay={{ status: stay.status, entryTime: stay.arrivedAt, durationMin: stay.chargedMin }} />,
          },
          // Nothing is billed yet: a zero would stand beside what is due now.
          { label: ['应收', 'Receivable'], value: now.payState === PayState.nothing ? NONE : <Money fen={now.receivableFen} /> },
          'paidFen',
          'arrearsFen',
          { label: ['片区', 'District'], value: <DistrictName code={stay.parkCode} /> },
          { label: ['路段', 'Section'], value: <SectionName code={stay.sectionCode} /> },
          'carKindIn',
          'detector',
          'confirmState',
          { label: ['登记人', 'Recorded by'], value: stay.tollNo ?? NONE },
          { label: ['收款人', 'Taken by'], value: takenBy ?? NONE },
          'abnormalType',
          { label: ['订单号', 'Order'], value: orderNo ?? '--' },
          'remark',
        ]}
      />
      <Section title={['取证', 'Evidence']}>
        {lacks.length > 0 && (
          <p className={stay.leftAt === null ? 'soft' : 'state warning'}>
            {say(
              stay.leftAt === null
                ? ['若离场未缴，追缴还需：', 'If it leaves unpaid, collecting later still needs: ']
                : ['不可追缴，缺少：', 'Not collectable. Missing: '],
            )}
            {lacks.map((kind) => say(EvidenceKind.entries[kind])).join(say(['、', ', ']))}
            {say(['照片（须可见泊位号和车牌）', ' (picture showing berth number and plate)'])}
          </p>
        )}
        <Timeline
          events={evidence.map((one) => ({ key: one.id, at: one.at, title: say(EvidenceKind.entries[one.kind]), body: <Shown of={one} /> }))}
        />
      </Section>
      {checks.length > 0 && (
        <Section title={['费用核对', 'Fee checks']}>
          <Timeline events={checks.map(({ at, zh, en, by }, n) => ({ key: String(n), at, title: say([zh, en]), by }))} />
        </Section>
      )}
      {(cameOf.length > 0 || became.length > 0) && (
        <Section title={['拆分与合并', 'Splits and merges']}>
          <Others label={['由以下记录而来', 'Made from']} ids={cameOf} />
          <Others label={['已成为', 'Became']} ids={became} />
        </Section>
      )}
      {free && <Section title={['为什么免费', 'Why it is free']}>{say([free.zh, free.en])}</Section>}
      {quote && (
        <Section title={['计费明细', 'Why it costs this']}>
          <FeeExplanation quote={quote} />
        </Section>
      )}
    </>
  )
}
function Others({ label, ids }: { label: Text; ids: readonly string[] }) {
  const say = useText()
  if (ids.length === 0) return null
  return (
    <p>
      {say(label)}{' '}
      {ids.map((id, n) => (
        <Link key={id} to={`${RECORDS}/${id}`}>
          <Button size="small" type="link">
            {say(['记录', 'Record'])} {n + 1}
          </Button>
        </Link>
      ))}
    </p>
  )
}

/** Describes one piece of evidence in words, with its picture. */
function Shown({ of: { detector, deviceNo, plateNo, confidence, showsBerth, showsPlate, image } }: { of: Row['evidence'][number] }) {
  const say = useText()
  const parts = [
    say(Detector.entries[detector]),
    deviceNo,
    plateNo && confidence !== null ? `${plateNo} ${percent(confidence)}` : plateNo,
    image && showsBerth && say(['可见泊位号', 'berth number']),
    image && showsPlate && say(['可见车牌', 'plate']),
  ]
  return (
    <>
      {parts.filter(Boolean).join(' · ')} <Pictures addresses={image} height={48} />
    </>
  )
}
