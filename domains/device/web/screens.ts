import type { Screens } from '../../../platform/web/screens.ts'

export const screens: Screens = {
  DeviceScreen: () => import('./DeviceScreen.tsx'),
  DeviceMonitorScreen: () => import('./DeviceMonitorScreen.tsx'),
  OfflineScreen: () => import('./OfflineScreen.tsx'),
  EtcScreen: () => import('./EtcScreen.tsx'),
  WarningRuleScreen: () => import('./WarningRuleScreen.tsx'),
  WarningScreen: () => import('./WarningScreen.tsx'),
}
