import { call, pageOf } from '../../../platform/contract/call.ts'
import { among, dictionary, entity, id, instant, message, pick, rowFields, text, whole } from '../../../platform/contract/field.ts'
import { Project, type ProjectId } from './project.ts'

/** The holders of the key parts by which the sealed bids of a project open: two of three open them, one opens nothing. */
export const SealHolder = dictionary('rent_seal_holder', ['开标密钥持有人', 'Opening key holder'], {
  handler: [1, '经办', 'Handler'],
  approver: [2, '审批', 'Approver'],
  notary: [3, '公证', 'Notary'],
})
/** As text of a URL: 32 bytes. */
const KEY = '^[0-9A-Za-z_-]{43}$'
export const SealPart = entity(['开标密钥', 'Opening key'], {
  ...rowFields<'RentSealPartId'>(),
  projectId: id<ProjectId>('项目', 'Project'),
  parkCode: Project.properties.parkCode,
  holder: among('持有人身份', 'Held as', SealHolder),
  personId: id<'PersonId'>('持有人编号', 'Held by (id)'),
  personName: text('持有人', 'Held by'),
  publicKey: text('公钥', 'Public key', { max: 43, pattern: KEY }),
})
/** A bid that the bidder's browser encrypted: nobody reads it before bidding is over. */
export const Sealed = entity(['密封报价', 'Sealed bid'], {
  id: id<'RentSealedId'>(),
  projectId: SealPart.properties.projectId,
  parkCode: Project.properties.parkCode,
  enrollId: id<'RentEnrollmentId'>('报名', 'Enrolment'),
  cipher: text('密文', 'Cipher', { min: 64, max: 1_000, pattern: '^[0-9A-Za-z_-]+$' }),
  commitment: text('承诺值', 'Commitment', { max: 64, pattern: '^[0-9a-f]{64}$' }),
  hash: text('密文摘要', 'Hash of the cipher', { max: 64 }),
  at: instant('时间', 'Time'),
})
/** A sealed bid as everybody may see it at once: the bidder's number, and the hash by which nobody can change it. */
export const SealedLine = entity({
  id: Sealed.properties.id,
  bidderNo: whole('竞买号', 'Bidder number', { min: 1 }),
  hash: Sealed.properties.hash,
  at: Sealed.properties.at,
})
const { projectId } = SealPart.properties
const code = (zh: string, en: string) => text(zh, en, { max: 43, pattern: KEY })
const hold = { service: 'business', needs: 'rent:seal:hold', writes: true, own: true } as const
export const seals = {
  query: call('rent.seal.query', {
    service: 'business',
    own: true,
    needs: 'rent:project:view',
    post: '/rentSeal/query',
    body: message({ projectId }),
    reply: pageOf(SealPart),
  }),
  /** Takes a part of the key, as a draft still: with the third the key is there, and what opens it is with the three alone. */
  join: call('rent.seal.join', {
    ...hold,
    post: '/rentSeal/join',
    does: ['领取开标密钥', 'Took a part of an opening key'],
    body: pick(SealPart, 'projectId', 'holder', 'publicKey'),
    reply: SealPart,
  }),
  /** Two holders, in one act, once bidding is over. */
  open: call('rent.seal.open', {
    ...hold,
    post: '/rentSeal/open',
    does: ['开启密封报价', 'Opened sealed bids'],
    body: message({ projectId, firstCode: code('第一份开标密钥', 'First key'), secondCode: code('第二份开标密钥', 'Second key') }),
    reply: Project,
  }),
  bids: call('rent.seal.bids', {
    service: 'business',
    own: true,
    needs: 'rent:award:view',
    post: '/rentSeal/bids',
    body: message({ projectId }),
    reply: pageOf(SealedLine),
  }),
}
