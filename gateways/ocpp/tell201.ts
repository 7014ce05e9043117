import { type CommandAnswer, LogKind, PileFailure, PileMethod, ResetKind, TriggerMessage } from '../../domains/charging/server/api.ts'
import type { Variable } from './said.ts'
import { answerOf, FOR_CHARGE, type Limit, limited, no, resultOf, type Telling } from './telling.ts'

type Tell = (of: Telling) => Promise<CommandAnswer>
const MESSAGES = {
  [TriggerMessage.status]: 'StatusNotification',
  [TriggerMessage.meter]: 'MeterValues',
  [TriggerMessage.heartbeat]: 'Heartbeat',
  [TriggerMessage.firmware]: 'FirmwareStatusNotification',
  [TriggerMessage.log]: 'LogStatusNotification',
}
const evseOf = ({ place }: Telling) => place.evse ?? place.connector
const gunOf = (of: Telling) => ({ id: evseOf(of), connectorId: of.place.connector })

/** How a station of 2.0.1 is told each thing. */
export const tell201: Partial<Record<number, Tell>> = {
  [PileMethod.start]: async (of) =>
    answerOf(
      await of.say('RequestStartTransaction', {
        evseId: evseOf(of),
        remoteStartId: of.params['startNo'],
        idToken: { idToken: of.params['token'], type: 'Central' },
      }),
    ),
  [PileMethod.stop]: async ({ say, params }) => answerOf(await say('RequestStopTransaction', { transactionId: String(params['transaction']) })),
  [PileMethod.reset]: async ({ say, params }) =>
    answerOf(await say('Reset', { type: params['kind'] === ResetKind.hard ? 'Immediate' : 'OnIdle' }), ['Accepted', 'Scheduled']),
  [PileMethod.unlock]: async (of) =>
    answerOf(await of.say('UnlockConnector', { evseId: evseOf(of), connectorId: of.place.connector }), ['Unlocked'], true),
  [PileMethod.availability]: async (of) =>
    answerOf(
      await of.say('ChangeAvailability', {
        operationalStatus: of.params['operative'] ? 'Operative' : 'Inoperative',
        ...(of.place.connector > 0 && { evse: gunOf(of) }),
      }),
      ['Accepted', 'Scheduled'],
    ),
  [PileMethod.getConfiguration]: getVariables,
  [PileMethod.setConfiguration]: setVariable,
  [PileMethod.trigger]: async (of) =>
    answerOf(
      await of.say('TriggerMessage', {
        requestedMessage: MESSAGES[of.params['message'] as keyof typeof MESSAGES],
        ...(of.place.connector > 0 && { evse: gunOf(of) }),
      }),
    ),
  [PileMethod.updateFirmware]: async ({ say, params }) =>
    answerOf(
      await say('UpdateFirmware', {
        requestId: params['request'],
        retries: 3,
        retryInterval: 60,
        firmware: { location: params['url'], retrieveDateTime: params['retrieveAt'] },
      }),
      ['Accepted', 'AcceptedCanceled'],
    ),
  [PileMethod.getLog]: async ({ say, params }) =>
    answerOf(
      await say('GetLog', {
        logType: params['kind'] === LogKind.security ? 'SecurityLog' : 'DiagnosticsLog',
        requestId: params['request'],
        log: { remoteLocation: params['url'] },
      }),
      ['Accepted', 'AcceptedCanceled'],
    ),
  [PileMethod.sendLocalList]: sendLocalList,
  [PileMethod.reserve]: async (of) =>
    answerOf(
      await of.say('ReserveNow', {
        id: of.params['reservation'],
        expiryDateTime: of.params['until'],
        idToken: { idToken: of.params['cardNo'], type: 'ISO14443' },
        evseId: evseOf(of),
      }),
      ['Accepted'],
      true,
    ),
  [PileMethod.cancelReservation]: async ({ say, params }) =>
    answerOf(await say('CancelReservation', { reservationId: params['reservation'] }), ['Accepted'], true),
  [PileMethod.setProfile]: (of) =>
    limited(of.params, async (limit) =>
      answerOf(
        await of.say('SetChargingProfile', { evseId: evseOf(of), chargingProfile: profileOf(evseOf(of), limit, of.params['transaction']) }),
        ['Accepted'],
        true,
      ),
    ),
  [PileMethod.clearProfile]: async (of) =>
    answerOf(await of.say('ClearChargingProfile', { chargingProfileCriteria: { evseId: evseOf(of) } }), ['Accepted', 'Unknown'], true),
  [PileMethod.rotateSecret]: async ({ say, params, secret }) =>
    variableAnswer(await set(say, 'SecurityCtrlr.BasicAuthPassword', secret(params['salt'])), 'setVariableResult', true),
  [PileMethod.transactionStatus]: async ({ say, params }) =>
    answerOf(await say('GetTransactionStatus', { transactionId: params['transaction'] }), [], true),
}

const profileOf = (evse: number, { unit, value }: Limit, transaction: unknown) => ({
  id: transaction === undefined ? evse : FOR_CHARGE + evse,
  ...(transaction !== undefined && { transactionId: String(transaction) }),
  stackLevel: 0,
  chargingProfilePurpose: transaction === undefined ? 'TxDefaultProfile' : 'TxProfile',
  chargingProfileKind: 'Relative',
  chargingSchedule: [{ id: 1, chargingRateUnit: unit, chargingSchedulePeriod: [{ startPeriod: 0, limit: value }] }],
})

/** `Component.Variable`, either with an instance in brackets. */
export function namesIn(key: string): { component: object; variable: object } | undefined {
  const [, component, of, variable, which] = /^(\w{1,50})(?:\[([^\]]{1,50})\])?\.(\w{1,50})(?:\[([^\]]{1,50})\])?$/.exec(key) ?? []
  if (!component || !variable) return undefined
  return { component: { name: component, ...(of && { instance: of }) }, variable: { name: variable, ...(which && { instance: which }) } }
}
const set = (say: Telling['say'], key: string, value: string) =>
  say('SetVariables', { setVariableData: [{ ...namesIn(key), attributeValue: value }] })
/** The newer version answers each variable by itself. */
function variableAnswer(outcome: Awaited<ReturnType<Telling['say']>>, list: string, done = false): CommandAnswer {
  const answer = answerOf(outcome, [], done)
  if (!answer.agreed) return answer
  const status = resultOf(outcome)?.[list]?.[0]?.attributeStatus as string | undefined
  if (status === 'Accepted' || status === 'RebootRequired') return answer
  return no(/^(Unknown|NotSupported)/.test(status ?? '') ? PileFailure.unsupported : PileFailure.rejected, resultOf(outcome))
}
export function variablesIn(result: Record<string, any> | undefined): Variable[] {
  const all = Array.isArray(result?.['getVariableResult']) ? (result['getVariableResult'] as Record<string, any>[]) : []
  const name = (one: { name?: unknown; instance?: unknown } | undefined) =>
    one?.instance ? `${String(one.name)}[${String(one.instance)}]` : String(one?.name ?? '')
  return all
    .filter(({ attributeStatus }) => attributeStatus === 'Accepted')
    .map((one) => ({ component: name(one['component']), variable: name(one['variable']), value: one['attributeValue'] ?? null, readonly: false }))
}

/** Without names it is asked for all it has, and tells that in its own time. */
async function getVariables({ say, params, settings }: Telling): Promise<CommandAnswer> {
  const keys = ((params['keys'] as string[] | undefined) ?? []).map(namesIn).filter((one) => one !== undefined)
  if (keys.length === 0)
    return answerOf(await say('GetBaseReport', { requestId: params['request'], reportBase: 'FullInventory' }), ['Accepted', 'EmptyResultSet'], true)
  const outcome = await say('GetVariables', { getVariableData: keys })
  const told = variablesIn(resultOf(outcome))
  if (told.length > 0) await settings(told)
  return answerOf(outcome, [], true)
}
async function setVariable({ say, params, settings }: Telling): Promise<CommandAnswer> {
  const { key, value } = params as { key: string; value: string }
  if (!namesIn(key)) return no(PileFailure.unsupported, { key })
  const outcome = await set(say, key, value)
  const answer = variableAnswer(outcome, 'setVariableResult', true)
  if (!answer.agreed) return answer
  const told = variablesIn(resultOf(await say('GetVariables', { getVariableData: [namesIn(key)] })))
  if (told.length > 0) await settings(told)
  const waits = resultOf(outcome)?.['setVariableResult']?.[0]?.attributeStatus === 'RebootRequired'
  return told[0]?.value === value || waits ? answer : no(PileFailure.noEffect, { value: told[0]?.value ?? null })
}
async function sendLocalList({ say, params }: Telling): Promise<CommandAnswer> {
  const { version, cards } = params as { version: number; cards: string[] }
  const list = cards.map((idToken) => ({ idToken: { idToken, type: 'ISO14443' }, idTokenInfo: { status: 'Accepted' } }))
  const answer = answerOf(
    await say('SendLocalList', { versionNumber: version, updateType: 'Full', ...(list.length > 0 && { localAuthorizationList: list }) }),
  )
  if (!answer.agreed) return answer
  const now = resultOf(await say('GetLocalListVersion', {}))?.['versionNumber']
  return now === version
    ? { agreed: true, done: true, result: { listVersion: now, cards: cards.length } }
    : no(PileFailure.noEffect, { listVersion: now ?? null })
}
