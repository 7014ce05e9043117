import { Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { cityDay, yuan } from '../../../platform/web/format.ts'
import { Facts } from '../../../platform/web/DetailDrawer.tsx'
import { FormDialog } from '../../../platform/web/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/ListScreen.tsx'
import { person } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/remove.tsx'
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

/** Leases: drawn up for whoever won, signed by both, renewed while they run, or ended early. */
export default function RentContractScreen() {
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

function Contracts({ toolbar }: { toolbar: ReactNode }) {
  const me = person.use()?.custId
  const [doing, setDoing] = useState<'new' | Row>()
  const [returning, setReturning] = useState<Row>()
  const [renewing, setRenewing] = useState<Row>()
  const act = useAct(CHANGES)
  const [signing, setSigning] = useState<Row>()
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
        add={{ call: contract.add, open: () => setDoing('new'), text: ['拟订合同', 'Draft lease'] }}
        columns={[
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
        ]}
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
        actions={(row) =>
          row.state === ContractState.toSign
            ? [
                {
                  text: ['出租方签署', 'Sign as lessor'],
                  needs: contract.sign.needs,
                  run: () => sign(row),
                  not:
                    row.lessorSignedAt !== null
                      ? SIGNED
                      : row.makerId === (me as string)
                        ? OWN
                        : row.lesseeById === (me as string | null) && FOR_BOTH,
                },
                {
                  text: ['登记承租方签署', 'Record lessee signature'],
                  needs: contract.sign.needs,
                  run: () => setSigning(row),
                  not: row.lesseeSignedAt !== null ? SIGNED : row.lessorId === (me as string | null) && FOR_BOTH,
                },
                {
                  text: ['撤回', 'Withdraw'],
                  needs: contract.withdraw.needs,
                  run: () => setDoing(row),
                  not:
                    row.renewsId === null &&
                    (row.lessorSignedAt ?? row.lesseeSignedAt) !== null &&
                    (['已有一方签署', 'One party has signed'] as Text),
                  danger: true,
                },
              ]
            : [
                ...(row.returnableFen > 0
                  ? [{ text: ['申请退还押金', 'Request deposit refund'] as Text, needs: contract.refund.needs, run: () => setReturning(row) }]
                  : []),
                { text: ['续签', 'Renew'], needs: contract.renew.needs, run: () => setRenewing(row), not: notToRenew(row) },
                {
                  text: ['解约', 'End lease'],
                  needs: contract.end.needs,
                  run: () => setDoing(row),
                  not: row.state !== ContractState.inForce ? NOT_NOW : row.makerId === (me as string) && OWN,
                  danger: true,
                },
              ]
        }
        empty={['还没有合同', 'No leases yet']}
      />
      {doing === 'new' && (
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
          onClose={() => setDoing(undefined)}
        />
      )}
      {signing && (
        <FormDialog
          title={[`登记承租方签署 · ${signing.contractNo}`, `Record lessee signature · ${signing.contractNo}`]}
          entity={contract.sign.input}
          mode="new"
          value={{ id: signing.id, version: signing.version, party: Party.lessee }}
          save={contract.sign}
          act={['登记签署', 'Record signature']}
          done={['已登记承租方签署', 'Lessee signature recorded']}
          changes={CHANGES}
          about={<Facts entity={ContractLine} of={signing} show={['projectName', 'bidderName', 'fromDay', 'toDay', 'rentFen', 'depositFen']} />}
          fields={[
            {
              name: 'files',
              needed: true,
              help: ['承租人签字的合同页；承租人也可在手机上自行签署', 'The pages that the lessee signed; the lessee can also sign on their phone'],
            },
          ]}
          onClose={() => setSigning(undefined)}
        />
      )}
      {returning && (
        <FormDialog
          title={[
            `退还 ¥${yuan(returning.returnableFen)} · ${returning.contractNo}`,
            `Refund ¥${yuan(returning.returnableFen)} · ${returning.contractNo}`,
          ]}
          entity={contract.refund.input}
          mode="new"
          value={{ id: returning.id, version: returning.version }}
          save={contract.refund}
          act={({ penaltyFen }) => refunding(returning.returnableFen - (penaltyFen ?? 0))}
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
          onClose={() => setReturning(undefined)}
        />
      )}
      {renewing && (
        <FormDialog
          title={[`续签 ${renewing.contractNo}`, `Renew lease ${renewing.contractNo}`]}
          entity={contract.renew.input}
          mode="new"
          value={{ id: renewing.id, version: renewing.version, leaseMonths: YEAR_MONTHS, rentFen: renewing.rentFen, cycle: renewing.cycle }}
          save={contract.renew}
          act={['拟订续签合同', 'Draft renewal']}
          done={['已拟订续签合同，待双方签署', 'Renewal drafted; both parties are to sign it']}
          changes={CHANGES}
          fields={[
            {
              name: 'leaseMonths',
              help: [
                `自原租期结束次日起算（原租期至 ${renewing.toDay}），须在该日前由双方签署`,
                `Counted from the day after the current term, which ends on ${renewing.toDay}; both parties must sign by then`,
              ],
            },
            { name: 'rentFen', help: ['原合同押金转入续签合同，不另收取', 'The deposit of this lease is carried over; none is charged again'] },
            'cycle',
            { name: 'files', optional: true },
          ]}
          onClose={() => setRenewing(undefined)}
        />
      )}
      {doing && doing !== 'new' && doing.state === ContractState.toSign && (
        <FormDialog
          title={[`撤回合同 ${doing.contractNo}`, `Withdraw lease ${doing.contractNo}`]}
          entity={contract.withdraw.input}
          mode="new"
          value={{ id: doing.id, version: doing.version }}
          save={contract.withdraw}
          act={['撤回', 'Withdraw']}
          done={['已撤回，可重新拟订', 'Withdrawn; another can be drafted']}
          changes={CHANGES}
          fields={['reason']}
          onClose={() => setDoing(undefined)}
        />
      )}
      {doing && doing !== 'new' && doing.state === ContractState.inForce && (
        <FormDialog
          title={[`解约 ${doing.contractNo}`, `End lease ${doing.contractNo}`]}
          entity={contract.end.input}
          mode="new"
          value={{ id: doing.id, version: doing.version }}
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
          onClose={() => setDoing(undefined)}
        />
      )}
    </>
  )
}

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
