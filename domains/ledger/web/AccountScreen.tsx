import { plural } from '../../../platform/contract/plural.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Pagination } from 'antd'
import { Fragment, type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Day, Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { cityDay } from '../../../platform/web/format.ts'
import { DateRange } from '../../../platform/web/form/inputs.tsx'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { Failed, Nothing, Waiting } from '../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Money, Time } from '../../../platform/web/value.tsx'
import { CELL, GROUP, HEAD, ROW, TABLE } from '../../../platform/web/list/tableRoles.ts'
import { account, AccountKind, AccountSide, subAccountText } from '../contract/account.ts'
import { allOf, type BalanceOf, chosenOf, MANY } from './subAccounts.ts'
import './ledger.css'

const PAGE_ROWS = 50
/** Shows the balance of every account, whether all balances follow from the entries, and every line of an account. */
export default function AccountScreen() {
  const say = useText()
  const { data, isError, error, refetch } = useQuery(asks(account.list, {}))
  const [search, setSearch] = useSearchParams()
  const chosen = search.get('account')
  const sub = search.get('sub') ?? ''
  const choose = (one: BalanceOf) => setSearch({ account: one.account, ...(one.sub && { sub: one.sub }) })
  return (
    <div className="page ledger">
      <PageHead
        purpose={[
          '每个科目的余额，都由只增不改的分录得出',
          'The balance of each account, calculated from entries that are only added, never changed',
        ]}
      >
        <span className="push" />
        <Replay />
      </PageHead>
      {isError ? (
        <Failed error={error as Refusal} retry={() => void refetch()} />
      ) : !data ? (
        <Waiting />
      ) : data.length === 0 ? (
        <Nothing />
      ) : (
        <div className="ledger-parts">
          <div className="panel">
            <Accounts of={data} isChosen={(one) => one.account === chosen && one.sub === sub} choose={choose} />
          </div>
          <div className="panel">
            {chosen ? (
              <Statement
                key={`${chosen} ${sub}`}
                of={chosenOf(
                  data.filter((one) => one.account === chosen),
                  sub,
                )}
              />
            ) : (
              <p className="faint">{say(['选择一个科目查看明细账', 'Choose an account to see its lines'])}</p>
            )}
          </div>
        </div>
      )}
    </div>
  )
}

/** Asks for every balance to be rebuilt from the lines. */
function Replay() {
  const say = useText()
  const { data, isFetching, refetch } = useQuery({ ...asks(account.replay, {}), enabled: false })
  return (
    <>
      {data && (
        <span className={`state ${data.right ? 'success' : 'error'}`}>
          {data.right
            ? say([`${data.entries} 笔分录重算一致`, `${data.entries} ${plural(data.entries, 'entry', 'entries')} recalculated: all match`])
            : say([`${data.differences.length} 处不一致`, `${data.differences.length} ${plural(data.differences.length, 'difference')}`])}
        </span>
      )}
      <Button loading={isFetching} onClick={() => void refetch()}>
        {say(['重算核对', 'Recalculate and check'])}
      </Button>
    </>
  )
}

const SUB: Text = ['明细', 'Sub-account']
const KIND: Text = ['类型', 'Type']
const BALANCE: Text = ['余额', 'Balance']
interface Choosing {
  isChosen: (one: BalanceOf) => boolean
  choose: (one: BalanceOf) => void
}
function Accounts({ of, ...choosing }: { of: readonly BalanceOf[] } & Choosing) {
  const say = useText()
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const turn = (account: string) => setOpened((now) => new Set(now.has(account) ? [...now].filter((one) => one !== account) : [...now, account]))
  return (
    <table {...TABLE} className="lines stacked">
      <thead {...GROUP}>
        <tr {...ROW}>
          <th {...HEAD}>{say(['科目', 'Account'])}</th>
          <th {...HEAD}>{say(SUB)}</th>
          <th {...HEAD}>{say(KIND)}</th>
          <th {...HEAD} className="right">
            {say(BALANCE)}
          </th>
        </tr>
      </thead>
      <tbody {...GROUP}>
        {[...Map.groupBy(of, ({ account }) => account)].map(([account, subs]) => {
          const isOpen = subs.length < MANY || opened.has(account)
          return (
            <Fragment key={account}>
              {subs.length >= MANY && (
                <AccountRow of={allOf(subs)} {...choosing}>
                  <button type="button" className="plain" aria-expanded={isOpen} onClick={() => turn(account)}>
                    {isOpen ? say(['收起', 'Collapse']) : say(['展开', 'Expand'])}
                  </button>
                </AccountRow>
              )}
              {isOpen && subs.map((one) => <AccountRow key={one.sub} of={one} {...choosing} />)}
            </Fragment>
          )
        })}
      </tbody>
    </table>
  )
}
function AccountRow({ of, isChosen, choose, children }: { of: BalanceOf; children?: ReactNode } & Choosing) {
  const say = useText()
  return (
    <tr {...ROW} className={isChosen(of) ? 'chosen' : ''}>
      <td {...CELL}>
        <button type="button" className="plain" aria-pressed={isChosen(of)} onClick={() => choose(of)}>
          {say([of.name, of.nameEn])}
        </button>
      </td>
      <td {...CELL} className="wrap faint" title={of.sub} data-name={say(SUB)}>
        {say(subAccountText(of))} {children}
      </td>
      <td {...CELL} className="faint" data-name={say(KIND)}>
        {say(AccountKind.entries[of.kind])}
      </td>
      <td {...CELL} className="right" data-name={say(BALANCE)}>
        <Money fen={of.balanceFen} />
      </td>
    </tr>
  )
}

function Statement({ of }: { of: BalanceOf | undefined }) {
  const [search, setSearch] = useSearchParams()
  const today = cityDay()
  const dayFrom = (search.get('from') ?? today) as Day
  const dayTo = (search.get('to') ?? today) as Day
  const current = Number(search.get('page') ?? 1)
  const set = (more: Record<string, string>) => setSearch({ ...Object.fromEntries(search), ...more })
  const input = { account: of?.account ?? '', dayFrom, dayTo, current, limit: PAGE_ROWS, ...(of?.sub && { sub: of.sub }) }
  const { data, isError, error, refetch } = useQuery({ ...asks(account.statement, input), enabled: of !== undefined })
  if (!of) return <Nothing />
  const side = AccountSide.entries[of.normal]
  const [subZh, subEn] = subAccountText(of)
  return (
    <Section
      title={[`${of.name} ${subZh}`, `${of.nameEn} ${subEn}`]}
      aside={
        <DateRange
          value={[dayFrom, dayTo]}
          plain
          onChange={(range) => range && set({ from: range[0].slice(0, 10), to: range[1].slice(0, 10), page: '1' })}
        />
      }
    >
      {isError ? (
        <Failed error={error as Refusal} retry={() => void refetch()} />
      ) : !data ? (
        <Waiting lines={6} />
      ) : (
        <>
          <Lines of={data} side={side} />
          <Pagination
            size="small"
            current={current}
            pageSize={PAGE_ROWS}
            total={data.total}
            showSizeChanger={false}
            hideOnSinglePage
            onChange={(page) => set({ page: String(page) })}
          />
        </>
      )}
    </Section>
  )
}

const SOURCE: Text = ['业务单号', 'Source']
const DEBIT: Text = ['借方', 'Debit']
const CREDIT: Text = ['贷方', 'Credit']
function Lines({ of, side }: { of: Of<typeof account.statement.reply>; side: Text }) {
  const say = useText()
  return (
    <table {...TABLE} className="lines stacked">
      <thead {...GROUP}>
        <tr {...ROW}>
          <th {...HEAD}>{say(['时间', 'Time'])}</th>
          <th {...HEAD}>{say(SOURCE)}</th>
          <th {...HEAD} className="right">
            {say(DEBIT)}
          </th>
          <th {...HEAD} className="right">
            {say(CREDIT)}
          </th>
          <th {...HEAD} className="right">
            {say(BALANCE)}（{say(side)}）
          </th>
        </tr>
      </thead>
      <tbody {...GROUP}>
        <tr {...ROW} className="sum">
          <td {...CELL} colSpan={4}>
            {say(['期初余额', 'Opening balance'])}
          </td>
          <td {...CELL} className="right">
            <Money fen={of.openingFen} />
          </td>
        </tr>
        {of.records.map((line) => (
          <tr {...ROW} key={`${line.entryId}${line.seq}`}>
            <td {...CELL}>
              <Time at={line.at} />
            </td>
            <td {...CELL} data-name={say(SOURCE)}>
              {line.bizNo} {line.about !== line.bizNo && <div className="faint">{line.about}</div>}
            </td>
            <td {...CELL} className="right" data-name={say(DEBIT)}>
              {line.debitFen > 0 && <Money fen={line.debitFen} />}
            </td>
            <td {...CELL} className="right" data-name={say(CREDIT)}>
              {line.creditFen > 0 && <Money fen={line.creditFen} />}
            </td>
            <td {...CELL} className="right" data-name={say(BALANCE)}>
              <Money fen={line.balanceFen} />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot {...GROUP}>
        <tr {...ROW} className="sum">
          <td {...CELL} colSpan={2}>
            {say(['期末', 'Closing'])}
          </td>
          <td {...CELL} className="right" data-name={say(DEBIT)}>
            <Money fen={of.debitFen} />
          </td>
          <td {...CELL} className="right" data-name={say(CREDIT)}>
            <Money fen={of.creditFen} />
          </td>
          <td {...CELL} className="right" data-name={say(BALANCE)}>
            <Money fen={of.closingFen} />
          </td>
        </tr>
      </tfoot>
    </table>
  )
}
