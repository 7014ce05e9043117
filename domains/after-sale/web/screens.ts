/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  AfterSaleDashboardScreen: () => import('./AfterSaleDashboardScreen.tsx'),
  FeedbackScreen: () => import('./SuggestionScreen.tsx'),
  AllOrdersScreen: () => import('./WorkOrderScreen.tsx'),
  CreateOrderScreen: () => import('./WorkOrderIntakeScreen.tsx'),
  DealOrdersScreen: () => import('./WorkOrderMineScreen.tsx'),
  ReturnVisitScreen: () => import('./InterviewScreen.tsx'),
  EvaluateScreen: () => import('./EvaluationScreen.tsx'),
  CaseScreen: () => import('./CaseScreen.tsx'),
}
