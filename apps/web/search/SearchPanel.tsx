import { SearchOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Input } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { FIND_MIN, records } from '../../../platform/contract/records.ts'
import { isWhole, soughtBy } from '../../../platform/contract/sought.ts'
import { asks } from '../../../platform/web/ask.ts'
import { Dialog } from '../../../platform/web/form/Dialog.tsx'
import { language, type Text, useText } from '../../../platform/web/text.ts'
import { chosen, useLook } from '../../../platform/web/theme.ts'
import { knownAddress } from '../../../platform/web/value.tsx'
import { actsOn } from '../menu/acts.ts'
import { dialog } from '../own/dialogs.ts'
import { lockNow } from '../own/lock.ts'
import type { Route } from '../menu/menu.ts'
import { useObjectActs } from '../menu/objectActs.ts'
import { noteRecent, recents } from './recent.ts'
import { type Spelling, searchIn, spelledWith } from './search.ts'
import { logout, type Session } from '../session.ts'
import { useMenuChoice } from '../menu/useMenuChoice.ts'

const SHOWN_MOST = 50
const ACTS_MOST = 8
/** Records are asked for when typing pauses. */
const PAUSE_MS = 200

interface Item {
  key: string
  group: Text
  title: string
  detail: string
  open: () => void
}
const RECENT: Text = ['最近', 'Recent']
const PAGES: Text = ['页面', 'Pages']
const ACTS: Text = ['操作', 'Actions']
const RECORDS: Text = ['记录', 'Records']
const ALL: Text = ['综合查询', 'Record search']

/**
 * Finds a page by its name in either language, by pinyin or its initials, or by its address; what can be done, by its name; a record by the beginning of its plate, phone
 * or number. Enter opens the marked one, Esc closes.
 */
export default function SearchPanel({ session, onClose }: { session: Session; onClose: () => void }) {
  const say = useText()
  const [words, setWords] = useState('')
  const [at, setAt] = useState(0)
  const list = useRef<HTMLUListElement>(null)
  const { items, looking } = useItems(session, words)
  const open = (item: Item | undefined) => {
    if (!item) return
    onClose()
    item.open()
  }
  const step = (by: number) => {
    const next = Math.max(0, Math.min(items.length - 1, at + by))
    setAt(next)
    list.current?.querySelectorAll('[role=option]')[next]?.scrollIntoView({ block: 'nearest' })
  }
  const label = say(['搜索页面、操作和记录', 'Search pages, actions and records'])
  return (
    <Dialog changed={false} width={560} footer={null} closable={false} onClose={onClose} className="search-panel" title={null} style={{ top: 96 }}>
      <Input
        autoFocus
        size="large"
        variant="borderless"
        prefix={<SearchOutlined />}
        role="combobox"
        aria-expanded
        aria-controls="found"
        aria-activedescendant={items[at] && `found-${at}`}
        aria-label={label}
        placeholder={say(['页面、操作、车牌、手机号、订单号、设备号、工号', 'A page, an action, a plate, phone, order, device or staff number'])}
        value={words}
        onChange={({ target }) => {
          setWords(target.value)
          setAt(0)
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') step(1)
          else if (event.key === 'ArrowUp') step(-1)
          else if (event.key === 'Enter' && !event.nativeEvent.isComposing) open(items[at])
          else return
          event.preventDefault()
        }}
      />
      <ul ref={list} id="found" role="listbox" aria-label={label} tabIndex={-1}>
        {items.map((item, place) => (
          <li
            key={item.key}
            id={`found-${place}`}
            role="option"
            aria-selected={place === at}
            onMouseMove={() => setAt(place)}
            onClick={() => open(item)}
          >
            <span>{item.title}</span>
            <span className="faint">{item.detail}</span>
            <small className="faint">{item.group !== items[place - 1]?.group && say(item.group)}</small>
          </li>
        ))}
      </ul>
      {items.length === 0 && <p className="faint none">{looking ? say(['正在查找…', 'Looking…']) : say(['没有找到', 'Nothing found'])}</p>}
    </Dialog>
  )
}

/** With nothing typed: where the person was last, then all pages. Otherwise pages, then actions, then records as they are found. */
function useItems(session: Session, words: string): { items: Item[]; looking: boolean } {
  const say = useText()
  const choose = useMenuChoice()
  const navigate = useNavigate()
  const spelling = useSpelling()
  const acts = useActs(session)
  const onThings = useObjectActs(words, spelling)
  const found = useHits(onThings.acts.length > 0 ? '' : words)
  const { hits } = found
  const looking = found.looking || onThings.looking
  const typed = words.trim() !== ''
  const goTo = (title: Text, path: string) => () => {
    noteRecent({ title, path })
    void navigate(path)
  }
  const { pathname } = useLocation()
  const last = recents.use().filter(({ path }) => path !== pathname && session.routes.some((route) => path.startsWith(route.path)))
  const lately = typed ? [] : last
  return {
    looking,
    items: [
      ...onThings.acts.map(({ key, name, detail, run }) => ({ key, group: ACTS, title: say(name), detail: say(detail), open: run })),
      ...(isWhole(words) && onThings.acts.length === 0 ? [allOf(soughtBy(words).value, say, (path) => void navigate(path))] : []),
      ...lately.map(({ title, path }) => ({ key: `recent ${path}`, group: RECENT, title: say(title), detail: '', open: goTo(title, path) })),
      ...searchIn(session.routes, words, spelling)
        .slice(0, SHOWN_MOST)
        .map((route) => ({
          key: route.path,
          group: PAGES,
          title: say(route.name),
          detail: route.under.map(say).join(' / '),
          open: () => choose(route),
        })),
      ...(typed ? searchIn(acts, words, spelling) : []).slice(0, ACTS_MOST).map(({ id, name, under, run, path }) => ({
        key: id,
        group: ACTS,
        title: say(name),
        detail: under.map(say).join(' / '),
        open: run ?? (() => void navigate(path)),
      })),
      ...hits.map(({ kind, kindZh, kindEn, key, title, detail, path }) => ({
        key: `${kind} ${key}`,
        group: RECORDS,
        title,
        detail: [say([kindZh, kindEn]), detail].filter(Boolean).join(' · '),
        open: goTo([title, title], path),
      })),
    ],
  }
}

/** A whole plate, telephone or number: everything about it on one page. What was typed is not kept among the recent ones: it may be somebody's telephone. */
const allOf = (value: string, say: (text: Text) => string, open: (path: string) => void): Item => ({
  ...{ key: 'known', group: ALL, title: value, detail: say(['查看全部信息', 'See all records']) },
  open: () => open(knownAddress(value)),
})

/** The table of pinyin is large; names and addresses are found before it is there. */
function useSpelling(): Spelling | undefined {
  const [spelling, setSpelling] = useState<Spelling>()
  useEffect(() => void import('pinyin-pro').then(({ pinyin }) => setSpelling(() => spelledWith(pinyin))), [])
  return spelling
}

function useHits(words: string) {
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(words.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [words])
  const one = useQuery({ ...asks(records.find, { words: asked }, { quiet: true }), enabled: asked.length >= FIND_MIN })
  const long = words.trim().length >= FIND_MIN
  const current = long && asked === words.trim()
  return { hits: current ? (one.data ?? []) : [], looking: long && (!current || one.isFetching) }
}

/** The console's own actions, and those that the person may do on their pages. */
function useActs(session: Session): (Route & { run?: () => void })[] {
  const { dark } = useLook()
  const speaks = language.use()
  return useMemo(() => {
    const own = (id: string, name: Text, run: () => void) => ({ id, path: '', name, component: '', under: [], run })
    return [
      own('dark', dark ? ['浅色', 'Light'] : ['深色', 'Dark'], () => chosen.mode.set(dark ? 'light' : 'dark')),
      own('language', ['切换语言 English', 'Switch the language 中文'], () => language.set(speaks === 'en' ? 'zh-chs' : 'en')),
      own('settings', ['我的设置', 'My settings'], () => dialog.set('settings')),
      { id: 'console-log', path: '/log', name: ['前端日志', 'Console log'], component: '', under: [] },
      own('password', ['修改密码', 'Change password'], () => dialog.set('password')),
      own('lock', ['锁屏', 'Lock the screen'], () => void lockNow().catch(() => {})),
      own('logout', ['退出登录', 'Log out'], () => void logout({ asks: true })),
      ...actsOn(session.routes),
    ]
  }, [dark, speaks, session.routes])
}
