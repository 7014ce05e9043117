import { counter } from '../../platform/server/metrics.ts'

export const heardCount = counter('kerbline_partner_requests_total', 'Requests of partner platforms and what they were answered', [
  'interface',
  'ret',
])
export const spokenCount = counter('kerbline_partner_letters_total', 'Letters to partner platforms and what they answered', ['interface', 'ret'])
