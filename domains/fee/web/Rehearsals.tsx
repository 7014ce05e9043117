import { plural } from '../../../platform/contract/plural.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Progress } from 'antd'
import { useState } from 'react'
import type { Id, Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { Chart } from '../../../platform/web/draw/Chart.tsx'
import { Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { count, yuan } from '../../../platform/web/format.ts'
import { can } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { type Say, useText } from '../../../platform/web/text.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { Money, State, Time } from '../../../platform/web/value.tsx'
import { ParkName, ParksSelect } from '../../parking/web/api/names.tsx'
import { rehearsal, type RehearsalOf, RehearsalState, type RehearsalVerdict } from '../contract/rehearsal.ts'
import type { RuleVersionId } from '../contract/rule.ts'
import { REHEARSAL_CHANGES } from './changes.ts'
import { RehearsedStays } from './RehearsedStays.tsx'
import './rehearsal.css'

const AGAIN_MS = 1_000
const DAYS_AT_FIRST = 30
const isUnderWay = ({ state }: Pick<RehearsalOf, 'state'>) => state === RehearsalState.waiting || state === RehearsalState.running

/** Rehearsals of a draft over real stays: requested, watched, and read here. */
export function Rehearsals({ ruleVersionId, ready }: { ruleVersionId: Id<RuleVersionId>; ready: boolean }) {
  const say = useText()
  const act = useAct(REHEARSAL_CHANGES)
  const [asking, setAsking] = useState(false)
  const list = useQuery({
    ...asks(rehearsal.queryPage, { ruleVersionId, limit: 1, queryMode: 'rows' }, { quiet: true }),
    refetchInterval: ({ state }) => (state.data?.records.some(isUnderWay) ? AGAIN_MS : false),
  })
  const last = list.data?.records[0]
  const asked = asks(rehearsal.verdict, { ruleVersionId }, { quiet: true })
  // A verdict read before a rehearsal ended does not hold after it.
  const verdict = useQuery({ ...asked, queryKey: [...asked.queryKey, last?.id, last?.state], enabled: !last || !isUnderWay(last) })
  const under = last && isUnderWay(last) ? last : undefined
  return (
    <Section
      title={['影响测算', 'Rehearsal']}
      aside={
        can(rehearsal.start.needs) && (
          <Button disabled={!ready || under !== undefined} onClick={() => setAsking(true)}>
            {say(last ? ['重新测算', 'Rehearse again'] : ['用历史停车测算', 'Rehearse with past stays'])}
          </Button>
        )
      }
    >
      {!last && (
        <p className="soft">
          {say([
            '用最近的真实停车按本草稿重新计费，查看应收变化与涨降情况；不改动任何收费',
            'Recalculates recent real stays with this draft to show how the receivable changes and which stays pay more or less; no fee is altered',
          ])}
        </p>
      )}
      {under && (
        <UnderWay of={under} onCancel={() => void act(rehearsal.cancel, { id: under.id }, { done: ['已取消测算', 'Rehearsal cancelled'] })} />
      )}
      {last && !under && <Over of={last} verdict={verdict.data} />}
      {asking && <Ask ruleVersionId={ruleVersionId} onClose={() => setAsking(false)} />}
    </Section>
  )
}

function Ask({ ruleVersionId, onClose }: { ruleVersionId: Id<RuleVersionId>; onClose: () => void }) {
  return (
    <FormDialog
      title={['影响测算', 'Rehearsal']}
      entity={rehearsal.start.input}
      mode="new"
      value={{ ruleVersionId, days: DAYS_AT_FIRST }}
      save={rehearsal.start}
      act={['开始测算', 'Start']}
      changes={REHEARSAL_CHANGES}
      done={['已开始测算', 'Rehearsal started']}
      fields={[
        { name: 'days', help: ['1 到 90 天内入场并已离场的停车', 'Stays that entered within the last 1 to 90 days and have left'] },
        {
          name: 'parkCodes',
          control: <ParksSelect />,
          optional: true,
          help: ['不选为本规则收过费的全部停车；新规则须选车场', 'Leave empty for all stays billed by this rule; for a new rule choose car parks'],
        },
      ]}
      onClose={onClose}
    />
  )
}

function UnderWay({ of, onCancel }: { of: RehearsalOf; onCancel: () => void }) {
  const say = useText()
  const { state, staysTotal, staysDone } = of
  const percent = staysTotal ? Math.floor((staysDone / staysTotal) * 100) : 0
  return (
    <div className="rehearsal-under-way">
      <State dictionary={RehearsalState} value={state} />
      <Progress percent={percent} size="small" aria-label={say(['测算进度', 'Progress'])} />
      <span className="soft">
        {staysTotal === null ? say(['正在统计停车数', 'Counting stays']) : `${count(staysDone)} / ${count(staysTotal)} ${say(['条停车', 'stays'])}`}
      </span>
      {can(rehearsal.cancel.needs) && (
        <Button size="small" onClick={onCancel}>
          {say(['取消测算', 'Cancel'])}
        </Button>
      )}
    </div>
  )
}

function Over({ of, verdict }: { of: RehearsalOf; verdict: Of<typeof RehearsalVerdict> | undefined }) {
  const say = useText()
  const [shown, setShown] = useState<'dearer' | 'cheaper'>()
  const { state, days, staysFrom, staysTo, staysDone, unlikeStays, beforeFen, afterFen } = of
  if (state !== RehearsalState.done)
    return (
      <p>
        <State dictionary={RehearsalState} value={state} /> <Time at={of.finishedAt} />{' '}
        {state === RehearsalState.failed &&
          say([
            '测算没有完成，请重试；多次失败请检查规则是否过于复杂',
            'The rehearsal did not finish: try again, and if it keeps failing check whether the rule is too complex',
          ])}
      </p>
    )
  const compared = staysDone - unlikeStays
  return (
    <div className="rehearsal">
      <Standing of={of} verdict={verdict} />
      <Figures of={of} />
      <p className="soft">
        {say([`近 ${days} 天`, `Last ${days} ${plural(days, 'day')}`])} <Time at={staysFrom} /> – <Time at={staysTo} />
        {' · '}
        {say([`比较 ${count(compared)} 条停车`, `${count(compared)} ${plural(compared, 'stay')} compared`])}
        {unlikeStays > 0 &&
          ` · ${say([`另有 ${count(unlikeStays)} 条不可比（人工改价、跨区域等），不计入`, `${count(unlikeStays)} more are not comparable (fees set by hand, several areas and so on) and not counted`])}`}
      </p>
      {compared > 0 && <Spread of={of} />}
      {of.byPark.length > 0 && <ByPark of={of} />}
      {beforeFen !== afterFen || of.dearerStays + of.cheaperStays > 0 ? (
        <RehearsedStays of={of} shown={shown} onShow={setShown} />
      ) : (
        <p className="soft">{say(['没有停车的费用会变化', 'The fee of no stay would change'])}</p>
      )}
    </div>
  )
}

/** Whether it may be published, in a word. */
function Standing({ of, verdict }: { of: RehearsalOf; verdict: Of<typeof RehearsalVerdict> | undefined }) {
  const say = useText()
  if (!verdict) return null
  const { over, missing, limitPercent, rehearsal: counted } = verdict
  if (of.overriddenBy)
    return (
      <p className="state warning">
        {say([`${of.overriddenBy} 已放行：${of.overrideReason}`, `Overridden by ${of.overriddenBy}: ${of.overrideReason}`])}
      </p>
    )
  if (missing || counted?.id !== of.id)
    return (
      <p className="state warning">
        {say([
          '这次测算之后草稿有改动，或只测算了部分车场：发布前须重新测算',
          'The draft has changed since, or only some car parks were rehearsed: rehearse it again before publishing',
        ])}
      </p>
    )
  if (over)
    return (
      <p className="state error">
        {say([
          `应收变化超过 ±${limitPercent}%，须有放行权限的人说明原因才能发布`,
          `The receivable changes by more than ±${limitPercent}%: to publish, somebody with the override permission must enter a reason`,
        ])}
      </p>
    )
  return (
    <p className="state success">
      {say([`应收变化在 ±${limitPercent}% 以内，可以发布`, `The receivable changes within ±${limitPercent}%: ready to publish`])}
    </p>
  )
}

const signed = (fen: number) => `${fen > 0 ? '+' : fen < 0 ? '−' : ''}¥${yuan(Math.abs(fen))}`
function Figures({ of }: { of: RehearsalOf }) {
  const { beforeFen, afterFen, dearerStays, dearerFen, cheaperStays, cheaperFen } = of
  const delta = afterFen - beforeFen
  const share = beforeFen === 0 ? '' : ` ${delta > 0 ? '+' : ''}${((delta / beforeFen) * 100).toFixed(1)}%`
  return (
    <Tiles label={['测算结果', 'Result']}>
      <Tile name={['原应收', 'Receivable before']} value={<Money fen={beforeFen} />} />
      <Tile name={['新应收', 'Receivable after']} value={<Money fen={afterFen} />} />
      <Tile name={['差额', 'Difference']} value={signed(delta)}>
        {share}
      </Tile>
      <Tile name={['涨价停车', 'Higher']} value={dearerStays}>
        {signed(dearerFen)}
      </Tile>
      <Tile name={['降价停车', 'Lower']} value={cheaperStays}>
        {signed(-cheaperFen)}
      </Tile>
    </Tiles>
  )
}

const binName = ({ fromFen, toFen }: RehearsalOf['spread'][number], say: Say) => {
  const plain = (fen: number) => `${fen > 0 ? '+' : fen < 0 ? '−' : ''}${Math.abs(fen) / 100}`
  if (fromFen === 0 && toFen === 0) return say(['不变', 'Same'])
  if (fromFen === null) return say([`${plain(toFen!)} 以下`, `below ${plain(toFen!)}`])
  if (toFen === null) return say([`${plain(fromFen)} 以上`, `over ${plain(fromFen)}`])
  return `${plain(fromFen)} … ${plain(toFen)}`
}
function Spread({ of: { spread } }: { of: RehearsalOf }) {
  const say = useText()
  return (
    <Chart
      title={['每条停车的差额（元）', 'Difference per stay (yuan)']}
      label={['停车数', 'Stays']}
      by={['差额', 'Difference']}
      kind="bar"
      height={180}
      categories={spread.map((one) => binName(one, say))}
      series={[{ name: ['停车数', 'Stays'], values: spread.map(({ stays }) => stays) }]}
    />
  )
}

const PARKS_SHOWN = 8
/** The parks that change most. */
function ByPark({ of: { byPark } }: { of: RehearsalOf }) {
  const say = useText()
  const [all, setAll] = useState(false)
  return (
    <>
      <div className="rehearsal-wide">
        <table className="lines">
          <thead>
            <tr>
              <th>{say(['车场', 'Car park'])}</th>
              <th className="right">{say(['停车数', 'Stays'])}</th>
              <th className="right">{say(['涨价', 'Higher'])}</th>
              <th className="right">{say(['降价', 'Lower'])}</th>
              <th className="right">{say(['原应收', 'Before'])}</th>
              <th className="right">{say(['新应收', 'After'])}</th>
              <th className="right">{say(['差额', 'Difference'])}</th>
            </tr>
          </thead>
          <tbody>
            {(all ? byPark : byPark.slice(0, PARKS_SHOWN)).map((park) => (
              <tr key={park.parkCode}>
                <td>
                  <ParkName code={park.parkCode} />
                </td>
                <td className="right">{count(park.stays)}</td>
                <td className="right">{count(park.dearerStays)}</td>
                <td className="right">{count(park.cheaperStays)}</td>
                <td className="right">
                  <Money fen={park.beforeFen} />
                </td>
                <td className="right">
                  <Money fen={park.afterFen} />
                </td>
                <td className="right">{signed(park.afterFen - park.beforeFen)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {byPark.length > PARKS_SHOWN && !all && (
        <Button type="link" size="small" onClick={() => setAll(true)}>
          {say([`全部 ${byPark.length} 个车场`, `All ${byPark.length} ${plural(byPark.length, 'car park')}`])}
        </Button>
      )}
    </>
  )
}
