import { Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { cityDay, yuan } from '../../../platform/web/format.ts'
import { Facts } from '../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { person } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { awards, awardSearch } from '../contract/award.ts'
import { contract, ContractLine, contractSearch, ContractState, Cycle, Party } from '../contract/lease.ts'
import { project, RentState } from '../contract/project.ts'
import { NOT_NOW, OWN, ProjectSelect } from './parts.tsx'

type Row = Of<typeof ContractLine>
type Shown = 'contracts' | 'awarded'
const CHANGES = [contract.query, contract.orders, awards.queryEnrollProject, project.query]
const DAY_MS = 86_400_000
const ENDING_DAYS = 60
const refunding = (fen: number): Text => [`申请退还 ¥${yuan(fen)}`, `Request refund of ¥${yuan(fen)}`]
const YEAR_MONTHS = 12
/** Why a lease is not to be renewed. */
const notToRenew = ({ state, fromDay, toDay, renewedNo }: Row): Text | false => {
  const today = cityDay(new Date())
  if (renewedNo !== null) return [`已有续签合同 ${renewedNo}`, `Renewed by ${renewedNo}`]
  return (state !== ContractState.inForce || fromDay > today || toDay < today) && NOT_NOW
}
const FOR_BOTH: Text = ['同一人不能为双方办理签署', 'One person cannot sign for both parties']
const SIGNED: Text = ['已签署', 'Already signed']

/** Leases: drawn up for the winner, signed by both, renewed while they run, or ended early. */
export default function LeaseScreen() {
  const say = useText()
  const [shown, show] = useState<Shown>('contracts')
  const toolbar = (
    <Segmented<Shown>
      value={shown}
      onChange={show}
      options={[
        { value: 'contracts', label: say(['合同', 'Leases']) },
        { value: 'awarded', label: say(['中标项目', 'Awarded projects']) },
      ]}
    />
  )
  return shown === 'contracts' ? <Contracts toolbar={toolbar} /> : <Awarded toolbar={toolbar} />
}

const COLUMNS = [
  'contractNo',
  'projectName',
  'bidderName',
  'state',
  'fromDay',
  'toDay',
  'rentFen',
  'cycle',
  'depositFen',
  'freeDays',
  'files',
  'lessorName',
  'lessorSignedAt',
  'lesseeSignedAt',
  'lesseeByName',
  'lesseeFiles',
  'signBy',
  'makerName',
  'endReason',
  'renewsNo',
  'renewedNo',
] as const
function Contracts({ toolbar }: { toolbar: ReactNode }) {
  const me = person.use()?.custId as string | undefined
  const [doing, setDoing] = useState<Doing>()
  const act = useAct(CHANGES)
  const sign = (row: Row) =>
    void act(
      contract.sign,
      { id: row.id, version: row.version, party: Party.lessor },
      {
        question: [
          `代表出租方签署合同 ${row.contractNo}（${row.projectName}，承租人 ${row.bidderName}），年租金 ¥${yuan(row.rentFen)}？双方签署后生成账单`,
          `Sign ${row.contractNo} (${row.projectName}, lessee ${row.bidderName}) for the lessor, ¥${yuan(row.rentFen)} a year? Bills are created once both parties have signed`,
        ],
        act: ['签署', 'Sign'],
        done: ['已签署', 'Signed'],
      },
    )
  const due = cityDay(new Date(Date.now() + ENDING_DAYS * DAY_MS))
  return (
    <>
      <ListScreen
        purpose={[
          '租赁合同：公示结束后按流程期限签订，双方签署后生效并生成账单',
          'Leases: signed within the period after the award was shown; in force, with bills, once both parties have signed',
        ]}
        query={contract.query}
        search={contractSearch}
        toolbar={toolbar}
        find={['contractNo', 'state', 'projectName', 'bidderName', 'toDay', 'phone']}
        sum={{
          figures: [
            { text: ['待签', 'to be signed'], leads: { state: [ContractState.toSign] } },
            { text: ['60 天内到期', 'expiring within 60 days'], leads: { state: [ContractState.inForce], toDayTo: due } },
          ],
        }}
        add={{ call: contract.add, open: () => setDoing({ what: 'new' }), text: ['拟订合同', 'Draft lease'] }}
        columns={COLUMNS}
        hidden={[
          'renewsNo',
          'renewedNo',
          'signBy',
          'freeDays',
          'files',
          'lessorName',
          'lessorSignedAt',
          'lesseeSignedAt',
          'lesseeByName',
          'lesseeFiles',
          'makerName',
          'endReason',
        ]}
        roomy={['contractNo', 'cycle', 'depositFen']}
        actions={(row) => (row.state === ContractState.toSign ? toSign(row, me, sign, setDoing) : signed(row, me, setDoing))}
        empty={['还没有合同', 'No leases yet']}
      />
      {doing && <Asked {...doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

type Doing = { what: 'new' } | { what: 'sign' | 'withdraw' | 'refund' | 'renew' | 'end'; row: Row }
function Asked({ onClose, ...asked }: Doing & { onClose: () => void }) {
  if (asked.what === 'new') return <Draft onClose={onClose} />
  const { what, row } = asked
  if (what === 'sign') return <LesseeSigns row={row} onClose={onClose} />
  if (what === 'withdraw') return <Withdraw row={row} onClose={onClose} />
  if (what === 'refund') return <ReturnDeposit row={row} onClose={onClose} />
  if (what === 'renew') return <Renew row={row} onClose={onClose} />
  return <End row={row} onClose={onClose} />
}
type Ask = (doing: Doing) => void

/** The actions on a lease that one party or both have still to sign. */
const toSign = (row: Row, me: string | undefined, sign: (row: Row) => void, setDoing: Ask): RowAction[] => [
  {
    text: ['出租方签署', 'Sign as lessor'],
    needs: contract.sign.needs,
    run: () => sign(row),
    not: row.lessorSignedAt !== null ? SIGNED : row.makerId === me ? OWN : row.lesseeById === me && FOR_BOTH,
  },
  {
    text: ['登记承租方签署', 'Record lessee signature'],
    needs: contract.sign.needs,
    run: () => setDoing({ what: 'sign', row }),
    not: row.lesseeSignedAt !== null ? SIGNED : row.lessorId === me && FOR_BOTH,
  },
  {
    text: ['撤回', 'Withdraw'],
    needs: contract.withdraw.needs,
    run: () => setDoing({ what: 'withdraw', row }),
    not: row.renewsId === null && (row.lessorSignedAt ?? row.lesseeSignedAt) !== null && (['已有一方签署', 'One party has signed'] as Text),
    danger: true,
  },
]

/** The actions on a lease that both have signed. */
const signed = (row: Row, me: string | undefined, setDoing: Ask): RowAction[] => [
  ...(row.returnableFen > 0
    ? [{ text: ['申请退还押金', 'Request deposit refund'] as Text, needs: contract.refund.needs, run: () => setDoing({ what: 'refund', row }) }]
    : []),
  { text: ['续签', 'Renew'], needs: contract.renew.needs, run: () => setDoing({ what: 'renew', row }), not: notToRenew(row) },
  {
    text: ['解约', 'End lease'],
    needs: contract.end.needs,
    run: () => setDoing({ what: 'end', row }),
    not: row.state !== ContractState.inForce ? NOT_NOW : row.makerId === me && OWN,
    danger: true,
  },
]

const Draft = ({ onClose }: { onClose: () => void }) => (
  <FormDialog
    title={['拟订租赁合同', 'Draft lease']}
    entity={contract.add.input}
    mode="new"
    value={{ cycle: Cycle.quarter }}
    save={contract.add}
    done={['已拟订，由另一人代表出租方签署', 'Drafted; another person signs for the lessor']}
    changes={CHANGES}
    fields={[
      {
        name: 'projectId',
        control: <ProjectSelect states={[RentState.shown]} />,
        help: [
          '公示结束的项目；年租金为中标报价，租期为项目租期',
          'Projects whose award notice period has ended; annual rent is the winning bid, the term is the project’s',
        ],
      },
      'fromDay',
      'cycle',
      { name: 'freeDays', optional: true },
      { name: 'depositFen', optional: true },
      { name: 'files', optional: true },
    ]}
    onClose={onClose}
  />
)

const LesseeSigns = ({ row, onClose }: { row: Row; onClose: () => void }) => (
  <FormDialog
    title={[`登记承租方签署 · ${row.contractNo}`, `Record lessee signature · ${row.contractNo}`]}
    entity={contract.sign.input}
    mode="new"
    value={{ id: row.id, version: row.version, party: Party.lessee }}
    save={contract.sign}
    act={['登记签署', 'Record signature']}
    done={['已登记承租方签署', 'Lessee signature recorded']}
    changes={CHANGES}
    about={<Facts entity={ContractLine} of={row} show={['projectName', 'bidderName', 'fromDay', 'toDay', 'rentFen', 'depositFen']} />}
    fields={[
      {
        name: 'files',
        needed: true,
        help: ['承租人签字的合同页；承租人也可在手机上自行签署', 'The pages that the lessee signed; the lessee can also sign on their phone'],
      },
    ]}
    onClose={onClose}
  />
)

const ReturnDeposit = ({ row, onClose }: { row: Row; onClose: () => void }) => (
  <FormDialog
    title={[`退还 ¥${yuan(row.returnableFen)} · ${row.contractNo}`, `Refund ¥${yuan(row.returnableFen)} · ${row.contractNo}`]}
    entity={contract.refund.input}
    mode="new"
    value={{ id: row.id, version: row.version }}
    save={contract.refund}
    act={({ penaltyFen }) => refunding(row.returnableFen - (penaltyFen ?? 0))}
    done={['已申请，待退款审核', 'Requested; awaiting refund review']}
    changes={CHANGES}
    fields={[
      {
        name: 'penaltyFen',
        optional: true,
        help: ['押金扣除违约金后退还，不填则全额退还', 'Kept of the deposit; the rest is refunded. Leave it empty to refund in full'],
      },
      'reason',
    ]}
    onClose={onClose}
  />
)

const Renew = ({ row, onClose }: { row: Row; onClose: () => void }) => (
  <FormDialog
    title={[`续签 ${row.contractNo}`, `Renew lease ${row.contractNo}`]}
    entity={contract.renew.input}
    mode="new"
    value={{ id: row.id, version: row.version, leaseMonths: YEAR_MONTHS, rentFen: row.rentFen, cycle: row.cycle }}
    save={contract.renew}
    act={['拟订续签合同', 'Draft renewal']}
    done={['已拟订续签合同，待双方签署', 'Renewal drafted; both parties are to sign it']}
    changes={CHANGES}
    fields={[
      {
        name: 'leaseMonths',
        help: [
          `自原租期结束次日起算（原租期至 ${row.toDay}），须在该日前由双方签署`,
          `Counted from the day after the current term, which ends on ${row.toDay}; both parties must sign by then`,
        ],
      },
      { name: 'rentFen', help: ['原合同押金转入续签合同，不另收取', 'The deposit of this lease is carried over; none is billed again'] },
      'cycle',
      { name: 'files', optional: true },
    ]}
    onClose={onClose}
  />
)

const Withdraw = ({ row, onClose }: { row: Row; onClose: () => void }) => (
  <FormDialog
    title={[`撤回合同 ${row.contractNo}`, `Withdraw lease ${row.contractNo}`]}
    entity={contract.withdraw.input}
    mode="new"
    value={{ id: row.id, version: row.version }}
    save={contract.withdraw}
    act={['撤回', 'Withdraw']}
    done={['已撤回，可重新拟订', 'Withdrawn; another can be drafted']}
    changes={CHANGES}
    fields={['reason']}
    onClose={onClose}
  />
)

const End = ({ row, onClose }: { row: Row; onClose: () => void }) => (
  <FormDialog
    title={[`解约 ${row.contractNo}`, `End lease ${row.contractNo}`]}
    entity={contract.end.input}
    mode="new"
    value={{ id: row.id, version: row.version }}
    save={contract.end}
    act={['解约', 'End lease']}
    done={['已解约', 'Ended']}
    changes={CHANGES}
    fields={[
      {
        name: 'reason',
        help: [
          '未到期的账单作废，其已付租金与押金进入退款审核',
          'Bills not yet due become void; rent paid for them and the deposit go to refund review',
        ],
      },
    ]}
    onClose={onClose}
  />
)

const Awarded = ({ toolbar }: { toolbar: ReactNode }) => (
  <ListScreen
    purpose={['中标的项目及其合同与账单', 'Awarded projects with their leases and bills']}
    query={awards.queryEnrollProject}
    search={awardSearch}
    exports={awards.export}
    only={{ winner: true }}
    toolbar={toolbar}
    find={['projectName', 'bidderName', 'contractNo', 'contractState', 'toDay', 'hasContract']}
    sum={{ totals: ['billsFen', 'paidFen', 'overdueFen'] }}
    columns={[
      'projectName',
      'projectState',
      'bidderName',
      'bidFen',
      'contractNo',
      'contractState',
      'fromDay',
      'toDay',
      'billsFen',
      'paidFen',
      'overdueFen',
      'publicUntil',
      'signBy',
    ]}
    roomy={['publicUntil', 'signBy', 'contractNo', 'fromDay', 'projectState']}
    empty={['还没有中标的项目', 'No awarded projects yet']}
  />
)
