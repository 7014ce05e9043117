import { around } from './screensAround.ts'

/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  ChargingCompanyScreen: () => import('./OperatorScreen.tsx'),
  ChargingStationScreen: () => import('./StationScreen.tsx'),
  ChargingListScreen: () => import('./ConnectorScreen.tsx'),
  ChargingPileScreen: () => import('./PileScreen.tsx'),
  ChargingQrScreen: () => import('./ConnectorQrScreen.tsx'),
  ChargingStrategyScreen: () => import('./StrategyScreen.tsx'),
  ChargingUseScreen: () => import('./OrderScreen.tsx'),
  ChargingDepositScreen: () => import('./OrderHoldScreen.tsx'),
  ChargingRefundScreen: () => import('./OrderRefundScreen.tsx'),
  ...around,
}
