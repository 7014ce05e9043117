import { run } from '../../../platform/server/database.ts'
import type { Kind } from '../../../platform/server/record/kinds.ts'
import { device, Device } from '../contract/device.ts'

const DEVICES = '/assetManage/parkingAndFacility/device'

/** A device is found by the beginning of its serial number or of its name. */
export const records: Kind[] = [
  {
    table: 'device.device',
    entity: Device,
    needs: device.find.needs,
    bin: { needs: device.deleteList.needs },
    async find(tx, words, most) {
      const rows = await run<{ id: string; deviceNo: string; name: string }>(
        tx,
        {
          sql: `select id, device_no, name from device.device where enterprise_id = scope_enterprise() and (device_no ^@ $1 or name ^@ $2)
            order by device_no limit $3`,
        },
        [words.toUpperCase(), words, most],
      )
      return rows.map(({ id, deviceNo, name }) => ({ key: id, title: name, detail: deviceNo, path: `${DEVICES}/${id}` }))
    },
  },
]
