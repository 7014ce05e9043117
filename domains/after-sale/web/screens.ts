/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  AfterSaleDashboardScreen: () => import('./AfterSaleDashboardScreen.tsx'),
  FeedbackScreen: () => import('./FeedbackScreen.tsx'),
  AllOrdersScreen: () => import('./AllOrdersScreen.tsx'),
  CreateOrderScreen: () => import('./CreateOrderScreen.tsx'),
  DealOrdersScreen: () => import('./DealOrdersScreen.tsx'),
  ReturnVisitScreen: () => import('./ReturnVisitScreen.tsx'),
  EvaluateScreen: () => import('./EvaluateScreen.tsx'),
  CaseScreen: () => import('./CaseScreen.tsx'),
}
