import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** One registry a process; `GET /metrics` prints it to whoever may see it. */
export const registry = new Registry()
collectDefaultMetrics({ register: registry })

const made = <T>(name: string, make: () => T): T => (registry.getSingleMetric(name) as T | undefined) ?? make()
export const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
  made(name, () => new Counter({ name, help, labelNames, registers: [registry] }))
export const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
  made(name, () => new Gauge({ name, help, labelNames, registers: [registry] }))
/** Seconds, in buckets that tell a good answer from a slow one. */
export const timing = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
  made(
    name,
    () => new Histogram({ name, help, labelNames, buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10], registers: [registry] }),
  )
