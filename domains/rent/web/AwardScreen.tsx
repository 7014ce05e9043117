import { useQuery } from '@tanstack/react-query'
import { Modal, Table, Tag } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { Facts } from '../../../platform/web/record/DetailDrawer.tsx'
import { time, yuan } from '../../../platform/web/format.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { person } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { Loaded } from '../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { AwardLine, awards, awardSearch, BiddingAct, ChangeReason } from '../contract/award.ts'
import { Award, EarnestState } from '../contract/enrollment.ts'
import { RentState, project, ProjectType } from '../contract/project.ts'
import { seals } from '../contract/seal.ts'
import { NOT_NOW, OWN, ProjectSelect, ProjectStateTag, useAwardColumn } from './parts.tsx'

type Row = Of<typeof AwardLine>
type Doing = { what: 'live' | 'change' | 'agree' | 'refuse' | 'bids' | 'open'; row: Row }
const CHANGES = [awards.queryEnrollProject, awards.bids, project.query, project.one]
const TOO_EARLY: Text = ['报价截止后才能开标', 'Bids can be opened once bidding is over']
const FIRST: Text = ['只能定第 1 名', 'Only rank 1 can be awarded']
const UNATTESTED: Text = [
  '第 1 名未通过认证：请提出中标变更，由顺位竞租人中标',
  'The highest bidder is not verified. Request an award change to the next bidder',
]
/** The winner; before an award, the leader whose attestation no longer holds. */
const mayLose = ({ projectState, award, rank, attested }: Row) =>
  (projectState === RentState.shown && award === Award.won) || (projectState === RentState.toAward && rank === 1 && !attested)
/** Describes the effect on the bidder who loses the award, once the second person has approved. */
function losing({ bidderName, changeReason, earnestState, earnestFen }: Row): Text {
  const held = earnestState === EarnestState.paid || earnestState === EarnestState.frozen
  if (!held) return [`${bidderName} 不再中标`, `${bidderName} no longer wins`]
  if (changeReason === ChangeReason.objection)
    return [
      `${bidderName} 不再中标，保证金 ¥${yuan(earnestFen)} 退还`,
      `${bidderName} no longer wins; the earnest money of ¥${yuan(earnestFen)} is refunded`,
    ]
  return [
    `${bidderName} 不再中标，保证金 ¥${yuan(earnestFen)} 没收`,
    `${bidderName} no longer wins; the earnest money of ¥${yuan(earnestFen)} is forfeited`,
  ]
}

/** The ranking of each project: who won, whether it changes, until when it is shown. */
export default function AwardScreen() {
  const say = useText()
  const me = person.use()?.custId as string | undefined
  const [doing, setDoing] = useState<Doing>()
  const act = useAct(CHANGES)
  const award = useAwardColumn()
  const give = (row: Row) =>
    void act(
      awards.bidding,
      { projectId: row.projectId, enrollId: row.id, ...(row.bidFen !== null && { bidFen: row.bidFen }) },
      {
        question: [
          `定 ${row.bidderName}（¥${yuan(row.bidFen ?? 0)}／年）为中标人？将发布中标公示`,
          `Award to ${row.bidderName} at ¥${yuan(row.bidFen ?? 0)} a year? The award notice will be published`,
        ],
        act: ['定标', 'Award'],
        done: ['已定标并公示', 'Awarded and published'],
      },
    )
  return (
    <>
      <ListScreen
        purpose={[
          '各项目的报价排名、定标与公示；更换中标人由第二人确认',
          'Bid ranking, award and award notice of each project; a second person confirms a change of winner',
        ]}
        query={awards.queryEnrollProject}
        search={awardSearch}
        exports={awards.export}
        live="rent.project"
        find={[{ name: 'projectId', control: <ProjectSelect /> }, 'projectState', 'bidderName', 'award', 'projectName', 'winner']}
        sum={{
          figures: [
            { text: ['待定标', 'to be awarded'], leads: { projectState: [RentState.toAward], rank: 1 } },
            { text: ['公示中', 'shown'], leads: { projectState: [RentState.shown], winner: true } },
          ],
        }}
        columns={[
          'projectName',
          STATE,
          RANK,
          { dataIndex: 'bidderName', title: say(['竞租人', 'Bidder']), render: (_, row) => <Bidder row={row} /> },
          award,
          'bidderNo',
          'bidFen',
          'bidAt',
          'endsAt',
          'publicUntil',
          'signBy',
          'earnestState',
          'payAgainUntil',
          'changeReason',
          'enrollNo',
          'phone',
        ]}
        hidden={['payAgainUntil', 'signBy', 'enrollNo', 'phone', 'earnestState']}
        roomy={['endsAt', 'bidAt', 'changeReason', 'bidderNo', 'award']}
        actions={(row) => actionsOf(row, me, give, setDoing)}
        empty={['还没有报价', 'No bids yet']}
      />
      {doing && <Asked {...doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

/** The first in rank are looked for. */
const RANK = { dataIndex: 'rank' as const, sortDirections: ['ascend' as const, 'descend' as const] }
const STATE = {
  dataIndex: 'projectState' as const,
  render: (_: unknown, row: Row) => <ProjectStateTag type={row.projectType} state={row.projectState} endsAt={row.endsAt} />,
}
function Bidder({ row }: { row: Row }) {
  const say = useText()
  return (
    <>
      {row.bidderName}
      {!row.attested && row.projectState <= RentState.shown && (
        <>
          {' '}
          <Tag color="error">{say(['未通过认证', 'Not verified'])}</Tag>
        </>
      )}
    </>
  )
}

type Ask = (doing: Doing) => void
const actionsOf = (row: Row, me: string | undefined, give: (row: Row) => void, setDoing: Ask): RowAction[] => [
  ...(row.projectState === RentState.toAward
    ? [
        {
          text: ['定标', 'Award'] as Text,
          needs: awards.bidding.needs,
          run: () => give(row),
          not: row.rank !== 1 ? FIRST : !row.attested ? UNATTESTED : row.projectMakerId === me && OWN,
        },
      ]
    : []),
  ...(row.projectState === RentState.bidding && row.projectType === ProjectType.open
    ? [{ text: ['现场代报', 'Enter bid'] as Text, needs: awards.bidding.needs, run: () => setDoing({ what: 'live', row }) }]
    : []),
  ...(row.projectState === RentState.bidding && row.projectType === ProjectType.sealed
    ? [
        {
          text: ['开标', 'Open bids'] as Text,
          needs: seals.open.needs,
          run: () => setDoing({ what: 'open', row }),
          not: Date.parse(row.endsAt) > Date.now() && TOO_EARLY,
        },
      ]
    : []),
  ...(row.changeId
    ? [
        {
          text: ['同意变更', 'Agree'] as Text,
          needs: awards.confirm.needs,
          run: () => setDoing({ what: 'agree', row }),
          not: row.changeMakerId === me && OWN,
        },
        {
          text: ['不同意', 'Reject'] as Text,
          needs: awards.confirm.needs,
          run: () => setDoing({ what: 'refuse', row }),
          not: row.changeMakerId === me && OWN,
        },
      ]
    : mayLose(row)
      ? [
          {
            text: ['变更中标', 'Change award'] as Text,
            needs: awards.updateBidding.needs,
            run: () => setDoing({ what: 'change', row }),
            danger: true,
          },
        ]
      : []),
  { text: ['出价记录', 'Bids'], run: () => setDoing({ what: 'bids', row }), not: row.projectType === ProjectType.fixed && NOT_NOW },
]

function Asked({ what, row, onClose }: Doing & { onClose: () => void }) {
  if (what === 'live') return <Live row={row} onClose={onClose} />
  if (what === 'change') return <Change row={row} onClose={onClose} />
  if (what === 'agree' || what === 'refuse') return <Decide row={row} pass={what === 'agree'} onClose={onClose} />
  if (what === 'open') return <OpenBids row={row} onClose={onClose} />
  return row.projectType === ProjectType.sealed ? <SealedBids row={row} onClose={onClose} /> : <Bids row={row} onClose={onClose} />
}

/** By two holders, each with their own key. */
function OpenBids({ row, onClose }: { row: Row; onClose: () => void }) {
  const say = useText()
  return (
    <FormDialog
      title={[`开标 · ${row.projectName}`, `Open bids · ${row.projectName}`]}
      entity={seals.open.input}
      mode="new"
      value={{ projectId: row.projectId }}
      save={seals.open}
      act={['开标', 'Open bids']}
      done={['已开标', 'Bids opened']}
      changes={CHANGES}
      about={say([
        '两位持有人各自输入自己的开标密钥，全部报价同时开启；无法开启或与承诺不符的报价无效，保证金退还',
        'Two holders enter their own opening keys and all bids open at once; bids that do not open or do not match their commitment are void and the earnest money is refunded',
      ])}
      fields={[
        { name: 'firstCode', secret: true },
        { name: 'secondCode', secret: true },
      ]}
      onClose={onClose}
    />
  )
}

/** Shows a person who enters a bid the project, the minimum and the end, and the sum beside the button. */
function Live({ row, onClose }: { row: Row; onClose: () => void }) {
  const { data } = useQuery(asks(project.one, { id: row.projectId }, { quiet: true }))
  if (!data) return null
  const { currentFen, stepFen, baseFen, endsAt } = data
  const nextFen = currentFen === null ? baseFen : currentFen + stepFen
  const facts = [
    { label: ['竞租人', 'Bidder'] as Text, value: `${row.bidderName}${row.bidderNo === null ? '' : ` · ${row.bidderNo}`}` },
    { label: ['当前价', 'Current price'] as Text, value: currentFen === null ? '--' : `¥${yuan(currentFen)}` },
    { label: ['加价幅度', 'Bid step'] as Text, value: `¥${yuan(stepFen)}` },
    { label: ['最低出价', 'Minimum bid'] as Text, value: `¥${yuan(nextFen)}` },
    { label: ['截止', 'Ends'] as Text, value: time(endsAt) },
  ]
  return (
    <FormDialog
      title={[`现场代报 · ${row.projectName}`, `Enter bid · ${row.projectName}`]}
      entity={awards.bidding.input}
      mode="new"
      value={{ projectId: row.projectId, enrollId: row.id, act: BiddingAct.live }}
      save={awards.bidding}
      act={({ bidFen }) =>
        bidFen ? [`代 ${row.bidderName} 报价 ¥${yuan(bidFen)}／年`, `Bid ¥${yuan(bidFen)} a year for ${row.bidderName}`] : ['报价', 'Bid']
      }
      done={['已报价', 'Bid entered']}
      changes={CHANGES}
      about={<Facts entity={AwardLine} of={row} show={facts} />}
      fields={[
        { name: 'bidFen', needed: true },
        { name: 'evidence', needed: true, help: ['现场照片或书面报价', 'A picture taken on site, or the written bid'] },
      ]}
      onClose={onClose}
    />
  )
}

/** The next in rank takes its place, or nobody: the list says who that is. */
function Change({ row, onClose }: { row: Row; onClose: () => void }) {
  const { data } = useQuery(asks(awards.queryEnrollProject, { projectId: row.projectId, award: [Award.none], limit: 200 }, { quiet: true }))
  const next = (data?.records ?? [])
    .filter(({ id, rank, attested }) => id !== row.id && rank !== null && attested)
    .sort((a, b) => a.rank! - b.rank!)[0]
  if (!data) return null
  const help: Text = next
    ? [`顺位为 ${next.bidderName}，¥${yuan(next.bidFen ?? 0)}／年`, `The next is ${next.bidderName}, ¥${yuan(next.bidFen ?? 0)} a year`]
    : ['没有顺位竞租人，项目将流标', 'No bidder is next in rank: the project will fail']
  return (
    <FormDialog
      title={[`变更中标 · ${row.projectName}`, `Change award · ${row.projectName}`]}
      entity={awards.updateBidding.input}
      mode="new"
      value={{
        projectId: row.projectId,
        reason: row.award === Award.won ? ChangeReason.gaveUp : ChangeReason.disqualified,
        ...(next && { enrollId: next.id }),
      }}
      save={awards.updateBidding}
      act={['提出变更', 'Request change']}
      done={['已提出，由另一人确认', 'Requested; another person confirms it']}
      changes={CHANGES}
      fields={[
        { name: 'reason', help },
        {
          name: 'evidence',
          optional: true,
          help: [
            '取消资格和异议成立必须附佐证；放弃和取消资格没收保证金',
            'Required for disqualification and upheld objections; giving up or being disqualified forfeits the earnest money',
          ],
        },
      ]}
      onClose={onClose}
    />
  )
}

/** By another than who asked, who sees what for, by which evidence, and who comes next. */
function Decide({ row, pass, onClose }: { row: Row; pass: boolean; onClose: () => void }) {
  const say = useText()
  const next: Text = row.changeToName ? [row.changeToName, row.changeToName] : ['无顺位竞租人，项目流标', 'Nobody is next in rank: the project fails']
  return (
    <FormDialog
      title={
        pass
          ? [`同意变更 · ${row.projectName}`, `Agree to the change · ${row.projectName}`]
          : [`不同意变更 · ${row.projectName}`, `Reject the change · ${row.projectName}`]
      }
      entity={awards.confirm.input}
      mode="new"
      value={{ id: row.changeId!, version: row.changeVersion!, pass }}
      save={awards.confirm}
      act={pass ? ['同意变更', 'Agree'] : ['不同意', 'Reject']}
      done={['已办理', 'Done']}
      changes={CHANGES}
      about={
        <>
          <p>{say(pass ? losing(row) : [`${row.bidderName} 名次与中标情况不变`, `Rank and award of ${row.bidderName} stay as they are`])}</p>
          <Facts
            entity={AwardLine}
            of={row}
            show={[
              'changeReason',
              { label: ['改为', 'New winner'], value: say(next) },
              { label: ['提出人', 'Requested by'], value: row.changeMakerName },
              'changeEvidence',
            ]}
          />
        </>
      }
      fields={[{ name: 'opinion', optional: true }]}
      onClose={onClose}
    />
  )
}

/** As wide as a form: columns without room are cut off. */
const WIDTH = { xs: '100%', md: '60%' }
function Bids({ row, onClose }: { row: Row; onClose: () => void }) {
  const say = useText()
  const bids = useQuery(asks(awards.bids, { projectId: row.projectId }, { quiet: true }))
  return (
    <Modal open title={say([`出价记录 · ${row.projectName}`, `Bids · ${row.projectName}`])} footer={null} width={WIDTH} onCancel={onClose}>
      <Loaded of={bids} lines={3}>
        {({ records }) => (
          <Table
            size="small"
            scroll={{ x: 'max-content' }}
            pagination={{ pageSize: 10, hideOnSinglePage: true }}
            rowKey="id"
            dataSource={records}
            columns={[
              { title: say(['序号', 'No.']), dataIndex: 'seq' },
              { title: say(['竞买号', 'Bidder number']), dataIndex: 'bidderNo' },
              { title: say(['年租金', 'Annual rent']), dataIndex: 'bidFen', align: 'right', render: (fen: number) => `¥${yuan(fen)}` },
              { title: say(['时间', 'Time']), dataIndex: 'at', render: (at: string) => time(at as never) },
              { title: say(['代报人', 'Entered by']), dataIndex: 'enteredBy', render: (by: string | null) => by ?? '--' },
            ]}
          />
        )}
      </Loaded>
    </Modal>
  )
}

/** Whose they are and their hashes: nobody reads more before they are opened. */
function SealedBids({ row, onClose }: { row: Row; onClose: () => void }) {
  const say = useText()
  const bids = useQuery(asks(seals.bids, { projectId: row.projectId }, { quiet: true }))
  return (
    <Modal open title={say([`密封报价 · ${row.projectName}`, `Sealed bids · ${row.projectName}`])} footer={null} width={WIDTH} onCancel={onClose}>
      <Loaded of={bids} lines={3}>
        {({ records }) => (
          <Table
            size="small"
            scroll={{ x: 'max-content' }}
            pagination={{ pageSize: 10, hideOnSinglePage: true }}
            rowKey="id"
            dataSource={records}
            columns={[
              { title: say(['竞买号', 'Bidder number']), dataIndex: 'bidderNo' },
              { title: say(['时间', 'Time']), dataIndex: 'at', render: (_, one) => time(one.at) },
              { title: say(['密文摘要', 'Hash of the cipher']), dataIndex: 'hash', render: (_, one) => <code>{one.hash}</code> },
            ]}
          />
        )}
      </Loaded>
    </Modal>
  )
}
