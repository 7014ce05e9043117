import { type MenuEntry, screen } from '../../../platform/contract/menu.ts'

export const menu: MenuEntry[] = [
  screen(
    '/assetManage/parkingAndFacility/device',
    'DeviceScreen',
    ['停车场设备', 'Park devices'],
    ['device:device:view'],
    [
      { code: 'edit', name: ['编辑', 'Edit'], needs: 'device:device:edit' },
      { code: 'secret', name: ['下发密钥', 'Issue secrets'], needs: 'device:device:secret' },
    ],
  ),
  screen('/appManage/device/offline', 'OfflineScreen', ['设备离线', 'Device offline'], ['device:device:view']),
  screen(
    '/appManage/device/warningConfig',
    'WarningRuleScreen',
    ['设备预警配置', 'Device warning settings'],
    ['device:warning-rule:view'],
    [{ code: 'edit', name: ['编辑', 'Edit'], needs: 'device:warning-rule:edit' }],
  ),
  screen(
    '/appManage/device/warningRecord',
    'WarningScreen',
    ['设备预警记录', 'Device warning records'],
    ['device:device:view'],
    [{ code: 'handle', name: ['处理', 'Handle'], needs: 'device:warning:handle' }],
  ),
  screen(
    '/extendedBusiness/etc/list',
    'EtcScreen',
    ['ETC设备列表', 'ETC devices'],
    ['device:etc:view'],
    [{ code: 'edit', name: ['编辑', 'Edit'], needs: 'device:etc:edit' }],
  ),
  screen('/operation/deviceMonitor', 'DeviceMonitorScreen', ['设备监控', 'Device monitoring'], ['device:device:view', 'device:message:view']),
]
