/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  MessageDashboardScreen: () => import('./MessageDashboardScreen.tsx'),
  MessageRecordScreen: () => import('./MessageRecordScreen.tsx'),
  MessageListScreen: () => import('./MessageListScreen.tsx'),
  MessageTaskScreen: () => import('./MessageTaskScreen.tsx'),
  MessageTemplateScreen: () => import('./MessageTemplateScreen.tsx'),
  MessageChannelScreen: () => import('./MessageChannelScreen.tsx'),
  MarketingScreen: () => import('./MarketingScreen.tsx'),
}
