import { meterValue16, readingsOf, register } from './readings.ts'
import type { Place, Said } from './said.ts'
import { count, each, json, moment, object, type Shape, text, whole, word } from './shapes.ts'

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
      {
        connectorId: whole,
        status: word('Available', 'Preparing', 'Charging', 'SuspendedEVSE', 'SuspendedEV', 'Finishing', 'Reserved', 'Unavailable', 'Faulted'),
      },
      { errorCode: text(50), info: text(50), timestamp: moment, vendorErrorCode: text(50) },
    ),
    (said) => ({
      kind: 'connector',
      place: { connector: said.connectorId, evse: null },
      raw: said.status,
      error: said.errorCode && said.errorCode !== 'NoError' ? said.errorCode : null,
      detail: [said.vendorErrorCode, said.info].filter(Boolean).join(' ') || null,
      stamp: said.timestamp ?? null,
    }),
  ),
  // Of what follows a message that is answered with an error is repeated for ever, and everything behind it waits: no field is needed.
  MeterValues: reads(object({}, { connectorId: whole, transactionId: whole, meterValue: each(meterValue16, 500) }), (said) => ({
    kind: 'meter',
    place: at(said.connectorId),
    transaction: said.transactionId === undefined ? null : String(said.transactionId),
    readings: readings(said.meterValue),
  })),
  StartTransaction: reads(
    object({}, { connectorId: whole, idTag: text(20), meterStart: register, timestamp: moment, reservationId: count }),
    (said) => ({
      kind: 'began',
      place: at(said.connectorId),
      tag: said.idTag ?? null,
      stamp: said.timestamp ?? null,
      wh: said.meterStart ?? null,
      reservation: said.reservationId === undefined ? null : String(said.reservationId),
    }),
  ),
  StopTransaction: reads(
    object(
      {},
      {
        transactionId: whole,
        meterStop: register,
        timestamp: moment,
        idTag: text(20),
        reason: text(30),
        transactionData: each(meterValue16, 1_000),
      },
    ),
    (said) => ({
      kind: 'ended',
      // A number that cannot be read is none, as piles have it that were off line.
      transaction: String(said.transactionId ?? -1),
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
  SignedFirmwareStatusNotification: reads(object({ status: text(40) }, { requestId: count }), ({ status, requestId = null }) => ({
    kind: 'firmware',
    status,
    request: requestId,
  })),
  LogStatusNotification: reads(object({ status: text(40) }, { requestId: count }), ({ status, requestId = null }) => ({
    kind: 'log',
    status,
    request: requestId,
  })),
  SecurityEventNotification: reads(object({ type: text(50) }, { timestamp: moment, techInfo: text(255) }), (said) => ({
    kind: 'security',
    type: said.type,
    info: said.techInfo ?? null,
    stamp: said.timestamp ?? null,
  })),
}
function reads<T>(shape: Shape<T>, say: (read: T) => Said): (payload: unknown) => Said {
  return (payload) => say(shape(payload, ''))
}
const at = (connector: number | undefined): Place | null => (connector === undefined ? null : { connector, evse: null })
const readings = (values: readonly { timestamp?: string | undefined; sampledValue?: readonly object[] | undefined }[] = []) =>
  readingsOf(values.map(({ timestamp = null, sampledValue = [] }) => ({ timestamp, samples: sampledValue })))
