import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  attachments,
  day,
  dictionary,
  entity,
  id,
  instant,
  listOf,
  message,
  moves,
  nothing,
  orNone,
  pick,
  pickSome,
  ref,
  shaped,
  text,
  upload,
  whole,
  yes,
} from '../../../platform/contract/field.ts'

export const RegulationKind = dictionary('regulation_kind', ['法规类型', 'Law type'], {
  law: [1, '法律', 'Law'],
  administrative: [2, '行政法规', 'Administrative regulation'],
  local: [3, '地方性法规', 'Local regulation'],
  rule: [4, '规章', 'Ministerial or government rule'],
  normative: [5, '规范性文件', 'Normative document'],
  standard: [6, '标准', 'Standard'],
  internal: [7, '内部制度', 'Internal rule'],
})
export const RegulationState = dictionary('regulation_state', ['效力状态', 'Law status'], {
  draft: [0, '草稿', 'Draft', 'default'],
  waiting: [1, '待施行', 'Not yet in force', 'warning'],
  inForce: [2, '现行有效', 'In force', 'success'],
  superseded: [3, '已被修订', 'Superseded', 'default'],
  repealed: [4, '已废止', 'Repealed', 'error'],
})
export const State = { draft: 0, waiting: 1, inForce: 2, superseded: 3, repealed: 4 } as const
/** `takeEffect` and `supersede` come with the day, not by a person. */
export const regulationCan = moves(RegulationState, {
  publish: { 0: 1 },
  withdraw: { 1: 0 },
  takeEffect: { 1: 2 },
  supersede: { 2: 3 },
  repeal: { 1: 4, 2: 4 },
})

/** A law in one of its editions. */
export const Regulation = entity({
  id: id<'RegulationId'>(),
  lawId: ref<'LawId'>('法规', 'Law'),
  edition: whole('版次', 'Edition'),
  title: text('名称', 'Title', { max: 200 }),
  docNo: orNone(text('文号', 'Document number', { max: 80 })),
  kind: among('类型', 'Type', RegulationKind),
  issuer: orNone(text('发布机关', 'Issued by', { max: 100 })),
  issuedOn: orNone(day('发布日期', 'Issued on')),
  effectiveOn: orNone(day('施行日期', 'In force from')),
  repealedOn: orNone(day('废止日期', 'Repealed on')),
  state: among('效力', 'Status', RegulationState),
  summary: orNone(text('摘要', 'Summary', { max: 1_000 })),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
  attachments: attachments('附件', 'Attachments'),
  version: whole('版本', 'Version'),
  updatedAt: instant('更新时间', 'Updated at'),
})
/** `clauses` counts its clauses. */
export const RegulationNow = entity({ ...Regulation.properties, clauses: whole('条款数', 'Clauses') })
export const regulationSearch = searchOf(
  Regulation,
  { title: 'contains', kind: 'among', state: 'among', docNo: 'equals', issuer: 'equals', effectiveOn: 'between', lawId: 'equals' },
  { sort: ['updatedAt'] },
)

/** 第 `no` 条, or 第 `no` 条之 `subNo`, which a later law inserted behind it. Its words are plain paragraphs, one a line. */
export const CLAUSE_MAX = 5_000
export const CLAUSES_MAX = 2_000
/** As many are inserted behind one. */
export const SUB_NO_MAX = 99
export const Clause = entity(['条款', 'Clause'], {
  id: id<'ClauseId'>(),
  regulationId: ref<'RegulationId'>('法规', 'Law'),
  no: whole('条号', 'Clause', { min: 1, max: 9_999 }),
  subNo: whole('之几', 'Inserted', { min: 0, max: SUB_NO_MAX }),
  chapter: orNone(text('章节', 'Chapter', { max: 100 })),
  content: text('条文', 'Text', { max: CLAUSE_MAX }),
  version: whole('版本', 'Version'),
  updatedAt: instant('更新时间', 'Updated at'),
})
const DIGITS = ['', '一', '二', '三', '四', '五', '六', '七', '八', '九']
/** 1 to 99. */
const inWords = (no: number) => `${no < 20 ? '' : DIGITS[Math.floor(no / 10)]}${no < 10 ? '' : '十'}${DIGITS[no % 10]}`
/** The name of a clause: 第 3 条, 第 3 条之一. */
export const clauseName = (no: number, subNo: number): readonly [zh: string, en: string] =>
  subNo > 0 ? [`第 ${no} 条之${inWords(subNo)}`, `Clause ${no}-${subNo}`] : [`第 ${no} 条`, `Clause ${no}`]
export const clauseSearch = searchOf(
  Clause,
  { regulationId: 'equals', no: 'equals', subNo: 'equals', content: 'contains', chapter: 'equals' },
  { sort: ['no', 'subNo'], first: 'no,subNo', ascending: true },
)
export const RegulationWhole = entity({
  ...RegulationNow.properties,
  editions: shaped('各版次', 'Editions', listOf(pick(Regulation, 'id', 'edition', 'state', 'effectiveOn'))),
})

/** A fault at one place of an imported file, and why that place is refused. */
export const ImportedClause = entity({
  row: whole('行', 'Row'),
  no: orNone(whole('条号', 'Clause')),
  subNo: whole('之几', 'Inserted'),
  chapter: orNone(text('章节', 'Chapter', { max: 100 })),
  content: text('条文', 'Text', { min: 0, max: CLAUSE_MAX + 100 }),
  fault: orNone(text('问题', 'Problem', { max: 200 })),
})
export const ClauseImport = entity({
  /** False: a trial, or nothing could be imported. */
  written: yes('已导入', 'Imported'),
  added: whole('新增', 'Added'),
  bad: whole('有误', 'With errors'),
  rows: shaped('条款', 'Clauses', listOf(ImportedClause)),
})

const WRITTEN = ['docNo', 'issuer', 'issuedOn', 'effectiveOn', 'repealedOn', 'summary', 'remark', 'attachments'] as const
const publish = 'system:regulation:publish'
const view = { service: 'basic', needs: 'system:regulation:view' } as const
const edit = { service: 'basic', needs: 'system:regulation:edit', writes: true } as const
export const regulation = {
  getInfoList: call('system.regulation.get-info-list', {
    ...view,
    post: '/regulation/getInfoList',
    body: paged(regulationSearch),
    reply: pageOf(RegulationNow),
  }),
  detail: call('system.regulation.detail', { ...view, get: '/regulation/getInfo', own: true, query: pick(Regulation, 'id'), reply: RegulationWhole }),
  getClauseList: call('system.regulation.get-clause-list', {
    ...view,
    post: '/regulation/getClauseList',
    body: paged(clauseSearch),
    reply: pageOf(Clause),
  }),
  add: call('system.regulation.add', {
    ...edit,
    post: '/regulation/add',
    does: ['新增法规', 'Added a law'],
    body: pickSome(Regulation, ['title', 'kind'], WRITTEN),
    reply: Regulation,
  }),
  update: call('system.regulation.update', {
    ...edit,
    post: '/regulation/update',
    does: ['修改法规', 'Changed a law'],
    body: pickSome(Regulation, ['id', 'version'], ['title', 'kind', ...WRITTEN]),
    reply: Regulation,
  }),
  /** Deletes a draft only: a regulation that was once published is repealed and stays readable. */
  delete: call('system.regulation.delete', {
    ...edit,
    delete: '/regulation/delete',
    does: ['删除法规', 'Deleted a law'],
    query: pick(Regulation, 'id'),
    reply: nothing,
  }),
  /** Published it comes into force on its day, which may be today or past; repealed it ends on `on`, today when left out. */
  move: call('system.regulation.move', {
    service: 'basic',
    post: '/regulation/updateState',
    writes: true,
    own: true,
    needs: publish,
    does: ['变更法规状态', 'Changed a law’s status'],
    body: message(
      { id: Regulation.properties.id, version: Regulation.properties.version, to: among('状态', 'Status', RegulationState) },
      { on: day('日期', 'Date'), reason: text('原因', 'Reason', { max: 200 }) },
    ),
    reply: Regulation,
  }),
  /** A draft of the next edition, with all clauses. */
  revise: call('system.regulation.revise', {
    ...edit,
    post: '/regulation/newEdition',
    own: true,
    does: ['修订法规', 'Created a new edition of a law'],
    body: pick(Regulation, 'id'),
    reply: Regulation,
  }),
  addClause: call('system.regulation.add-clause', {
    ...edit,
    post: '/regulation/addClause',
    does: ['新增条款', 'Added a clause'],
    body: pickSome(Clause, ['regulationId', 'no', 'content'], ['subNo', 'chapter']),
    reply: Clause,
  }),
  updateClause: call('system.regulation.update-clause', {
    ...edit,
    post: '/regulation/updateClause',
    does: ['修改条款', 'Changed a clause'],
    body: pickSome(Clause, ['id', 'version'], ['no', 'subNo', 'content', 'chapter']),
    reply: Clause,
  }),
  deleteClause: call('system.regulation.delete-clause', {
    ...edit,
    delete: '/regulation/deleteClause',
    does: ['删除条款', 'Deleted a clause'],
    query: pick(Clause, 'id'),
    reply: nothing,
  }),
  /** From .xlsx, .xls, .csv (columns 章节, 条号 (5, 第五条, 第五条之一), 条文) or the words of a .docx or .doc, cut at 第…条. All or nothing, unless `skipBad`; `dryRun` only looks. */
  importClause: call('system.regulation.import-clause', {
    ...edit,
    post: '/regulation/importClause',
    does: ['导入条款', 'Imported clauses'],
    multipart: message(
      { file: upload('文件', 'File'), regulationId: Clause.properties.regulationId },
      { skipBad: yes('跳过有误的行', 'Skip rows with errors'), dryRun: yes('只检查', 'Check only') },
    ),
    reply: ClauseImport,
  }),
}
