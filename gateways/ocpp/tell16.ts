import { type CommandAnswer, LogKind, PileFailure, PileMethod, ResetKind, TriggerMessage } from '../../domains/charging/server/api.ts'
import type { Variable } from './said.ts'
import { answerOf, FOR_CHARGE, type Limit, limited, no, resultOf, type Telling } from './telling.ts'

type Tell = (of: Telling) => Promise<CommandAnswer>
const MESSAGES = {
  [TriggerMessage.status]: 'StatusNotification',
  [TriggerMessage.meter]: 'MeterValues',
  [TriggerMessage.heartbeat]: 'Heartbeat',
  [TriggerMessage.firmware]: 'FirmwareStatusNotification',
  [TriggerMessage.log]: 'DiagnosticsStatusNotification',
}
/** How a pile of 1.6 is told each thing. */
export const tell16: Partial<Record<number, Tell>> = {
  [PileMethod.start]: async ({ say, place, params }) =>
    answerOf(await say('RemoteStartTransaction', { connectorId: place.connector, idTag: params['token'] })),
  [PileMethod.stop]: async ({ say, params }) => answerOf(await say('RemoteStopTransaction', { transactionId: Number(params['transaction']) })),
  [PileMethod.reset]: async ({ say, params }) => answerOf(await say('Reset', { type: params['kind'] === ResetKind.hard ? 'Hard' : 'Soft' })),
  [PileMethod.unlock]: async ({ say, place }) => answerOf(await say('UnlockConnector', { connectorId: place.connector }), ['Unlocked'], true),
  [PileMethod.availability]: async ({ say, place, params }) =>
    answerOf(await say('ChangeAvailability', { connectorId: place.connector, type: params['operative'] ? 'Operative' : 'Inoperative' }), [
      'Accepted',
      'Scheduled',
    ]),
  [PileMethod.getConfiguration]: getConfiguration,
  [PileMethod.setConfiguration]: setConfiguration,
  [PileMethod.trigger]: async ({ say, place, params }) =>
    answerOf(
      await say('TriggerMessage', {
        requestedMessage: MESSAGES[params['message'] as keyof typeof MESSAGES],
        ...(place.connector > 0 && { connectorId: place.connector }),
      }),
    ),
  [PileMethod.updateFirmware]: async ({ say, params }) =>
    // No retries would mean one try.
    answerOf(await say('UpdateFirmware', { location: params['url'], retrieveDate: params['retrieveAt'], retries: 3, retryInterval: 60 })),
  [PileMethod.getLog]: async ({ say, params }) =>
    params['kind'] === LogKind.security
      ? answerOf(await say('GetLog', { logType: 'SecurityLog', requestId: params['request'], log: { remoteLocation: params['url'] } }), [
          'Accepted',
          'AcceptedCanceled',
        ])
      : answerOf(await say('GetDiagnostics', { location: params['url'], retries: 3, retryInterval: 60 })),
  [PileMethod.sendLocalList]: sendLocalList,
  [PileMethod.reserve]: async ({ say, place, params }) =>
    answerOf(
      await say('ReserveNow', {
        connectorId: place.connector,
        expiryDate: params['until'],
        idTag: params['cardNo'],
        reservationId: params['reservation'],
      }),
      ['Accepted'],
      true,
    ),
  [PileMethod.cancelReservation]: async ({ say, params }) =>
    answerOf(await say('CancelReservation', { reservationId: params['reservation'] }), ['Accepted'], true),
  [PileMethod.setProfile]: ({ say, place, params }) =>
    limited(params, async (limit) =>
      answerOf(
        await say('SetChargingProfile', {
          connectorId: place.connector,
          csChargingProfiles: profileOf(place.connector, limit, params['transaction']),
        }),
        ['Accepted'],
        true,
      ),
    ),
  // A pile that knows of no profile has none to lift.
  [PileMethod.clearProfile]: async ({ say, place }) =>
    answerOf(await say('ClearChargingProfile', { connectorId: place.connector }), ['Accepted', 'Unknown'], true),
  [PileMethod.rotateSecret]: async ({ say, params, secret }) =>
    answerOf(await say('ChangeConfiguration', { key: 'AuthorizationKey', value: secret(params['salt']) }), ['Accepted', 'RebootRequired'], true),
}

/** Level 0 is what every maker takes. For a charge that goes on its own profile counts, else what every charge begins with. */
const profileOf = (connector: number, { unit, value }: Limit, transaction: unknown) => ({
  chargingProfileId: transaction === undefined ? connector : FOR_CHARGE + connector,
  ...(transaction !== undefined && { transactionId: Number(transaction) }),
  stackLevel: 0,
  chargingProfilePurpose: transaction === undefined ? 'TxDefaultProfile' : 'TxProfile',
  chargingProfileKind: 'Relative',
  chargingSchedule: { chargingRateUnit: unit, chargingSchedulePeriod: [{ startPeriod: 0, limit: value }] },
})

async function getConfiguration({ say, params, settings }: Telling): Promise<CommandAnswer> {
  const keys = (params['keys'] as string[] | undefined) ?? []
  const outcome = await say('GetConfiguration', keys.length > 0 ? { key: keys } : {})
  const told = settingsIn(resultOf(outcome))
  if (told.length > 0) await settings(told)
  return answerOf(outcome, [], true)
}
/** Keys as the pile told them; makers write them as they like. */
export function settingsIn(result: Record<string, any> | undefined): Variable[] {
  const all = Array.isArray(result?.['configurationKey']) ? (result['configurationKey'] as Record<string, unknown>[]) : []
  return all
    .filter((one) => typeof one?.['key'] === 'string')
    .map(({ key, value, readonly }) => ({
      component: '',
      variable: String(key),
      value: value === undefined || value === null ? null : String(value),
      readonly: readonly === true || readonly === 'true',
    }))
}

/** Changed is what reads back as asked. */
async function setConfiguration({ say, params, settings }: Telling): Promise<CommandAnswer> {
  const { key, value } = params as { key: string; value: string }
  const outcome = await say('ChangeConfiguration', { key, value })
  const answer = answerOf(outcome, ['Accepted', 'RebootRequired'])
  if (!answer.agreed) return answer
  const told = settingsIn(resultOf(await say('GetConfiguration', { key: [key] })))
  if (told.length > 0) await settings(told)
  const now = told.find(({ variable }) => variable.toLowerCase() === key.toLowerCase())?.value
  const waits = resultOf(outcome)?.['status'] === 'RebootRequired'
  return now === value || waits
    ? { agreed: true, done: true, result: { ...resultOf(outcome), value: now } }
    : no(PileFailure.noEffect, { ...resultOf(outcome), value: now ?? null })
}

async function sendLocalList({ say, params }: Telling): Promise<CommandAnswer> {
  const { version, cards } = params as { version: number; cards: string[] }
  const list = cards.map((idTag) => ({ idTag, idTagInfo: { status: 'Accepted' } }))
  const answer = answerOf(await say('SendLocalList', { listVersion: version, updateType: 'Full', localAuthorizationList: list }))
  if (!answer.agreed) return answer
  const now = resultOf(await say('GetLocalListVersion', {}))?.['listVersion']
  return now === version
    ? { agreed: true, done: true, result: { listVersion: now, cards: cards.length } }
    : no(PileFailure.noEffect, { listVersion: now ?? null })
}
