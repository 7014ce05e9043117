import { PrinterOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { Fragment, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { Section, Timeline } from '../../../platform/web/record/DetailDrawer.tsx'
import { time } from '../../../platform/web/format.ts'
import { SlipDialog, SlipLine } from '../../../platform/web/draw/Slip.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Money, Pictures } from '../../../platform/web/value.tsx'
import { FeeInWords } from '../../fee/web/api/FeeExplanation.tsx'
import { ParkName } from '../../parking/web/api/names.tsx'
import { ArrearsSource } from '../../settlement/contract/order.ts'
import { ArrearsState, EvidenceKind } from '../contract/file.ts'
import type { ArrearsStory } from '../contract/record.ts'
import { DebtStepKind, DemandCheck } from '../contract/why.ts'

type Story = Of<typeof ArrearsStory>

/** From the fee of the stay to the present debt, line by line; zero lines are left out. */
function sumOf({
  why,
  amountFen,
  paidFen,
  waivedFen,
  writtenOffFen,
  revokedFen,
  owedFen,
}: Story): (readonly [name: Text, fen: number, total?: true])[] {
  const less = (zh: string, en: string, fen: number) => (fen > 0 ? [[[zh, en], -fen] as const] : [])
  return [
    [['停车费', 'Parking fee'], why.feeFen],
    ...less('优惠', 'Discount', why.discountFen),
    ...less('其他订单', 'Other orders for the stay', why.otherOrdersFen),
    [['欠费金额', 'Owed when it left'], amountFen, true],
    ...less('已补缴', 'Repaid', paidFen),
    ...less('已减免', 'Waived', waivedFen),
    ...less('已核销（坏账）', 'Written off', writtenOffFen),
    ...less('已撤销', 'Revoked', revokedFen),
    [['尚欠', 'Still owed'], owedFen, true],
  ]
}

/** Why it is owed, why so much, and why it may or may not be asked for. */
export function DebtWhy({ story }: { story: Story }) {
  const say = useText()
  const [printing, setPrinting] = useState(false)
  const bars = story.why.checks.filter((one) => one.bars)
  return (
    <>
      <Section title={['为什么欠费', 'Why it is owed']}>
        <table className="lines">
          <tbody>
            {sumOf(story).map(([name, fen, total]) => (
              <tr key={name[1]} className={total ? 'sum' : ''}>
                <td>{say(name)}</td>
                <td className="right">
                  <Money fen={fen} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <p>
          <Button icon={<PrinterOutlined />} onClick={() => setPrinting(true)}>
            {say(['打印给车主', 'Print for the driver'])}
          </Button>
        </p>
      </Section>
      <Section title={bars.length === 0 ? ['可以追缴', 'Can be collected'] : ['现在不追缴', 'Cannot be collected now']}>
        <ul className="debt-checks">
          {story.why.checks.map(({ check, bars: stands, doubts, zh, en }) => (
            <li key={check} className={stands ? 'bars' : ''}>
              <span className={`state ${stands ? 'error' : doubts ? 'warning' : 'success'}`}>{say(DemandCheck.entries[check])}</span>{' '}
              <span>{say([zh, en])}</span>
            </li>
          ))}
        </ul>
      </Section>
      <Section title={['经过', 'What happened']}>
        <Timeline
          events={story.why.steps.map((one, place) => ({
            key: String(place),
            at: one.at,
            tone: TONES[one.kind] ?? 'default',
            title: (
              <>
                <b className="event-kind">{say(DebtStepKind.entries[one.kind])}</b> {say([one.zh, one.en])}{' '}
                {one.amountFen !== null && <Money fen={one.amountFen} />}
              </>
            ),
            by: one.by ?? undefined,
            body: one.says ?? undefined,
          }))}
        />
      </Section>
      {printing && <DebtPrint story={story} onClose={() => setPrinting(false)} />}
    </>
  )
}
const TONES: Partial<Record<number, 'success' | 'warning' | 'error'>> = {
  [DebtStepKind.arose]: 'error',
  [DebtStepKind.suspected]: 'warning',
  [DebtStepKind.appealed]: 'warning',
  [DebtStepKind.repaid]: 'success',
  [DebtStepKind.refunded]: 'warning',
}

/** The debt for the driver: where and when, the fee's explanation, its outcome, and the pictures. */
function DebtPrint({ story, onClose }: { story: Story; onClose: () => void }) {
  const say = useText()
  return (
    <SlipDialog title={['给车主的欠费说明', 'Debt explanation for the driver']} onClose={onClose}>
      <h3>{story.plateNo}</h3>
      <dl>
        <SlipLine name={['车场', 'Car park']}>
          <ParkName code={story.parkCode} still />
        </SlipLine>
        <SlipLine name={['驶入', 'Arrived']}>{story.arrivedAt ? time(story.arrivedAt) : '--'}</SlipLine>
        <SlipLine name={['驶离', 'Left']}>{story.leftAt ? time(story.leftAt) : '--'}</SlipLine>
        <SlipLine name={['欠费原因', 'Arrears reason']}>{say(ArrearsSource.entries[story.sourceType])}</SlipLine>
        <SlipLine name={['状态', 'Status']}>{say(ArrearsState.entries[story.state])}</SlipLine>
      </dl>
      {story.quote && <FeeInWords quote={story.quote} discountFen={story.why.discountFen} />}
      <dl>
        {sumOf(story).map(([name, fen]) => (
          <SlipLine key={name[1]} name={name}>
            <Money fen={fen} />
          </SlipLine>
        ))}
      </dl>
      {story.evidence.length > 0 && (
        <dl>
          {story.evidence.map((one) => (
            <Fragment key={one.id}>
              <SlipLine name={EvidenceKind.entries[one.kind]}>{time(one.takenAt)}</SlipLine>
              <Pictures addresses={one.image} height={96} />
            </Fragment>
          ))}
        </dl>
      )}
      <p>
        {story.arrearsNo} {story.orderNo}
      </p>
      <p>
        {say([
          '如有异议，可凭以上编号提出申诉；申诉处理前不追缴。',
          'If you disagree, appeal with the number above; nothing is collected until the appeal is decided.',
        ])}
      </p>
    </SlipDialog>
  )
}
