import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { Navigate } from 'react-router'
import { person } from '../../../platform/web/person.ts'
import { language, type Text, useText } from '../../../platform/web/text.ts'
import { HOME, LOGIN } from '../address.ts'
import { useSettings, useTitle } from '../Frame.tsx'
import { Idle } from '../own/Idle.tsx'
import { actFor, logout, type Session } from '../session.ts'

const PasswordDialog = lazy(() => import('../own/PasswordDialog.tsx'))
const TITLE: Text = ['请先给用户分配菜单', 'Assign menus to this user first']

/** In place of the console for whoever has no menu: why, and what to do about it. It gives way to the console as soon as somebody grants one. */
export function NoMenus({ session: { accounts, mustChangePassword } }: { session: Session }) {
  const say = useText()
  const who = person.use()
  const [changing, setChanging] = useState(false)
  useSettings()
  useTitle(TITLE)
  return (
    <main className="no-menus" tabIndex={-1}>
      <Navigate to={LOGIN} replace />
      <div className="nothing" role="alert">
        <h1>{say(TITLE)}</h1>
        <p>
          {say([
            `${who?.name ?? ''}，您的账号还没有任何菜单，所以没有可以打开的页面。请联系${who?.enterpriseName ?? ''}的管理员，为您分配带菜单的角色；分配后本页会自动打开。`,
            `${who?.name ?? ''}, no menus were granted to your account, so there is no page to open. Ask an administrator of ${who?.enterpriseName ?? ''} for a role with menus; the console then opens by itself.`,
          ])}
        </p>
      </div>
      <p className="no-menus-acts">
        <Button type="primary" onClick={() => void logout()}>
          {say(['退出登录', 'Log out'])}
        </Button>
        <Button onClick={() => setChanging(true)}>{say(['修改密码', 'Change password'])}</Button>
        {accounts
          .filter(({ current }) => !current)
          .map(({ id, name }) => (
            <Button key={id} onClick={() => void actFor(id)}>
              {say([`切换到${name}`, `Switch to ${name}`])}
            </Button>
          ))}
        <Button type="text" onClick={() => language.set(language.get() === 'en' ? 'zh-chs' : 'en')}>
          {say(['English', '中文'])}
        </Button>
      </p>
      <Idle path={HOME} />
      {(changing || mustChangePassword) && (
        <Suspense>
          <PasswordDialog must={mustChangePassword} onClose={() => setChanging(false)} />
        </Suspense>
      )}
    </main>
  )
}
