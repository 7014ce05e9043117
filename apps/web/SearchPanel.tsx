import { SearchOutlined } from '@ant-design/icons'
import { Input, Modal } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useText } from '../../platform/web/text.ts'
import type { Route } from './menu.ts'
import { type Spelling, searchIn, spelledWith } from './search.ts'
import type { Session } from './session.ts'
import { useMenuChoice } from './useMenuChoice.ts'

const SHOWN_MOST = 50

/** Finds a page by its name in either language, by pinyin or its initials, or by its address. Enter opens the marked one, Esc closes. */
export default function SearchPanel({ session, onClose }: { session: Session; onClose: () => void }) {
  const say = useText()
  const choose = useMenuChoice()
  const [words, setWords] = useState('')
  const [at, setAt] = useState(0)
  const [spelling, setSpelling] = useState<Spelling>()
  const list = useRef<HTMLUListElement>(null)
  // The table of pinyin is large; names and addresses are found before it is there.
  useEffect(() => void import('pinyin-pro').then(({ pinyin }) => setSpelling(() => spelledWith(pinyin))), [])
  const found = searchIn(session.routes, words, spelling).slice(0, SHOWN_MOST)
  const open = (route: Route | undefined) => {
    if (!route) return
    onClose()
    choose(route)
  }
  const step = (by: number) => {
    const next = Math.max(0, Math.min(found.length - 1, at + by))
    setAt(next)
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <Modal open width={560} footer={null} closable={false} onCancel={onClose} className="search-panel" title={null} style={{ top: 96 }}>
      <Input
        autoFocus
        size="large"
        variant="borderless"
        prefix={<SearchOutlined />}
        aria-label={say(['搜索页面', 'Find a page'])}
        placeholder={say(['页面名称、拼音或地址', 'Name, pinyin or address of a page'])}
        value={words}
        onChange={({ target }) => {
          setWords(target.value)
          setAt(0)
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') step(1)
          else if (event.key === 'ArrowUp') step(-1)
          else if (event.key === 'Enter' && !event.nativeEvent.isComposing) open(found[at])
          else return
          event.preventDefault()
        }}
      />
      <ul ref={list} role="listbox" aria-label={say(['页面', 'Pages'])}>
        {found.map((route, place) => (
          <li key={route.path} role="option" aria-selected={place === at} onMouseMove={() => setAt(place)} onClick={() => open(route)}>
            <span>{say(route.name)}</span>
            <span className="faint">{route.under.map(say).join(' / ')}</span>
          </li>
        ))}
        {found.length === 0 && <li className="faint">{say(['没有这样的页面', 'No such page'])}</li>}
      </ul>
    </Modal>
  )
}
