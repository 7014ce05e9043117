import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { Facts, Section, Timeline } from '../../../platform/web/record/DetailDrawer.tsx'
import { NONE } from '../../../platform/web/format.ts'
import { listAt } from '../../../platform/web/list/listAt.ts'
import { can } from '../../../platform/web/person.ts'
import { useText } from '../../../platform/web/text.ts'
import { Duration, Pictures, State } from '../../../platform/web/value.tsx'
import { ParkName } from '../../parking/web/api/names.tsx'
import { standardCase } from '../contract/case.ts'
import { suggestion } from '../contract/suggestion.ts'
import { Finding, OrderEvent, OrderState, type OrderStory as Told, SlaState, type Step, WorkOrder, workOrder } from '../contract/workOrder.ts'
import './afterSale.css'

type Story = Of<typeof Told>
/** Which order, how it stands, how its time stands. */
export const OrderHead = ({ of }: { of: Of<typeof WorkOrder> }) => (
  <>
    {of.title} <State dictionary={OrderState} value={of.state} /> <State dictionary={SlaState} value={of.slaState} />{' '}
    <span className="faint">{of.orderNo}</span>
  </>
)

/** One order: its subject, its handler and time limit, its result, and every step. */
export function OrderStory({ of }: { of: Story }) {
  const say = useText()
  const { data: steps = [] } = useQuery(asks(workOrder.progress, { id: of.id }, { quiet: true }))
  return (
    <div className="story">
      <Facts
        entity={WorkOrder}
        of={of}
        show={[
          'type',
          'level',
          'source',
          'contactName',
          'contact',
          'plateNo',
          { label: ['车场', 'Car park'], value: <ParkName code={of.parkCode} /> },
          { label: ['相关订单号', 'Related order'], value: <RelatedOrder no={of.relatedNo} /> },
          'deviceNo',
          'creatorName',
          'assigneeName',
          'createdAt',
          'respondDueAt',
          'respondState',
          'dueAt',
          ...(of.solvedAt ? (['solvedAt'] as const) : []),
          ...(of.closedAt ? (['closedAt'] as const) : []),
          ...(of.reopens ? (['reopens'] as const) : []),
          ...(of.suggestionId && can(suggestion.one.needs)
            ? [
                {
                  label: ['来自反馈', 'From feedback'] as const,
                  value: <Link to={`/operation/afterSale/feedback/${of.suggestionId}`}>{say(['查看反馈', 'View feedback'])}</Link>,
                },
              ]
            : []),
        ]}
      />
      <Section title={['描述', 'Description']}>
        <p className="after-sale-text">{of.content}</p>
        {of.images && <Pictures addresses={of.images} height={64} />}
      </Section>
      <Outcome of={of} />
      <Section title={['经过', 'History']}>
        <Steps of={steps} />
      </Section>
    </div>
  )
}

/** A link to the bill, for a reader who may see orders of money. */
function RelatedOrder({ no }: { no: string | null }) {
  if (no === null) return NONE
  return can('settlement:order:view') ? <Link to={listAt('/operation/finance', { orderNo: no })}>{no}</Link> : no
}

function Steps({ of }: { of: readonly Of<typeof Step>[] }) {
  const say = useText()
  return (
    <Timeline
      events={of.map((step) => ({
        key: step.id,
        at: step.at,
        title: (
          <>
            {say(OrderEvent.entries[step.event])} {step.whom && <b>{step.whom}</b>}
          </>
        ),
        by: step.who,
        tone: TONES[step.event] ?? 'default',
        body: (
          <>
            {step.opinion && <p className="after-sale-text">{step.opinion}</p>}
            {step.images && <Pictures addresses={step.images} height={48} />}
            {step.workMin > 0 && (
              <span className="faint">
                {say(['用时', 'Time taken'])} <Duration minutes={step.workMin} />
              </span>
            )}
          </>
        ),
      }))}
    />
  )
}
const TONES: Readonly<Record<number, 'success' | 'warning' | 'error'>> = {
  [OrderEvent.solve]: 'success',
  [OrderEvent.return]: 'warning',
  [OrderEvent.reopen]: 'warning',
  [OrderEvent.warn]: 'warning',
  [OrderEvent.escalate]: 'error',
}

/** A finding, the cases that solved it, what the customer said. */
function Outcome({ of }: { of: Story }) {
  const say = useText()
  const rated = of.score !== null
  const asked = of.state === OrderState.closed && !rated
  if (of.finding === null && of.cases.length === 0 && !rated && !asked) return null
  return (
    <Section title={['结果', 'Result']}>
      {of.finding !== null && (
        <p>
          <State dictionary={Finding} value={of.finding} />{' '}
          {of.remedyNo && <Facts entity={WorkOrder} of={of} show={['remedyKind', 'remedyNo', 'remedyFen']} />}
        </p>
      )}
      {of.cases.length > 0 && (
        <p>
          {say(['引用案例', 'Cases used'])}{' '}
          {of.cases.map(({ id, title }) =>
            can(standardCase.query.needs) ? (
              <Link key={id} to={`/operation/afterSale/case/${id}`}>
                {title}{' '}
              </Link>
            ) : (
              <span key={id}>{title} </span>
            ),
          )}
        </p>
      )}
      {rated && <Facts entity={WorkOrder} of={of} show={['score', 'comment', 'scoredAt']} />}
      {asked && (
        <p className="faint">
          {say(
            of.invitedAt
              ? ['已邀请客户评价，尚未评价', 'The customer has been invited to rate it and has not done so yet']
              : [
                  '未邀请评价：没有联系电话，或没有启用的评价短信模板',
                  'The customer was not invited to rate it: no phone number, or no rating template enabled',
                ],
          )}
        </p>
      )}
    </Section>
  )
}
