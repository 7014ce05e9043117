import type { Domain } from '../../platform/server/domain.ts'

/** All domains, from the ground up: each may call those above it in this list, and only them. */
export const domains: readonly Domain[] = []
