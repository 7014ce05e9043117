import { exportOf, gateName, parkName } from '../../../platform/contract/sheet.ts'
import { message } from './message.ts'

/** Logs of devices, as sheets. */
export const logSheet = {
  offline: exportOf('device.park-device.offline-log-export', {
    service: 'device',
    get: '/parkDevice/offlineLogExport',
    needs: message.offline.needs,
    title: ['设备离线记录', 'Device offline records'],
    query: message.offline,
    columns: ['deviceNo', 'parkCode', parkName, 'fromAt', 'toAt', 'durationMin', 'reason'],
  }),
  warning: exportOf('device.park-device.deivce-warning-log-export', {
    service: 'device',
    get: '/parkDevice/deivceWarningLogExport',
    needs: message.warning.needs,
    title: ['设备预警记录', 'Device warnings'],
    query: message.warning,
    columns: [
      'deviceNo',
      'parkCode',
      parkName,
      'gateCode',
      gateName('gateCode', ['通道', 'Lane']),
      'type',
      'level',
      'subject',
      'state',
      'count',
      'firstAt',
      'lastAt',
      'recoveredAt',
    ],
  }),
}
