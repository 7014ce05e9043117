import { Button, Space, Tag } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { Facts, Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { cityDay, yuan } from '../../../platform/web/format.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { toast } from '../../../platform/web/page/hosts.tsx'
import { can } from '../../../platform/web/person.ts'
import { plural } from '../../../platform/contract/plural.ts'
import { Label, useAct, useRemove } from '../../../platform/web/form/remove.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Money, Plate, Plates, State, Time, Until } from '../../../platform/web/value.tsx'
import { ParkNames } from '../../parking/web/api/names.tsx'
import { car, Customer, type CustomerDetail, CustomerStatus, type MemberCar } from '../contract/customer.ts'
import { type Pass, pass, PassStatus, PassWindow, seat } from '../contract/pass.ts'
import { CUSTOMER_CHANGES } from './changes.ts'
import { CustomerHistory } from './CustomerHistory.tsx'
import { Defer } from './Defer.tsx'
import { GiveBack } from './GiveBack.tsx'
import { TakePayment } from './Paying.tsx'
import { Sell } from './Sell.tsx'
import './member.css'

type Detail = Of<typeof CustomerDetail>
type Held = Of<typeof Pass>
type Car = Of<typeof MemberCar>
type Act = 'pay' | 'renew' | 'free' | 'stop' | 'refund' | 'reject'
type Doing = { what: Act; of: Held } | { what: 'plate'; of: Car } | { what: 'car' | 'sell' }

/** All that is a customer's: the passes with what can be done about them, the cars, and what was before. */
export function CustomerStory({ of }: { of: Detail }) {
  const say = useText()
  const [doing, setDoing] = useState<Doing>()
  const close = () => setDoing(undefined)
  return (
    <>
      <Facts entity={Customer} of={of} show={['phone', 'kind', 'certNo', 'address', 'createdAt', 'remark']} />
      <Section title={['月卡', 'Passes']}>
        {of.held.map((one) => (
          <OnePass key={one.id} of={one} ask={(what) => setDoing({ what, of: one })} />
        ))}
        {of.held.length === 0 && <p className="faint">{say(['没有月卡', 'No passes'])}</p>}
        {of.status === CustomerStatus.normal && can(pass.sell.needs) && (
          <Button size="small" onClick={() => setDoing({ what: 'sell' })}>
            {say(['开卡', 'Sell a pass'])}
          </Button>
        )}
      </Section>
      <Section title={['车辆', 'Cars']}>
        <Cars of={of} ask={setDoing} />
        {can(car.insert.needs) && (
          <Button size="small" onClick={() => setDoing({ what: 'car' })}>
            {say(['新增车辆', 'Add a car'])}
          </Button>
        )}
      </Section>
      <CustomerHistory of={of} />
      {doing && 'of' in doing && (doing.what === 'renew' || doing.what === 'free') && (
        <Defer of={doing.of} free={doing.what === 'free'} onClose={close} />
      )}
      {doing?.what === 'pay' && <TakePayment of={doing.of} onClose={close} />}
      {doing?.what === 'refund' && <GiveBack of={doing.of} onClose={close} />}
      {doing?.what === 'stop' && <Stop of={doing.of} onClose={close} />}
      {doing?.what === 'reject' && <Reject of={doing.of} onClose={close} />}
      {doing?.what === 'plate' && <ChangePlate of={doing.of} onClose={close} />}
      {doing?.what === 'car' && <AddCar of={of} onClose={close} />}
      {doing?.what === 'sell' && <Sell of={{ id: of.id, name: of.name, plates: of.plates }} onClose={close} />}
    </>
  )
}

function OnePass({ of, ask }: { of: Held; ask: (what: Act) => void }) {
  return (
    <div className="member-pass">
      <PassFacts of={of} />
      <PassActs of={of} ask={ask} />
    </div>
  )
}
function PassFacts({ of }: { of: Held }) {
  const say = useText()
  return (
    <>
      <p>
        <b>{of.groupName ?? of.passNo}</b>{' '}
        {of.rejectedFor ? <Tag>{say(['审核未通过', 'Not approved'])}</Tag> : <State dictionary={PassStatus} value={of.status} />}{' '}
        {of.refunding && <Tag>{say(['退卡中', 'Being cancelled'])}</Tag>} <span className="faint">{of.passNo}</span>
      </p>
      <p>
        {of.plates.length > 0 && <Plates numbers={of.plates} />} {say(PassWindow.entries[of.timeWindow])} · <ParkNames codes={of.parkCodes} /> ·{' '}
        {say([`${of.seats} 个车位`, `${of.seats} ${plural(of.seats, 'bay')}`])}
        {of.seatCode && ` · ${of.seatCode}`}
      </p>
      <p>
        {of.rejectedFor ? (
          say([`驳回原因：${of.rejectedFor}`, `Rejected because: ${of.rejectedFor}`])
        ) : (
          <>
            <Time at={of.startAt} /> – <Until at={of.endAt} /> · {say([`剩 ${of.daysLeft} 天`, `${of.daysLeft} ${plural(of.daysLeft, 'day')} left`])}{' '}
            · {say(['累计实付', 'Total paid'])} <Money fen={of.paidFen} />
          </>
        )}
      </p>
      {of.waitingNo && (
        <p>
          <b>{say([`待支付 ¥${yuan(of.waitingFen ?? 0)}`, `To pay: ¥${yuan(of.waitingFen ?? 0)}`])}</b> <span className="faint">{of.waitingNo}</span>
        </p>
      )}
      {of.remark && <p>{say([`备注：${of.remark}`, `Remark: ${of.remark}`])}</p>}
    </>
  )
}
function PassActs({ of, ask }: { of: Held; ask: (what: Act) => void }) {
  const say = useText()
  const act = useAct(CUSTOMER_CHANGES)
  const remove = useRemove(CUSTOMER_CHANGES)
  const one = { id: of.id, version: of.version }
  const runs = of.status === PassStatus.valid || of.status === PassStatus.notYet
  const over = ([PassStatus.expired, PassStatus.returned, PassStatus.toPay] as number[]).includes(of.status)
  const button = (text: Text, shown: boolean, needs: typeof seat.stop.needs, run: () => void) =>
    shown &&
    can(needs) && (
      <Button size="small" onClick={run}>
        {say(text)}
      </Button>
    )
  return (
    <Space wrap>
      {button(['收款', 'Take payment'], of.waitingNo !== null, pass.pay.needs, () => ask('pay'))}
      {button(
        ['取消订单', 'Cancel the order'],
        of.waitingNo !== null && of.status !== PassStatus.toPay,
        pass.cancelOrder.needs,
        () =>
          void act(pass.cancelOrder, one, {
            question: [`取消待支付的续费订单 ${of.waitingNo}？`, `Cancel the unpaid renewal ${of.waitingNo}?`],
            act: ['取消订单', 'Cancel the order'],
            done: ['已取消，月卡不变', 'Cancelled; the pass is as it was'],
          }),
      )}
      {button(['续费', 'Renew'], (runs || of.status === PassStatus.expired) && !of.waitingNo, seat.deferConfirm.needs, () => ask('renew'))}
      {button(['免费延期', 'Free days'], runs, pass.freeDays.needs, () => ask('free'))}
      {button(['冻结', 'Freeze'], runs, seat.stop.needs, () => ask('stop'))}
      {button(
        ['恢复', 'Restart'],
        of.status === PassStatus.frozen && !of.refunding,
        seat.start.needs,
        () => void act(seat.start, one, { done: ['已恢复', 'Restarted'] }),
      )}
      {button(['退卡', 'Cancel pass'], (runs || of.status === PassStatus.frozen) && !of.refunding, pass.refund.needs, () => ask('refund'))}
      {button(
        ['撤回退卡', 'Withdraw request'],
        of.refunding,
        pass.withdrawRefund.needs,
        () =>
          void act(pass.withdrawRefund, one, {
            question: ['撤回退卡申请，月卡恢复使用？', 'Withdraw the request? The pass can be used again'],
            act: ['撤回退卡', 'Withdraw request'],
            done: ['已撤回，月卡恢复使用', 'Withdrawn; the pass can be used again'],
          }),
      )}
      {button(
        ['通过', 'Approve'],
        of.status === PassStatus.underReview,
        pass.audit.needs,
        () =>
          void act(
            pass.audit,
            { ...one, pass: true },
            { ...(cityDay(of.startAt) < cityDay() && BEGINS_TODAY), done: ['已通过，可在此收款', 'Approved; its payment can be taken here'] },
          ),
      )}
      {button(['驳回', 'Reject'], of.status === PassStatus.underReview, pass.audit.needs, () => ask('reject'))}
      {button(Label.delete, over, seat.delete.needs, () => void remove(seat.delete, one, of.passNo))}
    </Space>
  )
}

/** The question to a reviewer who grants a pass whose wanted start is over. */
const BEGINS_TODAY: Record<'question' | 'detail' | 'act', Text> = {
  question: ['申请的开始日期已过，通过后从今天起算？', 'The wanted start has passed. Begin the pass today?'],
  detail: ['结束日期随之顺延，应付金额按今天起重新计算。', 'Its end moves with it, and the amount is worked out from today.'],
  act: ['通过', 'Approve'],
}

function Cars({ of, ask }: { of: Detail; ask: (doing: Doing) => void }) {
  const say = useText()
  const remove = useRemove(CUSTOMER_CHANGES)
  return (
    <table className="lines">
      <tbody>
        {of.cars.map((one) => (
          <tr key={one.id}>
            <td>
              <Plate number={one.plateNo} color={one.plateColor} />
            </td>
            <td className="faint">
              {one.closedAt ? (
                <>
                  {say(['停用于', 'ended'])} <Time at={one.closedAt} />
                </>
              ) : (
                say([`${one.passIds.length} 张月卡`, `on ${one.passIds.length} ${plural(one.passIds.length, 'pass', 'passes')}`])
              )}
            </td>
            <td className="right">
              {!one.closedAt && can(car.update.needs) && (
                <Space wrap>
                  <Button size="small" onClick={() => ask({ what: 'plate', of: one })}>
                    {say(['车牌变更', 'Change the plate'])}
                  </Button>
                  <Button size="small" danger onClick={() => void remove(car.delete, { id: one.id, version: one.version }, one.plateNo)}>
                    {say(['移除', 'Remove'])}
                  </Button>
                </Space>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Whose pass, of which cars. */
const nameOf = ({ holder, plates, passNo }: Held) => [holder, plates.join(' '), passNo].filter(Boolean).join(' · ')
const Stop = ({ of, onClose }: { of: Held; onClose: () => void }) => (
  <FormDialog
    title={[`冻结 · ${nameOf(of)}`, `Freeze · ${nameOf(of)}`]}
    entity={seat.stop.input as never}
    mode="new"
    value={{ id: of.id, version: of.version, bank: true } as never}
    save={seat.stop as never}
    changes={CUSTOMER_CHANGES}
    act={['冻结', 'Freeze']}
    done={['已冻结，在场车辆从现在起计费', 'Frozen; a car inside pays from now on']}
    fields={
      ['reason', { name: 'bank', help: ['整日计，一次最多 60 天，一年两次', 'Whole days, 60 at most each time, twice a year'] }, 'until'] as never
    }
    onClose={onClose}
  />
)
const Reject = ({ of, onClose }: { of: Held; onClose: () => void }) => (
  <FormDialog
    title={[`驳回开卡申请 · ${of.holder}`, `Reject the application · ${of.holder}`]}
    entity={pass.audit.input}
    mode="new"
    value={{ id: of.id, version: of.version, pass: false }}
    save={pass.audit}
    changes={CUSTOMER_CHANGES}
    act={['驳回', 'Reject']}
    done={['已驳回', 'Rejected']}
    fields={[
      { name: 'verdict', label: ['驳回原因', 'Reason'], needed: true, help: ['客户和经办人会看到', 'The customer and the clerk will see it'] },
    ]}
    onClose={onClose}
  />
)
const ChangePlate = ({ of, onClose }: { of: Car; onClose: () => void }) => (
  <FormDialog
    title={[`车牌变更 · ${of.plateNo}`, `Change the plate · ${of.plateNo}`]}
    entity={car.update.input as never}
    mode="new"
    value={{ id: of.id, version: of.version, plateNo: of.plateNo } as never}
    save={car.update as never}
    changes={CUSTOMER_CHANGES}
    act={['变更车牌', 'Change plate']}
    done={['已变更，过去的停车仍按原车牌', 'Changed; past stays keep the old plate']}
    fields={
      [
        { name: 'plateNo', label: ['新车牌', 'New plate'] },
        { name: 'plateColor', help: ['不填按车牌推断', 'Leave empty to take it from the plate'] },
      ] as never
    }
    onClose={onClose}
  />
)
function AddCar({ of, onClose }: { of: Detail; onClose: () => void }) {
  const running = of.held.filter(({ status }) => status === PassStatus.valid || status === PassStatus.notYet).map(({ id }) => id)
  return (
    <FormDialog
      title={['新增车辆', 'Add a car']}
      entity={car.insert.input as never}
      mode="new"
      value={{ memberId: of.id, passIds: running } as never}
      save={car.insert as never}
      changes={CUSTOMER_CHANGES}
      done={['已新增，并加入有效的月卡', 'Added, and put on the valid passes']}
      fields={['plateNo', 'plateColor', 'remark'] as never}
      onSaved={(reply) => {
        const { warning } = reply as { warning: string | null }
        if (warning) toast('warning', [warning, warning])
      }}
      onClose={onClose}
    />
  )
}
