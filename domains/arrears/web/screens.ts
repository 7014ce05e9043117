/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  ArrearsScreen: () => import('./ArrearsScreen.tsx'),
  AbnormalArrearsScreen: () => import('./AbnormalArrearsScreen.tsx'),
  ParkArrearsScreen: () => import('./ParkArrearsScreen.tsx'),
  RoadArrearsScreen: () => import('./RoadArrearsScreen.tsx'),
  RepaymentScreen: () => import('./RepaymentScreen.tsx'),
  ParkRepaymentScreen: () => import('./ParkRepaymentScreen.tsx'),
  RoadRepaymentScreen: () => import('./RoadRepaymentScreen.tsx'),
  EtcArrearsScreen: () => import('./EtcArrearsScreen.tsx'),
  EtcDeductScreen: () => import('./EtcDeductScreen.tsx'),
  EtcMapScreen: () => import('./EtcMapScreen.tsx'),
  EtcRefundScreen: () => import('./EtcRefundScreen.tsx'),
}
