/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  DocumentScreen: () => import('./DocumentScreen.tsx'),
  DictionaryScreen: () => import('./DictionaryScreen.tsx'),
  RegionScreen: () => import('./RegionScreen.tsx'),
  RegulationScreen: () => import('./RegulationScreen.tsx'),
  ConfigurationScreen: () => import('./ConfigurationScreen.tsx'),
  HelpScreen: () => import('./HelpScreen.tsx'),
  UpdateScreen: () => import('./UpdateScreen.tsx'),
  ChangeLogScreen: () => import('./ChangeLogScreen.tsx'),
  PdaLogScreen: () => import('./PdaLogScreen.tsx'),
  SystemOverviewScreen: () => import('./SystemOverviewScreen.tsx'),
  PerformanceScreen: () => import('./PerformanceScreen.tsx'),
  AlarmRuleScreen: () => import('./AlarmRuleScreen.tsx'),
  AlarmRecordScreen: () => import('./AlarmRecordScreen.tsx'),
  OperateLogScreen: () => import('./OperateLogScreen.tsx'),
  RecycleBinScreen: () => import('./RecycleBinScreen.tsx'),
  LoginLogScreen: () => import('./LoginLogScreen.tsx'),
}
