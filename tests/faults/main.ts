import { Command, InvalidArgumentError, Option } from 'commander';
import { bundleForScript, endAllAtSignal, endWithNpm } from '../../build/script-process.ts';
import { type Channel, channels, type FaultsOptions, lostAnswers, runFaults } from './run-faults.ts';
import { type Victim, victims } from './trade.ts';

interface Options {
  readonly deliveries: number;
  readonly kills: number;
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
const victimList = (text: string): readonly Victim[] =>
  text.split(',').map((name) => {
    const victim = victims.find((one) => one === name);
    if (!victim) throw new InvalidArgumentError(`Victims are ${victims.join(', ')}.`);
    return victim;
  });
const usualRestoreSeconds = 60;

const options = new Command('npm run test:faults --')
  .description(
    'Sells and delivers while the API, Game Agents, games and Postgres are killed with -9 at random instants and answers are ' +
      'lost, and compares what the games did with what the database says. Ends with 1 where the two disagree.',
  )
  .option('--deliveries <count>', 'how many', wholeNumber, 200)
  .option('--kills <count>', 'spread over all orders', wholeNumber, 8)
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
  emptyQueues: options.emptyQueues === true,
  restoreAfterMs: restore === undefined ? null : (restore === true ? usualRestoreSeconds : restore) * 1000,
  say: (line) => process.stderr.write(`${line}\n`),
});
process.stdout.write(`${JSON.stringify(outcome)}\n`);
const { doubled, false_delivered, vanished, ledger_sum } = outcome;
process.exitCode = doubled + false_delivered + vanished + ledger_sum === 0 ? 0 : 1;
