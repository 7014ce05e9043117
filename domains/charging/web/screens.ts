import { around } from './screensAround.ts'

/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  ChargingCompanyScreen: () => import('./ChargingCompanyScreen.tsx'),
  ChargingStationScreen: () => import('./ChargingStationScreen.tsx'),
  ChargingListScreen: () => import('./ChargingListScreen.tsx'),
  ChargingPileScreen: () => import('./ChargingPileScreen.tsx'),
  ChargingQrScreen: () => import('./ChargingQrScreen.tsx'),
  ChargingStrategyScreen: () => import('./ChargingStrategyScreen.tsx'),
  ChargingUseScreen: () => import('./ChargingUseScreen.tsx'),
  ChargingDepositScreen: () => import('./ChargingDepositScreen.tsx'),
  ChargingRefundScreen: () => import('./ChargingRefundScreen.tsx'),
  ...around,
}
