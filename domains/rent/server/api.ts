/** `watchProjects(tx, at)`: what the clock brings about, for whoever fills in a demo. */
export { watchProjects } from './clock.ts'
