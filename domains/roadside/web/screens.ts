/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  RoadDeviceScreen: () => import('./RoadDeviceScreen.tsx'),
  RoadChargeScreen: () => import('./SectionFeeRuleScreen.tsx'),
  SiteCameraScreen: () => import('./SiteCameraScreen.tsx'),
  DistrictScreen: () => import('./DistrictScreen.tsx'),
  SectionScreen: () => import('./SectionScreen.tsx'),
  BerthScreen: () => import('./BerthScreen.tsx'),
  BindLogScreen: () => import('./BindingScreen.tsx'),
  RoadMapScreen: () => import('./RoadMapScreen.tsx'),
  HighVideoScreen: () => import('./HighVideoScreen.tsx'),
  DomeScreen: () => import('./DomeScreen.tsx'),
  RoadBoardScreen: () => import('./BerthBoardScreen.tsx'),
  RoadRecordScreen: () => import('./RoadStayScreen.tsx'),
  RoadPresentScreen: () => import('./RoadStayPresentScreen.tsx'),
  IllegalStopScreen: () => import('./IllegalStopScreen.tsx'),
}
