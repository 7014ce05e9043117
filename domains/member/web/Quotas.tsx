import { plural } from '../../../platform/contract/plural.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Modal } from 'antd'
import { useState } from 'react'
import { asks } from '../../../platform/web/ask.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { can } from '../../../platform/web/person.ts'
import { Label } from '../../../platform/web/form/remove.tsx'
import { useText } from '../../../platform/web/text.ts'
import { ParkName, ParkSelect } from '../../parking/web/api/names.tsx'
import { whiteBlack } from '../contract/whiteBlack.ts'

const CHANGES = [whiteBlack.quotas]

/** How many bays the staff of each unit have, park by park. */
export function Quotas() {
  const say = useText()
  const [open, setOpen] = useState(false)
  const [setting, setSetting] = useState<{ unit?: string; parkCode?: string; bays?: number }>()
  const { data } = useQuery({ ...asks(whiteBlack.quotas, {}, { quiet: true }), enabled: open })
  return (
    <>
      <Button onClick={() => setOpen(true)}>{say(['单位车位', 'Unit bays'])}</Button>
      <Modal
        open={open}
        title={say(['单位车位', 'Unit bays'])}
        onCancel={() => setOpen(false)}
        footer={
          can(whiteBlack.unitQuota.needs) && (
            <Button type="primary" onClick={() => setSetting({})}>
              {say(Label.add)}
            </Button>
          )
        }
      >
        <table className="lines">
          <tbody>
            {data?.map((one) => (
              <tr key={one.id}>
                <td>{one.unit}</td>
                <td>
                  <ParkName code={one.parkCode} />
                </td>
                <td className="right">{say([`${one.bays} 个`, `${one.bays} ${plural(one.bays, 'bay')}`])}</td>
                <td>
                  <Button size="small" onClick={() => setSetting(one)}>
                    {say(Label.edit)}
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {data?.length === 0 && (
          <p className="faint">{say(['没有设置：各单位的员工车不限车位', 'Nothing set: staff cars of every unit have no bay limit'])}</p>
        )}
      </Modal>
      {setting && (
        <FormDialog
          title={['单位车位', 'Unit bays']}
          entity={whiteBlack.unitQuota.input}
          mode="new"
          value={setting as never}
          save={whiteBlack.unitQuota}
          changes={CHANGES}
          done={['已保存', 'Saved']}
          fields={[
            'unit',
            { name: 'parkCode', control: <ParkSelect empty={['请选择', 'Choose']} /> },
            { name: 'bays', optional: true, help: ['留空为不限', 'Leave empty for no limit'] },
          ]}
          onClose={() => setSetting(undefined)}
        />
      )}
    </>
  )
}
