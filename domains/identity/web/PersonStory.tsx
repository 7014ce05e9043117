import { useQuery } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { Facts, Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { can } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Time } from '../../../platform/web/value.tsx'
import { ParkNames } from '../../parking/web/api/names.tsx'
import { Person, type PersonDetail } from '../contract/person.ts'
import { session } from '../contract/session.ts'
import { Opens } from './Opens.tsx'
import './identity.css'

type Detail = Of<typeof PersonDetail>
export const ROLES = '/appManage/permission/roles'

/** One person: their rights and scope, their present sessions, and the reasons why they do not see other pages. */
export function PersonStory({ of }: { of: Detail }) {
  const say = useText()
  return (
    <>
      <Facts entity={Person} of={of} show={['username', 'departmentName', 'phone', 'staffNo', 'email', 'secondFactor', 'createdAt', 'remark']} />
      <Section title={['角色与数据范围', 'Roles and data scope']}>
        <div className="holders">
          {of.roles.map(({ id, name }) => (
            <Link key={id} to={`${ROLES}/${id}`}>
              {name}
            </Link>
          ))}
          {of.roles.length === 0 && (
            <span className="faint">{say(['没有角色，登录后什么也看不到', 'No role: nothing is visible after sign-in'])}</span>
          )}
        </div>
        <p className="soft seen">
          {say(['可见车场', 'Car parks'])}:{' '}
          {!of.parks ? say(['企业全部', 'whole enterprise']) : of.parks.length > 0 ? <ParkNames codes={of.parks} /> : say(['无', 'none'])}
          {' · '}
          {say(['可见人员', 'People'])}:{' '}
          {of.departments ? of.departments.join(say(['、', ', '])) || say(['仅本人', 'self only']) : say(['企业全部', 'whole enterprise'])}
        </p>
      </Section>
      {can(session.listOf.needs) && <Sessions of={of} />}
      <Section title={['可用菜单', 'Available menus']}>
        <Opens of={of.opens} />
      </Section>
      {of.unseen.length > 0 && <Unseen of={of.unseen} />}
    </>
  )
}

function Sessions({ of: { id } }: { of: Detail }) {
  const say = useText()
  const { data } = useQuery(asks(session.listOf, { custId: id }, { quiet: true }))
  const act = useAct([session.listOf])
  return (
    <Section title={['当前会话', 'Current sessions']}>
      {data?.length === 0 && <p className="faint">{say(['此人当前没有登录。', 'This person is not signed in.'])}</p>}
      <ul className="sessions">
        {(data ?? []).map((one) => (
          <li key={one.id}>
            <div>
              {[one.browser, one.userSystem].filter(Boolean).join(' · ') || say(['未知客户端', 'Unknown client'])}{' '}
              <span className="soft">{one.ip}</span>
              <div className="faint">
                {say(['登录', 'Signed in'])} <Time at={one.startedAt} /> · {say(['最近活动', 'last active'])} <Time at={one.seenAt} />
              </div>
            </div>
            {one.current ? (
              <span className="faint">{say(['当前会话', 'This session'])}</span>
            ) : (
              can(session.endOf.needs) && (
                <Button size="small" onClick={() => void act(session.endOf, { id: one.id }, { done: ['会话已结束', 'Session ended'] })}>
                  {say(['结束', 'End'])}
                </Button>
              )
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

const UNSEEN_SHOWN = 30
/** "Why can't I see this?": each screen that is not offered names what is lacking. */
function Unseen({ of }: { of: Detail['unseen'] }) {
  const say = useText()
  const [wanted, setWanted] = useState('')
  const text = wanted.trim().toLowerCase()
  const found = of.filter((one) => !text || [one.name, one.nameEn, one.url, ...one.lacks].some((word) => word.toLowerCase().includes(text)))
  return (
    <Section
      title={['看不到的菜单及原因', 'Menus not visible, and why']}
      aside={
        <Input
          allowClear
          size="small"
          style={{ width: 200 }}
          value={wanted}
          onChange={({ target }) => setWanted(target.value)}
          placeholder={say(['菜单名称或权限', 'Menu or permission'])}
          aria-label={say(['查找', 'Find'])}
        />
      }
    >
      <table className="lines">
        <tbody>
          {found.slice(0, UNSEEN_SHOWN).map((one) => (
            <tr key={one.url}>
              <td>{say([one.name, one.nameEn])}</td>
              <td className="faint">{one.url}</td>
              <td className="wrap">
                {one.hidden
                  ? say(['菜单已对所有人隐藏', 'Hidden from everyone'])
                  : one.lacks.length > 0
                    ? `${say(['缺少', 'lacks'])} ${one.lacks.join(say(['、', ', ']))}`
                    : say(['没有角色勾选此菜单', 'None of their roles includes this menu'])}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {found.length > UNSEEN_SHOWN && (
        <p className="faint">
          {say([`还有 ${found.length - UNSEEN_SHOWN} 项，可按名称查找`, `${found.length - UNSEEN_SHOWN} more; search by name`])}
        </p>
      )}
    </Section>
  )
}
