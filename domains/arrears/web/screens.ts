/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  ArrearsScreen: () => import('./RecordScreen.tsx'),
  AbnormalArrearsScreen: () => import('./RecordAbnormalScreen.tsx'),
  ParkArrearsScreen: () => import('./RecordParksScreen.tsx'),
  RoadArrearsScreen: () => import('./RecordRoadsideScreen.tsx'),
  RepaymentScreen: () => import('./RepaymentScreen.tsx'),
  ParkRepaymentScreen: () => import('./RepaymentParksScreen.tsx'),
  RoadRepaymentScreen: () => import('./RepaymentRoadsideScreen.tsx'),
  EtcArrearsScreen: () => import('./EtcArrearsScreen.tsx'),
  EtcDeductScreen: () => import('./EtcDeductScreen.tsx'),
  EtcMapScreen: () => import('./EtcMapScreen.tsx'),
  EtcRefundScreen: () => import('./EtcRefundScreen.tsx'),
}
