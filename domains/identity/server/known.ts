import { type Source, sourceOf } from '../../../platform/server/record/known.ts'
import { person } from '../contract/person.ts'

interface PersonRow {
  id: string
  name: string
  username: string
  staffNo: string | null
  phone: string | null
}
const PERSON = 'select p.id, p.name, p.username, p.staff_no, p.phone from identity.person p where p.enterprise_id = scope_enterprise()'

export const known: Source[] = [
  sourceOf<PersonRow>()({
    name: 'identity.person',
    label: ['员工', 'Users'],
    needs: person.queryPage.needs,
    by: {
      phone: { sql: `${PERSON} and p.phone = $1 order by p.username limit $2` },
      code: { sql: `${PERSON} and p.staff_no = $1 order by p.username limit $2` },
    },
    tell: ({ id, name, username, staffNo, phone }) => {
      const of = [username, staffNo].filter(Boolean).join(' ')
      return { key: id, title: name, zh: of, en: of, phone, path: `/appManage/organization/staff?${new URLSearchParams({ username })}` }
    },
  }),
]
