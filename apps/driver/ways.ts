import type { Text } from './say.ts'

interface Way {
  payMethod: number
  text: Text
  /** The app whose own browser this is: it can pay by itself alone. */
  app: RegExp
}
const WAYS: readonly Way[] = [
  { payMethod: 1, text: ['微信支付', 'WeChat Pay'], app: /MicroMessenger/ },
  { payMethod: 2, text: ['支付宝', 'Alipay'], app: /AlipayClient/ },
]
const here = WAYS.filter(({ app }) => app.test(navigator.userAgent))
/** How money may be sent from the app that this page is open in. */
export const ways = here.length > 0 ? here : WAYS
