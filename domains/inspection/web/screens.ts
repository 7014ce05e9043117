/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  MaintainRecordScreen: () => import('./RepairScreen.tsx'),
  MaintainStatisticsScreen: () => import('./StatisticsScreen.tsx'),
  PatrolRuleScreen: () => import('./PatrolRuleScreen.tsx'),
  InspectionRecordScreen: () => import('./PatrolRecordScreen.tsx'),
  PatrolTaskScreen: () => import('./TaskScreen.tsx'),
  ScrapRecordScreen: () => import('./ScrapScreen.tsx'),
}
