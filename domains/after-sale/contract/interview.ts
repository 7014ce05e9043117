import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  account,
  among,
  dictionary,
  entity,
  id,
  instant,
  message,
  nothing,
  orNone,
  pick,
  pickSome,
  rowFields,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { parkCode, phone } from './workOrder.ts'

export const InterviewTarget = dictionary('interview_target', ['回访对象', 'Subject'], {
  order: [1, '工单', 'Work order'],
  suggestion: [2, '建议', 'Feedback'],
})
export const InterviewWay = dictionary('interview_way', ['回访方式', 'Method'], {
  telephone: [1, '电话', 'Phone'],
  text: [2, '短信', 'Text message'],
  wechat: [3, '微信', 'WeChat'],
  visit: [4, '上门', 'Visit'],
})
export const InterviewResult = dictionary('interview_result', ['回访结果', 'Result'], {
  waiting: [0, '待回访', 'To interview', 'warning'],
  asked: [1, '成功', 'Completed', 'success'],
  unreached: [2, '未接通', 'Not reached'],
  declined: [3, '拒访', 'Declined'],
  wrongNumber: [4, '号码错误', 'Wrong number', 'error'],
})
export const Solved = dictionary('interview_solved', ['是否解决', 'Solved'], {
  yes: [1, '是', 'Yes', 'success'],
  no: [2, '否', 'No', 'error'],
  partly: [3, '部分', 'Partly', 'warning'],
})
/** The days on which a customer is tried before they are left alone. */
export const TRY_DAYS = 3
/** Asked within so many days after it was closed. */
export const PLAN_DAYS = 3

/** A customer asked afterwards, by another person than who handled it. */
export const Interview = entity(['回访', 'Interview'], {
  ...rowFields<'InterviewId'>(),
  targetType: among('对象', 'Subject', InterviewTarget),
  targetId: id('对象编号', 'Subject (id)'),
  targetNo: text('单号', 'Number', { max: 40 }),
  title: account('内容', 'Content', { max: 80 }),
  contactName: orNone(text('联系人', 'Contact', { max: 40 })),
  contact: orNone(phone),
  parkCode: orNone(parkCode),
  handlerName: orNone(text('处理人', 'Handler', { max: 40 })),
  way: among('方式', 'Method', InterviewWay),
  planAt: instant('计划时间', 'Planned for'),
  attempts: whole('已尝试天数', 'Days tried', { min: 0, max: TRY_DAYS }),
  result: among('结果', 'Result', InterviewResult),
  solved: orNone(among('是否解决', 'Solved', Solved)),
  score: orNone(whole('评分', 'Score', { min: 1, max: 5 })),
  content: orNone(account('回访内容', 'Interview notes', { max: 1000 })),
  visitorName: orNone(text('回访人', 'Interviewer', { max: 40 })),
  doneAt: orNone(instant('完成时间', 'Completed at')),
})
export const interviewSearch = searchOf(
  Interview,
  {
    targetType: 'equals',
    targetNo: 'startsWith',
    contact: 'equals',
    way: 'among',
    result: 'among',
    solved: 'among',
    score: 'among',
    parkCode: 'equals',
    handlerName: 'contains',
    visitorName: 'contains',
    planAt: 'between',
    doneAt: 'between',
  },
  { sort: ['planAt', 'createdAt'] },
)

const edit = { service: 'basic', needs: 'after-sale:interview:edit', writes: true } as const
const { id: interviewId, version, targetType, targetId, way, planAt } = Interview.properties
export const interview = {
  query: call('after-sale.interview.select-list', {
    service: 'basic',
    needs: 'after-sale:interview:view',
    post: '/sysSuggestInterview/selectList',
    body: paged(interviewSearch),
    reply: pageOf(Interview),
  }),
  /** Of what was closed; those that must be are planned by themselves. */
  add: call('after-sale.interview.add', {
    ...edit,
    post: '/sysSuggestInterview/add',
    does: ['新增回访', 'Planned an interview'],
    body: message({ targetType, targetId, way }, { planAt }),
    reply: Interview,
  }),
  /** Changes the plan, or records the result. Not solved: `reopen` takes the order up again. */
  update: call('after-sale.interview.update', {
    ...edit,
    post: '/sysSuggestInterview/update',
    does: ['登记回访', 'Recorded an interview'],
    body: message(
      { id: interviewId, version },
      {
        way,
        planAt,
        result: among('结果', 'Result', InterviewResult),
        solved: among('是否解决', 'Solved', Solved),
        score: whole('评分', 'Score', { min: 1, max: 5 }),
        content: account('回访内容', 'Interview notes', { max: 1000 }),
        reopen: yes('重开工单', 'Reopen work order'),
      },
    ),
    reply: Interview,
  }),
  delete: call('after-sale.interview.delete', {
    ...edit,
    delete: '/sysSuggestInterview/delete',
    does: ['删除回访', 'Deleted an interview'],
    query: pickSome(Interview, ['id'], ['version']),
    reply: nothing,
  }),
}
export const KeptInterview = entity({
  ...pick(
    Interview,
    'id',
    'version',
    'createdAt',
    'updatedAt',
    'targetType',
    'targetId',
    'way',
    'planAt',
    'attempts',
    'result',
    'solved',
    'score',
    'content',
    'visitorName',
    'doneAt',
    'parkCode',
  ).properties,
  visitorId: orNone(id<'PersonId'>('回访人编号', 'Interviewer (id)')),
  triedOn: orNone(text('最近尝试', 'Last tried on', { max: 10 })),
})
