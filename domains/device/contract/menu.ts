import { type MenuEntry, screen } from '../../../platform/contract/menu.ts'

export const menu: MenuEntry[] = [
  screen(
    '/assetManage/parkingAndFacility/device',
    'DeviceScreen',
    ['停车场设备', 'Park devices'],
    ['device:device:view'],
    [{ code: 'edit', name: ['编辑', 'Edit'], needs: 'device:device:edit' }],
  ),
  screen('/appManage/device/offline', 'OfflineScreen', ['设备离线', 'Device offline'], ['device:device:view']),
  screen('/appManage/device/warningRecord', 'WarningScreen', ['设备预警记录', 'Device warning records'], ['device:device:view']),
  screen('/operation/deviceMonitor', 'DeviceMonitorScreen', ['设备监控', 'Device monitoring'], ['device:device:view', 'device:message:view']),
]
