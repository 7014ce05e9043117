import type { Instant, Of } from '../../../platform/contract/field.ts'
import { dayOf, instantAt, msOf, startOf, DAY_MS } from '../../../platform/contract/time.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { announce } from '../../../platform/server/events.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, json, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { NoticeLine, notice, noticeSearch, NoticeState, NoticeType } from '../contract/notice.ts'
import { ProjectType, RentState } from '../contract/project.ts'
import { OwnWork } from './bidder.ts'
import { periodsOf, workdaysAfter } from './days.ts'
import { advance } from './life.ts'
import { shownTo } from './notices.ts'
import { correct } from './project.ts'
import { noticeOut } from './events.ts'
import { lockProject, moveProject, type NoticeRow, notices } from './row.ts'

/** A number is looked for as a whole, and not in part of another. */
const byNumber = { ...noticeSearch, operators: { ...noticeSearch.operators, toldTo: 'contains' } } as typeof noticeSearch
const lines = listOver(NoticeLine, 'rent.noticeLine', byNumber)
const TooShort = refusal(
  'rent.notice-too-short',
  42420,
  '招租公告须在报名截止前至少 {count} 个工作日发布，报名截止不得早于 {day}',
  'Publish it at least {count:working day} before enrolment closes: closing can be {day} at the earliest',
  422,
)
const Announced = refusal(
  'rent.announced-already',
  42421,
  '项目已公告，变更请发布更正公告',
  'The project is already announced: publish a correction instead',
)
const NotAnnounced = refusal(
  'rent.not-announced',
  42422,
  '项目尚未公告，请先发布招租公告',
  'The project is not announced yet: publish its letting notice first',
)

const NoSealKey = refusal(
  'rent.no-seal-key',
  42410,
  '密封竞价须先由经办、审批、公证三人领取开标密钥',
  'Before a sealed letting is published its handler, approver and notary must each take an opening key',
  422,
)
const AnothersCorrection = refusal(
  'rent.anothers-correction',
  42424,
  '更正由{name}提出，只能由其修改；不同意请删除草稿',
  '{name} asked for this correction and alone may change its text: if you disagree, delete the draft',
  422,
)

export const calls = serve(notice, {
  query: ({ tx, input: { workDate, tollNos, ...input } }) =>
    page(tx, lines, {
      ...input,
      ...(tollNos && { toldTo: ` ${numbersIn(tollNos).join(' ')} ` }),
      ...(workDate && { state: [NoticeState.published], publishAtTo: instantAt(msOf(startOf(workDate)) + DAY_MS - 1), showToFrom: workDate }),
    }),
  async one({ tx, input }) {
    const found = await find(tx, lines, input.id)
    if (!found) throw NotFound()
    return found
  },
  async add({ tx, input: { files = [], showTo, ...input }, actor, at }) {
    const { parkCode } = await lockProject(tx, input.projectId)
    const maker = { makerId: actor.userId, makerName: actor.userName, createdAt: at, updatedAt: at }
    return addRow(tx, notices, { ...input, parkCode, files: json(files), showTo: showTo ?? shownTo(at), ...maker })
  },
  async update({ tx, input: { id, version, files, ...input }, actor, at }) {
    const found = await draft(tx, { id, version })
    if (found.terms && found.makerId !== (actor.userId as string)) throw AnothersCorrection({ name: found.makerName })
    const maker = { makerId: actor.userId, makerName: actor.userName }
    return setRow(tx, notices, found, { ...input, ...(files && { files: json(files) }), ...maker }, at)
  },
  del: ({ tx, input, at }) => del(tx, input, at),
  delPost: ({ tx, input, at }) => del(tx, input, at),
  async publish({ tx, input, actor, at }) {
    const found = await draft(tx, input)
    if (found.makerId === (actor.userId as string)) throw OwnWork()
    const project = await lockProject(tx, found.projectId)
    if (found.type === NoticeType.letting) {
      if (project.state !== RentState.draft) throw Announced()
      if (project.type === ProjectType.sealed && project.sealKey === null) throw NoSealKey()
      const { letting } = await periodsOf(tx)
      const day = await workdaysAfter(tx, at, letting)
      if (dayOf(project.enrollTo) < day) throw TooShort({ day, count: letting })
      await advance(tx, await moveProject(tx, project, 'announce', {}, at), at)
    } else if (project.state === RentState.draft) throw NotAnnounced()
    else if (found.terms) await correct(tx, await advance(tx, project, at), found.terms, at)
    await tellField(tx, found, actor.userName)
    const published = { state: NoticeState.published, publishAt: at, publisherId: actor.userId, publisherName: actor.userName }
    return setRow(tx, notices, found, published, at)
  },
  async withdraw({ tx, input: { id, version, reason }, at }) {
    const found = await lockRow(tx, notices, { id, version })
    if (found.state !== NoticeState.published) throw IllegalMove({ state: found.state })
    return setRow(tx, notices, found, { state: NoticeState.withdrawn, withdrawnWhy: reason }, at)
  },
})
/** Numbers as a person writes them, one behind the other. */
const NUMBERS = /[,，、;；\s]+/
const numbersIn = (typed: string): string[] => typed.split(NUMBERS).filter(Boolean)
async function tellField(tx: Tx, { title, content, tollType, tollNos }: NoticeRow, senderName: string): Promise<void> {
  const numbers = numbersIn(tollNos ?? '')
  if (tollType === null && numbers.length === 0) return
  await announce(tx, noticeOut, { title, content, tollType, tollNos: numbers, senderName })
}
async function draft(tx: Tx, which: { id: string; version: number }) {
  const found = await lockRow(tx, notices, which)
  if (found.state !== NoticeState.draft) throw IllegalMove({ state: found.state })
  return found
}
async function del(tx: Tx, input: Of<typeof notice.del.input>, at: Instant) {
  await removeRow(tx, notices, await draft(tx, input), at)
  return {}
}
