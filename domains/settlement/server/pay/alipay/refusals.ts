import { refusal } from '../../../../../platform/server/refusal.ts'

export const BadKey = refusal(
  'settlement.alipay-key',
  40540,
  '{zh}无法识别：请粘贴 PEM 或 Base64 形式的 RSA 密钥，长度不小于 2048 位',
  'The {en} cannot be read: paste an RSA key in PEM or Base64, of at least 2048 bits',
  422,
)
export const BadCertificate = refusal(
  'settlement.alipay-certificate',
  40541,
  '{zh}无法识别：请粘贴从支付宝开放平台下载的证书文件全文',
  'The {en} cannot be read: paste the whole certificate file downloaded from Alipay’s open platform',
  422,
)
export const KeyOfAnother = refusal(
  'settlement.alipay-pair',
  40542,
  '应用私钥与应用公钥证书不是一对，请核对后重新填写',
  'The app’s private key does not belong to the app’s certificate: check both and enter them again',
  422,
)
/** An answer that Alipay did not sign, or one about something else than what was asked. Nothing that it tells is believed. */
export const NotFromAlipay = refusal(
  'settlement.alipay-answer',
  40543,
  '支付宝的应答未通过验签，未采用其结果；请管理员核对支付宝公钥或证书',
  'The answer was not signed by Alipay and is not used. Ask an administrator to check Alipay’s key or certificate',
  502,
)
export const WrongSetup = refusal(
  'settlement.alipay-setup',
  40544,
  '支付宝拒绝了本应用的请求（{word}），请管理员核对应用、密钥与产品签约',
  'Alipay refused the app’s request ({word}). Ask an administrator to check the app, its keys and its contract',
  502,
)
export const Declined = refusal(
  'settlement.alipay-declined',
  40545,
  '支付宝未受理（{word}），请更换支付方式或稍后重试',
  'Alipay declined ({word}). Choose another payment method or try again later',
  422,
)
export const PayerUnknown = refusal(
  'settlement.alipay-payer',
  40546,
  '未取得付款人的支付宝账号，请在支付宝中重新打开本页',
  'The payer’s Alipay account is not known: open this page in Alipay again',
  422,
)
