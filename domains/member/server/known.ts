import type { Instant } from '../../../platform/contract/field.ts'
import { type Source, sourceOf } from '../../../platform/server/record/known.ts'
import { seat as pass, PassStatus } from '../contract/pass.ts'
import { ListStatus, ListType, whiteBlack } from '../contract/whiteBlack.ts'

interface PassRow {
  id: string
  passNo: string
  holder: string
  phone: string | null
  groupName: string | null
  plates: string[]
  status: keyof typeof PassStatus.entries
  startAt: Instant
}
const PASS =
  'select h.id, h.pass_no, h.holder, h.phone, h.group_name, h.plates, h.status, h.start_at from member.held h where h.enterprise_id = scope_enterprise() and h.id in'
interface ListRow {
  id: string
  plateNo: string
  listType: keyof typeof ListType.entries
  status: keyof typeof ListStatus.entries
  parkCode: string | null
  remark: string | null
  startAt: Instant
}

export const known: Source[] = [
  sourceOf<PassRow>()({
    name: 'member.pass',
    label: ['月卡', 'Passes'],
    needs: pass.query.needs,
    by: {
      plate: {
        sql: `${PASS} (select x.pass_id from member.pass_car x where x.enterprise_id = scope_enterprise() and x.plate_no = $1) order by h.start_at desc limit $2`,
      },
      phone: {
        sql: `${PASS} (select p.id from member.pass p join member.customer c on c.enterprise_id = p.enterprise_id and c.id = p.member_id where p.enterprise_id = scope_enterprise() and c.phone = $1) order by h.start_at desc limit $2`,
      },
      code: { sql: `${PASS} (select p.id from member.pass p where p.enterprise_id = scope_enterprise() and p.pass_no = $1) limit $2` },
    },
    tell: ({ id, passNo, holder, phone, groupName, plates, status, startAt }) => {
      const [zh, en] = PassStatus.entries[status]
      const of = [holder, groupName, plates.join(' ')].filter(Boolean).join(' ')
      return { key: id, title: passNo, zh: `${of}，${zh}`, en: `${of}, ${en}`, phone, at: startAt }
    },
  }),
  sourceOf<ListRow>()({
    name: 'member.list',
    label: ['黑白名单', 'White and black lists'],
    needs: whiteBlack.queryPage.needs,
    by: {
      plate: {
        sql: `select l.id, l.plate_no, l.list_type, l.status, l.park_code, l.remark, l.start_at from member.listed l
        where l.enterprise_id = scope_enterprise() and l.plate_no = $1 order by l.start_at desc limit $2`,
      },
    },
    tell: ({ id, plateNo, listType, status, parkCode, remark, startAt }) => {
      const [zh, en] = ListType.entries[listType]
      const [isZh, isEn] = ListStatus.entries[status]
      const more = [parkCode, remark].filter(Boolean).join(' ')
      return { key: id, title: plateNo, zh: `${zh}，${isZh} ${more}`.trim(), en: `${en}, ${isEn} ${more}`.trim(), at: startAt }
    },
  }),
]
