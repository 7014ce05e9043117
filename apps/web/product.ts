/** The product's name and description, on the sign-in page, in titles and in the footer. */
export const product = ['泊城', 'Kerbline'] as const
export const description = ['区级智慧停车管理运营服务平台', 'A district smart-parking management and operation service platform'] as const
export const BASE = '/dist'
export const titleOf = (productName: string, page: string) => `${productName} | ${page}`
