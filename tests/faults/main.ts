import { Command, InvalidArgumentError, Option } from 'commander';
import { bundleForScript, endAllAtSignal, endWithNpm } from '../../build/script-process.ts';
import { type Channel, channels, lostAnswers } from './hosts.ts';
import { type Victim, victims } from './kills.ts';
import { faultsOf } from './outcome.ts';
import { type FaultsOptions, runFaults } from './run-faults.ts';

interface Options {
  readonly deliveries: number;
  readonly kills: number;
  readonly apis: number;
  readonly merges?: number;
  readonly stops: number;
  readonly slowAnswers: number;
  readonly rules: boolean;
  readonly channel: Channel;
  readonly victims: readonly Victim[];
  readonly seed: number;
  readonly lostAnswers: FaultsOptions['lostAnswers'];
  readonly emptyQueues?: true;
  readonly restore?: true | number;
}

const wholeNumber = (text: string): number => {
  const value = Number(text);
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return value;
};
const between =
  (least: number, most: number) =>
  (text: string): number => {
    const value = wholeNumber(text);
    if (value < least || value > most)
      throw new InvalidArgumentError(`It must be a number from ${least} to ${most}.`);
    return value;
  };
const victimList = (text: string): readonly Victim[] =>
  text.split(',').map((name) => {
    const victim = victims.find((one) => one === name);
    if (!victim) throw new InvalidArgumentError(`Victims are ${victims.join(', ')}.`);
    return victim;
  });
const usualRestoreSeconds = 60;

const options = new Command('npm run test:faults --')
  .description(
    'Sells and delivers while API processes, Game Agents, games and Postgres are killed with -9 at random instants, API processes ' +
      'are stopped for longer than their leases, members are merged, and answers are slow or lost. Compares what the games did ' +
      'with what the database says, and ends with 1 where the two disagree.',
  )
  .option('--deliveries <count>', 'how many', wholeNumber, 200)
  .option('--kills <count>', 'spread over all orders', wholeNumber, 8)
  .option('--apis <count>', 'API processes on the one database: 1 to 3', between(1, 3), 2)
  .option(
    '--merges <count>',
    'members with open deliveries that are merged into others (as many as kills; none with --restore)',
    wholeNumber,
  )
  .option(
    '--stops <count>',
    'how often an API of several is stopped for longer than its leases',
    wholeNumber,
    1,
  )
  .option('--slow-answers <percent>', 'of all gifts whose answer takes 0.7 to 6 seconds', between(0, 100), 10)
  .option('--no-rules', 'no product has a standing rule to refund or to send again what is unknown')
  .addOption(
    new Option('--channel <way>', 'how games are reached').choices(channels).default('all' satisfies Channel),
  )
  .option('--victims <names>', `some of ${victims.join(',')}`, victimList, victims)
  .option('--seed <number>', 'the same choices again', wholeNumber, 1)
  .addOption(
    new Option(
      '--lost-answers <games>',
      'which games lose answers: those that keep a record of gifts, or all',
    )
      .choices(lostAnswers)
      .default('guarded' satisfies FaultsOptions['lostAnswers']),
  )
  .option('--empty-queues', "empties pg-boss's tables in the middle")
  .option('--restore [seconds]', 'puts back a copy of the database from so long before (60)', wholeNumber)
  .option(
    '--json',
    'the last line on stdout is always one JSON object; accepted for symmetry with the benchmarks',
  )
  .parse()
  .opts<Options>();

endWithNpm();
// This account exists on every machine, so a run as root creates no account.
process.env.CASTELLAN_POSTGRES_ACCOUNT ??= 'nobody';
await bundleForScript();
using _ending = endAllAtSignal();
const { restore } = options;
const outcome = await runFaults({
  ...options,
  // The copy does not know of merges, so it would not be known whose gifts are whose.
  merges: restore === undefined ? (options.merges ?? options.kills) : 0,
  slowAnswers: options.slowAnswers / 100,
  hasRules: options.rules,
  emptyQueues: options.emptyQueues === true,
  restoreAfterMs: restore === undefined ? null : (restore === true ? usualRestoreSeconds : restore) * 1000,
  say: (line) => process.stderr.write(`${line}\n`),
});
process.stdout.write(`${JSON.stringify(outcome)}\n`);
process.exitCode = Object.values(faultsOf(outcome)).every((count) => count === 0) ? 0 : 1;
