import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  fen,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  pick,
  rowFields,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'

export const ActivityStatus = dictionary('activity_status', ['活动状态', 'Activity status'], {
  notYet: [0, '未开始', 'Not started'],
  running: [1, '进行中', 'Running', 'success'],
  over: [2, '已结束', 'Over'],
  stopped: [3, '停用', 'Stopped', 'error'],
})
export const TIERS_MAX = 10
/** A payment of so much earns so much bonus; the highest tier that is reached counts, alone. */
export const Tier = entity({ payFen: fen('充值满', 'Pay', { min: 100 }), bonusFen: fen('赠送', 'Get', { min: 1 }) })

/** A promotion that rewards recharging. Whether it has begun or is over follows from its dates. */
export const RechargeActivity = entity(['充值活动', 'Recharge activity'], {
  ...rowFields<'ActivityId'>(),
  name: text('活动名称', 'Name', { max: 40 }),
  tiers: shaped('档位', 'Tiers', listOf(Tier, { max: TIERS_MAX })),
  startAt: instant('开始时间', 'From'),
  endAt: instant('结束时间', 'Until'),
  perUserTimes: orNone(whole('每人次数', 'Times per owner', { min: 1, max: 1000 })),
  payMethods: shaped('适用支付方式', 'Payment methods', listOf(among('支付方式', 'Payment method', PayMethod), { max: 12 })),
  stopped: yes('停用', 'Stopped'),
  remark: orNone(text('备注', 'Remark', { max: 200 })),
})
/** With how it stands, and what it brought. */
export const Activity = entity({
  ...RechargeActivity.properties,
  status: among('状态', 'Status', ActivityStatus),
  uses: whole('参与次数', 'Times used'),
  paidFen: fen('带动充值', 'Recharges brought'),
  bonusFen: fen('已赠送', 'Bonus given'),
})
export const activitySearch = searchOf(Activity, { name: 'contains', status: 'among', startAt: 'between' }, { sort: ['startAt'] })

const { name, tiers, startAt, endAt, perUserTimes, payMethods, stopped, remark } = Activity.properties
const edit = { service: 'custom', needs: 'owner:recharge-activity:edit', writes: true } as const
export const activity = {
  list: call('owner.recharge-activity.list', {
    service: 'custom',
    needs: 'owner:recharge-activity:view',
    post: '/assetsStore/rechargeActivity/list',
    body: paged(activitySearch),
    reply: pageOf(Activity),
  }),
  insert: call('owner.recharge-activity.insert', {
    ...edit,
    post: '/assetsStore/rechargeActivity/insert',
    does: ['新增充值活动', 'Added a recharge activity'],
    body: message({ name, tiers, startAt, endAt }, { perUserTimes, payMethods, remark }),
    reply: Activity,
  }),
  /** Once it was used: its name, its end and whether it is stopped; nothing else. */
  update: call('owner.recharge-activity.update', {
    ...edit,
    post: '/assetsStore/rechargeActivity/update',
    does: ['修改充值活动', 'Changed a recharge activity'],
    body: message(pick(Activity, 'id', 'version').properties, { name, tiers, startAt, endAt, perUserTimes, payMethods, stopped, remark }),
    reply: Activity,
  }),
  delete: call('owner.recharge-activity.delete', {
    ...edit,
    post: '/assetsStore/rechargeActivity/delete',
    does: ['删除充值活动', 'Deleted a recharge activity'],
    body: pick(Activity, 'id', 'version'),
    reply: nothing,
  }),
}
