/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  MaintainRecordScreen: () => import('./MaintainRecordScreen.tsx'),
  MaintainStatisticsScreen: () => import('./MaintainStatisticsScreen.tsx'),
  PatrolRuleScreen: () => import('./PatrolRuleScreen.tsx'),
  InspectionRecordScreen: () => import('./InspectionRecordScreen.tsx'),
  PatrolTaskScreen: () => import('./PatrolTaskScreen.tsx'),
  ScrapRecordScreen: () => import('./ScrapRecordScreen.tsx'),
}
