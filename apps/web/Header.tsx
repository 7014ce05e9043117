import {
  AppstoreOutlined,
  BellOutlined,
  CompressOutlined,
  ExpandOutlined,
  HomeOutlined,
  MenuFoldOutlined,
  MenuUnfoldOutlined,
  MoonOutlined,
  SearchOutlined,
  SunOutlined,
  WarningOutlined,
} from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Dropdown, Popover, Tooltip } from 'antd'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { record } from '../../domains/message/contract/record.ts'
import { asks } from '../../platform/web/ask.ts'
import { failures } from '../../platform/web/failures.ts'
import { time } from '../../platform/web/format.ts'
import { useKeys } from '../../platform/web/keys.tsx'
import { useFrames } from '../../platform/web/live.ts'
import { person } from '../../platform/web/person.ts'
import { RequestId } from '../../platform/web/states.tsx'
import { language, type Text, useText } from '../../platform/web/text.ts'
import { chosen, useLook } from '../../platform/web/theme.ts'
import { HOME } from './address.ts'
import { greetingAt, hourNow } from './greeting.ts'
import { headerChoice, type Route } from './menu.ts'
import { product } from './product.ts'
import { logout, type Session, unread } from './session.ts'
import { useMenuChoice } from './useMenuChoice.ts'

const SearchPanel = lazy(() => import('./SearchPanel.tsx'))
const PasswordDialog = lazy(() => import('./PasswordDialog.tsx'))
const SettingsDialog = lazy(() => import('./SettingsDialog.tsx'))

/** The route that the bell links to. */
export const MESSAGES = '/operation/message/record'

interface Props {
  session: Session
  front: Route | undefined
  folded: boolean
  onFold: () => void
}
export function Header({ session, front, folded, onFold }: Props) {
  const say = useText()
  const navigate = useNavigate()
  return (
    <header className="top">
      <Link to={HOME} className="brand" aria-label={say(product)}>
        {say(product)}
      </Link>
      <IconButton
        text={folded ? ['展开菜单', 'Unfold the menu'] : ['收起菜单', 'Fold the menu']}
        icon={folded ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
        onClick={onFold}
      />
      <IconButton text={['首页', 'Home']} icon={<HomeOutlined />} onClick={() => void navigate('/')} />
      <AllMenus session={session} />
      <Trail front={front} />
      <span className="push" />
      <Search session={session} />
      <Failures />
      <Bell />
      <FullScreen />
      <Button type="text" className="language" onClick={() => language.set(language.get() === 'en' ? 'zh-chs' : 'en')}>
        {say(['English', '中文'])}
      </Button>
      <LightOrDark />
      <UserMenu />
    </header>
  )
}

function IconButton({ text, icon, onClick }: { text: Text; icon: ReactNode; onClick: () => void }) {
  const say = useText()
  return (
    <Tooltip title={say(text)} mouseEnterDelay={0.6}>
      <Button type="text" aria-label={say(text)} icon={icon} onClick={onClick} />
    </Tooltip>
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

function Search({ session }: { session: Session }) {
  const say = useText()
  const [open, setOpen] = useState(false)
  useKeys({ s: { text: ['搜索页面', 'Find a page'], run: () => setOpen(true) } })
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      setOpen(true)
    }
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  }, [])
  return (
    <>
      <button type="button" className="jump" aria-label={say(['搜索页面', 'Find a page'])} onClick={() => setOpen(true)}>
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

/** What went wrong since the console was opened; nothing when nothing did. */
function Failures() {
  const say = useText()
  const all = failures.use()
  if (all.length === 0) return null
  const list = (
    <ol className="failures">
      {all.map((one, place) => (
        <li key={`${one.at.getTime()} ${place}`}>
          <time className="faint">{time(one.at).slice(11)}</time>
          <div>
            {one.text}
            <div className="faint">{one.call}</div>
            <RequestId id={one.requestId} />
          </div>
        </li>
      ))}
    </ol>
  )
  const label = say(['出错记录', 'What went wrong'])
  return (
    <Popover content={list} title={label} trigger="click" placement="bottomRight">
      <Button type="text" aria-label={label} className="failing" icon={<WarningOutlined />}>
        {all.length}
      </Button>
    </Popover>
  )
}

const BADGE_MOST = 99
export const badgeOf = (total: number) => (total > BADGE_MOST ? `${BADGE_MOST}+` : String(total))
/** Unread messages. Asked for when the console opens and whenever a message is pushed to the person. */
function Bell() {
  const say = useText()
  const navigate = useNavigate()
  const custId = person.use()?.custId ?? ''
  const one = useQuery(asks(record.queryMessageRecord, { custId, readState: 0, current: 1, limit: 1 } as never, { quiet: true }))
  useFrames('message.', () => void one.refetch())
  const total = one.data?.total ?? 0
  useEffect(() => unread.set(total), [total])
  const label = say(['消息', 'Messages'])
  return (
    <Button
      type="text"
      className="bell"
      aria-label={total > 0 ? `${label} ${total}` : label}
      icon={<BellOutlined />}
      onClick={() => void navigate(MESSAGES)}
    >
      {total > 0 && <sup data-badge>{badgeOf(total)}</sup>}
    </Button>
  )
}

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
      text={full ? ['退出全屏', 'Leave full screen'] : ['全屏', 'Full screen']}
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

function UserMenu() {
  const say = useText()
  const who = person.use()
  const [open, setOpen] = useState<'password' | 'settings'>()
  const name = who?.name ?? ''
  const items = [
    { key: 'password', label: say(['修改密码', 'Change password']), onClick: () => setOpen('password') },
    { key: 'settings', label: say(['我的设置', 'My settings']), onClick: () => setOpen('settings') },
    { type: 'divider' as const },
    { key: 'logout', label: say(['退出登录', 'Log out']), onClick: () => void logout({ asks: true }) },
  ]
  return (
    <>
      <Dropdown menu={{ items }} trigger={['click']}>
        <button type="button" className="who" aria-label={`${say(['用户', 'User'])} ${name}`}>
          <span className="greeting">
            {say(greetingAt(hourNow()))}
            {say(['，', ', '])}
            {name}
          </span>
          <span className="me">{[...name][0]?.toUpperCase()}</span>
        </button>
      </Dropdown>
      <Suspense>
        {open === 'password' && <PasswordDialog onClose={() => setOpen(undefined)} />}
        {open === 'settings' && <SettingsDialog onClose={() => setOpen(undefined)} />}
      </Suspense>
    </>
  )
}
