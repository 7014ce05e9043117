import { meterValue16, readingsOf } from './readings.ts'
import type { Place, Said } from './said.ts'
import { json, list, moment, object, type Shape, text, whole, word } from './shapes.ts'

/** OCPP 1.6: what a charge point may call. Each action is read into what it says, in words that know no version. */
export const heard16: Record<string, (payload: unknown) => Said> = {
  BootNotification: reads(
    object(
      { chargePointVendor: text(20), chargePointModel: text(20) },
      { chargePointSerialNumber: text(64), chargeBoxSerialNumber: text(64), firmwareVersion: text(50) },
    ),
    (boot) => ({
      kind: 'boot',
      vendor: boot.chargePointVendor,
      model: boot.chargePointModel,
      serial: boot.chargePointSerialNumber ?? boot.chargeBoxSerialNumber ?? null,
      firmware: boot.firmwareVersion ?? null,
      reason: null,
    }),
  ),
  Heartbeat: () => ({ kind: 'beat' }),
  Authorize: reads(object({ idTag: text(20) }), ({ idTag }) => ({ kind: 'authorise', tag: idTag })),
  StatusNotification: reads(
    object(
      { connectorId: whole, status: word('Available', 'Preparing', 'Charging', 'SuspendedEVSE', 'SuspendedEV', 'Finishing', 'Reserved', 'Unavailable', 'Faulted') }, // prettier-ignore
      { errorCode: text(50), info: text(50), timestamp: moment, vendorErrorCode: text(50) },
    ),
    (said) => ({
      kind: 'connector',
      place: at(said.connectorId),
      raw: said.status,
      error: said.errorCode && said.errorCode !== 'NoError' ? said.errorCode : null,
      detail: [said.vendorErrorCode, said.info].filter(Boolean).join(' ') || null,
      stamp: said.timestamp ?? null,
    }),
  ),
  MeterValues: reads(object({ connectorId: whole }, { transactionId: whole, meterValue: list(meterValue16, 500) }), (said) => ({
    kind: 'meter',
    place: at(said.connectorId),
    transaction: said.transactionId === undefined ? null : String(said.transactionId),
    readings: readings(said.meterValue),
  })),
  StartTransaction: reads(
    object({ connectorId: whole, idTag: text(20), meterStart: whole, timestamp: moment }, { reservationId: whole }),
    (said) => ({
      kind: 'began',
      place: at(said.connectorId),
      tag: said.idTag,
      stamp: said.timestamp,
      wh: said.meterStart,
      reservation: said.reservationId === undefined ? null : String(said.reservationId),
    }),
  ),
  StopTransaction: reads(
    // Only the id is needed: a stop that is answered with an error is repeated for ever, and everything behind it waits.
    object(
      { transactionId: whole },
      {
        meterStop: mend(whole),
        timestamp: mend(moment),
        idTag: mend(text(20)),
        reason: mend(text(30)),
        transactionData: mend(list(meterValue16, 1_000)),
      },
    ),
    (said) => ({
      kind: 'ended',
      transaction: String(said.transactionId),
      tag: said.idTag ?? null,
      stamp: said.timestamp ?? null,
      wh: said.meterStop ?? null,
      reason: said.reason ?? 'Local',
      readings: readings(said.transactionData),
    }),
  ),
  FirmwareStatusNotification: reads(object({ status: text(40) }), ({ status }) => ({ kind: 'firmware', status, request: null })),
  DiagnosticsStatusNotification: reads(object({ status: text(40) }), ({ status }) => ({ kind: 'log', status, request: null })),
  DataTransfer: reads(object({ vendorId: text(255) }, { messageId: text(50), data: json }), (said) => ({
    kind: 'data',
    vendor: said.vendorId,
    message: said.messageId ?? null,
    data: said.data === undefined ? null : typeof said.data === 'string' ? said.data : JSON.stringify(said.data),
  })),
  SignedFirmwareStatusNotification: reads(object({ status: text(40) }, { requestId: whole }), ({ status, requestId = null }) => ({
    kind: 'firmware',
    status,
    request: requestId,
  })),
  LogStatusNotification: reads(object({ status: text(40) }, { requestId: whole }), ({ status, requestId = null }) => ({
    kind: 'log',
    status,
    request: requestId,
  })),
  SecurityEventNotification: reads(object({ type: text(50), timestamp: moment }, { techInfo: text(255) }), (said) => ({
    kind: 'security',
    type: said.type,
    info: said.techInfo ?? null,
    stamp: said.timestamp,
  })),
}
function reads<T>(shape: Shape<T>, say: (read: T) => Said): (payload: unknown) => Said {
  return (payload) => say(shape(payload, ''))
}
/** What cannot be read of a field is left out rather than refused. */
function mend<T>(shape: Shape<T>): Shape<T | undefined> {
  return (value, where) => {
    try {
      return shape(value, where)
    } catch {
      return undefined
    }
  }
}
const at = (connector: number): Place => ({ connector, evse: null })
const readings = (values: readonly { timestamp: string; sampledValue?: readonly object[] | undefined }[] = []) =>
  readingsOf(values.map(({ timestamp, sampledValue = [] }) => ({ timestamp, samples: sampledValue })))
