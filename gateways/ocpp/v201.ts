import { meterValue201, readingsOf } from './readings.ts'
import type { Place, Said, Variable } from './said.ts'
import { count, each, flag, json, list, moment, object, type Shape, text, whole, word } from './shapes.ts'

const idToken = object({ idToken: text(36) }, { type: text(20) })
const evse = object({ id: whole }, { connectorId: whole })

/** OCPP 2.0.1: what a charging station may call. Each action is read into what it says, in words that know no version. */
export const heard201: Record<string, (payload: unknown) => Said> = {
  BootNotification: reads(
    object({
      reason: text(20),
      chargingStation: object({ model: text(20), vendorName: text(50) }, { serialNumber: text(64), firmwareVersion: text(50) }),
    }),
    ({ reason, chargingStation: { model, vendorName, serialNumber = null, firmwareVersion = null } }) => ({
      kind: 'boot',
      vendor: vendorName,
      model,
      serial: serialNumber,
      firmware: firmwareVersion,
      reason,
    }),
  ),
  Heartbeat: () => ({ kind: 'beat' }),
  Authorize: reads(object({ idToken }), (said) => ({ kind: 'authorise', tag: said.idToken.idToken })),
  StatusNotification: reads(
    object(
      { connectorStatus: word('Available', 'Occupied', 'Reserved', 'Unavailable', 'Faulted'), evseId: whole, connectorId: whole },
      { timestamp: moment },
    ),
    (said) => ({
      kind: 'connector',
      place: { connector: said.connectorId, evse: said.evseId },
      raw: said.connectorStatus,
      error: null,
      detail: null,
      stamp: said.timestamp ?? null,
    }),
  ),
  TransactionEvent: reads(
    object(
      {
        // It is repeated where it is answered with an error: of whose transaction it is, is all that is needed.
        transactionInfo: object({ transactionId: text(36) }, { chargingState: text(20), stoppedReason: text(24), remoteStartId: count }),
      },
      {
        eventType: word('Started', 'Updated', 'Ended'),
        timestamp: moment,
        triggerReason: text(30),
        seqNo: count,
        meterValue: each(meterValue201, 500),
        offline: flag,
        reservationId: count,
        evse,
        idToken,
      },
    ),
    (said) => ({
      kind: 'transaction',
      // A message that names no event began and ended nothing.
      event: said.eventType ?? 'Updated',
      transaction: said.transactionInfo.transactionId,
      seqNo: said.seqNo ?? null,
      offline: said.offline ?? false,
      place: said.evse ? placeOf(said.evse) : null,
      tag: said.idToken?.idToken || null,
      nameless: said.idToken?.idToken === '',
      remoteStartId: said.transactionInfo.remoteStartId ?? null,
      reservation: said.reservationId === undefined ? null : String(said.reservationId),
      chargingState: said.transactionInfo.chargingState ?? null,
      trigger: said.triggerReason ?? null,
      reason: said.eventType === 'Ended' ? (said.transactionInfo.stoppedReason ?? 'Local') : null,
      stamp: said.timestamp ?? null,
      readings: readings(said.meterValue),
    }),
  ),
  MeterValues: reads(object({}, { evseId: whole, meterValue: each(meterValue201, 500) }), (said) => ({
    kind: 'meter',
    place: said.evseId === undefined ? null : { connector: 1, evse: said.evseId },
    transaction: null,
    readings: readings(said.meterValue),
  })),
  NotifyReport: reads(
    object(
      { requestId: whole, generatedAt: text(40), seqNo: whole },
      {
        tbc: flag,
        reportData: list(
          object(
            { component: named(), variable: named() },
            { variableAttribute: list(object({}, { type: text(12), value: text(2500), mutability: text(12) })) },
          ),
        ),
      },
    ),
    (said) => ({
      kind: 'report',
      request: said.requestId,
      seqNo: said.seqNo,
      more: said.tbc ?? false,
      variables: (said.reportData ?? []).map(variableOf),
    }),
  ),
  FirmwareStatusNotification: reads(object({ status: text(40) }, { requestId: count }), ({ status, requestId = null }) => ({
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
  ReservationStatusUpdate: reads(object({ reservationId: count, reservationUpdateStatus: text(20) }), (said) => ({
    kind: 'reservation',
    reservation: said.reservationId,
    status: said.reservationUpdateStatus,
  })),
  DataTransfer: reads(object({ vendorId: text(255) }, { messageId: text(50), data: json }), (said) => ({
    kind: 'data',
    vendor: said.vendorId,
    message: said.messageId ?? null,
    data: said.data === undefined ? null : typeof said.data === 'string' ? said.data : JSON.stringify(said.data),
  })),
  NotifyEvent: noted(object({ generatedAt: text(40), seqNo: whole, eventData: list(json) })),
  NotifyMonitoringReport: noted(object({ requestId: whole, seqNo: whole })),
  NotifyChargingLimit: noted(object({ chargingLimit: json })),
  ClearedChargingLimit: noted(object({ chargingLimitSource: text(20) })),
  ReportChargingProfiles: noted(object({ requestId: whole, evseId: whole })),
}
function reads<T>(shape: Shape<T>, say: (read: T) => Said): (payload: unknown) => Said {
  return (payload) => say(shape(payload, ''))
}
function noted(shape: Shape<unknown>): (payload: unknown) => Said {
  return reads(shape, () => ({ kind: 'noted' }))
}
function named(): Shape<{ name: string; instance?: string | undefined }> {
  return object({ name: text(50) }, { instance: text(50) })
}

const placeOf = ({ id, connectorId }: { id: number; connectorId?: number | undefined }): Place => ({ connector: connectorId ?? 1, evse: id })
const readings = (
  values: readonly {
    timestamp?: string | undefined
    sampledValue?: readonly { unitOfMeasure?: { unit?: string | undefined; multiplier?: number | undefined } | undefined }[] | undefined
  }[] = [],
) =>
  readingsOf(
    values.map(({ timestamp = null, sampledValue = [] }) => ({ timestamp, samples: sampledValue.map((one) => ({ ...one, ...one.unitOfMeasure })) })),
  )
function variableOf(said: {
  component: { name: string; instance?: string | undefined }
  variable: { name: string; instance?: string | undefined }
  variableAttribute?: { type?: string | undefined; value?: string | undefined; mutability?: string | undefined }[] | undefined
}): Variable {
  const actual = said.variableAttribute?.find(({ type }) => !type || type === 'Actual')
  const nameOf = ({ name, instance }: { name: string; instance?: string | undefined }) => (instance ? `${name}[${instance}]` : name)
  return {
    component: nameOf(said.component),
    variable: nameOf(said.variable),
    value: actual?.value ?? null,
    readonly: actual?.mutability === 'ReadOnly',
  }
}
