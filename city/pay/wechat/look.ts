/** White text on it is readable. */
export const GREEN = '#067a46'
