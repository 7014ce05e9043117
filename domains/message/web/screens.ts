/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  MessageDashboardScreen: () => import('./MessageDashboardScreen.tsx'),
  MessageRecordScreen: () => import('./RecordScreen.tsx'),
  MessageListScreen: () => import('./RecordInAppScreen.tsx'),
  MessageTaskScreen: () => import('./TaskScreen.tsx'),
  MessageTemplateScreen: () => import('./TemplateScreen.tsx'),
  MessageChannelScreen: () => import('./ChannelScreen.tsx'),
  MarketingScreen: () => import('./NewsScreen.tsx'),
}
