import { PrinterOutlined } from '@ant-design/icons'
import { Alert, Button, Image } from 'antd'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../../platform/contract/field.ts'
import { type Event, Facts, Section, Timeline } from '../../../../platform/web/record/DetailDrawer.tsx'
import { percent } from '../../../../platform/web/format.ts'
import { type LineColumn, Lines } from '../../../../platform/web/list/Lines.tsx'
import { can } from '../../../../platform/web/person.ts'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { imagesOf, Money, Pictures, Plate, State, Time } from '../../../../platform/web/value.tsx'
import { OrderStatus, OrderType } from '../../../settlement/contract/order.ts'
import { PayMethod } from '../../../settlement/contract/payment.ts'
import { type Decision, SessionAbnormal, SessionStatus, Stay, stay, stayCan, type Story, StoryEventKind } from '../../contract/stay.ts'
import { Checks } from '../lane/Checks.tsx'
import { History } from './History.tsx'
import { CollectCash } from '../lane/LaneDialogs.tsx'
import { GateName, ParkName, useAreas } from '../api/names.tsx'
import { CorrectPlate, HandleAbnormal } from './StayDialogs.tsx'
import { StayPrint } from './StayPrint.tsx'
import { ParkedFor } from '../api/SoFar.tsx'
import { FeeOf } from './FeeOf.tsx'

const StayReplay = lazy(() => import('./StayReplay.tsx'))
type StoryOf = Of<typeof Story>

/** Whose stay and how it stands. */
export function StayHead({ stay: visit }: StoryOf) {
  return (
    <>
      <Plate number={visit.plateNo} color={visit.plateColor} large />
      <State dictionary={SessionStatus} value={visit.status} />
      {visit.abnormalType > 0 && <State dictionary={SessionAbnormal} value={visit.abnormalType} />}
    </>
  )
}

/** The next sensible thing to do with this stay, and the driver's print. */
export function StayAct(story: StoryOf) {
  const say = useText()
  const [doing, setDoing] = useState<'handle' | 'plate' | 'cash' | 'print'>()
  const { stay: visit } = story
  const owed = story.orders.find((one) => (one.status === OrderStatus.unpaid || one.status === OrderStatus.arrears) && one.payableFen > one.paidFen)
  const close = () => setDoing(undefined)
  const next: [text: string, doing: 'handle' | 'plate' | 'cash'] | undefined =
    stayCan.confirmExit(visit.status) !== undefined && can(stay.handle.needs)
      ? [say(['处理异常', 'Resolve']), 'handle']
      : owed && can('settlement:order:cash')
        ? [say(['收现金', 'Take cash']), 'cash']
        : visit.status === SessionStatus.present && visit.seatCode === null && can(stay.correctPlate.needs)
          ? [say(['修正车牌', 'Correct plate']), 'plate']
          : undefined
  // The debt that the dialog was opened for: if it is paid meanwhile, the dialog itself says so.
  const taken = useRef(owed)
  if (doing !== 'cash') taken.current = owed
  return (
    <>
      {next && (
        <Button type={next[1] === 'plate' ? 'default' : 'primary'} onClick={() => setDoing(next[1])}>
          {next[0]}
          {next[1] === 'cash' && owed && (
            <>
              {' '}
              <Money fen={owed.payableFen - owed.paidFen} />
            </>
          )}
        </Button>
      )}
      <Button icon={<PrinterOutlined />} aria-label={say(['打印', 'Print'])} onClick={() => setDoing('print')} />
      {doing === 'handle' && <HandleAbnormal of={visit} onClose={close} />}
      {doing === 'plate' && <CorrectPlate of={visit} onClose={close} />}
      {doing === 'cash' && taken.current && (
        <CollectCash orderId={taken.current.id} dueFen={taken.current.payableFen - taken.current.paidFen} of={visit} onClose={close} />
      )}
      {doing === 'print' && <StayPrint story={story} onClose={close} />}
    </>
  )
}

/** The story of one visit: what happened, why it cost what it cost, and who changed what. */
export function StayStory(story: StoryOf) {
  const say = useText()
  return (
    <div className="story">
      <Corrections story={story} />
      <BothPictures story={story} />
      <FactsOf story={story} />
      <FeeOf story={story} />
      {story.orders.length > 0 && (
        <Section title={['订单与支付', 'Orders and payments']}>
          <Orders orders={story.orders} />
        </Section>
      )}
      <Section
        title={['经过', 'What happened']}
        aside={
          <Suspense>
            <StayReplay story={story} />
          </Suspense>
        }
      >
        <Timeline events={eventsOf(story, say)} />
      </Section>
      {story.segments.length > 1 && (
        <Section title={['区域经过', 'Areas']}>
          <Segments story={story} />
        </Section>
      )}
      {story.decisions.length > 0 && (
        <Section title={['为什么放行、拒绝或要求缴费', 'Why the car was let pass, refused or asked to pay']}>
          {story.decisions.map((one) => (
            <DecisionOf key={one.id} of={one} />
          ))}
        </Section>
      )}
      {story.history.length > 0 && (
        <Section title={['变更记录', 'Changes']}>
          <History of={Stay} changes={story.history} />
        </Section>
      )}
    </div>
  )
}

/** Of a car that is inside nothing is said yet about its leaving. */
function FactsOf({ story }: { story: StoryOf }) {
  const { stay: visit } = story
  const fact = (zh: string, en: string, value: ReactNode) => ({ label: [zh, en] as const, value })
  const left = visit.exitTime !== null
  return (
    <Facts
      entity={Stay}
      of={visit}
      show={[
        fact('车场', 'Car park', <ParkName code={visit.parkCode} />),
        'vehicleClass',
        fact('入口通道', 'Entry lane', story.entryGateName ?? <GateName code={visit.entryGate} />),
        ...(left ? [fact('出口通道', 'Exit lane', story.exitGateName ?? <GateName code={visit.exitGate} />)] : []),
        'entryTime',
        ...(left ? (['exitTime'] as const) : []),
        'entryMode',
        ...(left ? (['exitMode'] as const) : []),
        'carKindIn',
        ...(left ? (['carKindOut'] as const) : []),
        fact('停车时长', 'Parked for', <ParkedFor stay={visit} />),
        'payState',
        ...(visit.plateOriginal ? [fact('原车牌', 'Plate as read', <Plate number={visit.plateOriginal} color={visit.plateColor} still />)] : []),
        ...(visit.operatorIn ? (['operatorIn'] as const) : []),
        ...(visit.operatorOut ? (['operatorOut'] as const) : []),
        ...(visit.remark ? (['remark'] as const) : []),
      ]}
    />
  )
}

/** Within one stay a car moves between the areas of a park; each may charge by its own rule. */
function Segments({ story: { segments, stay: visit } }: { story: StoryOf }) {
  const say = useText()
  const areas = useAreas(visit.parkCode)
  return (
    <table className="lines">
      <tbody>
        {segments.map((one) => (
          <tr key={one.from}>
            <td>{one.areaCode ? (areas.find(({ areaCode }) => areaCode === one.areaCode)?.name ?? one.areaCode) : say(['车场', 'The car park'])}</td>
            <td>
              <GateName code={one.gateCode} />
            </td>
            <td>
              <Time at={one.from} /> – {one.to ? <Time at={one.to} /> : say(['至今', 'now'])}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const RECORDS = '/operation/record/parking/parkingRecord'
function Corrections({ story: { correctedTo, correctedFrom } }: { story: StoryOf }) {
  const say = useText()
  if (!correctedTo && !correctedFrom) return null
  return (
    <Alert
      showIcon
      className="refused"
      type={correctedTo ? 'warning' : 'info'}
      title={
        correctedTo ? (
          <>
            {say(['这条记录已被更正，', 'This record was corrected; '])}
            <Link to={`${RECORDS}/${correctedTo}`}>{say(['看更正后的记录', 'see the corrected record'])}</Link>
          </>
        ) : (
          <>
            {say(['这条记录由更正产生，', 'This record corrects another; '])}
            <Link to={`${RECORDS}/${correctedFrom}`}>{say(['看原记录', 'see the original'])}</Link>
          </>
        )
      }
    />
  )
}

/** How it came and how it left, side by side; one click makes them large. */
function BothPictures({ story: { stay: visit } }: { story: StoryOf }) {
  const say = useText()
  const sides = [
    [['入场', 'Entered'], visit.entryImage, visit.entryTime] as const,
    [['离场', 'Left'], visit.exitImage, visit.exitTime] as const,
  ].filter(([, , at], place) => place === 0 || at)
  if (sides.every(([, images]) => imagesOf(images).length === 0)) return null
  return (
    <Image.PreviewGroup>
      <div className="both-pictures">
        {sides.map(([text, images, at]) => {
          const [image] = imagesOf(images)
          return (
            <figure key={text[1]}>
              {image ? <Image src={image} alt={say(text)} /> : <div className="no-picture">{say(['没有图片', 'No picture'])}</div>}
              <figcaption>
                {say(text)} <Time at={at} />
              </figcaption>
            </figure>
          )
        })}
      </div>
    </Image.PreviewGroup>
  )
}

function eventsOf({ events }: StoryOf, say: ReturnType<typeof useText>): (Event & { key: string })[] {
  return events.map((one, place) => ({
    key: String(place),
    at: one.at,
    title: (
      <>
        <b className="event-kind">{say(StoryEventKind.entries[one.kind])}</b> {say([one.zh, one.en])}
      </>
    ),
    by:
      one.gateCode || one.by ? (
        <>
          {one.gateCode && <GateName code={one.gateCode} />} {one.by}
        </>
      ) : undefined,
    body: one.image ? <Pictures addresses={one.image} height={56} /> : undefined,
    tone: TONES[one.kind] ?? 'default',
  }))
}
const TONES: Record<number, Event['tone']> = { 2: 'success', 5: 'success', 7: 'success', 8: 'warning', 10: 'warning' }

function DecisionOf({ of: one }: { of: Of<typeof Decision> }) {
  const say = useText()
  return (
    <div className="decision">
      <p>
        <Time at={one.at} /> <GateName code={one.gateCode} /> · <Plate number={one.plateNo} color={one.plateColor} still />
        {one.confidence !== null && (
          <span className="faint">
            {' '}
            {say(['置信度', 'confidence'])} {percent(one.confidence)}
          </span>
        )}
        {one.by && (
          <span className="faint">
            {' '}
            {say(['处理人', 'by'])} {one.by}
          </span>
        )}
      </p>
      <Checks checks={one.checks} outcome={one.outcome} folded />
    </div>
  )
}

/** Every order of the stay with what was paid and given back; each leads to its own page. */
function Orders({ orders }: { orders: StoryOf['orders'] }) {
  const money = (name: Text, of: 'receivableFen' | 'discountFen' | 'paidFen' | 'refundFen'): LineColumn<OrderOf> => ({
    name,
    right: true,
    cell: (one) => <Money fen={one[of]} />,
    sum: <Money fen={orders.reduce((all, one) => all + one[of], 0)} />,
  })
  return (
    <Lines
      of={orders}
      keyOf={({ id }) => id}
      columns={[
        { name: ['订单', 'Order'], cell: (one) => <OrderNo of={one} /> },
        { name: ['状态', 'Status'], cell: (one) => <State dictionary={OrderStatus} value={one.status as keyof typeof OrderStatus.entries} /> },
        money(['应收', 'Receivable'], 'receivableFen'),
        money(['优惠', 'Discount'], 'discountFen'),
        money(['实收', 'Paid'], 'paidFen'),
        money(['退款', 'Refunded'], 'refundFen'),
        { name: ['支付', 'Paid with'], cell: (one) => <PaidWith of={one} /> },
      ]}
    />
  )
}
type OrderOf = StoryOf['orders'][number]
function OrderNo({ of: { id, orderNo, type } }: { of: OrderOf }) {
  const say = useText()
  return (
    <>
      {can('settlement:order:view') ? <Link to={`/operation/finance/${id}`}>{orderNo}</Link> : orderNo}
      <div className="faint">{say(OrderType.entries[type as keyof typeof OrderType.entries] ?? ['', ''])}</div>
    </>
  )
}
function PaidWith({ of: { payMethod, operator, pointsFen, paidFen, payTime } }: { of: OrderOf }) {
  const say = useText()
  return (
    <>
      {payMethod === null ? <span className="faint">--</span> : say(PayMethod.entries[payMethod as keyof typeof PayMethod.entries] ?? ['', ''])}
      {operator && <span className="faint"> {operator}</span>}
      {pointsFen > 0 && pointsFen < paidFen && (
        <div className="faint">
          {say(['积分抵扣', 'Paid with points'])} <Money fen={pointsFen} />
        </div>
      )}
      {payTime && (
        <div className="faint">
          <Time at={payTime} />
        </div>
      )}
    </>
  )
}
