import { ListScreen } from '../../../platform/web/ListScreen.tsx'
import { useText } from '../../../platform/web/text.ts'
import { logSheet } from '../contract/logSheet.ts'
import { message, warningSearch } from '../contract/message.ts'
import { findPark, gateColumn, parkColumn } from './places.tsx'

/** What devices ask somebody to look at; the same open warning is one row whose count grows. */
export default function WarningScreen() {
  const say = useText()
  return (
    <ListScreen
      purpose={['需要有人去看的设备问题，同一问题只记一条并累计次数', 'What somebody has to look at; the same thing again only counts up']}
      query={message.warning}
      search={warningSearch}
      exports={logSheet.warning}
      find={['deviceNo', 'state', 'type', findPark, 'lastAt']}
      sum={{ figures: [{ text: ['未处理', 'open'], leads: { state: [0] } }] }}
      columns={['type', 'state', 'level', 'deviceNo', parkColumn(say), gateColumn(say), 'subject', 'count', 'firstAt', 'lastAt', 'recoveredAt']}
      hidden={['firstAt']}
      live="device.warning"
      empty={['没有需要处理的设备问题。', 'No device asks for anything.']}
    />
  )
}
