import { Command, InvalidArgumentError } from 'commander';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { bundleForScript, endAllAtSignal } from '../../build/script-process.ts';
import { openTestCluster } from '../../server/kernel/testing/test-cluster.ts';
import { runKills } from './run-kills.ts';

const wholeNumber = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
};

const { events, kills } = new Command('node tests/discord-kills/main.ts')
  .description(
    'Lets the Discord bot post events while it is killed with -9 and answers are lost, and compares what the simulated ' +
      'Discord shows with what happened. Ends with 1 where the two disagree.',
  )
  .option('--events <count>', 'in each of two channels', wholeNumber, 1000)
  .option('--kills <count>', 'spread over all messages', wholeNumber, 10)
  .parse()
  .opts<{ readonly events: number; readonly kills: number }>();

// This account exists on every machine, so a run as root creates no account.
process.env.CASTELLAN_POSTGRES_ACCOUNT ??= 'nobody';
await bundleForScript();
using _ending = endAllAtSignal();
await using folder = await temporaryFolder('discord-kills');
await using postgres = await openTestCluster(folder.path, await freePort());
await postgres.start();
const outcome = await runKills({
  databaseUrl: postgres.databaseUrl,
  events,
  kills,
  say: (line) => process.stderr.write(`${line}\n`),
});
process.stdout.write(`${JSON.stringify(outcome)}\n`);
const { missing, doubled, outOfOrder } = outcome;
process.exitCode = missing + doubled + outOfOrder === 0 ? 0 : 1;
