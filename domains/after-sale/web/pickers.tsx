import { useQuery } from '@tanstack/react-query'
import { Button, Form } from 'antd'
import type { Fen, Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { useFill } from '../../../platform/web/form/FormDialog.tsx'
import { confirm } from '../../../platform/web/page/hosts.tsx'
import { yuan } from '../../../platform/web/format.ts'
import { can } from '../../../platform/web/person.ts'
import { Select } from '../../../platform/web/form/Select.tsx'
import { Loaded, NoChoice } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { State, Time } from '../../../platform/web/value.tsx'
import { CHOOSE } from '../../parking/web/api/names.tsx'
import { CaseState, standardCase } from '../contract/case.ts'
import { SuggestionState } from '../contract/suggestion.ts'
import { OrderState, RemedyKind, workOrder } from '../contract/workOrder.ts'
import './afterSale.css'

interface PickProps<V> {
  id?: string
  value?: V | undefined
  onChange?: (value: V | undefined) => void
}
const byLabel = { optionFilterProp: 'label' } as const

/** Handlers of work orders, with their open orders: the least busy first. */
export function HandlerSelect(props: PickProps<string>) {
  const say = useText()
  const { data = [] } = useQuery(asks(workOrder.handlers, {}, { quiet: true }))
  const options = [...data]
    .sort((a, b) => a.open - b.open)
    .map(({ id, name, open, over }) => ({
      value: id as string,
      label: say([`${name} · 在办 ${open}${over ? `，超时 ${over}` : ''}`, `${name} · ${open} open${over ? `, ${over} overdue` : ''}`]),
    }))
  return <Select {...props} allowClear placeholder={say(CHOOSE)} options={options} showSearch={byLabel} />
}

/** Refunds and waivers of the order of money in question; those that were not approved are shown and cannot be chosen. */
export function RemedySelect({ orderId, ...props }: PickProps<string> & { orderId: string }) {
  const say = useText()
  const remedies = useQuery(asks(workOrder.remedies, { id: orderId as never }, { quiet: true }))
  const options = (remedies.data ?? []).map(({ id, kind, no, amountFen, good }) => ({
    value: id as string,
    disabled: !good,
    label: `${say(RemedyKind.entries[kind])} ${no} ¥${yuan(amountFen as Fen)}${good ? '' : say(['（未通过）', ' (not approved)'])}`,
  }))
  return (
    <Select
      {...props}
      allowClear
      placeholder={say(CHOOSE)}
      options={options}
      notFoundContent={<NoChoice of={remedies} none={['相关订单没有退款或减免', 'The related order has no refund or waiver']} />}
    />
  )
}

const CASES_SHOWN = 200
const useCases = () =>
  useQuery({
    ...asks(standardCase.query, { state: [CaseState.published], limit: CASES_SHOWN }, { quiet: true }),
    enabled: can(standardCase.query.needs),
  }).data?.records ?? []
/** Published cases, those of this kind of order first. */
export function CaseSelect({ category, ...props }: PickProps<string> & { category: number }) {
  const say = useText()
  const ordered = useCases().toSorted((a, b) => Number(b.category === category) - Number(a.category === category))
  return (
    <Select
      {...props}
      allowClear
      placeholder={say(CHOOSE)}
      options={ordered.map(({ id, title }) => ({ value: id as string, label: title }))}
      showSearch={byLabel}
    />
  )
}
const ANSWERS_SHOWN = 6
/** Offers the answers of standard cases of the same category: pressed, an answer fills the field, and the case is recorded. Typed text is replaced only after a question. */
export function CannedAnswers({ category }: { category: number }) {
  const say = useText()
  const fill = useFill()
  const form = Form.useFormInstance()
  const fit = useCases()
    .filter((one) => one.answer && one.category === category)
    .slice(0, ANSWERS_SHOWN)
  if (fit.length === 0) return null
  const put = async ({ id, answer }: (typeof fit)[number]) => {
    const typed = form.getFieldValue('opinion') as string | undefined
    const own = typed && !fit.some((one) => one.answer === typed)
    if (own && !(await confirm({ title: say(['用常用答复替换已填写的内容？', 'Replace what is typed by the standard answer?']) }))) return
    fill({ opinion: answer, caseId: id })
  }
  return (
    <div className="after-sale-answers">
      <span className="faint">{say(['常用答复', 'Standard answers'])}</span>
      {fit.map((one) => (
        <Button key={one.id} size="small" title={one.answer!} onClick={() => void put(one)}>
          {one.title}
        </Button>
      ))}
    </div>
  )
}

const WHOLE_NUMBER = 7
/** Shows earlier cases of the caller, as soon as a whole number or plate is typed. */
export function CallerBefore() {
  const say = useText()
  const form = Form.useFormInstance()
  const contact = Form.useWatch('contact', form) as string | undefined
  const plateNo = Form.useWatch('plateNo', form) as string | undefined
  const asked = {
    ...(contact && contact.length >= WHOLE_NUMBER && !contact.includes('*') && { contact }),
    ...(plateNo && plateNo.length >= WHOLE_NUMBER && { plateNo }),
  }
  const known = Object.keys(asked).length > 0
  const before = useQuery({ ...asks(workOrder.before, asked, { quiet: true }), enabled: known })
  return (
    known && (
      <Loaded of={before} lines={2}>
        {(all) =>
          all.length > 0 ? <Before all={all} /> : <p className="faint">{say(['该客户没有以往记录', 'This customer has no earlier records'])}</p>
        }
      </Loaded>
    )
  )
}
function Before({ all }: { all: Of<typeof workOrder.before.reply> }) {
  const say = useText()
  return (
    <table className="lines">
      <caption>{say(['该客户以往的工单与反馈', 'Earlier work orders and feedback of this customer'])}</caption>
      <tbody>
        {all.map(({ id, isOrder, no, title, state, at }) => (
          <tr key={id}>
            <td>
              <Time at={at} />
            </td>
            <td>{no}</td>
            <td>{title}</td>
            <td>
              {isOrder ? <State dictionary={OrderState} value={state as never} /> : <State dictionary={SuggestionState} value={state as never} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
