import { plural } from '../../../platform/contract/plural.ts'
import { PrinterOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { Fragment, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { isWholePlate } from '../../../platform/contract/plate.ts'
import type { Of } from '../../../platform/contract/field.ts'
import { type Fact, type Facts, FACTS_MOST, known, SoughtKind } from '../../../platform/contract/known.ts'
import { FIND_MIN } from '../../../platform/contract/records.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { count } from '../../../platform/web/format.ts'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { Failed, Nothing, Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Money, Plate, Time } from '../../../platform/web/value.tsx'
import './known.css'

/** All that is known of one plate, telephone, order number, device or berth, each kind of record by itself, newest first. */
export default function KnownScreen() {
  const say = useText()
  const [search, setSearch] = useSearchParams()
  const words = (search.get('words') ?? '').trim()
  return (
    <div className="page known">
      <PageHead
        purpose={[
          '输入完整的车牌、手机号、订单号、设备编号或泊位编号，一页看全与它有关的记录',
          'Enter a full plate, phone, order, device or berth number to see all related records on one page',
        ]}
      />
      <p className="known-find">
        <Asked key={words} words={words} onAsk={(wanted) => setSearch(wanted ? { words: wanted } : {})} />
      </p>
      {words.length >= FIND_MIN ? (
        <Found words={words} />
      ) : (
        <p className="soft">{say(['例如 鄂F12345、13800000000、TC20261125…', 'For example 鄂F12345, 13800000000, TC20261125…'])}</p>
      )}
    </div>
  )
}

/** Begun anew with each address that leads here. */
function Asked({ words, onAsk }: { words: string; onAsk: (words: string) => void }) {
  const say = useText()
  const [typed, setTyped] = useState(words)
  return (
    <Input.Search
      allowClear
      enterButton={say(['查询', 'Search'])}
      aria-label={say(['车牌、手机号或编号', 'Plate, phone or number'])}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onSearch={(wanted) => onAsk(wanted.trim())}
    />
  )
}

function Found({ words }: { words: string }) {
  const say = useText()
  const { data, error, refetch } = useQuery(asks(known.show, { words }, { quiet: true }))
  if (error) return <Failed error={error as Refusal} retry={() => void refetch()} />
  if (!data) return <Waiting lines={8} />
  if (data.groups.length === 0)
    return (
      <Nothing>
        {say([
          `没有与「${words}」有关的记录，或您无权查看；车牌和手机号须输入完整`,
          `No records related to “${words}”, or none you may view; enter plates and phone numbers in full`,
        ])}
      </Nothing>
    )
  const all = data.groups.reduce((sum, { facts }) => sum + facts.length, 0)
  return (
    <>
      <h2 className="known-head">
        {data.kind === SoughtKind.plate ? <Plate number={words} large still /> : <b>{words}</b>}{' '}
        <span className="faint">
          {say(SoughtKind.entries[data.kind])} · {say([`${count(all)} 条`, `${count(all)} ${plural(all, 'record')}`])}
        </span>{' '}
        <Button icon={<PrinterOutlined />} aria-label={say(['打印', 'Print'])} onClick={() => print()} />
      </h2>
      {data.groups.map((group) => (
        <Group key={group.source} of={group} />
      ))}
    </>
  )
}

function Group({ of: { sourceZh, sourceEn, facts, more } }: { of: Of<typeof Facts> }) {
  const say = useText()
  return (
    <Section title={[sourceZh, sourceEn]}>
      <table className="lines">
        <tbody>
          {facts.map((fact) => (
            <tr key={fact.key}>
              <td>
                <Title of={fact} />
              </td>
              <td>{say([fact.zh, fact.en])}</td>
              <td>{fact.phone}</td>
              <td>{fact.at && <Time at={fact.at} />}</td>
              <td className="right">{fact.amountFen !== null && <Money fen={fact.amountFen} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more && (
        <p className="faint">
          {say([`只列出最近 ${FACTS_MOST} 条，更早的请在对应列表中查`, `Only the latest ${FACTS_MOST} are shown; find older ones in their list`])}
        </p>
      )}
    </Section>
  )
}

/** A plate looks like one wherever it stands; a record with a page of its own leads there. */
function Title({ of: { title, path } }: { of: Of<typeof Fact> }) {
  const text = isWholePlate(title) ? <Plate number={title} still={path !== null} /> : <Fragment>{title}</Fragment>
  return path === null ? text : <Link to={path}>{text}</Link>
}
