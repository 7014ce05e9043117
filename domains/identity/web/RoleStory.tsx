import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { Facts, Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { can } from '../../../platform/web/person.ts'
import { useText } from '../../../platform/web/text.ts'
import { ParkNames } from '../../parking/web/api/names.tsx'
import { person } from '../contract/person.ts'
import { Role, type RoleDetail } from '../contract/role.ts'
import { Opens } from './Opens.tsx'
import './identity.css'

const STAFF = '/appManage/organization/staff'

/** One role: whom a change of it concerns, and what it opens. */
export function RoleStory({ of }: { of: Of<typeof RoleDetail> }) {
  const say = useText()
  return (
    <>
      <Facts
        entity={Role}
        of={of}
        show={[
          'grants',
          'dataScope',
          { label: ['指定车场', 'Chosen car parks'], value: <ParkNames codes={of.parks} /> },
          'secondFactor',
          'builtIn',
          'createdAt',
          'remark',
        ]}
      />
      <Section title={['持有人员', 'Holders']} aside={<span className="soft">{of.holders.length + of.holdersUnseen}</span>}>
        <div className="holders">
          {of.holders.map(({ id, name, username }) =>
            can(person.detail.needs) ? (
              <Link key={id} to={`${STAFF}/${id}`} title={username}>
                {name}
              </Link>
            ) : (
              <span key={id} title={username}>
                {name}
              </span>
            ),
          )}
          {of.holdersUnseen > 0 && (
            <span className="faint">
              {say([`另有 ${of.holdersUnseen} 人不在您的数据范围内`, `${of.holdersUnseen} more are outside your data scope`])}
            </span>
          )}
          {of.holders.length + of.holdersUnseen === 0 && <span className="faint">{say(['还没有人持有', 'No holders yet'])}</span>}
        </div>
      </Section>
      <Section title={['打开的菜单与按钮', 'Menus and buttons']}>
        <Opens of={of.opens} buttons={of.buttons} />
      </Section>
    </>
  )
}
