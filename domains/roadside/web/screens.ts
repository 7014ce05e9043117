/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  RoadDeviceScreen: () => import('./RoadDeviceScreen.tsx'),
  RoadChargeScreen: () => import('./RoadChargeScreen.tsx'),
  SiteCameraScreen: () => import('./SiteCameraScreen.tsx'),
  DistrictScreen: () => import('./DistrictScreen.tsx'),
  SectionScreen: () => import('./SectionScreen.tsx'),
  BerthScreen: () => import('./BerthScreen.tsx'),
  BindLogScreen: () => import('./BindLogScreen.tsx'),
  RoadMapScreen: () => import('./RoadMapScreen.tsx'),
  HighVideoScreen: () => import('./HighVideoScreen.tsx'),
  DomeScreen: () => import('./DomeScreen.tsx'),
  RoadBoardScreen: () => import('./RoadBoardScreen.tsx'),
  RoadRecordScreen: () => import('./RoadRecordScreen.tsx'),
  RoadPresentScreen: () => import('./RoadPresentScreen.tsx'),
  IllegalStopScreen: () => import('./IllegalStopScreen.tsx'),
}
