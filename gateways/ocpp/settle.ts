import type { Version } from './frames.ts'
import type { Outcome } from './peer.ts'
import type { Variable } from './said.ts'
import { settingsIn } from './tell16.ts'
import { namesIn, variablesIn } from './tell201.ts'
import { resultOf } from './telling.ts'

const SAMPLE_S = '30'
const CLOCK_S = '1800'
/** Settings that every pile should have; of several values the first that the pile accepts. */
const WANTED: Record<Version, Record<string, readonly string[]>> = {
  '1.6': {
    LocalPreAuthorize: ['false'],
    AllowOfflineTxForUnknownId: ['false'],
    AuthorizeRemoteTxRequests: ['false'],
    LocalAuthorizeOffline: ['true'],
    StopTransactionOnInvalidId: ['true'],
    MeterValueSampleInterval: [SAMPLE_S],
    ClockAlignedDataInterval: [CLOCK_S],
    // One measurand that a pile does not know makes it refuse them all.
    MeterValuesSampledData: [
      'Energy.Active.Import.Register,Power.Active.Import,Current.Import,Voltage,SoC,Temperature',
      'Energy.Active.Import.Register,Power.Active.Import,Current.Import,Voltage,SoC',
      'Energy.Active.Import.Register,Power.Active.Import',
      'Energy.Active.Import.Register',
    ],
  },
  '2.0.1': {
    'AuthCtrlr.LocalPreAuthorize': ['false'],
    'AuthCtrlr.OfflineTxForUnknownIdEnabled': ['false'],
    'AuthCtrlr.AuthorizeRemoteStart': ['false'],
    'AuthCtrlr.LocalAuthorizeOffline': ['true'],
    'TxCtrlr.StopTxOnInvalidId': ['true'],
    'SampledDataCtrlr.TxUpdatedInterval': [SAMPLE_S],
    'AlignedDataCtrlr.Interval': [CLOCK_S],
    'SampledDataCtrlr.TxUpdatedMeasurands': [
      'Energy.Active.Import.Register,Power.Active.Import,Current.Import,Voltage,SoC',
      'Energy.Active.Import.Register,Power.Active.Import',
      'Energy.Active.Import.Register',
    ],
  },
}
type Say = (action: string, payload: object) => Promise<Outcome>
interface Known {
  key: string
  value: string | null
  readonly: boolean
}

/** Reads how a pile is set, sets what differs and no more, one thing at a time; a pile that restarts because of it is left alone by whoever calls this. @returns how it is set now */
export async function settle(say: Say, version: Version): Promise<Known[]> {
  const known = await readAll(say, version)
  for (const [key, values] of Object.entries(WANTED[version])) {
    const now = known.find((one) => one.key.toLowerCase() === key.toLowerCase())
    // 1.6 told of all it has: what is not there it does not know.
    if (now === undefined || now.readonly) continue
    for (const value of values) {
      if (value === now.value) break
      const told =
        version === '1.6'
          ? await say('ChangeConfiguration', { key: now.key, value })
          : await say('SetVariables', { setVariableData: [{ ...namesIn(key), attributeValue: value }] })
      if ('lost' in told) return known
      if (!tookIt(told)) continue
      now.value = value
      break
    }
  }
  return known
}
function tookIt(outcome: Outcome): boolean {
  const result = resultOf(outcome)
  const status = result?.['status'] ?? result?.['setVariableResult']?.[0]?.attributeStatus
  return status === 'Accepted' || status === 'RebootRequired'
}
async function readAll(say: Say, version: Version): Promise<Known[]> {
  const keyOf = ({ component, variable }: Variable) => (component ? `${component}.${variable}` : variable)
  const asked =
    version === '1.6'
      ? settingsIn(resultOf(await say('GetConfiguration', {})))
      : variablesIn(resultOf(await say('GetVariables', { getVariableData: Object.keys(WANTED[version]).map(namesIn) })))
  return asked.map((one) => ({ key: keyOf(one), value: one.value, readonly: one.readonly }))
}
