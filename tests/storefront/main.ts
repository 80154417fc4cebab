import { Command, InvalidArgumentError } from 'commander';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { bundleForScript, endAllAtSignal } from '../../build/script-process.ts';
import { openTestCluster } from '../../server/kernel/testing/test-cluster.ts';
import { runPurchases } from './chat-purchases.ts';

const wholeNumber = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
};

const { purchases, seed } = new Command('node tests/storefront/main.ts')
  .description(
    'Lets players of simulated games buy by chat, with imitators, nicknames, lost and repeated lines, prices that change, players whom no private ' +
      'message reaches, games that answer late and an API that is killed, ' +
      'and compares what they agreed to with what they paid. Ends with 1 where the two disagree.',
  )
  .option('--purchases <count>', 'of all games together', wholeNumber, 1000)
  .option('--seed <number>', 'the same choices again', wholeNumber, 19)
  .parse()
  .opts<{ readonly purchases: number; readonly seed: number }>();

// This account exists on every machine, so a run as root creates no account.
process.env.CASTELLAN_POSTGRES_ACCOUNT ??= 'nobody';
await bundleForScript();
using _ending = endAllAtSignal();
await using folder = await temporaryFolder('chat-purchases');
await using postgres = await openTestCluster(folder.path, await freePort());
await postgres.start();
const outcome = await runPurchases({
  databaseUrl: postgres.databaseUrl,
  home: folder.path,
  purchases,
  seed,
  say: (line) => process.stderr.write(`${line}\n`),
});
process.stdout.write(`${JSON.stringify(outcome)}\n`);
const { unconfirmed, doubled, missing, wrong_wallets } = outcome;
process.exitCode = unconfirmed + doubled + missing + wrong_wallets === 0 ? 0 : 1;
