import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  id,
  instant,
  message,
  moves,
  nothing,
  orNone,
  pickSome,
  rich,
  rowFields,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { OrderType } from './workOrder.ts'

export const CaseState = dictionary('case_state', ['案例状态', 'Case status'], {
  draft: [0, '草稿', 'Draft'],
  published: [1, '发布', 'Published', 'success'],
  off: [2, '下架', 'Withdrawn'],
})
const { draft, published, off } = CaseState
export const caseCan = moves(CaseState, {
  publish: { [draft]: published, [off]: published },
  withdraw: { [published]: off },
  redraft: { [draft]: draft },
})

/** A frequent question and its answer: handlers of work orders read and use it. */
export const Case = entity(['案例', 'Standard case'], {
  ...rowFields<'CaseId'>(),
  title: text('标题', 'Title', { max: 80 }),
  category: among('分类', 'Category', OrderType),
  content: rich('解决方案', 'Solution', { max: 20_000 }),
  answer: orNone(text('答复用语', 'Answer text', { max: 500 })),
  state: among('状态', 'Status', CaseState),
  used: whole('引用次数', 'Times used', { min: 0 }),
  lastUsedAt: orNone(instant('最近引用', 'Last used at')),
  authorName: text('编写人', 'Written by', { max: 40 }),
})
export const caseSearch = searchOf(
  Case,
  { title: 'contains', category: 'among', state: 'among', authorName: 'contains' },
  { sort: ['createdAt', 'used'] },
)
const edit = { service: 'basic', needs: 'after-sale:case:edit', writes: true } as const
const view = { service: 'basic', needs: 'after-sale:case:view' } as const
export const standardCase = {
  query: call('after-sale.case.select-list', { ...view, post: '/SysCaseSolution/selectList', body: paged(caseSearch), reply: pageOf(Case) }),
  one: call('after-sale.case.one', { ...view, own: true, get: '/SysCaseSolution/one', query: message({ id: Case.properties.id }), reply: Case }),
  add: call('after-sale.case.add', {
    ...edit,
    post: '/SysCaseSolution/add',
    does: ['新增案例', 'Added a case'],
    body: pickSome(Case, ['title', 'category', 'content'], ['answer', 'state']),
    reply: Case,
  }),
  update: call('after-sale.case.update', {
    ...edit,
    post: '/SysCaseSolution/update',
    does: ['修改案例', 'Changed a case'],
    body: pickSome(Case, ['id', 'version'], ['title', 'category', 'content', 'answer', 'state']),
    reply: Case,
  }),
  /** One that was used is withdrawn instead: orders go on naming it. */
  delete: call('after-sale.case.delete', {
    ...edit,
    delete: '/SysCaseSolution/delete',
    does: ['删除案例', 'Deleted a case'],
    query: pickSome(Case, ['id'], ['version']),
    reply: nothing,
  }),
  /** Records the case that solved an order; it counts once per order. */
  use: call('after-sale.case.use', {
    service: 'basic',
    own: true,
    needs: 'after-sale:order:handle',
    writes: true,
    post: '/SysCaseSolution/use',
    does: ['引用案例', 'Used a case'],
    body: message({ caseId: Case.properties.id, orderId: id<'WorkOrderId'>('工单', 'Work order') }),
    reply: Case,
  }),
}
