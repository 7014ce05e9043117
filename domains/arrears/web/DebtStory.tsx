import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { Facts, Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Money, Pictures, Plate, State, Time } from '../../../platform/web/value.tsx'
import { FeeExplanation } from '../../fee/web/api/FeeExplanation.tsx'
import { GateName, ParkName } from '../../parking/web/api/names.tsx'
import { SectionName } from '../../roadside/web/api/names.tsx'
import { Decisions, Duns } from './Decisions.tsx'
import { DebtWhy } from './DebtWhy.tsx'
import { Entries } from '../../settlement/web/api/Entries.tsx'
import { ArrearsRecord, ArrearsState, EvidenceKind, MISSING } from '../contract/file.ts'
import { type ArrearsStory } from '../contract/record.ts'

/** Whose debt it is, and how it stands. */
export const DebtHead = ({ of }: { of: Of<typeof ArrearsRecord> }) => (
  <>
    <Plate number={of.plateNo} color={of.plateColor} large /> <State dictionary={ArrearsState} value={of.state} /> {of.arrearsNo}
  </>
)

/** Shows why it cannot be asked for: in the reader's language, unless a person wrote their own words. */
export function Missing({ of }: { of: string | null }) {
  const say = useText()
  const known = Object.values(MISSING).find(([zh]) => zh === of)
  return of === null ? <span className="faint">--</span> : known ? say(known) : of
}

type Story = Of<typeof ArrearsStory>
const STAYS = '/operation/record/parking/parkingRecord'
const ORDERS = '/operation/finance'

/** One debt: its stay, why it is owed and may be asked for, its evidence, its payments and its ledger entries. */
export function DebtStory({ story }: { story: Story }) {
  const say = useText()
  return (
    <div className="story">
      <Facts
        entity={ArrearsRecord}
        of={story}
        show={[
          { label: ['车场', 'Car park'], value: <ParkName code={story.parkCode} /> },
          ...(story.sectionCode ? [{ label: ['路段', 'Section'] as const, value: <SectionName code={story.sectionCode} /> }] : []),
          'sourceType',
          'arrivedAt',
          'leftAt',
          ...(story.exitGate ? [{ label: ['出口', 'Exit'] as const, value: <GateName code={story.exitGate} /> }] : []),
          ...(story.operatorOut ? (['operatorOut'] as const) : []),
          'amountFen',
          'paidFen',
          'owedFen',
          ...(story.waivedFen ? (['waivedFen'] as const) : []),
          ...(story.writtenOffFen ? (['writtenOffFen'] as const) : []),
          'exceptionType',
          ...(story.missing ? [{ label: ['缺少', 'Missing'] as const, value: <Missing of={story.missing} /> }] : []),
          'dunCount',
          'lastDunAt',
          'createdAt',
          { label: ['订单', 'Order'], value: <Link to={`${ORDERS}/${story.orderId}`}>{story.orderNo}</Link> },
          ...(story.stayId
            ? [{ label: ['停车记录', 'Stay'] as const, value: <Link to={`${STAYS}/${story.stayId}`}>{say(['查看经过', 'View stay'])}</Link> }]
            : []),
        ]}
      />
      <DebtWhy story={story} />
      <Section title={['证据', 'Evidence']}>
        <Evidences of={story.evidence} />
      </Section>
      {story.quote && (
        <Section title={['计费明细', 'Fee breakdown']}>
          <FeeExplanation quote={story.quote} />
        </Section>
      )}
      <Decisions story={story} />
      {story.duns.length > 0 && (
        <Section title={['催缴', 'Reminders']}>
          <Duns of={story.duns} />
        </Section>
      )}
      {story.parts.length > 0 && (
        <Section title={['补缴', 'Repayments']}>
          <Parts of={story.parts} />
        </Section>
      )}
      {story.entries.length > 0 && (
        <Section title={['总账分录', 'Ledger entries']}>
          <Entries lines={story.entries} />
        </Section>
      )}
    </div>
  )
}

function Evidences({ of }: { of: Story['evidence'] }) {
  const say = useText()
  if (of.length === 0)
    return <p className="faint">{say(['还没有证据：请补充能看清车牌的图片', 'No evidence yet: add pictures that show the plate'])}</p>
  return (
    <table className="lines">
      <tbody>
        {of.map((one) => (
          <tr key={one.id}>
            <td>{say(EvidenceKind.entries[one.kind])}</td>
            <td>
              <Pictures addresses={one.image} height={64} />
            </td>
            <td>
              {say(one.showsPlate ? ['可见车牌', 'Plate visible'] : ['看不清车牌', 'Plate not visible'])}
              {one.showsBerth && ` · ${say(['可见泊位号', 'Berth number visible'])}`}
              {one.note && <div className="faint">{one.note}</div>}
            </td>
            <td>
              <Time at={one.takenAt} />
              <div className="faint">{one.addedName}</div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Parts({ of }: { of: Story['parts'] }) {
  return (
    <table className="lines">
      <tbody>
        {of.map((one) => (
          <tr key={`${one.repayNo}${one.at}`}>
            <td>
              {one.repayNo} {one.operatorName && <span className="faint">{one.operatorName}</span>}
            </td>
            <td>
              <Time at={one.at} />
            </td>
            <td className="right">
              <Money fen={one.allocatedFen} />
            </td>
            <td className="right">{one.refundFen > 0 && <Money fen={one.refundFen} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
