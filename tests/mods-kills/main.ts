import { Command, InvalidArgumentError } from 'commander';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { testAccount } from '#harness/test-account.ts';
import { runKills } from './run-kills.ts';

const wholeNumber = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
};

const { kills, seed, account } = new Command('node tests/mods-kills/main.ts')
  .description(
    'Installs, updates and removes mods of a simulated game while the agent and the game are killed with -9, and compares every file ' +
      'with the old set and the new one. Ends with 1 where it is neither, or not the one that the result says.',
  )
  .option('--kills <count>', 'at random instants', wholeNumber, 200)
  .option('--seed <number>', 'of the instants', wholeNumber, 18)
  .option('--account', "the game's folder belongs to an account made for this; needs root")
  .parse()
  .opts<{ readonly kills: number; readonly seed: number; readonly account?: true }>();

await using folder = await temporaryFolder('mods-kills');
await using owner = account ? await testAccount() : null;
const outcome = await runKills({
  folder: folder.path,
  kills,
  seed,
  ...(owner && { account: owner }),
  say: (line) => process.stderr.write(`${line}\n`),
});
process.stdout.write(`${JSON.stringify(outcome)}\n`);
process.exitCode = outcome.wrong.length === 0 ? 0 : 1;
