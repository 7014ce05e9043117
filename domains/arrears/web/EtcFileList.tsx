import { useQuery } from '@tanstack/react-query'
import { Modal, Table } from 'antd'
import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { count } from '../../../platform/web/format.ts'
import { listAt } from '../../../platform/web/list/listAt.ts'
import { Failed, Waiting } from '../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Money, Time } from '../../../platform/web/value.tsx'
import { CheckResult } from '../../settlement/contract/liquidation.ts'
import { etc, type EtcFile } from '../contract/etc.ts'

type Row = Of<typeof EtcFile>
const SHOWN = 100
const DIFFERING = [CheckResult.over, CheckResult.short, CheckResult.amount, CheckResult.state]
/** The list of the clearing's transactions where the differences of a file's day are settled. */
const differencesOf = ({ clearDate }: Row) => listAt('/operation/finance', { tab: 'trades', channel: 'etc', checkDate: clearDate, result: DIFFERING })

/** The issuers' imported files, with the result of each. */
export function EtcFileList({ onClose }: { onClose: () => void }) {
  const say = useText()
  const { data, error, refetch } = useQuery(asks(etc.fileList, { limit: SHOWN }, { quiet: true }))
  const number = (name: 'rows' | 'matched' | 'settled' | 'failed', text: Text) => ({
    title: say(text),
    align: 'right' as const,
    render: (_: unknown, row: Row) => count(row[name]),
  })
  return (
    <Modal open width={1000} title={say(['清分文件', 'Clearing files'])} footer={null} onCancel={onClose}>
      {error ? (
        <Failed error={error as Refusal} retry={() => void refetch()} />
      ) : !data ? (
        <Waiting />
      ) : (
        <Table
          size="small"
          rowKey="id"
          pagination={{ pageSize: 10, hideOnSinglePage: true }}
          scroll={{ x: 'max-content' }}
          dataSource={data.records}
          locale={{ emptyText: say(['还没有导入清分文件', 'No clearing files yet']) }}
          columns={[
            { title: say(['文件', 'File']), dataIndex: 'fileNo' },
            { title: say(['清分日', 'Clearing day']), dataIndex: 'clearDate' },
            number('rows', ['行数', 'Lines']),
            number('matched', ['一致', 'Matched']),
            number('settled', ['补记成功', 'Settled']),
            number('failed', ['补记失败', 'Failed']),
            {
              title: say(['不符 / 长款', 'Differing / surplus']),
              align: 'right',
              render: (_, row) => {
                const said = `${count(row.differing)} / ${count(row.surplus)}`
                return row.differing + row.surplus > 0 ? <Link to={differencesOf(row)}>{said}</Link> : said
              },
            },
            { title: say(['扣费', 'Deducted']), align: 'right', render: (_, { chargeFen }) => <Money fen={chargeFen} /> },
            { title: say(['退款', 'Refunded']), align: 'right', render: (_, { refundFen }) => <Money fen={refundFen} /> },
            {
              title: say(['导入', 'Imported']),
              render: (_, { importedName, importedAt }) => (
                <>
                  {importedName} <Time at={importedAt} />
                </>
              ),
            },
          ]}
        />
      )}
    </Modal>
  )
}
