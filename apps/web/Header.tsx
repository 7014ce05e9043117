import {
  AppstoreOutlined,
  BellOutlined,
  CompressOutlined,
  ExpandOutlined,
  HomeOutlined,
  MenuFoldOutlined,
  MenuUnfoldOutlined,
  MoonOutlined,
  QuestionCircleOutlined,
  SearchOutlined,
  SunOutlined,
  SwapOutlined,
} from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Dropdown, Popover, Tooltip } from 'antd'
import { lazy, memo, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { record } from '../../domains/message/contract/record.ts'
import { asks } from '../../platform/web/ask.ts'
import { exportsShown } from '../../platform/web/sheet/exportsShown.ts'
import { failures } from '../../platform/web/page/failures.ts'
import { confirm } from '../../platform/web/page/hosts.tsx'
import { isCovered, useKeys } from '../../platform/web/page/keys.tsx'
import { useFrames } from '../../platform/web/live.ts'
import { person } from '../../platform/web/person.ts'
import { language, type Text, useText } from '../../platform/web/text.ts'
import { chosen, useLook } from '../../platform/web/theme.ts'
import { HOME } from './address.ts'
import { dialog } from './own/dialogs.ts'
import { greetingAt, hourNow } from './own/greeting.ts'
import { lockNow } from './own/lock.ts'
import { headerChoice, type Route } from './menu/menu.ts'
import { nameIn, settings } from './settings.ts'
import { actFor, logout, type Session, unread, useOpens } from './session.ts'
import { useMenuChoice } from './menu/useMenuChoice.ts'

const Notices = lazy(() => import('./Notices.tsx'))
const SearchPanel = lazy(() => import('./search/SearchPanel.tsx'))
const PasswordDialog = lazy(() => import('./own/PasswordDialog.tsx'))
const Exports = lazy(() => import('../../domains/system/web/Exports.tsx'))
const MySecurity = lazy(() => import('../../domains/identity/web/MySecurity.tsx'))
const HelpDrawer = lazy(() => import('../../domains/system/web/help/HelpDrawer.tsx'))
const SettingsDialog = lazy(() => import('./own/SettingsDialog.tsx'))

/** The route that the bell links to. */
export const MESSAGES = '/operation/message/record'

interface Props {
  session: Session
  front: Route | undefined
  folded: boolean
  onFold: () => void
}
export const Header = memo(function Header({ session, front, folded, onFold }: Props) {
  const say = useText()
  const navigate = useNavigate()
  const name = nameIn(settings.use())
  return (
    <header className="top">
      <Link to={HOME} className="brand" aria-label={say(name)}>
        {say(name)}
      </Link>
      <IconButton
        text={folded ? ['展开菜单', 'Expand menu'] : ['收起菜单', 'Collapse menu']}
        icon={folded ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
        onClick={onFold}
      />
      <IconButton text={['首页', 'Home']} icon={<HomeOutlined />} onClick={() => void navigate('/')} />
      <AllMenus session={session} />
      <Trail front={front} />
      <span className="push" />
      <Companies session={session} />
      <Search session={session} />
      <Help path={front?.path ?? HOME} />
      <Bell />
      <FullScreen />
      <Button type="text" className="language" onClick={() => language.set(language.get() === 'en' ? 'zh-chs' : 'en')}>
        {say(['English', '中文'])}
      </Button>
      <LightOrDark />
      <UserMenu />
    </header>
  )
})

function IconButton({ text, ...button }: { text: Text; icon: ReactNode; onClick: () => void; className?: string }) {
  const say = useText()
  return (
    <Tooltip title={say(text)} mouseEnterDelay={0.6}>
      <Button type="text" aria-label={say(text)} {...button} />
    </Tooltip>
  )
}

/** The help, at the page that explains the screen in front. */
function Help({ path }: { path: string }) {
  const [open, setOpen] = useState(false)
  const text: Text = ['帮助（h）', 'Help (h)']
  useKeys({ h: { text: ['本页帮助', 'Help for this page'], run: () => setOpen(true) } })
  return (
    <>
      <IconButton text={text} className="help-button" icon={<QuestionCircleOutlined />} onClick={() => setOpen(true)} />
      {open && (
        <Suspense>
          <HelpDrawer path={path} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** The areas of the person's menu: each leads to its first page, or out of the console. */
function AllMenus({ session }: { session: Session }) {
  const say = useText()
  const choose = useMenuChoice()
  const items = session.menu.map((entry) => ({ key: entry.id, label: say(entry.name), onClick: () => choose(entry, headerChoice(entry)) }))
  return (
    <Dropdown menu={{ items }} trigger={['click']}>
      <Button type="text" icon={<AppstoreOutlined />} aria-label={say(['功能导航', 'All areas'])} className="areas" />
    </Dropdown>
  )
}

function Trail({ front }: { front: Route | undefined }) {
  const say = useText()
  if (!front) return null
  return (
    <span className="trail soft">
      {front.under.map((name) => (
        <span key={name[1]}>
          {say(name)} <i className="faint">/</i>{' '}
        </span>
      ))}
      {say(front.name)}
    </span>
  )
}

/** For whom one acts, where there is a choice. */
function Companies({ session: { accounts } }: { session: Session }) {
  const say = useText()
  const [going, setGoing] = useState(false)
  const now = accounts.find(({ current }) => current)
  if (accounts.length < 2) return null
  const change = async (id: number, name: string) => {
    const sure = await confirm({
      title: say([`切换到「${name}」？`, `Switch to “${name}”?`]),
      content: say(['已打开的页面会全部关闭，未保存的修改不会保留。', 'All open pages will be closed and unsaved changes lost.']),
      okText: say(['切换', 'Switch']),
      cancelText: say(['取消', 'Cancel']),
    })
    if (!sure) return
    setGoing(true)
    await actFor(id).catch(() => setGoing(false)) // shown and noted by `ask`
  }
  const items = accounts.map(({ id, name, current }) => ({ key: String(id), label: name, disabled: current, onClick: () => void change(id, name) }))
  return (
    <Dropdown menu={{ items, selectedKeys: [String(now?.id)] }} trigger={['click']}>
      <Button
        type="text"
        className="company"
        icon={<SwapOutlined />}
        loading={going}
        aria-label={`${say(['切换企业', 'Switch enterprise'])} ${now?.name ?? ''}`}
      >
        {now?.name}
      </Button>
    </Dropdown>
  )
}

function Search({ session }: { session: Session }) {
  const say = useText()
  const [open, setOpen] = useState(false)
  useKeys({ s: { text: ['搜索页面', 'Find a page'], run: () => setOpen(true) } })
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k' || isCovered()) return
      event.preventDefault()
      setOpen(true)
    }
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  }, [])
  return (
    <>
      <button type="button" className="jump" aria-label={say(['搜索页面 s', 'Find a page s'])} onClick={() => setOpen(true)}>
        <SearchOutlined /> <span>{say(['搜索页面', 'Find a page'])}</span> <kbd>s</kbd>
      </button>
      {open && (
        <Suspense>
          <SearchPanel session={session} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

const BADGE_MOST = 99
export const badgeOf = (total: number) => (total > BADGE_MOST ? `${BADGE_MOST}+` : String(total))
/**
 * The one place for notices: how many are unread, and a mark when something went wrong since the console was opened. Under the mouse, or by key, it shows the last ones, what is
 * urgent first; a click leads to all of them. Asked for when the console opens and whenever a message is pushed to the person.
 */
function Bell() {
  const say = useText()
  const navigate = useNavigate()
  const custId = person.use()?.custId ?? ''
  const failed = failures.use().length
  const [open, setOpen] = useState(false)
  const opens = useOpens(MESSAGES)
  // Only how many there are is shown: nothing personal is in sight.
  const one = useQuery({ ...asks(record.queryMessageRecord, { custId, readState: 0, current: 1, limit: 1 } as never, { quiet: true }), meta: {} })
  useFrames('message.', () => void one.refetch())
  useKeys({ m: { text: ['最近消息', 'Latest messages'], run: () => setOpen(true) } })
  const total = one.data?.total ?? 0
  useEffect(() => unread.set(total), [total])
  const name = [say(['消息', 'Messages']), total || '', failed > 0 ? say([`出错记录 ${failed}`, `${failed} failed`]) : '']
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      destroyOnHidden
      trigger="hover"
      mouseEnterDelay={HOVER_S}
      placement="bottomRight"
      content={
        <Suspense fallback=" ">
          <Notices onClose={() => setOpen(false)} />
        </Suspense>
      }
    >
      <Button
        type="text"
        className={`bell${failed > 0 ? ' failing' : ''}`}
        aria-label={name.filter(Boolean).join(' ')}
        icon={<BellOutlined />}
        onClick={() => {
          // Without the page of messages the bell’s own list is what there is.
          setOpen(!opens)
          if (opens) void navigate(MESSAGES)
        }}
      >
        {total > 0 ? <sup data-badge>{badgeOf(total)}</sup> : failed > 0 && <sup>!</sup>}
      </Button>
    </Popover>
  )
}
const HOVER_S = 0.2

function FullScreen() {
  const [full, setFull] = useState(false)
  useEffect(() => {
    const follow = () => setFull(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', follow)
    return () => document.removeEventListener('fullscreenchange', follow)
  }, [])
  const turn = () => void (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => {})
  return (
    <IconButton
      text={full ? ['退出全屏', 'Exit full screen'] : ['全屏', 'Full screen']}
      icon={full ? <CompressOutlined /> : <ExpandOutlined />}
      onClick={turn}
    />
  )
}

function LightOrDark() {
  const { dark } = useLook()
  return (
    <IconButton
      text={dark ? ['浅色', 'Light'] : ['深色', 'Dark']}
      icon={dark ? <SunOutlined /> : <MoonOutlined />}
      onClick={() => chosen.mode.set(dark ? 'light' : 'dark')}
    />
  )
}

/** The drawer of one's own exports: open by its button, or by the link of the message that one is ready. */
function useExports(): boolean {
  const { pathname, search } = useLocation()
  const linked = pathname === HOME && new URLSearchParams(search).has('exports')
  useEffect(() => void (linked && exportsShown.set(true)), [linked, search])
  return exportsShown.use()
}

function UserMenu() {
  const say = useText()
  const who = person.use()
  const exporting = useExports()
  const open = dialog.use()
  const name = who?.name ?? ''
  const greeting = `${say(greetingAt(hourNow()))}${say(['，', ', '])}${name}`
  const items = [
    { key: 'password', label: say(['修改密码', 'Change password']), onClick: () => dialog.set('password') },
    { key: 'security', label: say(['登录安全', 'Sign-in security']), onClick: () => dialog.set('security') },
    { key: 'settings', label: say(['我的设置', 'My settings']), onClick: () => dialog.set('settings') },
    { key: 'exports', label: say(['我的导出', 'My exports']), onClick: () => exportsShown.set(true) },
    { key: 'lock', label: say(['锁屏', 'Lock the screen']), onClick: () => void lockNow().catch(() => {}) },
    { type: 'divider' as const },
    { key: 'logout', label: say(['退出登录', 'Log out']), onClick: () => void logout({ asks: true }) },
  ]
  return (
    <>
      <Dropdown menu={{ items }} trigger={['click']}>
        <button type="button" className="who" aria-label={`${greeting} ${say(['用户菜单', 'User menu'])}`}>
          <span className="greeting">{greeting}</span>
          <span className="me" data-letter={[...name][0]?.toUpperCase()} />
        </button>
      </Dropdown>
      <Suspense>
        {open === 'password' && <PasswordDialog onClose={() => dialog.set(undefined)} />}
        {open === 'security' && <MySecurity onClose={() => dialog.set(undefined)} />}
        {open === 'settings' && <SettingsDialog onClose={() => dialog.set(undefined)} />}
        {exporting && <Exports onClose={() => exportsShown.set(false)} />}
      </Suspense>
    </>
  )
}
