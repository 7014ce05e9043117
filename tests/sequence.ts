import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Test files of half a minute or more begin first: short ones then fill the other worker, and nothing long is left over at the
 * end. The first of them makes the demo city that most of them use; those of faults, which need none, run beside it, so that
 * nobody waits.
 */
const LONG = [
  ...[
    /tests\/matrix\/strangers/,
    /tests\/faults\//,
    /tests\/matrix\/garbage/,
    /tests\/matrix\/blocking/,
    /tests\/money\/retries/,
    /tests\/limits\/readers/,
    /tests\/matrix\/sheets/,
    /tests\/limits\/zones/,
  ],
  ...[
    /tests\/journeys\/menu/,
    /tests\/shell\/gallery-list/,
    /tests\/a11y\/screens/,
    /tests\/shell\/features/,
    /tests\/shell\/tabs/,
    /tests\/shell\/signin/,
    /tests\/journeys\/administration/,
    /tests\/shell\/(frame|requests|hand|media|gallery|order|session)\./,
  ], // in a browser, after all others
]
const place = ({ moduleId }: TestSpecification) => {
  const at = LONG.findIndex((one) => one.test(moduleId))
  return at < 0 ? LONG.length : at
}
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}
