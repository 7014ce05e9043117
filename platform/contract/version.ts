/** Of the product, as package.json says it: the console’s foot shows it, and the newest of the demo’s release notes is of it. */
export const PRODUCT_VERSION = '1.0.0'
